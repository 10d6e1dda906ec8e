"""Gives the space back that a migration leaves free in a file of SQLite."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING

from assay.core import DataError

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from assay.store.connect import Store

MIN_SHARE = 0.1
"""A file of which less is free is left as it is: to write it anew would gain little."""
COPIES = 2
"""SQLite needs room for a copy of the file, and for a journal as large."""


def give_space_back(store: Store) -> bool:
    """Compact the file where much of it is free and the disk has room; whether that was done.

    Where it was not, nothing is lost: SQLite uses the free space again.
    """
    if store.is_postgres or store.read(_free_share) < MIN_SHARE:
        return False
    path = Path(store.url.removeprefix("sqlite:///"))
    room = min(shutil.disk_usage(folder).free for folder in (path.parent, gettempdir()))
    if room < COPIES * path.stat().st_size:
        return False
    try:
        store.vacuum()
    except DataError:  # somebody reads it, or the disk is full after all
        return False
    return True


def _free_share(connection: Connection) -> float:
    free, total = (
        connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
        for name in ("freelist_count", "page_count")
    )
    return float(free / total) if total else 0.0
