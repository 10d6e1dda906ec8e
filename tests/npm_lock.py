"""The lock of the dashboard's packages: `python -m tests.npm_lock [--check | --update]`.

`web/package-lock.json` has versions and hashes; `web/package-lock.dates.toml` says when each was
published (`tests.release_dates`).
"""

from __future__ import annotations

import subprocess
import tomllib
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests.release_dates import age_problems, check_or_update, write_dates

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
        yield from age_problems(key, dates)
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
    registry = subprocess.run(
        ["npm", "config", "get", "registry"], check=True, capture_output=True, text=True, cwd=WEB
    ).stdout.strip()
    keys = sorted(packages(loads(LOCK.read_text(encoding="utf-8"))))
    with ThreadPoolExecutor(8) as pool:
        days = pool.map(partial(_published, registry), keys)
        published = dict(zip(keys, days, strict=True))
    title = "When the packages were published, and when that was looked up in the registry of npm."
    write_dates(DATES, title, published)


def read_problems() -> Iterator[str]:
    """What is wrong with the lock in the files."""
    lock, dates = (path.read_text(encoding="utf-8") for path in (LOCK, DATES))
    return problems(loads(lock), tomllib.loads(dates))


if __name__ == "__main__":
    check_or_update(__doc__, update, read_problems)
