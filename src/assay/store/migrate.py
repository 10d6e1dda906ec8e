"""Brings a store's tables to the form that this version of Assay uses."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from assay.core import DataError
from assay.store.free_space import give_space_back
from assay.version import __version__

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from assay.store.connect import Store

HEAD = "0012"
"""The newest migration; older stores are brought here when they are opened."""
VERSION_TABLE = "assay_version"
"""Where the migration is kept that a store is at."""
OLD_VERSION_TABLE = "alembic_version"
"""Where it was kept at first, and where any other program that uses Alembic keeps its own."""
OLD_TABLES = frozenset({"runs", "run_metrics", "test_results"})
"""Tables by which such a store is known to be ours."""
_ADVISORY_LOCK = 0x6173736179
"""The number under which PostgreSQL makes the migrations of several programs queue up."""


def migrate(store: Store) -> None:
    """Bring the store to `HEAD` in one transaction; refuse one that is newer than we are."""
    tables = store.read(_tables)
    refuse_foreign(tables, store.url)
    current = _check(store.read(revision), store.url)
    if current == HEAD and (store.is_read_only or not _is_old(tables)):
        return
    if store.is_read_only:
        raise DataError(
            f"the store {store.url!r} is at version {current!r} and cannot be brought to {HEAD!r}, "
            "because it can only be read; copy it to a folder that can be written to"
        )
    store.alter(lambda connection: _upgrade(connection, store.url))
    if current is not None:
        give_space_back(store)


def refuse_foreign(tables: Collection[str], url: str) -> None:
    """Refuse a database that holds tables of another program and none of ours."""
    if tables and VERSION_TABLE not in tables and not _is_old(tables):
        shown = ", ".join(repr(name[:50]) for name in sorted(tables)[:3])
        raise DataError(
            f"{url!r} is a database of another program: it has {shown} and no table "
            f"{VERSION_TABLE!r}; name an empty or new one with --store"
        )


def revision(connection: Connection) -> str | None:
    """The migration that a store is at; None for an empty one."""
    from sqlalchemy import text

    tables = _tables(connection)
    table = OLD_VERSION_TABLE if _is_old(tables) else VERSION_TABLE
    if table not in tables:
        return None
    query = text(f"SELECT version_num FROM {table}")  # noqa: S608 -- one of two names above
    versions = connection.execute(query).scalars().all()
    return versions[0] if len(versions) == 1 else ""


def _is_old(tables: Collection[str]) -> bool:
    """Whether these are the tables of a store of ours with the first name of the version table."""
    has_old = OLD_VERSION_TABLE in tables and OLD_TABLES.issubset(tables)
    return has_old and VERSION_TABLE not in tables


def _tables(connection: Connection) -> set[str]:
    from sqlalchemy import inspect

    return set(inspect(connection).get_table_names())


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
    tables = _tables(connection)
    refuse_foreign(tables, url)
    if _is_old(tables):
        connection.execute(text(f"ALTER TABLE {OLD_VERSION_TABLE} RENAME TO {VERSION_TABLE}"))
    if _check(revision(connection), url) == HEAD:  # another program was quicker
        return
    config = Config()
    config.set_main_option("script_location", "assay.store:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
