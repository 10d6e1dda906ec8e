"""Brings a store's tables to the form that this version of Assay uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.core import DataError
from assay.version import __version__

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from assay.store.connect import Store

HEAD = "0008"
"""The newest migration; older stores are brought here when they are opened."""
_ADVISORY_LOCK = 0x6173736179
"""The number under which PostgreSQL makes the migrations of several programs queue up."""


def migrate(store: Store) -> None:
    """Bring the store to `HEAD` in one transaction; refuse one that is newer than we are."""
    if _check(store.read(revision), store.url) != HEAD:
        store.write(lambda connection: _upgrade(connection, store.url))


def revision(connection: Connection) -> str | None:
    """The migration that a store is at; None for an empty one."""
    from sqlalchemy import inspect, text

    if not inspect(connection).has_table("alembic_version"):
        return None
    versions = connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
    return versions[0] if len(versions) == 1 else ""


def _check(current: str | None, url: str) -> str | None:
    if current is not None and current not in revisions():
        raise DataError(
            f"the store {url!r} is at version {current!r}, which Assay {__version__} does not know "
            f"(its own is {HEAD!r}); use a newer Assay, or another store"
        )
    return current


def revisions() -> list[str]:
    """The migrations that we know, the oldest first."""
    return [f"{number:04}" for number in range(1, int(HEAD) + 1)]


def _upgrade(connection: Connection, url: str) -> None:
    from alembic import command
    from alembic.config import Config
    from sqlalchemy import text

    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK})"))
    if _check(revision(connection), url) == HEAD:  # another program was quicker
        return
    config = Config()
    config.set_main_option("script_location", "assay.store:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
