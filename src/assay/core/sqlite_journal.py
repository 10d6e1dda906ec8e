"""Which journal SQLite may keep where several processes write to one file.

Before version 3.51.3 a race in resetting the write-ahead log (WAL) can damage the file, so older
versions keep the classic rollback journal; https://sqlite.org/wal.html#walresetbug. In WAL mode all
processes share memory, so it does not work for machines that share a file system.
"""

from __future__ import annotations

from pathlib import Path

from assay.core.file_system import is_on_network

SAFE_WAL = (3, 51, 3)
"""The first SQLite whose WAL mode is safe with several writing processes."""


def journal_mode(version: tuple[int, ...], path: Path) -> str:
    """The journal that is safe with several processes in this version of SQLite, for this file."""
    return "WAL" if version >= SAFE_WAL and not is_on_network(path) else "TRUNCATE"
