"""Uploaded files: kept under names of our own in one folder, and read in a guarded process.

The name that a client gives is a label: it tells the format and stands in messages, and never
touches the disk. What is kept is one JSON line a record, whatever format came in.
"""

from __future__ import annotations

import os
import re
import secrets
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from assay.core import NotFoundError, Sample, SampleError, UsageError
from assay.core.jsontext import dumps, loads
from assay.samples.field_names import check_format
from assay.samples.raw_records import READERS, RawRecord
from assay.samples.reader import TABLES, samples_from
from assay.server.column_choice import ColumnChoice
from assay.server.config import RequestLimits
from assay.server.upload_reader import created
from assay.store.audit import AuditStamp

DECODED, RATIO, FLOOR = 5, 100, 16 * 2**20
"""How many times the limit of an upload, and how many times its own size, a file may unpack to;
to as many bytes as the last says in any case."""
MAX_FILES = 1000
"""Uploads that are kept at a time."""
KEPT = 25
"""How many times the limit of one upload all of them may take."""
READ_SECONDS = 120
"""After this long a file is given up."""
MAX_LABEL = 120
ID = r"[0-9a-f]{32}"
_ID = re.compile(ID)
_RAW, _PART, _DATA, _META = "raw", "part.jsonl", "data.jsonl", "meta.json"


class TooLargeError(UsageError):
    """Send less; the message says how much is taken."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that is ready to be evaluated."""

    id: str
    name: str
    """What the client called it."""
    format: str
    """The ending that told the format, such as `.csv`."""
    size: int
    """Bytes as they came."""
    rows: int
    problems: int
    """Records that cannot be had; a run reports each."""
    created: float
    author: str

    @property
    def is_posted(self) -> bool:
        """Whether it is no file but samples that came with a job, which no other client knows."""
        return not self.format


