"""The lock of the dashboard's packages: `python -m tests.npm_lock [--check | --update]`.

`web/package-lock.json` has versions and hashes; `web/package-lock.dates.toml` says when each was
published, so that none is taken that is younger than a week, as for Python's (`tests.lock`).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests.lock import MIN_DAYS

from assay.core.jsontext import loads

WEB = Path(__file__).parents[1] / "web"
LOCK, DATES = WEB / "package-lock.json", WEB / "package-lock.dates.toml"


def packages(lock: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """`name@version` → what the lock says of it."""
    return {
        f"{own.get('name') or path.rpartition('node_modules/')[2]}@{own['version']}": own
        for path, own in lock["packages"].items()
        if path
    }


def problems(lock: Mapping[str, Any], dates: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with the lock, one sentence each."""
    for key, own in packages(lock).items():
        if not str(own.get("integrity", "")).startswith("sha512-"):
            yield f"{key!r} has no hash"
        if own.get("hasInstallScript"):
            yield f"{key!r} wants to run a script when it is installed"
        if "resolved" in own:
            yield f"{key!r} names a place; where files come from is each machine's matter"
        published = dates["published"].get(key)
        if published is None:
            yield f"{key!r} has no date"
        elif (dates["checked"] - published).days < MIN_DAYS:
            yield f"{key!r} was {(dates['checked'] - published).days} days old when it was taken"
    for key in sorted(dates["published"].keys() - packages(lock).keys()):
        yield f"{key!r} has a date, but is not locked"


def _published(registry: str, key: str) -> str:
    """The day on which the registry got a version."""
    import ssl
    import urllib.request

    name, _, version = key.rpartition("@")
    address = f"{registry.rstrip('/')}/{quote(name, safe='@')}"
    trusted = ssl.create_default_context()
    with urllib.request.urlopen(address, timeout=60, context=trusted) as page:  # noqa: S310 -- npm's own registry
        return str(loads(page.read().decode())["time"][version])[:10]


def update() -> None:
    """Write the dates anew from the registry that npm uses."""
    found = subprocess.run(
        ["npm", "config", "get", "registry"], check=True, capture_output=True, text=True, cwd=WEB
    )
    keys = sorted(packages(loads(LOCK.read_text(encoding="utf-8"))))
    with ThreadPoolExecutor(8) as pool:
        days = pool.map(partial(_published, found.stdout.strip()), keys)
    lines = [
        "# When the packages were published, and when that was looked up in the registry of npm.",
        f"checked = {datetime.now(UTC).date()}",
        "",
        "[published]",
        *(f'"{key}" = {day}' for key, day in zip(keys, days, strict=True)),
    ]
    DATES.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--update", action="store_true", help="ask the registry, write the dates")
    parser.add_argument("--check", action="store_true", help="only look at the files (the default)")
    if parser.parse_args().update:
        update()
    texts = [path.read_text(encoding="utf-8") for path in (LOCK, DATES)]
    if wrong := list(problems(loads(texts[0]), tomllib.loads(texts[1]))):
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
