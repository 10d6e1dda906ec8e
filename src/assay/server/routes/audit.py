"""The audit trail: who changed what and when."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from assay.core.plain import sendable
from assay.server.access import role
from assay.server.requests import Since, ThePart, TheStore, make_router
from assay.server.schemas.base import Label, Page
from assay.server.schemas.configuration import AuditEntry
from assay.store import audit
from assay.store.statistics import iso

router = make_router("audit")


@router.get("/v1/audit", operation_id="list_audit")
@role("admin")
def get_audit(
    store: TheStore,
    since: Since,
    part: ThePart,
    actor: Annotated[Label | None, Query()] = None,
    action: Annotated[Label | None, Query()] = None,
    subject: Annotated[Label | None, Query()] = None,
) -> Page[AuditEntry]:
    """Changes of configuration, keys and feedback, and removals, the newest first.

    `action` is one such as `profile.saved`, or the beginning of several such as `profile.`.
    """
    chosen = audit.AuditFilter(actor, action, subject, since)
    entries, total = audit.list_entries(store, chosen, part.limit, part.offset)
    items = (
        AuditEntry(
            id=entry.id,
            created=iso(entry.created),
            actor=entry.actor,
            action=entry.action,
            subject=entry.subject,
            details=sendable(entry.details),
        )
        for entry in entries
    )
    return part.page(items, total)
