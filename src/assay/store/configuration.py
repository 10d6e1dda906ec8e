"""Profiles and field strategies that people keep in the store, with all their versions.

Nothing is lost by a change: each writes a version of its own, and one without a body says that the
thing was removed. Bodies are checked by those who read them, not here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from assay.core import NotFoundError, UsageError
from assay.core.jsontext import dumps, loads
from assay.store import schema
from assay.store.audit import AuditStamp, add_entry
from assay.store.connect import Store
from assay.store.row_codec import is_safe, safe

if TYPE_CHECKING:
    from sqlalchemy import Connection

Kind = Literal["profile", "strategies", "targets"]
_LOCKS: Mapping[Kind, int] = {
    "profile": 0x61730001,
    "strategies": 0x61730002,
    "targets": 0x61730003,
}
"""The numbers under which PostgreSQL makes changes of one kind queue up."""


class ConflictError(UsageError):
    """Read the newest version, and make the change again on top of it."""


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a stored thing."""

    name: str
    kind: Kind
    version: int
    body: str
    """Empty when the thing was removed."""
    created: float
    author: str


def save_version(
    store: Store,
    kind: Kind,
    name: str,
    body: str,
    change: AuditStamp,
    *,
    expected: int | None = None,
) -> Version:
    """Keep a new version; the same body again is no new one.

    `expected` is the version that the change was made on; a newer one is refused.
    """
    return store.write(
        lambda connection: _save(connection, kind, name, lambda old: body, change, expected)
    )


def _save(
    connection: Connection,
    kind: Kind,
    name: str,
    changed: Callable[[str], str],
    change: AuditStamp,
    expected: int | None = None,
) -> Version:
    """Write the version that `changed` makes of the newest body; empty is no body."""
    from sqlalchemy import text

    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCKS[kind]})"))
    newest = _newest(connection, kind, name)
    number = newest.version if newest else 0
    body = changed(newest.body if newest else "")
    if newest and newest.body == body:
        return newest
    if expected is not None and expected != number:
        raise ConflictError(
            f"{kind} {name!r} is at version {number}, not {expected}; it was changed since then"
        )
    made = Version(name, kind, number + 1, body, change.now, change.actor)
    connection.execute(
        schema.profiles.insert().values(
            name=name,
            kind=kind,
            version=made.version,
            body=_storable(body),
            created=made.created,
            author=safe(made.author),
        )
    )
    action = f"{kind}.{'saved' if body else 'removed'}"
    add_entry(connection, change, action, name, {"version": made.version})
    return made


def _storable(body: str) -> str:
    if not is_safe(body):
        raise UsageError("the text holds NUL or half a surrogate pair; a store can hold neither")
    return body


def _newest(connection: Connection, kind: Kind, name: str) -> Version | None:
    table = schema.profiles
    query = table.select().where(table.c.kind == kind, table.c.name == safe(name))
    row = connection.execute(query.order_by(table.c.version.desc()).limit(1)).one_or_none()
    return None if row is None else _version(row)


def remove(store: Store, kind: Kind, name: str, change: AuditStamp) -> Version:
    """Remove a thing; its versions stay."""

    def gone(body: str) -> str:
        if not body:
            raise _absent(kind, name)
        return ""

    def work(connection: Connection) -> Version:
        made = _save(connection, kind, name, gone, change)
        if kind == "strategies":
            _write_fields(connection, name, {})
        return made

    return store.write(work)


def find_version(store: Store, kind: Kind, name: str, version: int | None = None) -> Version:
    """The newest version of a thing, or the one of that number."""

    def work(connection: Connection) -> Version:
        table = schema.profiles
        if version is None:
            newest = _newest(connection, kind, name)
            if newest is None or not newest.body:
                raise _absent(kind, name)
            return newest
        row = connection.execute(
            table.select().where(
                table.c.kind == kind, table.c.name == safe(name), table.c.version == version
            )
        ).one_or_none()
        if row is None or not row.body:
            raise NotFoundError(f"there is no version {version} of {kind} {name!r}")
        return _version(row)

    return store.read(work)


def _absent(kind: Kind, name: str) -> NotFoundError:
    what = "profile" if kind == "profile" else "set of field strategies"
    return NotFoundError(f"there is no {what} {name!r} in the store")


def list_newest(store: Store, kind: Kind) -> list[Version]:
    """The newest version of each thing of a kind, by name; removed ones are left out."""

    def work(connection: Connection) -> list[Version]:
        from sqlalchemy import func, select

        table = schema.profiles
        newest = (
            select(table.c.name, func.max(table.c.version).label("version"))
            .where(table.c.kind == kind)
            .group_by(table.c.name)
            .subquery()
        )
        query = (
            table.select()
            .join(
                newest,
                (newest.c.name == table.c.name) & (newest.c.version == table.c.version),
            )
            .where(table.c.kind == kind, table.c.body != "")
            .order_by(table.c.name)
        )
        return [_version(row) for row in connection.execute(query)]

    return store.read(work)


def list_versions(store: Store, kind: Kind, name: str, limit: int = 100) -> list[Version]:
    """All versions of a thing, the newest first, removals too."""

    def work(connection: Connection) -> list[Version]:
        table = schema.profiles
        query = table.select().where(table.c.kind == kind, table.c.name == safe(name))
        rows = connection.execute(query.order_by(table.c.version.desc()).limit(limit)).all()
        if not rows:
            raise _absent(kind, name)
        return [_version(row) for row in rows]

    return store.read(work)


def _version(row: Any) -> Version:
    return Version(row.name, row.kind, row.version, row.body, row.created, row.author)


Strategies = Mapping[str, Any]
"""Field → its strategy as a strategy file has it: a word, or an object with options."""


def save_strategies(
    store: Store, name: str, changed: Callable[[Strategies], Strategies], change: AuditStamp
) -> Version:
    """Keep what `changed` makes of a set's strategies, by field and as a version."""

    def work(connection: Connection) -> Version:
        def body(old: str) -> str:
            strategies = changed(loads(old) if old else {})
            _write_fields(connection, name, strategies)
            return dumps(dict(sorted(strategies.items())))

        return _save(connection, "strategies", name, body, change)

    return store.write(work)


def _write_fields(connection: Connection, name: str, strategies: Strategies) -> None:
    """Make the rows of a set what its newest version says."""
    from sqlalchemy import delete

    table = schema.field_strategies
    connection.execute(delete(table).where(table.c.set_name == name))
    rows = [
        {"set_name": name, "field": _storable(field), "strategy": dumps(strategy)}
        for field, strategy in strategies.items()
    ]
    if rows:
        connection.execute(table.insert(), rows)


def find_strategies(store: Store, name: str, version: int | None = None) -> dict[str, Any]:
    """The strategies of a set, by field."""
    result: dict[str, Any] = loads(find_version(store, "strategies", name, version).body)
    return result
