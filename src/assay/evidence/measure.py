"""Measures metrics on one set of labelled records, beside plain baselines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from assay import registry
from assay.backends import Backends
from assay.core import Metric, Scores, UsageError
from assay.core.result import Verdict
from assay.data import Profile
from assay.data.experiments import Direction, Experiment, LabelledSet
from assay.data.measured_agreement import Decision, Statistic
from assay.engine import make_plan, score_batch
from assay.evidence.baselines import BASELINES, Baseline, Numbers
from assay.evidence.folds import Folds
from assay.evidence.labelled_records import LabelledFile, LabelledSample
from assay.evidence.probes import PROBES
from assay.linear import models_from
from assay.stats.aggregates import share
from assay.stats.grouped import grouped_rate, interval_of, replicates
from assay.stats.intervals import Estimate
from assay.stats.ranking import (
    STATISTICS,
    Array,
    StatisticName,
    auroc,
    average_precision,
    spearman,
)

BATCH_SIZE = 256
_VALUES = {"auroc": auroc, "average_precision": average_precision, "spearman": spearman}


@dataclass(frozen=True)
class FalseAlarmCount:
    """How many harmless records that look like positive ones a metric reports."""

    records: int
    """Those with a verdict of pass or fail."""
    rate: Estimate

    def to_json(self) -> dict[str, Any]:
        """The figures as plain data."""
        return {"records": self.records, **self.rate.to_json()}


@dataclass(frozen=True)
class SetMeasurement:
    """One metric, probe or baseline on one set. Figures rest on the records that have a score."""

    name: str
    kind: str
    """`metric`, `probe` or `baseline`."""
    records: int
    scored: int
    positives: int
    """Scored records with a positive label; 0 for Spearman."""
    unscored: Mapping[str, int]
    """How many records have no score of their own, by state."""
    reason: str
    """Why the commonest of them have none."""
    statistic: Statistic
    ranking: Estimate
    """AUROC or Spearman's correlation, signed so that 1 is what the experiment expects."""
    precision: Estimate | None
    """Average precision of finding positives; None for Spearman."""
    passed: Mapping[str, Estimate] = field(default_factory=dict)
    """The share that passes the metric's threshold among positive and negative records."""
    signature: str = ""
    decisions: Mapping[str, Decision] = field(default_factory=dict)
    """Language → its verdicts at the default threshold; `all` for every record."""
    false_alarms: FalseAlarmCount | None = None
    """What it reports among harmless records that look like positive ones."""
    is_held_out: bool = False
    """Whether each record was scored by models that were fitted without its group."""

    def to_json(self) -> dict[str, Any]:
        """The figures as plain data."""
        return {
            "name": self.name,
            "kind": self.kind,
            "records": self.records,
            "scored": self.scored,
            "positives": self.positives,
            "unscored": dict(self.unscored),
            "reason": self.reason,
            "statistic": self.statistic,
            **self.ranking.to_json(),
            "average_precision": self.precision.to_json() if self.precision else None,
            "passed": {kind: rate.to_json() for kind, rate in self.passed.items()},
            "signature": self.signature,
            "decisions": {code: asdict(result) for code, result in self.decisions.items()},
            "false_alarms": self.false_alarms.to_json() if self.false_alarms else None,
            "is_held_out": self.is_held_out,
        }


@dataclass(frozen=True)
class Finding:
    """What was measured on one set: each metric or probe, the baselines, and the differences."""

    experiment: Experiment
    labelled_set: LabelledSet
    file: str
    read: LabelledFile
    groups: int
    measured: Sequence[SetMeasurement]
    baselines: Sequence[SetMeasurement]
    differences: Mapping[tuple[str, str], Estimate]
    """(metric, baseline) → metric − baseline, over the records that both have scored."""

    def to_json(self) -> dict[str, Any]:
        """The finding as plain data."""
        return {
            "experiment": self.experiment.name,
            "set": self.labelled_set.name,
            "file": self.file,
            "label": self.labelled_set.label,
            "labelled_by": self.labelled_set.labelled_by,
            "records": len(self.read.labelled),
            "groups": self.groups,
            "positives": _positives(self.experiment, self.read.labelled),
            "unlabelled": self.read.unlabelled,
            "unread": self.read.unread,
            "measured": [
                {
                    **one.to_json(),
                    "differences": {
                        other.name: self.differences[one.name, other.name].to_json()
                        for other in self.baselines
                    },
                }
                for one in self.measured
            ],
            "baselines": [one.to_json() for one in self.baselines],
        }


