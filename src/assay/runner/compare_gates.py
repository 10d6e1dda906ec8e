"""Gates on a comparison: metrics that may not become worse.

A gate fails when a metric is worse beyond doubt. Either of two tests is enough:

- its corrected p-value is at most 0.05 and the whole 95 % interval of the difference lies beyond
  the tolerance on the worse side;
- it lost passes: of at least 5 pairs, more were lost than gained by a margin that chance reaches
  in at most 5 % of cases (exact McNemar test, one-sided); of fewer pairs, any. `allow_lost` lost
  passes are accepted in either case, and so are those of a gate with a tolerance of its own whose
  mean difference lies within it.

Where the interval only reaches beyond the tolerance, the gate holds but is not sure; `strict`
makes that a failure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite

from assay.core import UsageError
from assay.core.run_comparison import GateOutcome, MetricChange, RunComparison
from assay.stats.paired import mcnemar_worse
from assay.stats.power import ALPHA

TESTED_PAIRS = 5
"""The fewest pairs with which the one-sided exact test can reach 0.05: 1 / 2⁵ = 0.031."""
ALL = "all"
"""A gate on every metric whose better end is known."""


def parse_gates(texts: Iterable[str]) -> dict[str, float | None]:
    """Metric → its tolerance on the native scale, None for the usual one."""
    tolerances: dict[str, float | None] = {}
    for text in texts:
        name, colon, number = text.partition(":")
        try:
            tolerance = float(number) if colon else None
        except ValueError:
            tolerance = -1.0
        if not name or (tolerance is not None and not (isfinite(tolerance) and tolerance >= 0)):
            raise UsageError(
                f"{text!r} is not a gate; expected a metric, or METRIC:TOLERANCE such as "
                "'text.safety:0.01' with a tolerance of 0 or more on the metric's scale"
            )
        if name == ALL and colon:
            raise UsageError(
                f"{text!r} gives one tolerance to metrics of different scales; use --tolerance, "
                "which is a share of each metric's range"
            )
        tolerances[name] = tolerance
    return tolerances


def gate_outcomes(
    comparison: RunComparison,
    gates: Mapping[str, float | None],
    *,
    strict: bool = False,
    allow_lost: int = 0,
) -> tuple[GateOutcome, ...]:
    """The outcome of each gate; the changes hold the tolerances already."""
    changes = {change.metric: change for change in comparison.metrics}
    for name in gates:
        _check(name, changes, comparison)
    if ALL in gates and comparison.refused:
        first = next(iter(comparison.refused))
        raise UsageError(f"the gate 'all' cannot be decided: {_refusal(comparison, first)}")
    chosen = changes.values() if ALL in gates else [changes[name] for name in gates]
    return tuple(
        _outcome(
            change,
            strict=strict,
            allow_lost=allow_lost,
            has_own_tolerance=gates.get(change.metric) is not None,
        )
        for change in chosen
        if change.polarity not in (None, "neutral")
    )


def _check(name: str, changes: Mapping[str, MetricChange], comparison: RunComparison) -> None:
    if name in comparison.refused:
        raise UsageError(f"the gate on {name!r} cannot be decided: {_refusal(comparison, name)}")
    if name == ALL:
        return
    if name not in changes:
        raise UsageError(f"the gate on {name!r} names a metric that was not compared in both runs")
    if changes[name].polarity in (None, "neutral"):
        raise UsageError(
            f"the gate on {name!r} cannot be decided: neither a higher nor a lower value is better"
        )


def _refusal(comparison: RunComparison, name: str) -> str:
    parts = ", ".join(comparison.refused[name])
    return f"the rules of {name!r} differ in {parts}; score again, or add --allow-different"


def _has_lost_passes(change: MetricChange, allow_lost: int) -> bool:
    """Whether more passes were lost than chance explains, or than few pairs can excuse."""
    if change.lost <= allow_lost:
        return False
    return change.pairs < TESTED_PAIRS or mcnemar_worse(change.lost, change.gained) <= ALPHA


def _outcome(
    change: MetricChange, *, strict: bool, allow_lost: int, has_own_tolerance: bool
) -> GateOutcome:
    outcome = _by_interval(change, strict=strict)
    is_failed = outcome.is_sure and not outcome.holds
    is_tolerated = has_own_tolerance and abs(change.difference or 0.0) <= change.tolerance
    if not is_failed and not is_tolerated and _has_lost_passes(change, allow_lost):
        explanation = (
            f"it lost {change.lost} passes and gained {change.gained}, of {change.pairs} pairs"
        )
        return GateOutcome(change.metric, change.tolerance, False, True, explanation)
    return outcome


def _by_interval(change: MetricChange, *, strict: bool) -> GateOutcome:
    tolerance = change.tolerance
    if change.difference is None or change.interval is None or change.adjusted_p is None:
        detail = "it has no scores in both runs to judge by"
        return GateOutcome(change.metric, tolerance, not strict, False, detail)
    turn = 1.0 if change.polarity == "higher" else -1.0
    gains = sorted(turn * end for end in change.interval)
    is_beyond = gains[1] < -tolerance and change.adjusted_p <= ALPHA
    is_sure = is_beyond or gains[0] >= -tolerance
    low, high = change.interval
    detail = (
        f"it changed by {change.difference:+.4g} [{low:.4g}, {high:.4g}], tolerance {tolerance:.4g}"
    )
    return GateOutcome(
        change.metric, tolerance, not is_beyond and (is_sure or not strict), is_sure, detail
    )
