"""Which metrics gate: decide passes, pass rates, overall figures and worst samples.

All others are informational: shown, and never counted.
"""

from __future__ import annotations

from assay.core import Metric
from assay.data.measured_agreement import CHANCE, measured


def gates(metric: Metric, *, is_chosen: bool = False) -> bool:
    """Whether a metric gates: the one place that decides it.

    It does when a person chose it (by id, family, group, profile or threshold), when it is an exact
    check, or when its evidence is ahead of baselines. A composite never does: what it combines
    would count twice.
    """
    return not metric.is_composite and (is_chosen or metric.exact or is_ahead(metric.id))


def standing(metric: Metric) -> str:
    """What a metric does unless somebody chooses it, and why, in words."""
    if not gates(metric):
        return "informational"
    return "decides passes (exact check)" if metric.exact else "decides passes (by its evidence)"


def is_ahead(metric: str) -> bool:
    """Whether labelled data shows a metric to be worth more than baselines.

    On at least one set it is ahead of chance and of every baseline by 95 % intervals, and on no
    set does its whole interval lie below chance: there its verdicts would be the wrong way round.
    """
    result = measured(metric)
    is_behind = any(one.interval[1] < CHANCE[one.statistic] for one in result)
    return any(one.is_ahead for one in result) and not is_behind
