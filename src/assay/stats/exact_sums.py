"""Sums of floats without rounding, so that neither order nor grouping of the terms changes one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class ExactSums:
    """The exact sum of the values of each group; merging is associative and commutative.

    Every float is a whole number divided by a power of two. The sums are kept as whole numbers over
    one power that suits all values so far, and are rounded once, when they are read.
    """

    numerators: list[int] = field(default_factory=list)
    """One for each group."""
    bits: int = 0
    """All of them are divided by 2 to this power."""

    def add(self, groups: Sequence[int], values: Sequence[float]) -> None:
        """Add values to their groups."""
        ratios = [value.as_integer_ratio() for value in values]
        finest = max([denominator for _, denominator in ratios], default=1).bit_length() - 1
        if finest > self.bits:
            self._refine(finest)
        self._reach(groups)
        whole, numerators = 1 << self.bits, self.numerators
        for group, (numerator, denominator) in zip(groups, ratios, strict=True):
            numerators[group] += numerator * (whole // denominator)

    def count(self, groups: Sequence[int]) -> None:
        """Add 1 to each of the groups."""
        self._reach(groups)
        whole, numerators = 1 << self.bits, self.numerators
        for group in groups:
            numerators[group] += whole

    def merge(self, other: ExactSums) -> ExactSums:
        """The sums of the values of both, group by group."""
        bits = max(self.bits, other.bits)
        size = max(len(self.numerators), len(other.numerators))
        both = [part._at(bits, size) for part in (self, other)]
        return ExactSums([one + two for one, two in zip(*both, strict=True)], bits)

    def rounded(self) -> list[float]:
        """The sum of each group as the nearest float."""
        whole = 1 << self.bits
        return [numerator / whole for numerator in self.numerators]

    def to_json(self) -> dict[str, Any]:
        """The sums as plain data; numbers of any size as hexadecimal text."""
        return {"bits": self.bits, "numerators": [f"{n:x}" for n in self.numerators]}

    @classmethod
    def from_json(cls, data: Any) -> ExactSums:
        """The sums again, from what `to_json` gave."""
        return cls([int(text, 16) for text in data["numerators"]], data["bits"])

    def _reach(self, groups: Sequence[int]) -> None:
        """Have a sum for each of the groups."""
        lacking = max(groups, default=-1) + 1 - len(self.numerators)
        if lacking > 0:
            self.numerators.extend([0] * lacking)

    def _refine(self, bits: int) -> None:
        self.numerators = self._at(bits, len(self.numerators))
        self.bits = bits

    def _at(self, bits: int, size: int) -> list[int]:
        """The numerators over a finer power of two, for so many groups."""
        shift = bits - self.bits
        padding: Sequence[int] = [0] * (size - len(self.numerators))
        return [*(n << shift for n in self.numerators), *padding]
