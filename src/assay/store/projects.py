"""Projects and their members.

Each project has a store of its own: a file beside the server's, or a schema of the same PostgreSQL
database. So no query can show what belongs to another project. The default project's store is the
server's own; it also holds the projects, members, users and keys of all.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from assay.core import NotFoundError, UsageError
from assay.store import schema
from assay.store.audit import AuditStamp, add_entry
from assay.store.connect import Store

if TYPE_CHECKING:
    from sqlalchemy import Connection

DEFAULT = "default"
"""The project whose store is the server's own. Its admins administer the server."""
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_MEMBER = re.compile(r"group:[\w .:/@-]{1,200}|[^\s@:]{1,100}@[^\s@:]{1,200}")
ROLES = ("read", "write", "admin")
"""From little to much."""


@dataclass(frozen=True, slots=True)
class Project:
    """A project."""

    name: str
    created: float


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody's role in a project."""

    project: str
    member: str
    """An e-mail address in lower case, or `group:NAME`."""
    role: str
    created: float


def project_url(url: str, project: str) -> str:
    """The URL of a project's store, beside the server's."""
    from sqlalchemy import make_url

    check_name(project)
    if project == DEFAULT:
        return url
    if "://" not in url:
        url = f"sqlite:///{url}"
    parsed = make_url(url)
    if parsed.get_backend_name() == "postgresql":
        named = parsed.update_query_dict({"schema": f"assay_{project}"})
        return named.render_as_string(hide_password=False)
    path = Path(parsed.database or "")
    return f"sqlite:///{path.with_name(f'{path.stem}.projects') / f'{project}.db'}"


def check_name(name: str) -> None:
    """Refuse what cannot name a project: it becomes part of a file's or a schema's name."""
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"the project's name is {name!r}; expected up to 40 of a-z, 0-9 and _, a letter first"
        )


def create_project(store: Store, name: str, change: AuditStamp) -> None:
    """Add a project; its store is made when it is first opened."""
    check_name(name)

    def work(connection: Connection) -> None:
        table = schema.projects
        row = connection.execute(table.select().where(table.c.name == name)).one_or_none()
        if row is not None and row.created == change.now:
            return  # the answer to an earlier attempt was lost
        if row is not None or name == DEFAULT:
            raise UsageError(f"a project named {name!r} exists already; choose another name")
        connection.execute(table.insert().values(name=name, created=change.now))
        add_entry(connection, change, "project.created", name)

    store.write(work)


def list_projects(store: Store) -> list[Project]:
    """All projects, the default one first."""
    table = schema.projects
    query = table.select().order_by(table.c.name)
    rows = store.read(lambda connection: connection.execute(query).all())
    return [Project(DEFAULT, 0.0), *(Project(row.name, row.created) for row in rows)]


def find_project(store: Store, name: str) -> Project:
    """The project of that name."""
    for project in list_projects(store):
        if project.name == name:
            return project
    raise NotFoundError(f'there is no project named {name!r}; "assay projects list" lists all')


def set_member(store: Store, project: str, member: str, role: str, change: AuditStamp) -> None:
    """Give somebody a role in a project."""
    find_project(store, project)
    name = _member(member)
    if role not in ROLES:
        raise UsageError(f"the role is {role!r}; expected read, write or admin")

    def work(connection: Connection) -> None:
        table = schema.members
        same = (table.c.project == project, table.c.member == name)
        connection.execute(table.delete().where(*same))
        values = {"project": project, "member": name, "role": role, "created": change.now}
        connection.execute(table.insert().values(values))
        add_entry(connection, change, "member.set", project, {"member": name, "role": role})

    store.write(work)


def remove_member(store: Store, project: str, member: str, change: AuditStamp) -> None:
    """Take somebody's role in a project away."""
    name = _member(member)

    def work(connection: Connection) -> None:
        table = schema.members
        same = (table.c.project == project, table.c.member == name)
        if connection.execute(table.delete().where(*same)).rowcount == 0:
            raise NotFoundError(f"{name!r} is no member of the project {project!r}")
        add_entry(connection, change, "member.removed", project, {"member": name})

    store.write(work)


def _member(text: str) -> str:
    plain = text.strip()
    name = plain if plain.startswith("group:") else plain.lower()
    if not _MEMBER.fullmatch(name):
        raise UsageError(f"the member is {text!r}; expected an e-mail address, or group:NAME")
    return name


def list_members(store: Store, project: str) -> list[Member]:
    """The members of a project."""
    find_project(store, project)
    table = schema.members
    query = table.select().where(table.c.project == project).order_by(table.c.member)
    rows = store.read(lambda connection: connection.execute(query).all())
    return [Member(row.project, row.member, row.role, row.created) for row in rows]


def roles_of(store: Store, names: Collection[str]) -> dict[str, str]:
    """Project → the most that somebody with these names may do in it."""
    from sqlalchemy import select

    table = schema.members
    query = select(table.c.project, table.c.role).where(table.c.member.in_(list(names)))
    roles: dict[str, str] = {}
    for project, role in store.read(lambda connection: connection.execute(query).all()):
        if project not in roles or ROLES.index(role) > ROLES.index(roles[project]):
            roles[project] = role
    return roles
