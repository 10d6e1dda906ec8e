"""The files of a model that came with a package, checked before they are loaded."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from assay.core.errors import MissingExtraError, ModelError


def packaged(file: str, sha256: str, install: str) -> Path:
    """A file of an installed package, given as `package/folder/file`, with the pinned contents.

    The package is found, not imported. `install` is what the user is told to run when the file is
    absent or another one.
    """
    package, _, inner = file.partition("/")
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtraError(f"the package {package!r} is not installed: {install}")
    path = Path(spec.submodule_search_locations[0], *inner.split("/"))
    try:
        digest = _digest(path)
    except OSError as error:
        raise ModelError(
            f"the model file {file!r} cannot be read: {error.strerror}; install it anew: {install}"
        ) from None
    if digest != sha256:
        raise ModelError(
            f"the model file {file!r} has SHA-256 {digest}, expected {sha256}; "
            f"install it anew: {install}"
        )
    return path


def require_version(distribution: str, expected: str, install: str) -> None:
    """Refuse another version of a package of the base installation than the one we tried."""
    try:
        installed = version(distribution)
    except PackageNotFoundError:
        raise ModelError(f"the package {distribution!r} is not installed: {install}") from None
    if installed != expected:
        raise ModelError(
            f"{distribution!r} has version {installed}, expected {expected}: {install}"
        )


@cache
def _digest(path: Path) -> str:
    """The SHA-256 of a file, computed once a process."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
