"""The audit trail: who changed what and when. Entries are added and read, never changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.core.jsontext import dumps, loads
from assay.store import schema
from assay.store.connect import Store
from assay.store.row_codec import safe
from assay.store.test_reader import read_page

if TYPE_CHECKING:
    from sqlalchemy import Connection


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
    from sqlalchemy import select

    table = schema.audit_log
    row = {
        "created": change.now,
        "actor": safe(change.actor),
        "action": action,
        "subject": safe(subject),
        "details": dumps(dict(details or {})),
    }
    same = [table.c[name] == value for name, value in row.items()]
    if connection.execute(select(table.c.id).where(*same)).first() is None:
        connection.execute(table.insert().values(row))


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