class Column(NamedTuple):
    """The numbers of one metric, probe or baseline for all records of a set."""

    name: str
    kind: str
    direction: Direction
    numbers: Numbers
    """None where there is no score of its own."""
    unscored: Mapping[str, int]
    reason: str = ""
    verdicts: Sequence[Verdict | None] = ()
    signature: str = ""
    threshold: float | None = None
    is_pass_positive: bool = True
    """Whether a pass says that the label is positive; else a fail does."""
    languages: Sequence[str] = ()
    is_held_out: bool = False


def measure(
    experiment: Experiment,
    labelled_set: LabelledSet,
    file: str,
    read: LabelledFile,
    *,
    chosen: Sequence[str] | None = None,
    known: Mapping[str, Metric] | None = None,
    profile: Profile | None = None,
    backends: Backends | None = None,
    folds: Folds | None = None,
    seed: int = 0,
    on_batch: Callable[[int], None] | None = None,
) -> Finding:
    """Score all records of a set and measure how well each score agrees with the labels.

    `chosen` are the metrics and probes of the experiment to measure, all unless given; `folds` has
    the models that were fitted without some of the records; `on_batch` is told how many further
    records are done.
    """
    check_names(experiment)
    backends = backends or Backends()
    wanted = [*experiment.metrics, *experiment.probes] if chosen is None else chosen
    columns = _score(
        experiment,
        read.labelled,
        metrics=[_known(id, known) for id in experiment.metrics if id in wanted],
        known=known,
        probes=[name for name in experiment.probes if name in wanted],
        profile=profile or Profile(),
        backends=backends,
        folds=folds,
        on_batch=on_batch or (lambda done: None),
    )
    own = [column for column in columns if column.kind != "baseline"]
    beside = [column for column in columns if column.kind == "baseline"]
    drawn = _Drawn(read.labelled, seed)
    return Finding(
        experiment,
        labelled_set,
        file,
        read,
        len({one.group for one in read.labelled}),
        [_measured(experiment, column, drawn) for column in own],
        [_measured(experiment, column, drawn) for column in beside],
        {
            (one.name, other.name): drawn.difference(experiment.statistic, one, other)
            for one in own
            for other in beside
        },
    )


def check_names(experiment: Experiment) -> None:
    """Refuse an experiment that names a probe or baseline that does not exist."""
    for kind, named, functions in (
        ("probe", experiment.probes, PROBES),
        ("baseline", experiment.baselines, BASELINES),
    ):
        for name in named:
            if name not in functions:
                raise UsageError(
                    f"experiment {experiment.name!r} names {kind} {name!r}; "
                    f"expected one of {', '.join(functions)}"
                )


def _known(id: str, known: Mapping[str, Metric] | None) -> Metric:
    (metric,) = registry.select([id], known)
    return metric


def _score(
    experiment: Experiment,
    labelled: Sequence[LabelledSample],
    *,
    metrics: Sequence[Metric],
    known: Mapping[str, Metric] | None,
    probes: Sequence[str],
    profile: Profile,
    backends: Backends,
    folds: Folds | None,
    on_batch: Callable[[int], None],
) -> list[Column]:
    """The columns of metrics, probes and baselines, batch by batch."""
    plan = make_plan(metrics, profile, known, backends=backends) if metrics else None
    functions: dict[tuple[str, str], Baseline] = {
        **{("probe", name): PROBES[name] for name in probes},
        **{("baseline", name): BASELINES[name] for name in experiment.baselines},
    }
    scores: dict[int, Scores] = {}
    numbers: dict[tuple[str, str], dict[int, float | None]] = {key: {} for key in functions}
    for models, places in _batches(labelled, folds):
        samples = [labelled[place].sample for place in places]
        with models:
            if plan:
                scores |= zip(places, score_batch(plan, samples), strict=True)
        for key, function in functions.items():
            numbers[key] |= zip(places, function(samples, backends), strict=True)
        on_batch(len(samples))
    directions = {**experiment.probes, **experiment.baselines}
    every = range(len(labelled))
    result = [scores[place] for place in every] if plan else []
    return [
        *(
            _metric_column(m, experiment.metrics[m.id], result)._replace(is_held_out=bool(folds))
            for m in metrics
        ),
        *(
            _column(kind, name, directions[name], [own[place] for place in every])
            for (kind, name), own in numbers.items()
        ),
    ]


