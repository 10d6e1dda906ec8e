"""Copies a store while others write to it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from assay.core import DataError, UsageError
from assay.core.atomic_file import PartFile
from assay.store.connect import Store


def back_up(store: Store, target: Path) -> None:
    """Write a copy of the store to a new file, by SQLite's own means for it.

    The copy is what was committed at one moment, not before the copying began. The file appears
    when it is whole and has been checked; to restore it, put it where the store was.
    """
    if store.is_postgres:
        raise UsageError(
            f"the store {store.url!r} is in PostgreSQL; copy it with pg_dump, which takes a "
            "consistent copy while others write"
        )
    if target.exists():
        raise UsageError(f"{str(target)!r} exists already; name a new file")
    try:
        part = PartFile(target)
    except OSError as error:
        raise DataError(f"{str(target)!r} cannot be written: {error.strerror}") from None
    try:
        copy = Path(part.stream.name)
        copy.chmod(0o600)
        _copy(Path(store.url.removeprefix("sqlite:///")), copy)
        part.commit()
    except BaseException:
        part.discard()
        raise


def _copy(source: Path, target: Path) -> None:
    with closing(sqlite3.connect(source)) as opened, closing(sqlite3.connect(target)) as copy:
        opened.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # all of it in the one file
        (state,) = copy.execute("PRAGMA integrity_check").fetchone()
        if state != "ok":
            raise DataError(f"the copy of {str(source)!r} is damaged: {state}")
