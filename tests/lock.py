"""The lock of what we install from others: `python -m tests.lock [--check | --update]`.

`constraints.txt` pins versions; `requirements.lock` has the hashes of their files, so that pip
installs nothing else, and `requirements.dates.toml` says when each was published
(`tests.release_dates`).
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple

from tests.release_dates import age_problems, check_or_update, write_dates

ROOT = Path(__file__).parents[1]
PINS, LOCK, DATES = (
    ROOT / name for name in ("constraints.txt", "requirements.lock", "requirements.dates.toml")
)
_PIN = re.compile(r"(?P<name>[a-z0-9-]+)==(?P<version>[^ ;]+)(?: ; (?P<marker>.+))?")
_HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}")
_ADDRESS = re.compile(r"://|--(?:extra-)?index-url|--find-links|@ ")


class Pin(NamedTuple):
    """One version of a package."""

    name: str
    version: str
    marker: str = ""

    @property
    def key(self) -> str:
        """The pin as pip writes it."""
        return f"{self.name}=={self.version}"

    @property
    def line(self) -> str:
        """The pin with the machines it is for."""
        return f"{self.key} ; {self.marker}" if self.marker else self.key


class File(NamedTuple):
    """A file of the index."""

    name: str
    sha256: str
    uploaded: str


def pins(text: str) -> list[Pin]:
    """The pins of a file; anything else in it is refused."""
    read = []
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        if (match := _PIN.fullmatch(line)) is None:
            raise ValueError(f"{line!r} is no pin; expected name==version")
        read.append(Pin(match["name"], match["version"], match["marker"] or ""))
    return read


def hashes(text: str) -> dict[str, list[str]]:
    """The lines of a lock with their hashes."""
    entries: dict[str, list[str]] = {}
    current = ""
    for line in text.splitlines():
        plain = line.removesuffix(" \\")
        if _HASH.fullmatch(plain):
            entries[current].append(plain.rpartition(":")[2])
        elif plain and not plain.startswith("#"):
            current = plain
            entries[current] = []
    return entries


def locked(text: str) -> dict[str, int]:
    """The lines of a lock with the number of their hashes."""
    return {line: len(own) for line, own in hashes(text).items()}


def problems(constraints: str, lock: str, dates: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with the lock, one sentence each."""
    entries = locked(lock)
    wanted = pins(constraints)
    for pin in wanted:
        if not entries.get(pin.line):
            yield f"{pin.line!r} has no hash"
        yield from age_problems(pin.key, dates)
    for line in sorted(set(entries) - {pin.line for pin in wanted}):
        yield f"{line!r} is locked, but no pin"
    for line in lock.splitlines():
        if _ADDRESS.search(line):
            yield f"{line!r} names a place; where files come from is each machine's matter"


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.files: list[File] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        address, _, digest = (given.get("href") or "").partition("#sha256=")
        if tag == "a" and digest:
            name = address.rpartition("/")[2]
            self.files.append(File(name, digest, given.get("data-upload-time") or ""))


def _files(pin: Pin) -> list[File]:
    """The files of a version in the index: its wheels, or its source where it has none."""
    import ssl
    import urllib.request

    from pip._internal.models.index import PyPI

    headers = {"Accept": "application/vnd.pypi.simple.v1+html"}  # plain HTML has no dates
    address = f"{PyPI.simple_url.rstrip('/')}/{pin.name}/"
    request = urllib.request.Request(address, headers=headers)  # noqa: S310 -- pip's own index
    trusted = ssl.create_default_context()
    links = _Links()
    with urllib.request.urlopen(request, timeout=60, context=trusted) as page:  # noqa: S310 -- as above
        links.feed(page.read().decode())
    own = [file for file in links.files if _version(file.name, pin.name) == pin.version]
    wheels = [file for file in own if file.name.endswith(".whl")]
    return wheels or [file for file in own if file.name.endswith(".tar.gz")]


def _version(file: str, name: str) -> str:
    stem = file.removesuffix(".tar.gz").removesuffix(".whl")
    prefix = re.compile(re.escape(name).replace(r"\-", "[-_.]+") + "-", re.IGNORECASE)
    match = prefix.match(stem)
    rest = stem[match.end() :] if match else ""
    return rest.partition("-")[0] if file.endswith(".whl") else rest


def update() -> None:
    """Write lock and dates anew from the index."""
    wanted = pins(PINS.read_text(encoding="utf-8"))
    with ThreadPoolExecutor(8) as pool:
        releases = dict(zip(wanted, pool.map(_files, wanted), strict=True))
    lines = ["# Made by: python -m tests.lock --update"]
    published = {}
    for pin, files in releases.items():
        if not files:
            sys.exit(f"the index has no file of {pin.key}")
        hashes = sorted({file.sha256 for file in files})
        lines.append(pin.line + " \\")
        lines += [f"    --hash=sha256:{digest} \\" for digest in hashes[:-1]]
        lines.append(f"    --hash=sha256:{hashes[-1]}")
        published[pin.key] = max(file.uploaded for file in files)[:10]
    LOCK.write_text("\n".join(lines) + "\n", encoding="utf-8")
    title = "When the pins were published, and when that was looked up in the package index."
    write_dates(DATES, title, published)


def read_problems() -> Iterator[str]:
    """What is wrong with the lock in the files."""
    constraints, lock, dates = (path.read_text(encoding="utf-8") for path in (PINS, LOCK, DATES))
    return problems(constraints, lock, tomllib.loads(dates))


if __name__ == "__main__":
    check_or_update(__doc__, update, read_problems)
