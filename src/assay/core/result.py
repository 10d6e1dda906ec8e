"""What a metric says about one sample."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from math import inf
from typing import Any, Literal, NamedTuple, SupportsIndex, overload

State = Literal["ok", "missing", "imputed", "error"]
"""`ok`: computed. `missing`: an input is absent. `imputed`: a documented substitute value.
`error`: the computation failed. Only `ok` enters an average, unless asked otherwise."""

Verdict = Literal["pass", "fail", "unsure"]
"""`unsure`: between the two ends within which a metric's decisions are not reliable."""
PASSED: Mapping[Verdict | None, bool | None] = {"pass": True, "fail": False}
"""What a verdict is as a truth value; `unsure` and no verdict have none."""


NO_THRESHOLD = inf
"""A metric's own threshold for a value that has no verdict, unless a person set a threshold."""
CALIBRATED = "calibrated"
"""Says in the details of a result, where true, that its quality is a calibrated probability."""
MAX_EVIDENCE = 100
"""A result marks at most this many places; where there are more, its explanation says how many."""


class Span(NamedTuple):
    """A stretch of a sample's text that caused a score, in characters of the text as given."""

    field: str
    start: int
    end: int
    label: str = ""


class LazySpans(Sequence[Span]):
    """Spans of one field and label that are looked for when they are first read.

    Most runs write the places of failures only, and finding places takes longer than many a score.
    `find` gives start and end of each place in turn. It must not fail: what a metric raises is an
    error of its result, but not once that result is read. Equal to a tuple of the same spans; a
    copy, also by pickle, is such a tuple.
    """

    __slots__ = ("_find", "_places", "field", "label")

    def __init__(self, field: str, label: str, find: Callable[[], Sequence[int]]) -> None:
        self.field = field
        self.label = label
        self._find: Callable[[], Sequence[int]] | None = find
        self._places: tuple[int, ...] = ()

    @property
    def places(self) -> tuple[int, ...]:
        """Start and end of each place in turn."""
        find = self._find
        if find is not None:  # two threads may both look; each finds the same
            self._places = tuple(find())
            self._find = None  # and with it the texts that it holds
        return self._places

    @overload
    def __getitem__(self, place: SupportsIndex) -> Span: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Span]: ...

    def __getitem__(self, place: SupportsIndex | slice) -> Span | Sequence[Span]:
        return tuple(self)[place]

    def first(self, count: int) -> LazySpans:
        """At most so many of them."""
        return LazySpans(self.field, self.label, lambda: self.places[: 2 * count])

    def __len__(self) -> int:
        return len(self.places) // 2

    def __iter__(self) -> Iterator[Span]:
        ends = iter(self.places)
        field, label = self.field, self.label
        return (Span(field, start, end, label) for start, end in zip(ends, ends, strict=True))

    def __eq__(self, other: object) -> bool:
        return tuple(self) == (tuple(other) if isinstance(other, LazySpans) else other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __reduce__(self) -> tuple[type, tuple[tuple[Span, ...]]]:
        return tuple, (tuple(self),)


def spans_json(spans: Iterable[Span]) -> list[dict[str, Any]]:
    """Spans as plain data: what `_asdict` gives, in a third of its time."""
    return [
        {"field": field, "start": start, "end": end, "label": label}
        for field, start, end, label in spans
    ]


def span_groups(spans: Sequence[Span]) -> list[list[str | int]]:
    """Spans as short plain data: neighbours of one field and label share both.

    Each group is `[field, label, start, end, start, end, …]`.
    """
    if isinstance(spans, LazySpans):
        return [[spans.field, spans.label, *spans.places]] if spans else []
    groups: list[list[str | int]] = []
    for field, start, end, label in spans:
        if not groups or groups[-1][0] != field or groups[-1][1] != label:
            groups.append([field, label])
        groups[-1] += (start, end)
    return groups


class Result(NamedTuple):
    """One metric's score of one sample, with its reason.

    A metric gives `value`, `explanation` and, where they help, `evidence` and `details`; the engine
    adds the rest.
    """

    value: float | None = None
    """On the metric's native scale; None when there is no score."""
    explanation: str = ""
    """One sentence."""
    evidence: Sequence[Span] = ()
    details: Mapping[str, Any] = {}
    state: State = "ok"
    passed: bool | None = None
    """Whether the value holds the threshold; None without one, and where that is unsure."""
    metric: str = ""
    quality: float | None = None
    """The value from 0 to 1, higher is better; None for open ranges and neutral metrics."""
    threshold: float | None = None
    signature: str = ""
    verdict: Verdict | None = None
    """Pass, fail or unsure; None without a threshold or a value."""
    gates: bool = False
    """Whether it decides if the sample passes; otherwise it is for information."""
    unsure: tuple[float, float] | None = None
    """Between which values a metric's own threshold decides nothing; the engine reads it."""

    @classmethod
    def missing(cls, explanation: str) -> Result:
        """No score, because an input is absent; the explanation names it."""
        return cls(None, explanation, (), {}, "missing")

    @classmethod
    def imputed(cls, value: float, explanation: str) -> Result:
        """A documented substitute value, marked as such."""
        return cls(value, explanation, (), {}, "imputed")

    @classmethod
    def error(cls, explanation: str) -> Result:
        """No score, because the computation failed."""
        return cls(None, explanation, (), {}, "error")

    @classmethod
    def undecided(
        cls,
        explanation: str,
        details: Mapping[str, Any],
        evidence: Sequence[Span] = (),
        state: State = "missing",
    ) -> Result:
        """No score, where that must keep the sample from passing by its other metrics."""
        return cls(None, explanation, evidence, details, state, verdict="unsure")

    @property
    def pass_probability(self) -> float | None:
        """The calibrated probability that people would pass the sample; None where unknown."""
        return self.quality if self.details.get(CALIBRATED) is True else None

    def limited(self, total: int | None = None) -> Result:
        """With at most `MAX_EVIDENCE` places; where there are more, the explanation says so.

        `total` is how many there are, for a metric that did not look for all of them.
        """
        count = len(self.evidence) if total is None else total
        if count <= MAX_EVIDENCE:
            return self
        places = self.evidence
        return self._replace(
            evidence=(
                places.first(MAX_EVIDENCE)
                if isinstance(places, LazySpans)
                else places[:MAX_EVIDENCE]
            ),
            explanation=self.explanation.removesuffix(".")
            + f"; {MAX_EVIDENCE} of {count} places are marked.",
        )

    def to_json(self) -> dict[str, Any]:
        """The fields as plain data, evidence as objects."""
        return {
            "value": self.value,
            "quality": self.quality,
            "passed": self.passed,
            "verdict": self.verdict,
            "gates": self.gates,
            "threshold": self.threshold,
            "state": self.state,
            "explanation": self.explanation,
            "evidence": spans_json(self.evidence),
            "details": dict(self.details),
            "signature": self.signature,
        }


class MetricScore(NamedTuple):
    """One entry of `Scores.metric_scores`, in the words of the evaluator contract."""

    name: str
    value: float | None
    threshold: float | None
    passed: bool | None


class FailureAnalysis(NamedTuple):
    """Why a sample failed, as far as its texts and scores tell, and what may be done."""

    root_cause: str
    """One sentence."""
    category: str
    detected_patterns: tuple[str, ...] = ()
    recommendations: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The fields as plain data."""
        return {
            "root_cause": self.root_cause,
            "category": self.category,
            "detected_patterns": list(self.detected_patterns),
            "recommendations": list(self.recommendations),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> FailureAnalysis:
        """The failure again, from what `to_json` gave."""
        return cls(
            data["root_cause"],
            data["category"],
            tuple(data["detected_patterns"]),
            tuple(data["recommendations"]),
        )


Status = Literal["passed", "failed", "unsure", "skipped", "unjudged"]
"""How a sample stands. `skipped` is for tests of a suite; `unjudged` has no verdict."""


def sample_verdict(results: Iterable[Result]) -> Verdict | None:
    """The verdict on a sample, by its results that gate.

    `fail` if one of them fails, else `unsure` if one is, else `pass` if one passes; None where
    nothing gates or has a verdict. A result without a value is `unsure` where its metric says so.
    """
    result = {r.verdict for r in results if r.gates and (r.state == "ok" or r.value is None)}
    order: tuple[Verdict, ...] = ("fail", "unsure", "pass")
    return next((verdict for verdict in order if verdict in result), None)


@dataclass(frozen=True, slots=True)
class Scores(Mapping[str, Result]):
    """All results of one sample, by metric id."""

    id: str
    results: Mapping[str, Result]
    score: float | None = None
    """The (weighted) mean quality of the scored metrics that gate; None where none does."""
    passed: bool | None = None
    """Whether every metric that gates passed; None when none has a verdict or one is unsure."""
    failure: FailureAnalysis | None = None
    """Why it failed; None unless it did."""
    language: str = ""
    """The language that the sample is listed under: its own, else the detected one."""
    is_skipped: bool = False
    """Whether it is a test that its suite skipped."""
    is_unsure: bool = False
    """Whether no metric that gates failed, and one could not tell."""

    @property
    def verdict(self) -> Verdict | None:
        """Pass, fail or unsure, by the metrics that gate; None where none has a verdict."""
        if self.passed is None:
            return "unsure" if self.is_unsure else None
        return "pass" if self.passed else "fail"

    @property
    def status(self) -> Status:
        """How the sample stands."""
        if self.passed is None:
            return "skipped" if self.is_skipped else "unsure" if self.is_unsure else "unjudged"
        return "passed" if self.passed else "failed"

    def __getitem__(self, metric: str) -> Result:
        return self.results[metric]

    def __iter__(self) -> Iterator[str]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def __bool__(self) -> bool:
        return True  # the scores of a sample, even where no metric was chosen

    @property
    def details(self) -> str:
        """All explanations, joined."""
        return "; ".join(r.explanation for r in self.results.values() if r.explanation)

    @property
    def metric_scores(self) -> dict[str, MetricScore]:
        """Value, threshold and verdict by metric id."""
        return {
            id: MetricScore(id, r.value, r.threshold, r.passed) for id, r in self.results.items()
        }

    def completed(self, metrics: Iterable[str]) -> Scores:
        """With a result of each of the metrics, as tables need them.

        Tests of a suite choose their own metrics; one that was not asked for is missing.
        """
        unasked = Result.missing("The test did not ask for it.")
        results = {id: self.results.get(id, unasked) for id in metrics}
        return self if results.keys() == self.results.keys() else replace(self, results=results)

    def _repr_html_(self) -> str:
        """The scores as notebooks show them."""
        # Reports stand above this package; the module is found by its name when it is needed.
        html: str = import_module("assay.report.notebook").scores_html(self)
        return html

    def to_json(self) -> dict[str, Any]:
        """The output record of one sample."""
        return {"id": self.id, "scores": {m: r.to_json() for m, r in self.results.items()}}


def find_evidence(results: Iterable[Result]) -> None:
    """Look for all places now, so that the results hold no texts to find them in."""
    for result in results:
        len(result.evidence)
