"""Vectors on disk, in one SQLite file that several processes share.

Nothing depends on it but time: a file that cannot be used is reported once and the run goes on
without; a damaged one is set aside, so that the next run starts a new one.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

from assay.core.sqlite_journal import journal_mode

FILE = "embeddings.sqlite3"
LIMIT = 256 * 2**20
"""Bytes; beyond them the vectors that were not used for longest go first."""
KEPT_SHARE = 0.8
"""How much of the limit is left after that, so that it does not happen at every write."""
BUSY_SECONDS = 30.0
"""How long a process waits for another one that writes."""
REFRESH_SECONDS = 3600
"""A vector's last use is noted as exactly as this, so that reading seldom writes."""
ASKED = 500
"""Keys of one query; SQLite allows 999 in its oldest build."""

_log = logging.getLogger("assay")


class VectorStore:
    """Keys → vectors as bytes; keys say all that a vector depends on."""

    def __init__(
        self,
        folder: Path,
        limit: int = LIMIT,
        now: Callable[[], float] = time.time,
        file: str = FILE,
    ) -> None:
        self.path = folder / file
        self._limit = limit
        self._now = now
        self._lock = Lock()
        self._connection: sqlite3.Connection | None = None
        with self._guarded():
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._connection = _open(self.path)

    @property
    def is_usable(self) -> bool:
        """Whether vectors are kept."""
        return self._connection is not None

    def read(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """What is known of the keys."""
        vectors: dict[bytes, bytes] = {}
        with self._guarded() as connection:
            if connection is None:
                return {}
            now = int(self._now())
            aged: list[bytes] = []
            for start in range(0, len(keys), ASKED):
                chunk = keys[start : start + ASKED]
                marks = ",".join("?" * len(chunk))
                query = f"SELECT key, vector, used FROM vectors WHERE key IN ({marks})"  # noqa: S608 -- marks only
                for key, sealed, used in connection.execute(query, chunk):
                    if (vector := _unsealed(key, sealed)) is not None:
                        vectors[key] = vector
                        if now - used > REFRESH_SECONDS:
                            aged.append(key)
            if aged:
                with _transaction(connection):
                    rows = [(now, key) for key in aged]
                    connection.executemany("UPDATE vectors SET used = ? WHERE key = ?", rows)
        return vectors

    def write(self, vectors: Mapping[bytes, bytes]) -> None:
        """Keep some vectors, and let the oldest go when there are too many."""
        with self._guarded() as connection:
            if connection is None or not vectors:
                return
            now = int(self._now())
            with _transaction(connection):
                connection.executemany(
                    "INSERT OR REPLACE INTO vectors (key, vector, used) VALUES (?, ?, ?)",
                    [(key, _sealed(key, vector), now) for key, vector in vectors.items()],
                )
                self._shrink(connection)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._close()

    def _shrink(self, connection: sqlite3.Connection) -> None:
        """Delete the vectors that were not used for longest until the limit holds again."""
        size = _size(connection)
        if size <= self._limit:
            return
        (count,) = connection.execute("SELECT count(*) FROM vectors").fetchone()
        surplus = int(count * (1 - KEPT_SHARE * self._limit / size)) + 1
        connection.execute(
            "DELETE FROM vectors WHERE key IN (SELECT key FROM vectors ORDER BY used, key LIMIT ?)",
            (surplus,),
        )

    @contextmanager
    def _guarded(self) -> Iterator[sqlite3.Connection | None]:
        """The connection, one thread at a time; whatever is wrong with the file ends its use."""
        with self._lock:
            try:
                yield self._connection
            except (sqlite3.OperationalError, OSError) as error:
                self._close()
                _log.warning(
                    "the cache %s cannot be used (%s); this run goes on without it, "
                    "ASSAY_CACHE_DIR names another folder",
                    self.path,
                    error,
                )
            except sqlite3.DatabaseError as error:
                self._close()
                aside = _set_aside(self.path)
                _log.warning(
                    "the cache %s is damaged (%s); it was moved to %s and this run goes on "
                    "without it",
                    self.path,
                    error,
                    aside.name,
                )

    def _close(self) -> None:
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
        self._connection = None


def _open(path: Path) -> sqlite3.Connection:
    with suppress(OSError):  # opening it says what is wrong
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # vectors tell of people's texts
    connection = sqlite3.connect(
        path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        # Another process may be creating the file now: only a transaction waits for it as it
        # should, so the table comes first and a refused change of mode is left to the next open.
        with _transaction(connection):
            connection.execute(
                "CREATE TABLE IF NOT EXISTS vectors "
                "(key BLOB PRIMARY KEY, vector BLOB NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID"
            )
            connection.execute("CREATE INDEX IF NOT EXISTS vectors_used ON vectors (used, key)")
        with suppress(sqlite3.OperationalError):
            mode = journal_mode(sqlite3.sqlite_version_info, path)
            connection.execute(f"PRAGMA journal_mode = {mode}")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"PRAGMA journal_size_limit = {16 * 2**20}")
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """A transaction that takes its lock at once, so that it never fails half-way for want of it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _size(connection: sqlite3.Connection) -> int:
    """Bytes in use."""
    pages, free, page = (
        int(connection.execute(f"PRAGMA {name}").fetchone()[0])
        for name in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * page


def _set_aside(path: Path) -> Path:
    """Rename the file and what belongs to it; an older one set aside goes."""
    aside = path.with_name(f"{path.name}.damaged")
    for ending in ("-wal", "-shm"):
        with suppress(OSError):
            path.with_name(path.name + ending).unlink()
    with suppress(OSError):
        path.replace(aside)
    return aside


def _sealed(key: bytes, vector: bytes) -> bytes:
    """A vector with a check sum over itself and its key."""
    return zlib.crc32(vector, zlib.crc32(key)).to_bytes(4, "little") + vector


def _unsealed(key: bytes, sealed: bytes) -> bytes | None:
    """The vector, or None if a bit has changed."""
    check, vector = sealed[:4], sealed[4:]
    return vector if zlib.crc32(vector, zlib.crc32(key)).to_bytes(4, "little") == check else None
