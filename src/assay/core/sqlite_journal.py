"""Which journal SQLite may keep where several processes write to one file.

Before version 3.51.3 a race in resetting the write-ahead log (WAL) can damage the file, so older
versions keep the classic rollback journal; https://sqlite.org/wal.html#walresetbug.
"""

from __future__ import annotations

SAFE_WAL = (3, 51, 3)
"""The first SQLite whose WAL mode is safe with several writing processes."""


def journal_mode(version: tuple[int, ...]) -> str:
    """The journal that is safe with several processes in this version of SQLite."""
    return "WAL" if version >= SAFE_WAL else "TRUNCATE"
