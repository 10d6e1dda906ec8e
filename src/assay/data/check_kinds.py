"""The kinds of checks that a record may carry (`checks.toml`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from assay.data.bundled_files import read_bundled_toml

EXECUTED = ("javascript", "python", "ruby", "webhook", "exec")
"""Kinds of promptfoo's that run a program or send the answer away; nothing of a record is run."""


@dataclass(frozen=True, slots=True)
class CheckKind:
    """One kind of check."""

    name: str
    value: str
    """What its value must be."""
    may_lack_value: bool
    threshold: float | str | None
    """The default (whole where it counts things), `needed`, `optional`, or None: it takes none."""
    keys: tuple[str, ...]
    help: str


@cache
def check_kinds() -> Mapping[str, CheckKind]:
    """All kinds by their names."""
    return {
        name: CheckKind(
            name,
            row["value"].removesuffix("?"),
            row["value"].endswith("?"),
            row.get("threshold"),
            tuple(row.get("keys", ())),
            row["help"],
        )
        for name, row in read_bundled_toml("checks.toml").items()
    }


@cache
def kind_names() -> Mapping[str, str]:
    """Every accepted name of a kind → the kind's own name."""
    rows = read_bundled_toml("checks.toml")
    return {other: name for name, row in rows.items() for other in (name, *row.get("also", ()))}


def other_assertions() -> Mapping[str, str]:
    """Promptfoo's kinds that are no checks here → what to do instead."""
    return read_bundled_toml("other_assertions.toml")
