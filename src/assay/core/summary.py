"""What a run comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from assay.core.result import Scores
from assay.core.sample import Sample


class Interval(NamedTuple):
    """A lower and an upper end; 95 % unless said otherwise."""

    low: float
    high: float


GateState = Literal["holds", "flaky", "fails", "undecided"]
"""`holds`, `fails`: the whole 95 % interval lies on one side of the limit, or the value is exact.
`flaky`: the interval reaches to both sides, or one sample gives none. `undecided`: nothing, or too
little, was scored."""


@dataclass(frozen=True, slots=True)
class GateVerdict:
    """What became of one gate of a run."""

    gate: str
    """The condition as it was written."""
    state: GateState
    passes: bool
    """Whether the run may pass, by the state and the chosen policy for those that are not sure."""
    explanation: str
    """Why, as the end of a sentence."""
    value: float | None = None
    interval: Interval | None = None
    samples: int = 0
    """Samples that the value rests on."""

    def to_json(self) -> dict[str, Any]:
        """The verdict as plain data."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Aggregate:
    """One metric over a whole run. Means are on the metric's native scale."""

    metric: str
    samples: int
    """All samples: scored + missing + imputed + errors."""
    scored: int
    missing: int
    imputed: int
    errors: int
    mean: float | None
    mean_interval: Interval | None
    weighted_mean: float | None
    weighted_mean_interval: Interval | None
    minimum: float | None
    maximum: float | None
    passed: int
    judged: int
    """Scored samples with a verdict: passed + failed + unsure."""
    pass_rate: float | None
    pass_rate_interval: Interval | None
    threshold: float | None
    signature: str
    distribution: Sequence[int]
    """Scored samples by quality, in equal bins from 0 to 1; empty for open ranges."""
    reasons: Mapping[str, int]
    """Why samples have no score, the commonest first."""
    unsure: int = 0
    """Scored samples between the two ends within which the metric cannot tell."""
    applicable: int | None = None
    """Samples that have its inputs; None in summaries that did not count them."""
    gates: bool = True
    """Whether it decides passes and enters the overall score; otherwise it is for information."""
    estimated_pass_rate: float | None = None
    """The share that people would pass, decided or not, by calibrated probabilities; None where
    the metric's values are none."""
    estimated_pass_rate_interval: Interval | None = None
    estimated_samples: int = 0
    """Samples with a calibrated probability, which the estimate is about."""

    @property
    def failed(self) -> int:
        """Scored samples with the verdict `fail`."""
        return self.judged - self.passed - self.unsure

    @property
    def coverage(self) -> float | None:
        """The share of the samples with its inputs that have a score; None without any."""
        return self.scored / self.applicable if self.applicable else None


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run comes to."""

    samples: int
    unread: int
    """Records that could not be read, and so have no scores at all."""
    overall: float | None
    """The mean of the samples' own (weighted) mean quality of the metrics that gate."""
    overall_interval: Interval | None
    pass_rate: float | None
    """The share of judged samples that pass all metrics that gate."""
    pass_rate_interval: Interval | None
    passed: int
    judged: int
    """Samples with a verdict: passed + failed + unsure + skipped. The others raise nothing."""
    metrics: Mapping[str, Aggregate]
    worst: Sequence[tuple[Sample, Scores]]
    """The samples with the lowest scores, the lowest first."""
    problems: Sequence[str] = ()
    """Why records could not be read; the first ones."""
    gates: Sequence[GateVerdict] = ()
    """What became of the run's gates, where it had some."""
    judge: Mapping[str, Any] | None = None
    """Calls, tokens and money that the judge took, where one was asked."""
    failed: int = 0
    unsure: int = 0
    """Samples that no metric failed and that one could not decide."""
    applicable: int | None = None
    """Samples that have the inputs of a metric that gates; None where that was not counted."""
    selection: str = ""
    """What was chosen by the data at hand, and why; empty where people chose the metrics."""
    repeats: Mapping[str, Any] | None = None
    """What several answers to each question come to (`assay.stats.repeats`), where there are."""
    retries: Mapping[str, Any] | None = None
    """Samples that were answered only after a retry, compared with the others, where there are."""

    @property
    def unjudged(self) -> int:
        """Samples without a verdict."""
        return self.samples - self.judged

    @property
    def gating(self) -> tuple[str, ...]:
        """The metrics that decide passes and the overall score: the set that these figures name."""
        return tuple(id for id, aggregate in self.metrics.items() if aggregate.gates)

    @property
    def causes(self) -> dict[str, int]:
        """Metric that gates → samples that it fails, the commonest first."""
        failed = {id: self.metrics[id].failed for id in self.gating}
        return dict(sorted(((id, n) for id, n in failed.items() if n), key=lambda c: (-c[1], c[0])))

    @property
    def errors(self) -> int:
        """Scores that failed, over all metrics."""
        return sum(aggregate.errors for aggregate in self.metrics.values())

    @classmethod
    def from_json(
        cls, data: Mapping[str, Any], worst: Sequence[tuple[Sample, Scores]] = ()
    ) -> Summary:
        """The summary again, from what `to_json` gave; the worst samples are not in it."""
        metrics = {
            id: Aggregate(id, **{name: _as_interval(name, value) for name, value in entry.items()})
            for id, entry in data["metrics"].items()
        }
        plain = {name: _as_interval(name, data[name]) for name in cls.__slots__ if name in data}
        gates = tuple(
            GateVerdict(**{name: _as_interval(name, value) for name, value in entry.items()})
            for entry in data.get("gates", ())
        )
        return cls(**{**plain, "metrics": metrics, "worst": worst, "gates": gates})

    def to_json(self) -> dict[str, Any]:
        """The summary as plain data, without the samples."""
        return {
            "samples": self.samples,
            "unread": self.unread,
            "problems": list(self.problems),
            "overall": self.overall,
            "overall_interval": self.overall_interval,
            "pass_rate": self.pass_rate,
            "pass_rate_interval": self.pass_rate_interval,
            "passed": self.passed,
            "failed": self.failed,
            "unsure": self.unsure,
            "judged": self.judged,
            "unjudged": self.unjudged,
            "applicable": self.applicable,
            "gating": list(self.gating),
            "causes": self.causes,
            "selection": self.selection,
            "metrics": {
                id: {
                    name: dict(value) if isinstance(value, Mapping) else value
                    for name in Aggregate.__slots__
                    if name != "metric"
                    for value in [getattr(aggregate, name)]
                }
                for id, aggregate in self.metrics.items()
            },
            **({"gates": [verdict.to_json() for verdict in self.gates]} if self.gates else {}),
            **({"judge": dict(self.judge)} if self.judge else {}),
            **({"repeats": dict(self.repeats)} if self.repeats else {}),
            **({"retries": dict(self.retries)} if self.retries else {}),
        }


def _as_interval(name: str, value: Any) -> Any:
    return Interval(*value) if name.endswith("interval") and value is not None else value
