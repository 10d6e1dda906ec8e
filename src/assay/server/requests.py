"""How requests are read: strict JSON, and what every route may ask of the app."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Query, Request
from fastapi.responses import JSONResponse, Response
from fastapi.routing import APIRoute

from assay.core.jsontext import dumps, loads
from assay.core.plain import with_finite_numbers
from assay.server.api_keys import Principal
from assay.server.config import ServerConfig
from assay.server.schemas.base import ERRORS, Item, Page
from assay.store import Store
from assay.store.audit import AuditStamp

LOGINS = ("/v1/login", "/agent-eval/apps/login")
"""Where a key is sent in a body, because that is what it is for."""
HOLDS_KEY = (
    "the body holds a key or a password of this server, which would be stored; keys go into the "
    "header Authorization alone"
)


class JsonAnswer(JSONResponse):
    """JSON written by our one writer, so that every stored text can be sent."""

    def render(self, content: Any) -> bytes:
        """The bytes of the body; a figure that is not finite is sent as null."""
        try:
            return dumps(content).encode()
        except ValueError:
            return dumps(with_finite_numbers(content)).encode()


class StrictRequest(Request):
    """A request whose JSON is read by our one reader: no duplicate keys, no NaN, bounded depth."""

    async def json(self) -> Any:
        """The body's value; a body that is not JSON is refused with 400."""
        if not hasattr(self, "_json"):
            try:
                text = (await self.body()).decode()
                self._json = loads(text)
                self.scope["assay.body"] = f"{text}\n{dumps(self._json)}"
            except UnicodeDecodeError:
                raise HTTPException(400, "the body is not UTF-8 text") from None
            except ValueError as error:
                raise HTTPException(400, f"the body is not JSON: {error}") from None
            if self.url.path not in LOGINS and self.app.state.redactor.holds(text):
                raise HTTPException(400, HOLDS_KEY)
        return self._json


class StrictRoute(APIRoute):
    """A route that reads strictly."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler, given a strict request."""
        handler = super().get_route_handler()

        async def strict(request: Request) -> Response:
            return await handler(StrictRequest(request.scope, request.receive))

        return strict


def check_size(body: Any, config: ServerConfig) -> None:
    """Refuse a sample that takes too long to score while its sender waits."""
    most = config.limits.characters
    if len(dumps(body)) > most:
        raise HTTPException(
            413,
            f"the sample is too large; at most {most} characters are scored at once, and jobs "
            "take more: POST /v1/jobs",
        )


def make_router(tag: str) -> APIRouter:
    """A router for the routes of one resource; `tag` is its heading in the API's document."""
    return APIRouter(
        route_class=StrictRoute,
        tags=[tag],
        responses=ERRORS,
        default_response_class=JsonAnswer,
    )


def _store(request: Request) -> Store:
    principal: Principal = request.scope["assay.principal"]
    store: Store = request.app.state.projects.store(principal.project)
    return store


def _control(request: Request) -> Store:
    store: Store = request.app.state.store
    return store


def _config(request: Request) -> ServerConfig:
    config: ServerConfig = request.app.state.config
    return config


def _now(request: Request) -> float:
    return float(request.app.state.now())


def _caller(request: Request) -> Principal:
    principal: Principal = request.scope["assay.principal"]
    return principal


TheStore = Annotated[Store, Depends(_store)]
"""The store of the project that the request is about."""
TheControl = Annotated[Store, Depends(_control)]
"""The server's own store, with the projects, members, users and keys of all."""
TheConfig = Annotated[ServerConfig, Depends(_config)]
"""What the app was started with."""
Now = Annotated[float, Depends(_now)]
"""The time of the request, in seconds since 1970."""
Caller = Annotated[Principal, Depends(_caller)]
"""Who asks."""
Hours = Annotated[
    int | None, Query(ge=1, le=1_000_000, description="The last hours; all time without.")
]


def _change(caller: Caller, now: Now) -> AuditStamp:
    return AuditStamp(caller.name, now)


def _since(now: Now, hours: Hours = None) -> float | None:
    return None if hours is None else now - 3600.0 * hours


@dataclass(frozen=True, slots=True)
class PageRange:
    """Which part of a list is asked for."""

    limit: int
    offset: int

    def page(self, items: Iterable[Item], total: int) -> Page[Item]:
        """The answer: the part, and how much there is in all."""
        return Page(items=list(items), total=total, limit=self.limit, offset=self.offset)


def _part(
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    offset: Annotated[int, Query(ge=0, le=1_000_000_000)] = 0,
) -> PageRange:
    return PageRange(limit, offset)


TheChange = Annotated[AuditStamp, Depends(_change)]
"""Who changes something and when, for the audit trail."""
Since = Annotated[float | None, Depends(_since)]
"""The moment from which on things are asked for, by the parameter `hours`; None: all time."""
ThePart = Annotated[PageRange, Depends(_part)]
"""The part of a list that is asked for."""
