"""Known vulnerabilities of what is locked: `python -m tests.advisories FOLDER`, `make audit`.

FOLDER holds advisories in the form of OSV (https://ossf.github.io/osv-schema), one JSON file each,
such as the exports that osv.dev and GitHub offer; nothing is fetched. Ends with 1 where a locked
release of Python or npm is affected and `tests/advisories.toml` does not excuse it.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, NamedTuple

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version
from tests.lock import PINS, pins

from assay.core.jsontext import loads

ROOT = Path(__file__).parents[1]
EXCUSES = Path(__file__).with_suffix(".toml")
NPM_LOCK = ROOT / "web/package-lock.json"


class Release(NamedTuple):
    """One release of a package, as a lock names it."""

    ecosystem: str
    name: str
    version: str


class Finding(NamedTuple):
    """An advisory that concerns a locked release."""

    release: Release
    advisory: str
    summary: str


def locked_releases(constraints: str, npm_lock: Mapping[str, Any]) -> set[Release]:
    """All releases that the locks of Python and npm name."""
    python = {Release("PyPI", *pin.key.split("==", 1)) for pin in pins(constraints)}
    entries = ((path, own) for path, own in npm_lock["packages"].items() if path)
    npm = {
        Release("npm", own.get("name") or path.rpartition("node_modules/")[2], own["version"])
        for path, own in entries
    }
    return python | npm


def findings(releases: Iterable[Release], advisories: Iterable[Any]) -> Iterator[Finding]:
    """The advisories that concern one of the releases; those that were withdrawn do not count."""
    known: dict[tuple[str, str], list[Release]] = {}
    for release in releases:
        known.setdefault((release.ecosystem, _plain(release.name)), []).append(release)
    for advisory in advisories:
        if advisory.get("withdrawn"):
            continue
        for affected in advisory.get("affected", ()):
            package = affected.get("package", {})
            place = (str(package.get("ecosystem", "")), _plain(str(package.get("name", ""))))
            for release in known.get(place, ()):
                if is_affected(release.version, affected):
                    yield Finding(release, advisory["id"], str(advisory.get("summary", ""))[:200])


def _plain(name: str) -> str:
    return name if name.startswith("@") else canonicalize_name(name)


def is_affected(version: str, affected: Mapping[str, Any]) -> bool:
    """Whether an entry of an advisory names the version, or a range that holds it."""
    if version in affected.get("versions", ()):
        return True
    ranges = (own for own in affected.get("ranges", ()) if own.get("type") != "GIT")
    return any(_is_within(version, own.get("events", ())) for own in ranges)


def _is_within(version: str, events: Iterable[Mapping[str, str]]) -> bool:
    """As the form of OSV tells it: events in order of version switch the state on and off."""
    is_in = False
    own = Version(version)
    for kind, at in sorted(_moments(events), key=lambda moment: moment[1]):
        if kind == "introduced" and own >= at:
            is_in = True
        elif (kind == "fixed" and own >= at) or (kind == "last_affected" and own > at):
            is_in = False
    return is_in


def _moments(events: Iterable[Mapping[str, str]]) -> Iterator[tuple[str, Version]]:
    for event in events:
        for kind, text in event.items():
            try:
                yield kind, Version(text)
            except InvalidVersion:  # nothing that a lock of ours can name
                continue


def unexcused(found: Iterable[Finding], excuses: Iterable[Any], today: date) -> list[Finding]:
    """The findings without an excuse that still counts."""
    valid = {
        (excuse["advisory"], excuse["package"]) for excuse in excuses if excuse["until"] > today
    }
    return [one for one in found if (one.advisory, one.release.name) not in valid]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="advisories in the form of OSV, one file each")
    files = sorted(parser.parse_args().folder.rglob("*.json"))
    if not files:
        sys.exit("the folder holds no advisories, so nothing was looked at")
    npm_lock = loads(NPM_LOCK.read_text(encoding="utf-8"))
    releases = locked_releases(PINS.read_text(encoding="utf-8"), npm_lock)
    advisories = (loads(path.read_text(encoding="utf-8")) for path in files)
    excuses = tomllib.loads(EXCUSES.read_text(encoding="utf-8")).get("excuse", [])
    left = unexcused(findings(releases, advisories), excuses, datetime.now(UTC).date())
    for finding in left:
        sys.stdout.write(
            f"{'=='.join(finding.release[1:])}: {finding.advisory} {finding.summary}\n"
        )
    sys.stdout.write(f"{len(releases)} releases, {len(files)} advisories, {len(left)} findings\n")
    sys.exit(bool(left))


if __name__ == "__main__":
    main()
