"""Word lists whose lines are pairs: `this / that`."""

from __future__ import annotations

from functools import cache

from assay.data.lexicons import lexicon


@cache
def pairs(name: str) -> tuple[tuple[str, str], ...]:
    """The pairs of the bundled list of that name."""
    sides = (pattern.name.partition(" / ") for pattern in lexicon(name).patterns)
    return tuple((one, other) for one, _, other in sides)
