"""Folders of files: on this machine, or at an address such as `s3://bucket/answers`.

Addresses are those of fsspec, which finds the file system that is installed for each: `s3fs` for
`s3://`, `gcsfs` for `gs://`, `adlfs` for `az://`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Protocol, cast

from assay.core.atomic_file import write_file
from assay.core.errors import DataError
from assay.core.extras import require


class Folder(Protocol):
    """Files by their names, which have `/` between folders."""

    @property
    def exists(self) -> bool:
        """Whether anything is there."""

    def names(self, ending: str) -> list[str]:
        """The names of all files with that ending, in order; hidden ones are left out."""

    def open(self, name: str) -> BinaryIO:
        """The bytes of a file."""

    def write(self, name: str, data: bytes) -> None:
        """Put a file in place, all of it or nothing."""

    def claimed(self) -> AbstractContextManager[bool]:
        """Keep other programs from claiming the folder meanwhile; whether none has it now.

        At an address nothing can be claimed, and it is always true.
        """


def is_address(path: str) -> bool:
    """Whether a path is an address of another file system."""
    return "://" in path


def open_folder(path: str) -> Folder:
    """The folder at a path or an address; it need not exist."""
    if not is_address(path):
        return LocalFolder(Path(path))
    fsspec = require("fsspec", "scale")
    try:
        system, root = fsspec.core.url_to_fs(path)
    except (ImportError, ValueError) as error:
        raise DataError(f"{path!r} cannot be opened: {error}") from None
    return RemoteFolder(path, system, root)


class LocalFolder:
    """A folder of this machine."""

    def __init__(self, root: Path) -> None:
        self._root = root

    @property
    def exists(self) -> bool:
        return self._root.exists()

    def names(self, ending: str) -> list[str]:
        if self._root.is_file():
            return [""]
        paths = (path.relative_to(self._root) for path in self._root.rglob(f"*{ending}"))
        return sorted(path.as_posix() for path in paths if not _is_hidden(path.parts))

    def open(self, name: str) -> BinaryIO:
        with _reported(str(self._root / name), "read"):
            return (self._root / name).open("rb")

    def write(self, name: str, data: bytes) -> None:
        path = self._root / name
        with _reported(str(path), "written"):
            path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, data)

    @contextmanager
    def claimed(self) -> Iterator[bool]:
        with _reported(str(self._root), "written"):
            self._root.mkdir(parents=True, exist_ok=True)
        if sys.platform == "win32":
            yield True
            return
        folder = os.open(self._root, os.O_RDONLY)
        try:
            yield _is_locked(folder)
        finally:
            os.close(folder)


class RemoteFolder:
    """A folder of a file system that fsspec knows."""

    def __init__(self, address: str, system: Any, root: str) -> None:
        self._address, self._system, self._root = address, system, root

    @property
    def exists(self) -> bool:
        with _reported(self._address, "read"):
            return bool(self._system.exists(self._root))

    def names(self, ending: str) -> list[str]:
        with _reported(self._address, "read"):
            if self._system.isfile(self._root):
                return [""]
            paths = self._system.find(self._root)
        inside = [path.removeprefix(self._root).lstrip("/") for path in paths]
        kept = (name for name in inside if name.endswith(ending))
        return sorted(name for name in kept if not _is_hidden(name.split("/")))

    def open(self, name: str) -> BinaryIO:
        with _reported(self._path(name), "read"):
            return cast("BinaryIO", self._system.open(self._path(name), "rb"))

    def write(self, name: str, data: bytes) -> None:
        path = self._path(name)
        with _reported(path, "written"):
            self._system.makedirs(path.rpartition("/")[0], exist_ok=True)
            self._system.pipe_file(path, data)

    @contextmanager
    def claimed(self) -> Iterator[bool]:
        yield True

    def _path(self, name: str) -> str:
        return f"{self._root.rstrip('/')}/{name}" if name else self._root


def _is_locked(folder: int) -> bool:
    """Lock a folder until it is closed; false where another program has."""
    import fcntl

    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks on folders
        pass
    return True


def _is_hidden(parts: Any) -> bool:
    return any(part.startswith((".", "_")) for part in parts)


@contextmanager
def _reported(path: str, action: str) -> Iterator[None]:
    """Say which file an error of the file system is about."""
    try:
        yield
    except FileNotFoundError:
        raise DataError(f"no such file: {path!r}") from None
    except OSError as error:
        raise DataError(f"{path!r} cannot be {action}: {error.strerror or error}") from None
