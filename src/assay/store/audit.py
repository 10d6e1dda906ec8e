"""The audit trail: who changed what and when. Entries are added and read, never changed.

The database refuses to change or remove an entry. Each entry holds a digest of itself and of the
one before, so what was changed behind the database's back, or taken out, breaks the chain; the
digest of the newest entry, kept elsewhere, also shows whether the end was cut off.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from assay.core import DataError
from assay.core.jsontext import dumps, loads
from assay.store import schema
from assay.store.connect import Store
from assay.store.row_codec import safe
from assay.store.test_reader import read_page

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row, Select


_ADVISORY_LOCK = 0x6175646974
"""The number under which PostgreSQL makes writers of the trail queue up."""
_CHUNK = 1000


@dataclass(frozen=True, slots=True)
class AuditStamp:
    """Who does something, and when: what every entry of the trail begins with."""

    actor: str
    now: float


@dataclass(frozen=True, slots=True)
class StoredAuditEntry:
    """One recorded action."""

    id: int
    created: float
    actor: str
    action: str
    """Such as `profile.saved`."""
    subject: str
    """The name of what was changed."""
    details: Mapping[str, Any]


def add_entry(
    connection: Connection,
    change: AuditStamp,
    action: str,
    subject: str = "",
    details: Mapping[str, Any] | None = None,
) -> None:
    """Write an entry in the transaction of the change itself; the same one again adds nothing."""
    from sqlalchemy import select, text

    table = schema.audit_log
    row = {
        "created": change.now,
        "actor": safe(change.actor),
        "action": action,
        "subject": safe(subject),
        "details": dumps(dict(details or {})),
    }
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK})"))
    same = [table.c[name] == value for name, value in row.items()]
    if connection.execute(select(table.c.id).where(*same)).first() is None:
        newest = select(table.c.digest).order_by(table.c.id.desc()).limit(1)
        previous = connection.execute(newest).scalar_one_or_none() or ""
        chained = {"previous": previous, "digest": _digest(previous, row)}
        connection.execute(table.insert().values(row | chained))


def _digest(previous: str, row: Mapping[str, Any]) -> str:
    """What an entry is known by: SHA-256 of the digest before and of its fields, as JSON."""
    fields = [previous, *(row[name] for name in _FIELDS)]
    return hashlib.sha256(json.dumps(fields).encode()).hexdigest()


_FIELDS = ("created", "actor", "action", "subject", "details")


@dataclass(frozen=True, slots=True)
class TrailState:
    """A trail that is whole."""

    entries: int
    digest: str
    """Of the newest entry; empty where there is none. Keep it elsewhere to compare it later."""


def check_trail(store: Store, expected: str | None = None) -> TrailState:
    """Read the whole trail; refuse one in which an entry was changed, added in between or removed.

    With `expected`, the digest that an earlier check gave, an entry must still have it: it is gone
    where the end of the trail was cut off.
    """
    from sqlalchemy import select

    table = schema.audit_log
    count, previous, last, is_met = 0, "", 0, not expected
    while True:
        query = select(table).where(table.c.id > last).order_by(table.c.id).limit(_CHUNK)
        rows = store.read(partial(_rows, query))
        for row in rows:
            fields = {name: getattr(row, name) for name in _FIELDS}
            if row.previous != previous or row.digest != _digest(previous, fields):
                raise DataError(
                    f"the audit trail is broken at entry {row.id}: it, or one before it, was "
                    "changed or removed; compare with a backup"
                )
            count, previous, last = count + 1, row.digest, row.id
            is_met = is_met or row.digest == expected
        if len(rows) < _CHUNK:
            break
    if not is_met:
        raise DataError(f"the audit trail has no entry {expected!r}; its end was removed")
    return TrailState(count, previous)


def _rows(query: Select[Any], connection: Connection) -> Sequence[Row[Any]]:
    return connection.execute(query).all()


def record_change(
    store: Store,
    change: AuditStamp,
    action: str,
    subject: str = "",
    details: Mapping[str, Any] | None = None,
) -> None:
    """Write an entry on its own."""
    store.write(lambda connection: add_entry(connection, change, action, subject, details))


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Which entries are listed; each part that is not given leaves nothing out."""

    actor: str | None = None
    action: str | None = None
    """An action, or the beginning of several: `profile.`."""
    subject: str | None = None
    since: float | None = None
    until: float | None = None


def list_entries(
    store: Store, chosen: AuditFilter, limit: int = 100, offset: int = 0
) -> tuple[list[StoredAuditEntry], int]:
    """A page of entries, the newest first, and how many there are in all."""

    def work(connection: Connection) -> tuple[list[StoredAuditEntry], int]:
        table = schema.audit_log
        query = table.select().where(*_conditions(chosen)).order_by(table.c.id.desc())
        rows, total = read_page(connection, query, limit, offset)
        return [_entry(row) for row in rows], total

    return store.read(work)


def _conditions(chosen: AuditFilter) -> list[Any]:
    table = schema.audit_log
    conditions: list[Any] = []
    if chosen.actor is not None:
        conditions.append(table.c.actor == safe(chosen.actor))
    if chosen.action is not None:
        conditions.append(table.c.action.startswith(safe(chosen.action), autoescape=True))
    if chosen.subject is not None:
        conditions.append(table.c.subject == safe(chosen.subject))
    if chosen.since is not None:
        conditions.append(table.c.created >= chosen.since)
    if chosen.until is not None:
        conditions.append(table.c.created < chosen.until)
    return conditions


def _entry(row: Any) -> StoredAuditEntry:
    return StoredAuditEntry(
        row.id, row.created, row.actor, row.action, row.subject, loads(row.details)
    )
