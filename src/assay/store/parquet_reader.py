"""Reads the Parquet files of a run by DuckDB (extra `scale`): one database for the whole process.

Its connections share one cap on memory, and what they know of files that do not change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import gettempdir
from threading import Lock, Timer
from types import SimpleNamespace
from typing import Any

from assay.core import NotFoundError
from assay.core.errors import TimeLimitError
from assay.core.extras import require
from assay.core.folders import is_address, open_folder

CONFIG = {
    "memory_limit": "512MB",  # beyond, it goes to disk
    "temp_directory": gettempdir(),
    "autoinstall_known_extensions": "false",  # nothing is downloaded
    "autoload_known_extensions": "false",
}
"""How DuckDB is set up."""
PARQUET = "read_parquet(?, hive_partitioning = false)"
"""The rows of some files in SQL; folders named `score=1` give no columns."""
_PATTERN = re.compile(r"[*?[]")
_registering = Lock()


@cache
def database() -> Any:
    """The database of this process, which holds nothing itself."""
    opened = require("duckdb", "scale").connect(":memory:", config=CONFIG)
    opened.execute("SET parquet_metadata_cache = true")
    return opened


def literal(path: str) -> str:
    """The path as DuckDB reads it where it stands for that file alone and for no pattern."""
    return _PATTERN.sub(lambda match: f"[{match[0]}]", path)


def register_files(connection: Any, address: str) -> None:
    """Have a database read the files at an address; its connections do so from then on."""
    system = require("fsspec", "scale").core.url_to_fs(address)[0]
    name = system.protocol if isinstance(system.protocol, str) else system.protocol[0]
    with _registering:
        if not connection.filesystem_is_registered(name):
            connection.register_filesystem(system)


def quoted(column: str) -> str:
    """The name of a column as SQL writes it."""
    escaped = column.replace('"', '""')
    return f'"{escaped}"'


@dataclass(frozen=True, slots=True)
class ParquetReader:
    """The files of one run by blocks."""

    folder: str
    run: str
    """The name of the run, for messages."""
    seconds: float | None = None
    """How long a query may take."""

    def sample_path(self, number: int) -> str:
        """The file with the samples of a block, for a query."""
        return literal(f"{self.folder}/samples/part-{number:06}.parquet")

    def path(self, kind: str, number: int) -> str | None:
        """A further file of a block, for a query; None where the run has none."""
        name = f"{kind}/part-{number:06}.parquet"
        if is_address(self.folder):
            is_there = name in open_folder(self.folder).names(name)
        else:
            is_there = Path(self.folder, name).is_file()
        return literal(f"{self.folder}/{name}") if is_there else None

    def rows(self, sql: str, values: Sequence[Any]) -> list[Any]:
        """The rows of a query."""
        with self._cursor() as cursor:
            rows: list[Any] = cursor.execute(sql, values).fetchall()
            return rows

    def records(self, sql: str, values: Sequence[Any]) -> list[Any]:
        """The rows of a query with an attribute for each column."""
        with self._cursor() as cursor:
            done = cursor.execute(sql, values)
            names = [column[0] for column in done.description]
            rows = done.fetchall()
        return [SimpleNamespace(**dict(zip(names, row, strict=True))) for row in rows]

    @contextmanager
    def _cursor(self) -> Iterator[Any]:
        """A connection of its own, which is interrupted when a query takes too long."""
        duckdb = require("duckdb", "scale")
        cursor = database().cursor()
        if is_address(self.folder):
            register_files(cursor, self.folder)
        timer = Timer(self.seconds, cursor.interrupt) if self.seconds else None
        if timer:
            timer.daemon = True
            timer.start()
        try:
            yield cursor
        except duckdb.InterruptException:
            raise TimeLimitError(f"a query took longer than {self.seconds} seconds") from None
        except (duckdb.IOException, duckdb.InvalidInputException, FileNotFoundError):
            raise NotFoundError(
                f"the samples of run {self.run!r} cannot be read: its folder of Parquet files was "
                "moved, removed or changed; put it back, or remove the run"
            ) from None
        finally:
            if timer:
                timer.cancel()
            cursor.close()
