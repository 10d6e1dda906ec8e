"""One thing that a claim says otherwise than a reference."""

from __future__ import annotations

from typing import Literal, NamedTuple

DifferenceKind = Literal[
    "answer",
    "number",
    "unit",
    "limit",
    "date",
    "weekday",
    "time",
    "rate",
    "negation",
    "opposite",
    "quantity_words",
    "frequency_words",
    "modality",
    "certainty",
    "time_order",
    "name",
    "roles",
    "binding",
]


class ClaimDifference(NamedTuple):
    """One thing that the claim says otherwise, in words of both texts."""

    kind: DifferenceKind
    claimed: str
    """What the claim says; empty where it leaves a negation out."""
    expected: str
    """What the reference says instead."""
    start: int
    end: int
    """The place in the claim."""
    other_start: int
    other_end: int
    """The place in the reference."""

    @property
    def is_denial(self) -> bool:
        """Whether the claim denies what the reference says, not the other way round."""
        return self.kind == "negation" and bool(self.claimed)

    @property
    def message(self) -> str:
        """The difference as the rest of a sentence that begins with "it"."""
        if self.kind == "negation" and self.claimed:
            return f"denies {self.expected!r}"
        if self.kind == "negation":
            return (
                f"asserts {self.expected!r}, which is denied"
                if self.expected
                else "leaves a denial out"
            )
        if self.kind == "roles":
            return f"mixes up {self.claimed}"
        if self.kind == "answer":
            return f"says {self.claimed} where {self.expected} is expected"
        if self.kind == "binding":
            return f"says {self.claimed!r} where the source has {self.expected!r}"
        return f"says {self.claimed!r} where {self.expected!r} is expected"