def _batches(
    labelled: Sequence[LabelledSample], folds: Folds | None
) -> Iterator[tuple[AbstractContextManager[None], Sequence[int]]]:
    """Places of records, some at a time, with the models to score them by."""
    parts: dict[int, list[int]] = {}
    for place, one in enumerate(labelled):
        parts.setdefault(folds.number(one.group) if folds else 0, []).append(place)
    for number, places in sorted(parts.items()):
        for start in range(0, len(places), BATCH_SIZE):
            models = models_from(folds.models(number)) if folds else nullcontext()
            yield models, places[start : start + BATCH_SIZE]


def _metric_column(metric: Metric, direction: Direction, scores: Sequence[Scores]) -> Column:
    results = [sample_scores[metric.id] for sample_scores in scores]
    reasons = Counter(result.explanation for result in results if result.state != "ok")
    return Column(
        metric.id,
        "metric",
        direction,
        [result.value if result.state == "ok" else None for result in results],
        Counter(result.state for result in results if result.state != "ok"),
        reasons.most_common(1)[0][0] if reasons else "",
        [result.verdict if result.state == "ok" else None for result in results],
        results[0].signature,
        results[0].threshold,
        direction == metric.polarity,
        [sample_scores.language for sample_scores in scores],
    )


def _column(kind: str, name: str, direction: Direction, numbers: Numbers) -> Column:
    absent = sum(number is None for number in numbers)
    return Column(name, kind, direction, numbers, {"missing": absent} if absent else {})


def _measured(experiment: Experiment, column: Column, drawn: _Drawn) -> SetMeasurement:
    labelled, seed = drawn.labelled, drawn.seed
    chosen = _scored(labelled, column)
    is_auroc = experiment.statistic == "auroc"
    return SetMeasurement(
        name=column.name,
        kind=column.kind,
        records=len(labelled),
        scored=len(chosen),
        positives=_positives(experiment, [labelled[place] for place in chosen]),
        unscored=column.unscored,
        reason=column.reason,
        statistic=experiment.statistic,
        ranking=drawn.estimate(experiment.statistic, column, chosen),
        precision=drawn.estimate("average_precision", column, chosen) if is_auroc else None,
        passed=_passed(column, labelled, seed) if is_auroc else {},
        signature=column.signature,
        decisions=decisions(column, [one.label for one in labelled]) if is_auroc else {},
        false_alarms=_false_alarms(column, labelled, seed) if is_auroc else None,
        is_held_out=column.is_held_out,
    )


def _false_alarms(
    column: Column, labelled: Sequence[LabelledSample], seed: int
) -> FalseAlarmCount | None:
    """What is reported among harmless look-alikes; None without such records or a threshold."""
    detail = "pass" if column.is_pass_positive else "fail"
    judged = [
        (verdict == detail, one.group)
        for verdict, one in zip(column.verdicts, labelled, strict=bool(column.verdicts))
        if one.is_look_alike and verdict in ("pass", "fail")
    ]
    if column.threshold is None or not judged:
        return None
    reported, groups = zip(*judged, strict=True)
    rate = sum(reported) / len(reported)
    return FalseAlarmCount(len(judged), Estimate(rate, grouped_rate(reported, groups, seed)))


def decisions(column: Column, labels: Sequence[float]) -> dict[str, Decision]:
    """How the verdicts agree with the labels, over all records and by language.

    A verdict reports a record where it says that the label is positive. Records that are unsure or
    have no verdict are left out of the rates; a language counts where there are several.
    """
    if column.threshold is None:
        return {}
    whole = _decision(column, labels, range(len(labels)))
    if not whole.decided and not whole.unsure:
        return {}
    codes = sorted(set(column.languages))
    result = {"all": whole}
    for code in codes if len(codes) > 1 else ():
        places = [n for n, language in enumerate(column.languages) if language == code]
        result[code] = _decision(column, labels, places)
    return {code: one for code, one in result.items() if one.decided or one.unsure}


