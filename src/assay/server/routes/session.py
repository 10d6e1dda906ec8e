"""Logging in from a browser: a key is exchanged for a cookie that scripts cannot read."""

from __future__ import annotations

from collections.abc import Iterable

from anyio import to_thread
from fastapi import Request, Response

from assay.server.access import COOKIE, SESSION_SECONDS, Holder, check_key, role, session_of
from assay.server.api_keys import Principal
from assay.server.project_choice import projects_of
from assay.server.requests import Caller, TheConfig, TheControl, make_router
from assay.server.schemas.session import Login, Me

router = make_router("session")


@router.post("/v1/login", operation_id="login")
@role("public")
async def login(body: Login, request: Request, response: Response) -> Me:
    """Exchange a key for a session of this browser."""
    who = await check_key(request.app, request.scope, body.key)
    assert who.key is not None
    holder, state = Holder("key", who.key), request.app.state
    id = await to_thread.run_sync(lambda: state.sessions.start(holder, state.now()))
    response.set_cookie(
        COOKIE,
        id,
        max_age=SESSION_SECONDS,
        httponly=True,
        samesite="strict",
        secure=request.headers.get("origin", "").startswith("https:"),
    )
    projects = await to_thread.run_sync(lambda: projects_of(state.store, who))
    return _me(who, projects, state.config.judge)


@router.post("/v1/logout", operation_id="logout", status_code=204)
@role("public")
def logout(request: Request, response: Response) -> None:
    """End the session of this browser."""
    if id := session_of(request.headers):
        request.app.state.sessions.end(id)
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")


@router.get("/v1/me", operation_id="get_me")
@role("read")
def get_me(caller: Caller, store: TheControl, config: TheConfig) -> Me:
    """Who asks, and what they may do."""
    return _me(caller, projects_of(store, caller), config.judge)


def _me(who: Principal, projects: Iterable[str], judge: str) -> Me:
    assert who.role is not None
    return Me(
        name=who.name,
        role=who.role,
        is_local=who.key is None and who.user is None,
        project=who.project,
        projects=sorted(projects),
        is_server_admin=who.is_server_admin,
        judge=judge,
    )
