"""Logging in through an identity provider: away from here, and back."""

from __future__ import annotations

import logging
from typing import Annotated

from fastapi import Query, Request
from fastapi.responses import RedirectResponse

from assay.core import NotFoundError
from assay.server.access import COOKIE, SESSION_SECONDS, Holder, role
from assay.server.oidc import LOGIN_SECONDS, LoginError, OidcClient
from assay.server.project_choice import Refused, cookie_of
from assay.server.requests import TheConfig, TheControl, make_router
from assay.server.schemas.session import LoginWays
from assay.store.users import save_login

log = logging.getLogger("assay.server")
router = make_router("session")
LOGIN_COOKIE = "assay_login"
"""Ties a login to the browser that began it. It must come along when another site, the provider,
sends the browser back, so it is `lax`; the session's cookie is `strict`."""


@router.get("/v1/login", operation_id="get_login_ways")
@role("public")
def get_ways(config: TheConfig) -> LoginWays:
    """How people can log in."""
    return LoginWays(key=True, oidc=config.oidc.label if config.oidc else None)


@router.get(
    "/v1/oidc/login", include_in_schema=False, response_class=RedirectResponse, status_code=303
)
@role("public")
def start(request: Request, config: TheConfig) -> RedirectResponse:
    """Send the browser to the identity provider."""
    try:
        begun = _client(request).start()
    except LoginError as error:
        return _refused(request, 502, error)
    response = RedirectResponse(begun.location, 303)
    response.set_cookie(
        LOGIN_COOKIE,
        begun.cookie,
        max_age=LOGIN_SECONDS,
        path="/v1/oidc",
        httponly=True,
        samesite="lax",
        secure=_is_secure(config),
    )
    return response


@router.get(
    "/v1/oidc/callback", include_in_schema=False, response_class=RedirectResponse, status_code=303
)
@role("public")
def finish(
    request: Request,
    config: TheConfig,
    store: TheControl,
    state: Annotated[str, Query(max_length=200)] = "",
    code: Annotated[str, Query(max_length=4000)] = "",
) -> RedirectResponse:
    """Take the browser back, with a session where the provider vouches for its user."""
    client = _client(request)
    cookie = cookie_of(request.headers, LOGIN_COOKIE) or ""
    try:
        if not code or not cookie:
            raise LoginError(
                "the identity provider did not log you in, or cookies are off", "declined"
            )
        claims = client.finish(state, code, cookie)
    except LoginError as error:
        return _refused(request, 403, error)
    now = request.app.state.now()
    user = save_login(store, claims, now)
    response = RedirectResponse("/", 303)
    response.set_cookie(
        COOKIE,
        request.app.state.sessions.start(Holder("user", user.id), now),
        max_age=SESSION_SECONDS,
        httponly=True,
        samesite="strict",
        secure=_is_secure(config),
    )
    response.delete_cookie(LOGIN_COOKIE, path="/v1/oidc", httponly=True, samesite="lax")
    return response


def _refused(request: Request, status: int, error: LoginError) -> RedirectResponse:
    """Tell a browser on the page where people log in; any other program by a status."""
    if "text/html" not in request.headers.get("accept", ""):
        raise Refused(status, str(error))
    id = request.scope["assay.id"]
    log.warning("login %s failed: %s", id, error)
    return RedirectResponse(f"/#/?login={error.problem}&request={id}", 303)


def _client(request: Request) -> OidcClient:
    client: OidcClient | None = request.app.state.oidc
    if client is None:
        raise NotFoundError("this server has no identity provider; --oidc-issuer names one")
    return client


def _is_secure(config: TheConfig) -> bool:
    return config.oidc is not None and config.oidc.public_url.startswith("https:")
