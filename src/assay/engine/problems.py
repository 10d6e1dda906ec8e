"""Why records could not be used, one line for all that share a reason."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

KEPT = 20
"""Reasons that are kept, those met first."""
PLACES = 3
"""Places that are named for one reason."""
_PLACED = re.compile(
    r"(?P<file>.*?), (?P<kind>line|row|record) (?P<place>\d+): (?P<reason>.*)", re.DOTALL
)


Key = tuple[str, str, str]
"""The file, what its places are called, and the reason."""


class Problems:
    """Counts problems by their reason, and keeps the first places of each."""

    def __init__(self) -> None:
        self._counts: dict[Key, int] = {}
        self._places: dict[Key, list[tuple[int, str]]] = {}
        """The first places, each after its order in the run."""
        self._others = 0

    def add(self, problem: str, order: int | None = None) -> None:
        """Count a problem, such as `a.jsonl, line 3: 'tags' is 3; expected text`.

        `order` is the record's place in the run; without it, records come in order.
        """
        placed = _PLACED.fullmatch(problem)
        key = (placed["file"], placed["kind"], placed["reason"]) if placed else ("", "", problem)
        if key not in self._counts and len(self._counts) == KEPT:
            self._others += 1
            return
        order = sum(self._counts.values()) + self._others if order is None else order
        self._counts[key] = self._counts.get(key, 0) + 1
        places = self._places.setdefault(key, [])
        if len(places) < PLACES:
            places.append((order, placed["place"] if placed else ""))

    def merge(self, other: Problems) -> None:
        """Add the problems of another part of the same run."""
        counts = {
            key: self._counts.get(key, 0) + other._counts.get(key, 0)
            for key in (*self._counts, *other._counts)
        }
        places = {
            key: sorted(self._places.get(key, []) + other._places.get(key, []))[:PLACES]
            for key in counts
        }
        kept = sorted(counts, key=lambda key: places[key][0])[:KEPT]
        lost = sum(counts.values()) - sum(counts[key] for key in kept)
        self._counts = {key: counts[key] for key in kept}
        self._places = {key: places[key] for key in kept}
        self._others += other._others + lost

    def to_json(self) -> dict[str, Any]:
        """The problems as plain data."""
        listed = [[*key, count, self._places[key]] for key, count in self._counts.items()]
        return {"listed": listed, "others": self._others}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Problems:
        """The problems again, from what `to_json` gave."""
        problems = cls()
        for file, kind, reason, count, places in data["listed"]:
            problems._counts[file, kind, reason] = count
            problems._places[file, kind, reason] = [(order, place) for order, place in places]
        problems._others = data["others"]
        return problems

    def lines(self) -> tuple[str, ...]:
        """A line for each reason, and one for how many records have further ones."""
        lines = [self._line(*key) for key in self._counts]
        if self._others:
            lines.append(f"… and {self._others:,} more with other reasons")
        return tuple(lines)

    def _line(self, file: str, kind: str, reason: str) -> str:
        count = self._counts[file, kind, reason]
        places = [place for _, place in self._places[file, kind, reason] if place]
        if not places:
            return reason if count == 1 else f"{count:,} records: {reason}"
        if count == 1:
            return f"{file}, {kind} {places[0]}: {reason}"
        rest = count - len(places)
        listed = ", ".join(places) if rest else f"{', '.join(places[:-1])} and {places[-1]}"
        more = f" and {rest:,} more" if rest else ""
        return f"{file}, {kind}s {listed}{more}: {reason}"
