"""A panel of judges: how far its members agree, what each is worth, and how many they amount to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from math import isnan, nan
from typing import Any, NamedTuple

from assay.backends.judge_questions import JudgeVerdict, Ruling, VerdictUsage
from assay.backends.panel import panel_members
from assay.core import Metric, Result, Sample, Scores, Summary, UsageError
from assay.data.rubrics import Rubric, Scale
from assay.features.rubric_verdicts import QuotedVerdicts
from assay.runner.calibrate import calibrate
from assay.runner.calibration_report import Calibration, CalibrationRequest
from assay.runner.execute import Observer, RunRequest, execute
from assay.runner.human_labels import read_positive
from assay.runner.job import Job
from assay.runner.ratings import Ratings, label_at
from assay.runner.stream import Item
from assay.scoring.judged_rubrics import rubric_result
from assay.settings import Settings
from assay.stats.agreement import kappa
from assay.stats.effective_judges import effective_judges
from assay.stats.intervals import Estimate

PANEL = "panel"
"""What the verdict of all judges together is called."""


class JudgePair(NamedTuple):
    """How far two judges agree."""

    first: str
    second: str
    records: int
    """Those that both have judged."""
    kappa: Estimate
    """Weighted by the squared distance on a scale, plain for choices."""


@dataclass(frozen=True, slots=True)
class JudgeCard:
    """One judge, or the panel."""

    name: str
    records: int
    """Records with a verdict of it."""
    mean: float | None
    pass_rate: float | None
    """None where the rubric has no threshold."""
    calibration: Calibration | None
    """Against human labels, where some are given."""

    def to_json(self) -> dict[str, Any]:
        """The card as plain data."""
        own = {name: getattr(self, name) for name in ("name", "records", "mean", "pass_rate")}
        return own | {"calibration": self.calibration and self.calibration.to_json()}


@dataclass(frozen=True, slots=True)
class PanelCard:
    """What was measured of a panel with one rubric."""

    metric: str
    judges: tuple[JudgeCard, ...]
    """The panel first."""
    pairs: tuple[JudgePair, ...]
    effective: Estimate
    """The effective number of judges."""
    is_from_labels: bool
    """Whether it comes from errors against labels; else from the scores themselves, which are alike
    also because the answers differ, so that it is a lower bound."""
    summary: Summary

    def to_json(self) -> dict[str, Any]:
        """The card as plain data."""
        return {
            "metric": self.metric,
            "judges": [judge.to_json() for judge in self.judges],
            "pairs": [pair._asdict() | {"kappa": pair.kappa.to_json()} for pair in self.pairs],
            "effective_judges": self.effective.to_json(),
            "effective_judges_from": "errors" if self.is_from_labels else "scores",
            "judge": self.summary.judge,
        }


@dataclass
class PanelRatings:
    """A sink: the values of the panel and of every judge, and the labels."""

    metric: str
    rubric: Rubric
    label: str | None
    ratings: dict[str, Ratings] = field(default_factory=dict)
    records: int = 0

    def write(self, sample: Sample, scores: Scores) -> None:
        """Take a scored sample."""
        result = scores[self.metric]
        values = {PANEL: result.value if result.state == "ok" else None, **self._own(result)}
        for name in values.keys() - self.ratings.keys():
            self.ratings[name] = Ratings(self.metric)
        for name, ratings in self.ratings.items():
            for missed in range(len(ratings.values), self.records):  # a judge that was silent first
                ratings.add(f"#{missed}", None)
            label = label_at(sample, self.label) if self.label else None
            ratings.signature = result.signature
            ratings.add(sample.id, values.get(name), label)
        self.records += 1

    def _own(self, result: Result) -> dict[str, float]:
        """What each judge says: the score that its verdicts alone would have come to."""
        given: dict[str, list[JudgeVerdict]] = {}
        for shown in result.details.get("verdicts", ()):
            shares = tuple((answer, share) for answer, share in shown.get("probabilities", ()))
            verdict = JudgeVerdict(shown["answer"], probabilities=shares)
            given.setdefault(shown.get("judge", ""), []).append(verdict)
        is_expected = "score_from" in result.details
        return {
            name: self._score(Ruling(tuple(verdicts), VerdictUsage(), (), is_expected))
            for name, verdicts in given.items()
            if name
        }

    def _score(self, ruling: Ruling) -> float:
        value = rubric_result(self.rubric, QuotedVerdicts(ruling, ())).value
        assert value is not None
        return value


def measure_panel(
    items: Iterable[Item],
    job: Job,
    settings: Settings,
    *,
    label: str | None = None,
    positive: tuple[str, ...] = (),
    observer: Observer | None = None,
) -> PanelCard:
    """Ask all judges about all records by the one rubric of a job."""
    if len(panel_members(job.backends.judge)) < 2:
        raise UsageError(
            "a panel has two judges or more; name them with blanks between them: "
            '--judge "openai:URL#ONE openai:URL#OTHER"'
        )
    steps = [step for step in job.plan().shown if step.metric.rubric]
    if len(steps) != 1:
        raise UsageError(f"found {len(steps)} rubrics; a panel is measured with one")
    metric, threshold = steps[0].metric, steps[0].threshold
    assert metric.rubric
    if metric.rubric.steps:
        raise UsageError(f"{metric.id!r} has several questions; a panel is measured with one")
    sink = PanelRatings(metric.id, metric.rubric, label)
    request = RunRequest(
        items=items, job=job, settings=settings, sinks=[sink], observer=observer or Observer()
    )
    summary = execute(request).summary
    names = [PANEL, *sorted(name for name in sink.ratings if name != PANEL)]
    wanted = CalibrationRequest(positive=positive, seed=settings.seed)
    card = partial(_card, metric=metric, threshold=threshold, wanted=wanted)
    cards = tuple(card(name, sink.ratings[name]) for name in names if name in sink.ratings)
    judges = {name: sink.ratings[name] for name in names[1:]}
    errors = _errors(judges, cards[0].calibration, metric, positive)
    return PanelCard(
        metric.id,
        cards,
        tuple(_pair(*two, judges, metric.rubric, settings.seed) for two in combinations(judges, 2)),
        effective_judges(errors or _shared(judges), settings.seed),
        bool(errors),
        summary,
    )


def _card(
    name: str,
    ratings: Ratings,
    *,
    metric: Metric,
    threshold: float | None,
    wanted: CalibrationRequest,
) -> JudgeCard:
    values = [value for value in ratings.values if not isnan(value)]
    passed = [metric.holds(value, threshold) for value in values] if threshold is not None else []
    is_labelled = any(not isnan(ratings.values[place]) for place in ratings.labels)
    return JudgeCard(
        name,
        len(values),
        sum(values) / len(values) if values else None,
        sum(passed) / len(passed) if passed else None,
        calibrate(ratings, metric, wanted, threshold=threshold) if is_labelled else None,
    )


def _pair(
    first: str, second: str, judges: Mapping[str, Ratings], rubric: Rubric, seed: int
) -> JudgePair:
    columns = _shared({name: judges[name] for name in (first, second)})
    weighting: Any = "quadratic" if isinstance(rubric.answers, Scale) else "none"
    one, other = columns
    return JudgePair(first, second, len(one), kappa(one, other, weighting, seed))


def _shared(judges: Mapping[str, Ratings]) -> list[list[float]]:
    """The values of the records that all of them have judged, one row a judge."""
    rows = [list(ratings.values) for ratings in judges.values()]
    whole = [column for column in zip(*rows, strict=True) if not any(map(isnan, column))]
    return [list(row) for row in zip(*whole, strict=True)] or [[] for _ in rows]


def _errors(
    judges: Mapping[str, Ratings],
    calibration: Calibration | None,
    metric: Metric,
    positive: tuple[str, ...],
) -> list[list[float]]:
    """How far each judge, on a scale from 0 to 1, is off the labels; nothing without labels."""
    if calibration is None:
        return []
    low, high = metric.range
    assert low is not None
    assert high is not None
    labels = next(iter(judges.values())).labels
    rule = read_positive(positive, list(labels.values()))
    errors = {}
    for name, ratings in judges.items():
        shares = [(value - low) / (high - low) for value in ratings.values]
        turned = shares if calibration.direction == "higher" else [1 - share for share in shares]
        errors[name] = Ratings(metric.id)
        for place, share in enumerate(turned):
            is_known = place in labels
            off = share - float(rule.holds(labels[place])) if is_known else nan
            errors[name].add(str(place), off)
    return _shared(errors)
