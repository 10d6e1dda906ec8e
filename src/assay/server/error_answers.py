"""Every failure as the same small answer: what is wrong, and the number under which it is logged.

Nothing of the machine is said: no trace, no path, no secret.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import unquote_plus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assay.core import (
    AssayError,
    MissingExtraError,
    NotFoundError,
    ProfileError,
    SampleError,
    UsageError,
)
from assay.core.errors import StoreBusyError, StoreReadOnlyError, TimeLimitError
from assay.core.secrets import Redactor
from assay.server.requests import JsonAnswer

log = logging.getLogger("assay.server")

STATUSES: dict[type[AssayError], int] = {
    MissingExtraError: 501,
    NotFoundError: 404,
    SampleError: 400,
    ProfileError: 400,
    UsageError: 400,
}
"""Our exceptions that are the caller's matter; the first that fits counts."""
UNROUTED = {
    "Not Found": "there is nothing at this address; /v1/openapi.json lists all there is",
    "Method Not Allowed": "this address does not take that method; /v1/openapi.json lists all",
}
"""What the framework says of an address, in words that help."""
FAILED = "the server failed; its log says how"
BUSY = "the store is held by another program; try again"
READ_ONLY = "the store can be read, but not written to"
LESS = "ask for less, post a job, or use the command line"
CODES = {
    400: "wrong_request",
    401: "no_valid_key",
    403: "not_allowed",
    404: "not_found",
    405: "wrong_method",
    408: "too_slow",
    409: "conflict",
    413: "too_large",
    415: "wrong_type",
    422: "wrong_fields",
    429: "too_many",
    500: "failed",
    501: "not_installed",
    502: "provider_failed",
    503: "unavailable",
}
"""What kind of failure a status is, for programs and for pages in other languages."""
BUSY_CODE, TIME_CODE, READ_ONLY_CODE = "busy", "time_limit", "read_only"
"""Kinds that share the status 503."""
RETRY_SECONDS = 5
"""After which to try again."""
MAX_PROBLEMS = 10
"""Wrong fields that one answer names."""


def error_answer(
    scope: Scope,
    status: int,
    error: str,
    headers: Mapping[str, str] | None = None,
    code: str | None = None,
) -> JsonAnswer:
    """The answer to a request that failed; its code is that of the status unless one is given."""
    content = {"error": error, "code": code or CODES.get(status, "failed"), "id": scope["assay.id"]}
    return JsonAnswer(content, status, headers)


def busy_answer(scope: Scope) -> JsonAnswer:
    """The answer while another program holds the store."""
    return error_answer(scope, 503, BUSY, {"retry-after": str(RETRY_SECONDS)}, BUSY_CODE)


def _sent(request: Request) -> str:
    """All that a request said, as it was sent and as it was understood."""
    scope = request.scope
    parts = [
        scope["path"],
        (raw := scope["query_string"].decode("latin-1")),
        unquote_plus(raw),
        *(value.decode("latin-1") for _, value in scope["headers"]),
        scope.get("assay.body", ""),
    ]
    return "\n".join(parts)


def add_error_handlers(app: FastAPI, redactor: Redactor) -> None:
    """Make every failure of a route an answer of the one form."""

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> JsonAnswer:
        message = UNROUTED.get(str(error.detail), str(error.detail))
        shown = redactor.for_sender(message, _sent(request))
        return error_answer(request.scope, error.status_code, shown, error.headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JsonAnswer:
        message = redactor.for_sender(_problems(error.errors()), _sent(request))
        return error_answer(request.scope, 422, message)

    @app.exception_handler(AssayError)
    async def ours(request: Request, error: AssayError) -> JsonAnswer:
        if isinstance(error, StoreBusyError):
            return busy_answer(request.scope)
        if isinstance(error, TimeLimitError):
            return error_answer(request.scope, 503, f"{error}; {LESS}", code=TIME_CODE)
        if isinstance(error, StoreReadOnlyError):
            return error_answer(request.scope, 503, READ_ONLY, code=READ_ONLY_CODE)
        status = next((s for kind, s in STATUSES.items() if isinstance(error, kind)), None)
        if status is None:
            log.error("request %s failed", request.scope["assay.id"], exc_info=error)
            return error_answer(request.scope, 500, FAILED)
        message = redactor.for_sender(str(error), _sent(request))
        return error_answer(request.scope, status, message)


def _problems(errors: Sequence[Any]) -> str:
    """What is wrong with which fields; never what stood there."""
    messages = [f"{'.'.join(map(str, e['loc']))}: {_problem(e)}" for e in errors[:MAX_PROBLEMS]]
    more = len(errors) - MAX_PROBLEMS
    return "; ".join([*messages, f"and {more} more"] if more > 0 else messages)


def _problem(error: Any) -> str:
    return "there is no such field" if error["type"] == "extra_forbidden" else str(error["msg"])


class Failures:
    """Middleware that answers what no handler knows with 500, and logs it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        is_started = False

        async def watched(message: Message) -> None:
            nonlocal is_started
            is_started = True
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except ClientDisconnect:  # nobody is left to hear an answer, and nothing is wrong here
            return
        except Exception as error:
            log.error("request %s failed", scope["assay.id"], exc_info=error)
            if is_started:  # half an answer cannot be taken back: break off, so that it shows
                raise
            await error_answer(scope, 500, FAILED)(scope, receive, send)