def _decision(column: Column, labels: Sequence[float], places: Iterable[int]) -> Decision:
    assert column.threshold is not None
    detail = "pass" if column.is_pass_positive else "fail"
    counts = Counter(
        (column.verdicts[place] == detail, labels[place] == 1.0)
        for place in places
        if column.verdicts[place] in ("pass", "fail")
    )
    right, false_alarm = counts[True, True], counts[True, False]
    missed, quiet = counts[False, True], counts[False, False]
    recall, specificity = share(right, right + missed), share(quiet, quiet + false_alarm)
    return Decision(
        threshold=column.threshold,
        decided=counts.total(),
        unsure=sum(column.verdicts[place] == "unsure" for place in places),
        precision=share(right, right + false_alarm),
        recall=recall,
        balanced_accuracy=None
        if recall is None or specificity is None
        else (recall + specificity) / 2,
        reported=share(right + false_alarm, counts.total()),
        labelled=share(right + missed, counts.total()),
    )


class _Drawn:
    """The values of columns under the draws of a set, each computed once."""

    def __init__(self, labelled: Sequence[LabelledSample], seed: int) -> None:
        self.labelled = labelled
        self.seed = seed
        self._known: dict[tuple[str, str, str, tuple[int, ...]], Array] = {}

    def replicates(self, statistic: StatisticName, column: Column, chosen: list[int]) -> Array:
        """The statistic of a column under each draw of the chosen records."""
        key = (statistic, column.kind, column.name, tuple(chosen))
        if key not in self._known:
            scores, labels, groups = _rows(column, self.labelled, chosen)
            prepared = STATISTICS[statistic](scores, labels)
            self._known[key] = replicates(prepared, groups, self.seed)
        return self._known[key]

    def estimate(self, statistic: StatisticName, column: Column, chosen: list[int]) -> Estimate:
        """The statistic of a column with its interval."""
        value = self._value(statistic, column, chosen)
        if value is None:
            return Estimate(None, None)
        return Estimate(value, interval_of(self.replicates(statistic, column, chosen)))

    def difference(self, statistic: StatisticName, one: Column, other: Column) -> Estimate:
        """How far one lies above the other, over the records that both have scored."""
        chosen = _scored(self.labelled, one, other)
        first, second = (self._value(statistic, column, chosen) for column in (one, other))
        if first is None or second is None:
            return Estimate(None, None)
        between = self.replicates(statistic, one, chosen) - self.replicates(
            statistic, other, chosen
        )
        return Estimate(first - second, interval_of(between))

    def _value(self, statistic: StatisticName, column: Column, chosen: list[int]) -> float | None:
        if not chosen:
            return None
        scores, labels, _ = _rows(column, self.labelled, chosen)
        return _VALUES[statistic](scores, labels)


def _scored(labelled: Sequence[LabelledSample], *columns: Column) -> list[int]:
    """The places of the records that all columns have scored."""
    return [
        place
        for place in range(len(labelled))
        if all(column.numbers[place] is not None for column in columns)
    ]


def _rows(
    column: Column, labelled: Sequence[LabelledSample], chosen: Sequence[int]
) -> tuple[list[float], list[float], list[str]]:
    """Scores (higher where a positive label is expected), labels and groups of some records."""
    sign = 1.0 if column.direction == "higher" else -1.0
    return (
        [sign * (column.numbers[place] or 0.0) for place in chosen],
        [labelled[place].label for place in chosen],
        [labelled[place].group for place in chosen],
    )


def _passed(column: Column, labelled: Sequence[LabelledSample], seed: int) -> dict[str, Estimate]:
    """The share that passes the threshold, by label; empty without a threshold."""
    estimates: dict[str, Estimate] = {}
    if not column.verdicts:
        return estimates
    for kind, label in (("positive", 1.0), ("negative", 0.0)):
        judged = [
            (verdict == "pass", one.group)
            for verdict, one in zip(column.verdicts, labelled, strict=True)
            if verdict is not None and one.label == label
        ]
        if judged:
            verdicts, groups = zip(*judged, strict=True)
            rate = sum(verdicts) / len(verdicts)
            estimates[kind] = Estimate(rate, grouped_rate(verdicts, groups, seed))
    return estimates


def _positives(experiment: Experiment, labelled: Sequence[LabelledSample]) -> int:
    return int(sum(one.label for one in labelled)) if experiment.statistic == "auroc" else 0
