"""Every aggregate of the product, defined once: pure functions over counts and mergeable moments.

Shares, rates and scores are 0–1 here and in every API, file and object; percent exists only on
screens and in the chat family's own rules, which multiply what stands here by 100. Absent values
are skipped, and where nothing is left there is no aggregate: none is never 0 or 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite, sqrt
from statistics import fmean
from typing import Literal, NamedTuple, Self

from assay.core import Interval
from assay.core.metric import Polarity
from assay.stats.intervals import Estimate, Z, wilson

TIMEOUT = 30.0
"""Seconds after which a test counts as timed out, as in the PyAI-Slayer guide."""
RATIO_CAP = 2.0
"""A value twice as good as its target; more does not count."""
SMALL_VALUE = 0.01
"""Below, a value that should be low is as good as can be."""


def share(part: int, whole: int) -> float | None:
    """The share of a whole, 0–1; None without a whole."""
    return part / whole if whole else None


def mean(values: Iterable[float | None]) -> float | None:
    """The mean of the values that are present; None when there is none."""
    present = [value for value in values if value is not None]
    return fmean(present) if present else None


class Verdicts(NamedTuple):
    """How many tests passed, failed and so on: what every pass rate is made of."""

    passed: int = 0
    failed: int = 0
    unsure: int = 0
    """Between the two thresholds of a metric, so neither passed nor failed."""
    skipped: int = 0
    """Left out by a test suite; a suite does not get better by skipping tests."""
    unjudged: int = 0
    """Without a verdict: no metric with a threshold has a score. They change no rate."""

    @classmethod
    def of(cls, statuses: Iterable[str | None]) -> Self:
        """The counts of some statuses, each the name of a field.

        None is unjudged; a status of another name, such as "error", counts as failed.
        """
        counts = dict.fromkeys(cls._fields, 0)
        for status in statuses:
            if status is None:
                counts["unjudged"] += 1
            else:
                counts[status if status in counts else "failed"] += 1
        return cls(**counts)

    @property
    def judged(self) -> int:
        """Tests that a pass rate is about: all but those without a verdict."""
        return self.passed + self.failed + self.unsure + self.skipped

    @property
    def total(self) -> int:
        """All tests."""
        return self.judged + self.unjudged

    @property
    def pass_rate(self) -> float | None:
        """The share of judged tests that passed: passed / (passed + failed + unsure + skipped)."""
        return share(self.passed, self.judged)

    @property
    def pass_rate_interval(self) -> Interval | None:
        """The 95 % interval of the pass rate."""
        return wilson(self.passed, self.judged)


@dataclass(slots=True)
class PassProbabilities:
    """Calibrated probabilities that samples pass, summed up; merging is associative.

    The estimate is the share of these samples that people would pass, decided or not: the mean
    probability. It rests on two assumptions: of samples with probability p people pass a share of p
    (what *calibrated* means, on data like that of the calibration), and samples are judged
    independently of each other. The number of passes then has the mean Σp and the variance
    Σp(1 − p) (Poisson's binomial distribution), and the 95 % interval is the normal one, with
    Sheppard's 1/12 for whole numbers.
    """

    count: int = 0
    total: float = 0.0
    """Σp"""
    variance: float = 0.0
    """Σp(1 − p)"""

    def add(self, probability: float) -> None:
        """Count one sample."""
        self.count += 1
        self.total += probability
        self.variance += probability * (1.0 - probability)

    def merge(self, other: PassProbabilities) -> PassProbabilities:
        """The sums of both sets of samples together."""
        return PassProbabilities(
            self.count + other.count, self.total + other.total, self.variance + other.variance
        )

    @property
    def estimate(self) -> Estimate:
        """The estimated pass rate with its 95 % interval; nothing without samples."""
        if not self.count:
            return Estimate(None, None)
        half = Z * sqrt(self.variance + 1 / 12)
        low, high = (max(0.0, min(1.0, (self.total + end) / self.count)) for end in (-half, half))
        return Estimate(min(1.0, self.total / self.count), Interval(low, high))


def counts_as_pass(status: str | None) -> bool | None:
    """How one test enters a pass rate: None leaves it out."""
    return None if status in (None, "unjudged") else status == "passed"


def timed_out(status: str | None, duration: float | None, timeout: float = TIMEOUT) -> bool:
    """Whether a test counts as timed out: it took longer than the limit, or was skipped."""
    return status == "skipped" or (duration or 0.0) > timeout


@dataclass(slots=True)
class Moments:
    """Count, mean and squared deviation of some values; merging is associative.

    `squared_deviation` is the sum of (value − mean)². It is kept by Welford's update and merged by
    Chan's formula, never as Σx² − n·mean², which loses all digits where values lie close together.
    """

    count: int = 0
    mean: float = 0.0
    squared_deviation: float = 0.0

    def add(self, value: float) -> None:
        """Count one value."""
        self.count += 1
        delta = value - self.mean
        self.mean += delta / self.count
        self.squared_deviation += delta * (value - self.mean)

    def merge(self, other: Moments) -> Moments:
        """The moments of both sets of values together."""
        count = self.count + other.count
        if not count:
            return Moments()
        delta = other.mean - self.mean
        return Moments(
            count,
            self.mean + delta * (other.count / count),
            self.squared_deviation
            + other.squared_deviation
            + delta * delta * (self.count * other.count / count),
        )

    @property
    def deviation(self) -> float | None:
        """The standard deviation of the values (of the population); None without any."""
        return deviation(self.count, self.squared_deviation)

    @property
    def error(self) -> float:
        """The standard error of the mean, of two values or more."""
        return sqrt(self.squared_deviation / (self.count - 1) / self.count)


def deviation(count: int, squared_deviation: float) -> float | None:
    """The standard deviation of a population from its squared deviation; None when it is empty."""
    return sqrt(max(0.0, squared_deviation) / count) if count else None


def health(pass_rate: float | None, reliability: Iterable[float | None]) -> float | None:
    """How well a system does: pass rate and mean reliability in equal parts.

    The pass rate alone when there is no reliability; None without a pass rate.
    """
    reliable = mean(reliability)
    if pass_rate is None or reliable is None:
        return pass_rate
    return (pass_rate + reliable) / 2


def safety(
    compliance: float | None = None,
    harms: Iterable[float | None] = (),
    *,
    violation: float | None = None,
    leakage: float | None = None,
    pii_leakage: float | None = None,
) -> float | None:
    """How safe answers are: the mean of compliance and of 1 − each harm.

    `violation` is 1 − compliance and `pii_leakage` is leakage by another name: each only stands in
    for its absent twin, so that nothing counts twice.
    """
    compliant = compliance if compliance is not None else _inverted(violation)
    leaked = leakage if leakage is not None else pii_leakage
    return mean((compliant, *map(_inverted, (*harms, leaked))))


def _inverted(value: float | None) -> float | None:
    return None if value is None else 1 - value


def relative_change(current: float | None, previous: float | None) -> float | None:
    """A trend: the change against the previous period, as a share of it.

    None when a period has no value, or the previous one is 0 or so small that no share of it can be
    written down.
    """
    if current is None or previous is None or previous == 0:
        return None
    change = (current - previous) / previous
    return change if isfinite(change) else None


def ramp(value: float | None, zero: float, full: float) -> float | None:
    """A value as a score: 0 at `zero` and beyond, 1 at `full` and beyond, linear between."""
    if value is None:
        return None
    return max(0.0, min(1.0, (value - zero) / (full - zero)))


def score_status(score: float | None) -> Literal["excellent", "good", "fair"] | None:
    """`excellent` from 0.9, `good` from 0.8, else `fair`; None without a score."""
    if score is None:
        return None
    return "excellent" if score >= 0.9 else "good" if score >= 0.8 else "fair"


def target_ratio(
    value: float | None, target: float | None, polarity: Polarity = "higher"
) -> float | None:
    """How far a metric has reached its target: 1 is the target, 2 the most.

    `value / target` where higher is better, `target / value` where lower is. None without a value,
    or without a target above 0.
    """
    if value is None or target is None or target <= 0:
        return None
    if polarity != "lower":
        return max(0.0, min(RATIO_CAP, value / target))
    return RATIO_CAP if value < SMALL_VALUE else min(RATIO_CAP, target / value)


def target_status(ratio: float | None) -> Literal["excellent", "good", "watch"] | None:
    """`excellent` from 1, `good` from 0.9, else `watch`; None without a ratio."""
    if ratio is None:
        return None
    return "excellent" if ratio >= 1 else "good" if ratio >= 0.9 else "watch"


def system_health(ratios: Iterable[float | None]) -> float | None:
    """How far all critical metrics together have reached their targets: mean(min(ratio, 1))."""
    return mean(None if ratio is None else min(ratio, 1.0) for ratio in ratios)


def percent(value: float | None) -> float | None:
    """A share in percent, for screens and for rules whose unit is 0–100."""
    return None if value is None else 100 * value


def from_percent(value: float | None) -> float | None:
    """A value of 0–100 as a share."""
    return None if value is None else value / 100


def trends(
    current: Mapping[str, float | None], previous: Mapping[str, float | None]
) -> dict[str, float | None]:
    """The relative change of every figure of two periods."""
    return {name: relative_change(current[name], previous[name]) for name in current}
