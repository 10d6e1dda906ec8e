"""Known vulnerabilities of what is locked: `python -m tests.advisories PATH…`, `make audit`.

Each PATH is a database of advisories in the form of OSV (https://ossf.github.io/osv-schema): a
folder or a ZIP archive of JSON files, as osv.dev and GitHub offer them, or one JSON file with one
advisory or a list; nothing is fetched. Ends with 1 where a locked release of Python or npm is
affected and `tests/advisories.toml` does not excuse it, or where the newest advisory is older than
`--max-age` days: an old database knows nothing of what was found since.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZipFile

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version
from tests.lock import PINS, pins

from assay.core.jsontext import loads

ROOT = Path(__file__).parents[1]
EXCUSES = Path(__file__).with_suffix(".toml")
MAX_AGE = 7
"""Days; a vulnerability of high severity is fixed or excused within a week of its advisory."""
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


def read_advisories(path: Path) -> Iterator[Any]:
    """The advisories of a folder, a ZIP archive or a file."""
    for text in _texts(path):
        content = loads(text)
        yield from content if isinstance(content, list) else [content]


def _texts(path: Path) -> Iterator[str]:
    if path.is_dir():
        yield from (file.read_text(encoding="utf-8") for file in sorted(path.rglob("*.json")))
    elif path.suffix == ".zip":
        with ZipFile(path) as archive:
            names = (name for name in archive.namelist() if name.endswith(".json"))
            yield from (archive.read(name).decode("utf-8") for name in names)
    else:
        yield path.read_text(encoding="utf-8")


def newest(advisories: Iterable[Any]) -> date:
    """The day on which the last of the advisories was changed."""
    return max(date.fromisoformat(str(one["modified"])[:10]) for one in advisories)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", type=Path, nargs="+", help="databases of advisories, as of OSV")
    parser.add_argument("--max-age", type=int, default=MAX_AGE, metavar="DAYS")
    given = parser.parse_args()
    advisories = [advisory for path in given.paths for advisory in read_advisories(path)]
    if not advisories:
        sys.exit("there are no advisories, so nothing was looked at")
    npm_lock = loads(NPM_LOCK.read_text(encoding="utf-8"))
    releases = locked_releases(PINS.read_text(encoding="utf-8"), npm_lock)
    excuses = tomllib.loads(EXCUSES.read_text(encoding="utf-8")).get("excuse", [])
    today, last = datetime.now(UTC).date(), newest(advisories)
    left = unexcused(findings(releases, advisories), excuses, today)
    for finding in left:
        sys.stdout.write(
            f"{'=='.join(finding.release[1:])}: {finding.advisory} {finding.summary}\n"
        )
    is_old = (today - last).days > given.max_age
    sys.stdout.write(
        f"{len(releases)} releases, {len(advisories)} advisories up to {last}"
        f"{', which is too old' if is_old else ''}, {len(left)} findings\n"
    )
    sys.exit(bool(left) or is_old)


if __name__ == "__main__":
    main()
