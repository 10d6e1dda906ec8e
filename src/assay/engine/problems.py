"""Why records could not be used, one line for all that share a reason."""

from __future__ import annotations

import re

KEPT = 20
"""Reasons that are kept, those met first."""
PLACES = 3
"""Places that are named for one reason."""
_PLACED = re.compile(
    r"(?P<file>.*?), (?P<kind>line|row|record) (?P<place>\d+): (?P<reason>.*)", re.DOTALL
)


class Problems:
    """Counts problems by their reason, and keeps the first places of each."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str, str], int] = {}
        self._places: dict[tuple[str, str, str], list[str]] = {}
        self._others = 0

    def add(self, problem: str) -> None:
        """Count a problem, such as `a.jsonl, line 3: 'tags' is 3; expected text`."""
        placed = _PLACED.fullmatch(problem)
        key = (placed["file"], placed["kind"], placed["reason"]) if placed else ("", "", problem)
        if key not in self._counts and len(self._counts) == KEPT:
            self._others += 1
            return
        self._counts[key] = self._counts.get(key, 0) + 1
        places = self._places.setdefault(key, [])
        if placed and len(places) < PLACES:
            places.append(placed["place"])

    def lines(self) -> tuple[str, ...]:
        """A line for each reason, and one for how many records have further ones."""
        lines = [self._line(*key) for key in self._counts]
        if self._others:
            lines.append(f"… and {self._others:,} more with other reasons")
        return tuple(lines)

    def _line(self, file: str, kind: str, reason: str) -> str:
        count, places = self._counts[file, kind, reason], self._places[file, kind, reason]
        if not places:
            return reason if count == 1 else f"{count:,} records: {reason}"
        if count == 1:
            return f"{file}, {kind} {places[0]}: {reason}"
        rest = count - len(places)
        listed = ", ".join(places) if rest else f"{', '.join(places[:-1])} and {places[-1]}"
        more = f" and {rest:,} more" if rest else ""
        return f"{file}, {kind}s {listed}{more}: {reason}"