class Uploads:
    """The uploads of one server, in a folder that only its own user may read."""

    def __init__(self, folder: Path, limits: RequestLimits) -> None:
        self.folder = folder
        self._limits = limits

    def prepare(self) -> None:
        """Make the folder, check that it is ours, and remove what was left half done."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        status = self.folder.lstat()
        if hasattr(os, "getuid") and status.st_uid != os.getuid():
            raise UsageError(f"the upload folder {str(self.folder)!r} belongs to another user")
        if status.st_mode & 0o077:
            self.folder.chmod(0o700)
        ready = set(self._ids())
        for path in self.folder.iterdir():
            if _ID.match(path.name) and path.name[:32] not in ready:
                path.unlink(missing_ok=True)

    @property
    def owner(self) -> str:
        """A random name of the folder: jobs that need its files are done by its server alone."""
        path = self.folder / "owner"
        if not path.exists():
            own = self.folder / secrets.token_hex(16)
            with created(own) as file:
                file.write(own.name.encode())
            with suppress(FileExistsError):  # another server was quicker: its name counts
                path.hardlink_to(own)
            own.unlink()
        return path.read_text(encoding="ascii")

    def begin(self, name: str) -> Incoming:
        """Take a new file; its bytes are to follow."""
        label = _label(name)
        ending = next((known for known in READERS if label.lower().endswith(known)), None)
        if ending is None:
            raise UsageError(
                f"{label!r} has an unknown ending; expected one of {', '.join(READERS)}"
            )
        sizes = [path.stat().st_size for path in self.folder.glob(f"*.{_DATA}")]
        if len(sizes) >= MAX_FILES or sum(sizes) > KEPT * self._limits.upload:
            raise TooLargeError("there are too many uploads; remove some that are done with")
        return Incoming(self, secrets.token_hex(16), label, ending, self._limits)

    def add_records(
        self, records: Iterable[Mapping[str, Any]], change: AuditStamp, name: str
    ) -> Upload:
        """Keep samples that were posted, as if they were a file."""
        id = secrets.token_hex(16)
        size = count = 0
        with created(self._path(id, _PART)) as file:
            for count, record in enumerate(records, start=1):
                line = (dumps([f"sample {count}", dict(record)]) + "\n").encode()
                size += len(line)
                file.write(line)
            _synced(file)
        return self._keep(Upload(id, _label(name), "", size, count, 0, change.now, change.actor))

    def find(self, id: str) -> Upload:
        """The upload of that id."""
        if not _ID.fullmatch(id):
            raise NotFoundError(f"there is no upload {id!r}")
        try:
            return Upload(**loads(self._path(id, _META).read_text(encoding="utf-8")))
        except FileNotFoundError:
            raise NotFoundError(f"there is no upload {id!r}") from None

    def all(self) -> list[Upload]:
        """All uploads, the newest first."""
        kept = []
        for id in self._ids():
            with suppress(NotFoundError):  # removed meanwhile
                kept.append(self.find(id))
        return sorted(kept, key=lambda upload: (-upload.created, upload.id))

    def remove(self, id: str) -> Upload:
        """Remove an upload with its file."""
        upload = self.find(id)
        for part in (_META, _DATA):
            self._path(id, part).unlink(missing_ok=True)
        return upload

    def records(self, id: str) -> Iterator[RawRecord]:
        """The records of an upload, as its file had them."""
        self.find(id)
        return _raw_records(self._path(id, _DATA))

    def samples(
        self,
        id: str,
        format: str | None = None,
        limit: int | None = None,
        columns: Mapping[str, str] | None = None,
    ) -> Iterator[Sample | SampleError]:
        """The samples of an upload; what is wrong with a record comes in its place.

        `columns` says what single columns give: a field, or `metadata`.
        """
        check_format(format)
        choice = ColumnChoice.read(columns)
        upload = self.find(id)
        return samples_from(
            upload.name,
            choice.records(self.records(id)),
            format,
            limit,
            choice.named,
            is_table=upload.format in TABLES,
        )

    def _ids(self) -> list[str]:
        return [path.name[:32] for path in self.folder.glob(f"*.{_META}") if _ID.match(path.name)]

    def _path(self, id: str, part: str) -> Path:
        return self.folder / f"{id}.{part}"

    def _keep(self, upload: Upload) -> Upload:
        """Make an upload whose records are written one that can be found."""
        self._path(upload.id, _PART).rename(self._path(upload.id, _DATA))
        with created(self._path(upload.id, _META)) as file:
            file.write(dumps(asdict(upload)).encode())
            _synced(file)
        return upload


class Incoming:
    """A file on its way: written as it comes, gone if it is not finished."""

    def __init__(
        self, uploads: Uploads, id: str, label: str, ending: str, limits: RequestLimits
    ) -> None:
        self._uploads = uploads
        self.id = id
        self._label = label
        self._ending = ending
        self._limits = limits
        self._raw = uploads.folder / f"{id}.{_RAW}{ending}"
        self._file = created(self._raw)
        self._size = self._lines = 0

    def write(self, data: bytes) -> None:
        """Some more bytes."""
        self._size += len(data)
        if self._size > self._limits.upload:
            raise TooLargeError(f"the file is larger than {self._limits.upload} bytes")
        if self._ending in (".jsonl", ".ndjson"):
            self._lines += data.count(b"\n")
            if self._lines > self._limits.rows:
                raise TooLargeError(f"the file has more than {self._limits.rows} lines")
        self._file.write(data)

    def finish(self, change: AuditStamp) -> Upload:
        """Read the whole file in a guarded process, and keep its records."""
        self._file.close()
        if not self._size:
            raise UsageError(f"{self._label!r} is empty; expected at least one record")
        part = self._uploads._path(self.id, _PART)
        report = self._read(part)
        if "error" in report:
            shown = report["error"].replace(self._raw.name, self._label)
            raise UsageError(shown.replace(self._raw.name.removesuffix(".gz"), self._label))
        upload = Upload(
            *(self.id, self._label, self._ending, self._size),
            *(report["rows"], report["problems"], change.now, change.actor),
        )
        return self._uploads._keep(upload)

    def _read(self, out: Path) -> dict[str, Any]:
        """What the guarded process says; when it says nothing, that it was ended."""
        words = [sys.executable, "-P", "-m", "assay.server.upload_reader"]
        unpacked = min(DECODED * self._limits.upload, max(FLOOR, RATIO * self._size))
        budgets = [str(self._limits.rows), str(unpacked)]
        ended = {"error": f"{self._label!r} needs too much memory or time to be read"}
        try:
            done = subprocess.run(  # noqa: S603 -- our own program and our own names
                [*words, self._raw.name, out.name, *budgets],
                cwd=self._uploads.folder,
                env=_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=READ_SECONDS,
                check=False,
            )
            report = loads(done.stdout.decode().strip() or "null")
        except (subprocess.TimeoutExpired, ValueError):
            return ended
        return report if isinstance(report, dict) else ended

    def close(self) -> None:
        """Remove what came with the file and is not needed any more, finished or not."""
        self._file.close()
        names = (self._raw, self._raw.with_suffix(""), self._uploads._path(self.id, _PART))
        for path in names:
            path.unlink(missing_ok=True)


def _environment() -> dict[str, str]:
    """What the guarded process needs to find its programs; no secret is among it."""
    kept = ("PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "SYSTEMROOT", "LANG", "LC_ALL")
    variables = {name: os.environ[name] for name in kept if name in os.environ}
    # One thread: each would reserve address space of its own.
    return {**variables, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONUTF8": "1"}


def _synced(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())


def _raw_records(path: Path) -> Iterator[RawRecord]:
    with path.open("rb") as file:
        for line in file:
            place, value, *problem = loads(line.decode())
            yield RawRecord(place, SampleError(problem[0]) if problem else value)


def _label(name: str) -> str:
    """What a client calls a file, made fit to be shown: its last part, and no odd characters."""
    last = re.split(r"[/\\]", name)[-1]
    plain = "".join(char if char.isprintable() else "_" for char in last).strip()
    return plain.encode("utf-8", "replace").decode()[-MAX_LABEL:] or "upload"
