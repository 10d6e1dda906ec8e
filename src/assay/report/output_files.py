"""Where a report goes: a file that appears whole or not at all, or standard output."""

from __future__ import annotations

import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from assay.core import DataError
from assay.core.atomic_file import PartFile
from assay.report.safe_text import visible

DATABASE = b"SQLite format 3\0"
"""How every SQLite database begins."""
PACKING = 3
"""The level of gzip: higher ones take longer and save little of what scores repeat."""
BLOCK = 1 << 16
"""Bytes that are packed at once."""
_GZIP = 31
"""The largest window, in a file as gzip writes it, without a name or a time."""


def encoded(text: str) -> bytes:
    """Text as UTF-8; what UTF-8 cannot hold is written as an escape."""
    return text.encode("utf-8", "backslashreplace")


class ReportOutput(Protocol):
    """Takes text and, at the end, keeps it or throws it away."""

    def write(self, text: str) -> None: ...

    def write_encoded(self, text: bytes) -> None:
        """Append text that is encoded as `encoded` does it."""

    def commit(self) -> None: ...

    def discard(self) -> None: ...


def _is_database(path: Path) -> bool:
    """Whether a SQLite database is there, such as a store."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(DATABASE)) == DATABASE


class OutputFile:
    """A file written beside its target and moved there when it is complete.

    Whoever reads the target sees the old file or the new one, never a part. A link is followed,
    and a file that is replaced hands on its permissions.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._target = Path(path).resolve()
        if not self._target.parent.is_dir():
            raise DataError(
                f"{path!r} cannot be written: the folder {str(Path(path).parent)!r} does not exist"
            )
        if self._target.is_dir():
            raise DataError(f"{path!r} cannot be written: it is a folder")
        with self.reported():
            if _is_database(self._target):
                raise DataError(f"{path!r} is a database, which would be lost; name another file")
            self._part = PartFile(self._target)
        self.stream = self._part.stream

    def write(self, text: str) -> None:
        """Append text."""
        self.write_encoded(encoded(text))

    def write_encoded(self, text: bytes) -> None:
        """Append text that is encoded."""
        with self.reported():
            self.stream.write(text)

    def rewrite_start(self, text: str) -> None:
        """Write over the first bytes, for what is known only at the end."""
        with self.reported():
            self.stream.seek(0)
            self.stream.write(encoded(text))
            self.stream.seek(0, os.SEEK_END)

    def commit(self) -> None:
        """Move the complete file to its target."""
        with self.reported():
            self._part.commit()

    def discard(self) -> None:
        """Leave no trace; nothing happens to a file that was committed."""
        self._part.discard()

    @contextmanager
    def reported(self) -> Iterator[None]:
        """Say which file an operating-system error is about."""
        try:
            yield
        except OSError as error:
            raise DataError(f"{self.path!r} cannot be written: {error.strerror}") from error


class PackedFile(OutputFile):
    """The same, packed as by gzip; equal text gives equal bytes, in whatever pieces it comes."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._packer = zlib.compressobj(PACKING, zlib.DEFLATED, _GZIP)
        self._waiting = bytearray()

    def write_encoded(self, text: bytes) -> None:
        """Append text, packed block by block."""
        self._waiting += text
        whole = len(self._waiting) // BLOCK * BLOCK
        with self.reported():
            for start in range(0, whole, BLOCK):
                self.stream.write(self._packer.compress(self._waiting[start : start + BLOCK]))
        del self._waiting[:whole]

    def commit(self) -> None:
        """Pack the rest, and move the complete file to its target."""
        with self.reported():
            self.stream.write(self._packer.compress(self._waiting) + self._packer.flush())
        super().commit()


class StandardOutput:
    """Standard output as UTF-8, whatever the terminal's own encoding is.

    A closed pipe (`| head`) is left to the caller.
    """

    def __init__(self) -> None:
        sys.stdout.flush()
        self._stream = sys.stdout.buffer
        self._is_terminal = sys.stdout.isatty()

    def write(self, text: str) -> None:
        """Append text; on a terminal without characters that act on it."""
        text = visible(text) if self._is_terminal else text
        self._stream.write(encoded(text))

    def write_encoded(self, text: bytes) -> None:
        """Append text that is encoded."""
        if self._is_terminal:
            self.write(text.decode())
        else:
            self._stream.write(text)

    def commit(self) -> None:
        """Hand over what is still buffered."""
        self._stream.flush()

    def discard(self) -> None:
        """What was written cannot be taken back."""
        self.commit()
