"""The keys of the API, without the keys themselves: a digest of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.core import NotFoundError, UsageError
from assay.store import schema
from assay.store.audit import AuditStamp, add_entry
from assay.store.connect import Store
from assay.store.row_codec import safe

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True, slots=True)
class StoredKey:
    """What is known of a key."""

    id: int
    name: str
    role: str
    digest: str
    created: float
    expires: float | None
    revoked: float | None
    project: str | None = None
    """The project that it opens; none: the default one."""


def add_key(
    store: Store,
    name: str,
    role: str,
    digest: str,
    change: AuditStamp,
    expires: float | None,
    project: str | None = None,
) -> None:
    """Store a new key; a name stands for one key, even after it was revoked."""

    def work(connection: Connection) -> None:
        keys = schema.api_keys
        existing = connection.execute(keys.select().where(keys.c.name == name)).one_or_none()
        if existing is not None and existing.digest == digest:
            return  # the answer to an earlier attempt was lost, not the key
        if existing is not None:
            raise UsageError(f"a key named {name!r} exists already; choose another name")
        row = {"name": name, "role": role, "digest": digest, "created": change.now}
        connection.execute(keys.insert().values(**row, expires=expires, project=project))
        details = {"role": role} if project is None else {"role": role, "project": project}
        add_entry(connection, change, "key.created", name, details)

    store.write(work)


def list_keys(store: Store) -> list[StoredKey]:
    """All keys, the oldest first, revoked ones too."""
    keys = schema.api_keys
    query = keys.select().order_by(keys.c.id)
    return store.read(lambda connection: [_key(row) for row in connection.execute(query)])


def has_keys(store: Store, now: float) -> bool:
    """Whether any key can be used."""
    return any(
        key.revoked is None and (key.expires is None or key.expires > now)
        for key in list_keys(store)
    )


def find_key(
    store: Store, *, digest: str | None = None, number: int | None = None
) -> StoredKey | None:
    """The key with a digest or a number; None when there is none."""
    keys = schema.api_keys
    wanted = keys.c.digest == digest if digest is not None else keys.c.id == number

    def work(connection: Connection) -> StoredKey | None:
        row = connection.execute(keys.select().where(wanted)).one_or_none()
        return None if row is None else _key(row)

    return store.read(work)


def revoke_key(store: Store, name: str, change: AuditStamp) -> None:
    """End a key for good."""
    _change(store, name, change, "key.revoked", lambda key: {"revoked": key.revoked or change.now})


def replace_key(
    store: Store,
    name: str,
    renewed: Callable[[StoredKey], str],
    change: AuditStamp,
    expires: float | None,
) -> None:
    """Give a key the digest of a new one; one that was revoked stays so."""

    def values(key: StoredKey) -> dict[str, Any]:
        if key.revoked is not None:
            raise UsageError(f"the key {name!r} is revoked; create one of another name")
        return {"digest": renewed(key), "created": change.now, "expires": expires}

    _change(store, name, change, "key.rotated", values)


def _change(
    store: Store,
    name: str,
    change: AuditStamp,
    action: str,
    values: Callable[[StoredKey], dict[str, Any]],
) -> None:
    def work(connection: Connection) -> None:
        from sqlalchemy import update

        keys = schema.api_keys
        row = connection.execute(keys.select().where(keys.c.name == safe(name))).one_or_none()
        if row is None:
            raise NotFoundError(f'there is no key named {name!r}; "assay keys list" lists all')
        changed = update(keys).where(keys.c.id == row.id).values(values(_key(row)))
        connection.execute(changed)
        add_entry(connection, change, action, row.name)

    store.write(work)


def _key(row: Any) -> StoredKey:
    return StoredKey(
        row.id,
        row.name,
        row.role,
        row.digest,
        row.created,
        row.expires,
        row.revoked,
        row.project,
    )
