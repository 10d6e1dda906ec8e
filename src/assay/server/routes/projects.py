"""Projects, and who may do what in them."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Response

from assay.core import NotFoundError
from assay.server.access import SESSION_SECONDS, role
from assay.server.project_choice import PROJECT_COOKIE, Refused, projects_of
from assay.server.requests import Caller, TheChange, TheConfig, TheControl, make_router
from assay.server.schemas.projects import MemberBody, MemberEntry, ProjectBody, ProjectEntry
from assay.store.projects import (
    DEFAULT,
    create_project,
    list_members,
    remove_member,
    set_member,
)
from assay.store.statistics import iso

router = make_router("projects")
Name = Annotated[str, Path(pattern=r"^[a-z][a-z0-9_]{0,39}$")]


@router.get("/v1/projects", operation_id="list_projects")
@role("read")
def get_projects(store: TheControl, caller: Caller) -> list[ProjectEntry]:
    """The projects of the caller, with their role in each."""
    roles = projects_of(store, caller)
    return [
        ProjectEntry(name=name, role=roles[name], is_current=name == caller.project)
        for name in sorted(roles)
    ]


@router.post("/v1/projects", operation_id="create_project", status_code=201)
@role("admin", server=True)
def post_project(body: ProjectBody, store: TheControl, change: TheChange) -> ProjectEntry:
    """Make a project; an admin of the server is an admin of it."""
    create_project(store, body.name, change)
    return ProjectEntry(name=body.name, role="admin", is_current=False)


@router.post("/v1/project", operation_id="choose_project")
@role("read")
def choose_project(
    body: ProjectBody, store: TheControl, caller: Caller, config: TheConfig, response: Response
) -> ProjectEntry:
    """Make this browser's requests be about another project from now on."""
    roles = projects_of(store, caller)
    if body.name not in roles:
        raise Refused(403, "this is no project of yours")
    response.set_cookie(
        PROJECT_COOKIE,
        body.name,
        max_age=SESSION_SECONDS,
        httponly=True,
        samesite="strict",
        secure=config.oidc is not None and config.oidc.public_url.startswith("https:"),
    )
    return ProjectEntry(name=body.name, role=roles[body.name], is_current=True)


@router.get("/v1/projects/{name}/members", operation_id="list_members")
@role("admin")
def get_members(store: TheControl, caller: Caller, name: Name) -> list[MemberEntry]:
    """Who may do what in a project."""
    _check_admin(caller, name)
    return [
        MemberEntry(member=one.member, role=one.role, created=iso(one.created))
        for one in list_members(store, name)
    ]


@router.put("/v1/projects/{name}/members", operation_id="set_member")
@role("admin")
def put_member(
    store: TheControl, caller: Caller, change: TheChange, name: Name, body: MemberBody
) -> list[MemberEntry]:
    """Give somebody a role in a project: an e-mail address, or group:NAME of the provider."""
    _check_admin(caller, name)
    set_member(store, name, body.member, body.role, change)
    return get_members(store, caller, name)


@router.delete(
    "/v1/projects/{name}/members/{member}", operation_id="remove_member", status_code=204
)
@role("admin")
def delete_member(
    store: TheControl,
    caller: Caller,
    change: TheChange,
    name: Name,
    member: Annotated[str, Path(max_length=300)],
) -> None:
    """Take somebody's role in a project away."""
    _check_admin(caller, name)
    remove_member(store, name, member, change)


def _check_admin(caller: Caller, name: str) -> None:
    """Admins of a project manage its own members, those of the default one all."""
    is_own = caller.project == name and name != DEFAULT
    if not is_own and not caller.is_server_admin:
        raise NotFoundError(f"there is no project named {name!r} of yours")
