"""Where the bundled data files lie, and how they are read and fingerprinted."""

from __future__ import annotations

import hashlib
import tomllib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from assay.core.errors import ProfileError


def bundled(folder: str) -> dict[str, Traversable]:
    """The files of one folder by name, in order."""
    entries = (files("assay") / "data" / folder).iterdir()
    return {f.name: f for f in sorted(entries, key=lambda f: f.name) if f.name[0] not in "._"}


@cache
def file_fingerprint(path: str) -> str:
    """The fingerprint of a bundled file, by its path below the data folder."""
    file = files("assay").joinpath("data", path)
    if path.endswith(".npz"):
        return _fingerprint(file.read_bytes())
    return fingerprint(file.read_text(encoding="utf-8"))


def fingerprint(text: str) -> str:
    """Six hexadecimal digits that change when the text does."""
    return _fingerprint(text.encode())


def _fingerprint(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:6]


@cache
def read_bundled_toml(path: str) -> dict[str, Any]:
    """Read a bundled TOML file, by its path below the data folder."""
    return read_toml(files("assay").joinpath("data", path).read_text(encoding="utf-8"), path)


def read_toml(text: str, name: str) -> dict[str, Any]:
    """Read TOML; an error names the file and the place."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ProfileError(f"{name}: not valid TOML: {error}") from None
