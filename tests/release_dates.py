"""When what we install from others was published, as our two locks note it beside themselves.

A malicious release is mostly found within days, so none is taken that is younger than a week.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

MIN_DAYS = 7


def age_problems(key: str, dates: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with the date of one version, if anything."""
    published = dates["published"].get(key)
    if published is None:
        yield f"{key!r} has no date"
    elif (age := (dates["checked"] - published).days) < MIN_DAYS:
        yield f"{key!r} was {age} days old when it was taken"


def write_dates(path: Path, title: str, published: Mapping[str, str]) -> None:
    """Write the dates, and that they were looked up today."""
    lines = [
        f"# {title}",
        f"checked = {datetime.now(UTC).date()}",
        "",
        "[published]",
        *(f'"{key}" = {day}' for key, day in sorted(published.items())),
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def check_or_update(
    doc: str | None, update: Callable[[], None], problems: Callable[[], Iterable[str]]
) -> None:
    """The command line of a lock: `--check`, or `--update` first; ends with what is wrong."""
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("--update", action="store_true", help="look it up, and write the files")
    parser.add_argument("--check", action="store_true", help="only read the files (the default)")
    if parser.parse_args().update:
        update()
    if wrong := list(problems()):
        sys.exit("\n".join(wrong))
