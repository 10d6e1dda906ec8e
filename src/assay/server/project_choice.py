"""Which project a request is about, and what its sender may do there."""

from __future__ import annotations

from dataclasses import replace
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException

from assay.core import NotFoundError
from assay.server.api_keys import LOCAL, ROLES, Principal
from assay.store import Store
from assay.store.projects import DEFAULT, find_project, list_projects, roles_of
from assay.store.users import User, find_user

PROJECT_HEADER = "x-assay-project"
PROJECT_COOKIE = "assay_project"
"""What a browser chose last; no secret, and worth nothing without a role in that project."""


class Refused(HTTPException):
    """The request goes no further."""


def cookie_of(headers: Headers, name: str) -> str | None:
    """The value of a cookie in a request."""
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return None
    return morsel.value if morsel else None


def names_project(headers: Headers) -> bool:
    """Whether a request says which project it is about."""
    return PROJECT_HEADER in headers or cookie_of(headers, PROJECT_COOKIE) is not None


def in_project(store: Store, who: Principal, headers: Headers) -> Principal:
    """The sender in the project that is asked for; one that is not theirs is refused.

    A header must be obeyed. A cookie may be an old one: where it does not fit, the sender's own
    project is meant.
    """
    if who.role is None:
        return who
    named, kept = headers.get(PROJECT_HEADER), cookie_of(headers, PROJECT_COOKIE)
    for project, is_demanded in ((named, True), (kept, False)):
        if project is None or project == who.project:
            continue
        if who.is_server_admin and _exists(store, project):
            return replace(who, project=project)
        if is_demanded:
            raise Refused(403, "this is no project of yours")
    return who


def user_principal(store: Store, id: int, headers: Headers) -> Principal | None:
    """A logged-in user in the project that is asked for; None where they are gone or blocked."""
    user = find_user(store, id)
    if user is None or user.blocked is not None:
        return None
    roles = roles_of(store, user.member_names)
    name = user.email or user.name
    if roles.get(DEFAULT) == "admin":
        return in_project(store, Principal(name, "admin", user=id), headers)
    named, kept = headers.get(PROJECT_HEADER), cookie_of(headers, PROJECT_COOKIE)
    if named is not None and named not in roles:
        raise Refused(403, "this is no project of yours")
    own = named or (kept if kept in roles else min(roles, default=DEFAULT))
    role = roles.get(own)
    assert role is None or role in ROLES
    return Principal(name, role, user=id, project=own, home=own)


def projects_of(store: Store, who: Principal) -> dict[str, str]:
    """Project → the role of the sender in it."""
    if who.is_server_admin or who is LOCAL:
        return {project.name: "admin" for project in list_projects(store)}
    user: User | None = find_user(store, who.user) if who.user is not None else None
    if user is not None:
        return roles_of(store, user.member_names)
    return {who.project: who.role} if who.role else {}


def _exists(store: Store, project: str) -> bool:
    try:
        find_project(store, project)
    except NotFoundError:
        return False
    return True
