"""Bootstrap intervals for records that come in groups, such as several answers to one question.

Groups are drawn, not records: answers to one question are alike, and drawing them singly would
make every interval too narrow. The same seed draws the same groups, so that two scores of the
same records are compared draw by draw.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

import numpy as np

from assay.core import Interval
from assay.stats.intervals import wilson
from assay.stats.ranking import Array, Statistic

REPLICATES = 2000
"""Draws; the ends of a 95 % interval then move by about 3 % of its width between seeds."""
MIN_REPLICATES = 0.9
"""An interval needs a value in this share of the draws; a rare label may be absent from some."""
CELLS = 2**20
"""Weights held at a time, 8 MiB of them, so that memory does not grow with the draws."""


def grouped_interval(
    statistic: Statistic, groups: Sequence[Hashable], seed: int = 0
) -> Interval | None:
    """The 95 % percentile interval of a statistic over records of some groups.

    None below two groups, or where most draws leave the statistic without a value.
    """
    return interval_of(replicates(statistic, groups, seed))


def grouped_rate(
    successes: Sequence[bool], groups: Sequence[Hashable], seed: int = 0
) -> Interval | None:
    """The 95 % interval of a rate; Wilson's over the groups where every draw gives the same."""
    values = np.asarray(successes, float)
    if len(values) and values.min() == values.max():
        groups_held = len(set(groups))
        return wilson(groups_held * int(values[0]), groups_held)
    return grouped_interval(lambda weights: weights @ values / weights.sum(axis=1), groups, seed)


def replicates(statistic: Statistic, groups: Sequence[Hashable], seed: int = 0) -> Array:
    """The value of a statistic under each draw; empty below two groups."""
    if len(set(groups)) < 2:
        return np.zeros(0)
    return np.concatenate([statistic(weights) for weights in draws(groups, seed)])


def interval_of(values: Array) -> Interval | None:
    """The 95 % percentile interval of values under draws; None where too few have one."""
    values = values[~np.isnan(values)]
    if len(values) < MIN_REPLICATES * REPLICATES:
        return None
    low, high = np.quantile(values, (0.025, 0.975))
    return Interval(float(low), float(high))


def draws(groups: Sequence[Hashable], seed: int) -> Iterator[Array]:
    """Weightings of the records, one draw a row, some rows at a time."""
    numbers = {group: number for number, group in enumerate(dict.fromkeys(groups))}
    of_record = np.array([numbers[group] for group in groups])
    shares = np.full(len(numbers), 1 / len(numbers))
    generator = np.random.default_rng(seed)
    rows = max(1, CELLS // len(groups))
    for start in range(0, REPLICATES, rows):
        size = min(rows, REPLICATES - start)
        yield generator.multinomial(len(numbers), shares, size)[:, of_record].astype(float)
