"""How far a population has moved from a baseline: the population stability index (PSI).

    PSI = Σ (p − q) · ln(p / q)   over bins; p is a bin's current share, q its share of the baseline

Below 0.1 a population counts as stable, below 0.25 as moderately changed, else as significantly
changed. The baseline alone decides the bins, so that one baseline serves many comparisons.

Bins of *words* are its commonest words, one each, and one bin for all other words. Bins of
*numbers* lie between quantiles of the baseline, with one bin below its lowest number and one above
its highest. Counts are smoothed (Laplace: a constant is added to each bin), so that an empty bin
has a share and the index is finite.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import fsum, inf, log, nextafter
from typing import Literal, NamedTuple

Band = Literal["stable", "moderate", "significant"]
MODERATE = 0.1
SIGNIFICANT = 0.25
EPSILON = 0.0001
"""Stands for the share of a word that one of two texts lacks, as in the Endurance specification."""
SMOOTHING = 1.0
"""What is added to the count of each bin."""
MIN_PER_BIN = 5
"""A bin of numbers is wide enough to hold this many numbers of the baseline."""


class Bin(NamedTuple):
    """One bin: how much of either population lies in it, and what it adds to the index."""

    label: str
    baseline: int
    current: int
    contribution: float


class Drift(NamedTuple):
    """A comparison of two populations over the same bins."""

    psi: float
    bins: tuple[Bin, ...]
    chance: float
    """About what the index would be if both populations were drawn from one.

    (bins in use − 1) · (1 / size + 1 / size), the mean of the index's chi-squared distribution
    (Yurdakul 2018). The words of one text come together, so for words it is a lower bound.
    """

    @property
    def band(self) -> Band:
        """What the index amounts to."""
        return band(self.psi)


def band(psi: float) -> Band:
    """What an index amounts to."""
    return "stable" if psi < MODERATE else "moderate" if psi < SIGNIFICANT else "significant"


def contribution(p: float, q: float) -> float:
    """What a bin of shares above 0 adds to the index: never less than 0, and 0 for equal shares."""
    return (p - q) * log(p / q)


def word_psi(current: Mapping[str, int], baseline: Mapping[str, int]) -> float:
    """The index of two single texts, given as word counts: one bin a word, 0.0001 for absence."""
    totals = sum(current.values()) or 1, sum(baseline.values()) or 1
    shares = (
        (current.get(word, 0) / totals[0] or EPSILON, baseline.get(word, 0) / totals[1] or EPSILON)
        for word in current.keys() | baseline.keys()
    )
    return fsum(contribution(p, q) for p, q in shares)


def compare(labels: Sequence[str], baseline: Sequence[int], current: Sequence[int]) -> Drift:
    """Compare two populations by their counts in the same bins."""
    sizes = sum(baseline), sum(current)
    bins = tuple(
        Bin(label, q, p, contribution(_share(p, sizes[1], labels), _share(q, sizes[0], labels)))
        for label, q, p in zip(labels, baseline, current, strict=True)
    )
    filled = sum(part.baseline + part.current > 0 for part in bins)
    chance = max(0, filled - 1) * sum(1 / size if size else 0.0 for size in sizes)
    return Drift(fsum(part.contribution for part in bins), bins, chance)


def _share(count: int, total: int, labels: Sequence[str]) -> float:
    return (count + SMOOTHING) / (total + SMOOTHING * len(labels))


def commonest(counts: Mapping[str, int], bins: int) -> list[str]:
    """The words that get a bin each: the commonest, by the alphabet where they are equally so."""
    return sorted(counts, key=lambda word: (-counts[word], word))[:bins]


def word_counts(words: Sequence[str], counts: Mapping[str, int]) -> list[int]:
    """How often each of the words occurs, then how often all others do."""
    own = [counts.get(word, 0) for word in words]
    return [*own, sum(counts.values()) - sum(own)]


def cuts(numbers: Iterable[float], bins: int) -> list[float]:
    """Where bins of numbers begin: at quantiles of the baseline, each once, and above its highest.

    Fewer bins are made where they would hold too few numbers, and where many numbers are equal.
    """
    ordered = sorted(numbers)
    if not ordered:
        return []
    wanted = max(1, min(bins, len(ordered) // MIN_PER_BIN))
    quantiles = {ordered[len(ordered) * place // wanted] for place in range(wanted)}
    return [*sorted(quantiles | {ordered[0]}), nextafter(ordered[-1], inf)]


def number_counts(begins: Sequence[float], numbers: Iterable[float]) -> list[int]:
    """How many numbers lie in each bin; the first bin is below all cuts."""
    counts = [0] * (len(begins) + 1)
    for number in numbers:
        counts[bisect_right(begins, number)] += 1
    return counts


def number_labels(begins: Sequence[float]) -> list[str]:
    """What the bins of numbers are called."""
    if not begins:
        return ["all"]
    shown = [f"{number:.4g}" for number in begins]
    between = [low if low == high else f"{low} to {high}" for low, high in pairwise(shown)]
    return [f"below {shown[0]}", *between, f"above {shown[-1]}"]
