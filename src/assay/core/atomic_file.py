"""Files that appear whole or not at all: written beside their target and moved there at the end.

A program that is killed leaves its part behind; the next one that writes into the folder removes
it. A part that is still being written is locked, and so stays.
"""

from __future__ import annotations

import os
import secrets
import sys
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from assay.core.errors import DataError

PARTS = ".assay-*.part"


class PartFile:
    """A file beside its target, until it is moved there or removed."""

    def __init__(self, target: Path) -> None:
        remove_leftovers(target.parent)
        self._target = target
        self._path, self.stream = _created(target.parent)

    def commit(self) -> None:
        """Put the complete file in the place of its target, whose permissions it takes over."""
        self.stream.flush()
        os.fsync(self.stream.fileno())
        with suppress(FileNotFoundError):
            self._path.chmod(self._target.stat().st_mode & 0o777)
        if sys.platform == "win32":  # an open file cannot be moved there
            self.stream.close()
        self._path.replace(self._target)
        self.stream.close()  # only now: without its lock a part is anybody's to remove

    def discard(self) -> None:
        """Leave no trace; nothing happens to a file that was committed."""
        with suppress(OSError):  # a full disk may refuse the last bytes
            self.stream.close()
        self._path.unlink(missing_ok=True)


def write_file(path: str | Path, data: str | bytes) -> None:
    """Write a file, all of it or nothing; text is UTF-8, and a link is followed."""
    target = Path(path).resolve()
    data = data.encode("utf-8") if isinstance(data, str) else data
    try:
        if target.exists() and not target.is_file():  # such as /dev/null
            target.write_bytes(data)
            return
        part = PartFile(target)
        try:
            part.stream.write(data)
            part.commit()
        except BaseException:
            part.discard()
            raise
    except OSError as error:
        raise DataError(f"{str(path)!r} cannot be written: {error.strerror}") from None


def remove_leftovers(folder: Path) -> None:
    """Remove the parts of programs that were killed."""
    if sys.platform == "win32":
        return
    import fcntl

    with suppress(OSError):
        for path in folder.glob(PARTS):
            with suppress(OSError), path.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # fails while it is written
                path.unlink()


def _created(folder: Path) -> tuple[Path, BinaryIO]:
    """A new, locked file; its name is short, for the target's may be as long as is allowed."""
    while True:
        path = folder / f".assay-{secrets.token_hex(6)}.part"
        stream = path.open("xb")
        if sys.platform == "win32" or _is_locked(stream, path):
            return path, stream
        stream.close()


def _is_locked(stream: BinaryIO, path: Path) -> bool:
    """Lock a new file; False where somebody took it for a leftover before that."""
    import fcntl

    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return path.stat().st_ino == os.fstat(stream.fileno()).st_ino
    except (BlockingIOError, FileNotFoundError):
        return False
    except OSError:  # a file system without locks, on which nobody removes parts either
        return True
