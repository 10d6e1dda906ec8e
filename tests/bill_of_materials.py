"""The bill of materials of what is locked: `python -m tests.bill_of_materials FILE`.

One component for each release of the locks of Python and npm, with the hashes of its files, in the
form of CycloneDX 1.6 (https://cyclonedx.org), which scanners read: `make materials`.
The same locks give the same bytes.
"""

from __future__ import annotations

import argparse
import base64
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests import lock, npm_lock

from assay.core.atomic_file import write_file
from assay.core.jsontext import dumps, loads
from assay.version import __version__


def python_components(locked: str) -> Iterator[dict[str, Any]]:
    """The releases of Python's lock."""
    for pin, hashes in lock.hashes(locked).items():
        name, _, version = pin.partition(" ;")[0].partition("==")
        yield _component(f"pkg:pypi/{name}@{version}", name, version, "SHA-256", hashes)


def npm_components(locked: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The releases of npm's lock."""
    for key, own in npm_lock.packages(locked).items():
        name, _, version = key.rpartition("@")
        digest = base64.b64decode(own["integrity"].removeprefix("sha512-")).hex()
        yield _component(f"pkg:npm/{quote(name)}@{version}", name, version, "SHA-512", [digest])


def _component(
    address: str, name: str, version: str, kind: str, hashes: list[str]
) -> dict[str, Any]:
    return {
        "type": "library",
        "bom-ref": address,
        "name": name,
        "version": version,
        "purl": address,
        "hashes": [{"alg": kind, "content": digest} for digest in hashes],
    }


def bill(python: str, npm: Mapping[str, Any]) -> dict[str, Any]:
    """The bill as plain data, sorted."""
    found = {one["purl"]: one for one in (*python_components(python), *npm_components(npm))}
    own = {"type": "application", "bom-ref": "assay-eval", "name": "assay-eval"}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {**own, "version": __version__}},
        "components": [found[address] for address in sorted(found)],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, help="where it is written to")
    npm = loads(npm_lock.LOCK.read_text(encoding="utf-8"))
    found = bill(lock.LOCK.read_text(encoding="utf-8"), npm)
    write_file(parser.parse_args().file, dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
