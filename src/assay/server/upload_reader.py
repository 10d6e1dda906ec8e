"""Reads an uploaded file in a process of its own, which may use only so much memory and time.

    python -m assay.server.upload_reader FILE OUT ROWS BYTES

Whatever the file's format, OUT gets one JSON line a record: `[place, record]`, or
`[place, null, problem]` for a record that cannot be had. The last line of standard output says in
JSON how many records there are, or why the file is refused. A file that unpacks to more than it
should is given up while it is read.
"""

from __future__ import annotations

import gzip
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from assay.core import AssayError, SampleError
from assay.core.extras import require
from assay.core.jsontext import dumps
from assay.samples.raw_records import DAMAGE, ROWS_AT_ONCE, RawRecord, records

MEMORY = 2 * 2**30
"""Bytes of address space; reading in pieces needs a fraction of it."""
SECONDS = 60
"""Of computing."""
MAX_COLUMNS = 2000
"""Columns of a table; more are more likely an attack than an evaluation."""
BLOCK = 2**20


class UploadRefusedError(Exception):
    """The file is not taken, for the reason that the message gives."""


def main(file: str, out: str, rows: int, size: int) -> int:
    """Read FILE to OUT; 0 when it was taken."""
    limit_process(size)
    path = Path(file)
    try:
        count, problems = convert(path, Path(out), rows, size)
    except (UploadRefusedError, AssayError) as error:
        return _say({"error": str(error)})
    except (MemoryError, OverflowError):
        return _say({"error": f"{path.name!r} needs too much memory to be read"})
    except OSError as error:
        return _say({"error": f"{path.name!r} cannot be read: {error.strerror}"})
    return _say({"rows": count, "problems": problems})


def _say(message: dict[str, Any]) -> int:
    sys.stdout.write(dumps(message) + "\n")
    return 1 if "error" in message else 0


def limit_process(size: int) -> None:
    """Let the system end this process before it harms the machine."""
    if sys.platform == "win32":  # no such limits there; the budgets of rows and bytes hold still
        return
    import resource

    for kind, limit in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, SECONDS),
        (resource.RLIMIT_FSIZE, 2 * size + BLOCK),
        (resource.RLIMIT_CORE, 0),
    ):
        with suppress(ValueError, OSError):  # the machine's own limit is lower already
            resource.setrlimit(kind, (limit, limit))


def convert(path: Path, out: Path, rows: int, size: int) -> tuple[int, int]:
    """Write the records to OUT within the budgets; gives how many, and how many cannot be had."""
    count = problems = written = 0
    with created(out) as file:
        for record in _records(path, rows, size):
            count += 1
            if count > rows:
                raise _too_many(path, rows)
            problems += isinstance(record.value, SampleError)
            line = (_line(record) + "\n").encode()
            written += len(line)
            if written > size:
                raise UploadRefusedError(f"{path.name!r} unpacks to more than {size} bytes")
            file.write(line)
        file.flush()
        os.fsync(file.fileno())
    if not count:
        raise UploadRefusedError(f"{path.name!r} holds no record")
    return count, problems


def created(path: Path) -> IO[bytes]:
    """A new file that only its owner may read."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def _line(raw_record: RawRecord) -> str:
    if isinstance(raw_record.value, SampleError):
        return dumps([raw_record.place, None, str(raw_record.value)])
    try:
        return dumps([raw_record.place, raw_record.value])
    except (ValueError, RecursionError):  # NaN in a table of numbers, or nested too deep
        return dumps([raw_record.place, None, "the record cannot be written as JSON"])


def _records(path: Path, rows: int, size: int) -> Iterator[RawRecord]:
    if path.name.endswith(".gz"):
        path = _unpacked(path, rows, size)
    elif path.suffix == ".parquet":
        _check_table(path, rows, size)
    for record in records(path):
        if isinstance(record.value, dict) and len(record.value) > MAX_COLUMNS:
            reason = f"has {len(record.value)} fields; expected {MAX_COLUMNS} or fewer"
            record = RawRecord(record.place, SampleError(f"the record {reason}"))
        yield record


def _unpacked(path: Path, rows: int, size: int) -> Path:
    """The file without its packing, beside it; given up where it grows too large."""
    plain = path.with_suffix("")
    left, lines = size, 0
    with gzip.open(path) as packed, created(plain) as file:
        while block := _block(packed, path):
            left -= len(block)
            lines += block.count(b"\n")
            if left < 0:
                raise UploadRefusedError(f"{path.name!r} unpacks to more than {size} bytes")
            if lines > rows:
                raise _too_many(path, rows)
            file.write(block)
    return plain


def _block(packed: Any, path: Path) -> bytes:
    try:
        result: bytes = packed.read(BLOCK)
    except DAMAGE as error:
        raise UploadRefusedError(f"{path.name!r} is damaged: {error}") from None
    return result


def _check_table(path: Path, rows: int, size: int) -> None:
    """Refuse a table that is too wide, too long or too large before it becomes Python objects.

    What a file says of itself may be a lie, so its pieces are decoded and counted.
    """
    arrow = require("pyarrow", "parquet")
    left = size
    try:
        with require("pyarrow.parquet", "parquet").ParquetFile(path) as file:
            columns = file.metadata.num_columns
            if columns > MAX_COLUMNS:
                detail = f"has {columns} columns; expected {MAX_COLUMNS} or fewer"
                raise UploadRefusedError(f"{path.name!r} {detail}")
            if file.metadata.num_rows > rows:
                raise _too_many(path, rows)
            for batch in file.iter_batches(ROWS_AT_ONCE, use_threads=False):
                left -= batch.nbytes
                if left < 0:
                    raise UploadRefusedError(f"{path.name!r} unpacks to more than {size} bytes")
    except (arrow.ArrowException, OSError) as error:
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise UploadRefusedError(f"{path.name!r} is not readable as Parquet: {reason}") from None


def _too_many(path: Path, rows: int) -> UploadRefusedError:
    return UploadRefusedError(f"{path.name!r} has more than {rows} records")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
