"""Sums up a run while it goes, in memory that does not grow with it.

Samples are spread over at most `GROUPS` groups by their place in the run; each group keeps sums.
Up to that many samples every sample is a group of its own and the bootstrap is the plain one;
beyond, whole groups are resampled, which gives the same interval within a few per cent. Sums are
exact, and what is kept of two parts of a run can be merged: no number depends on workers, batches,
or how the run was split. Answers to one question are in one group, because they are alike.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from operator import itemgetter
from typing import Any

from assay.core import Aggregate, Interval, Range, Sample, SampleError, Scores, Summary
from assay.core.plain import sample_from_json, sample_json, scores_from_json, scores_json
from assay.core.result import State
from assay.engine.batch_counts import BINS, WORST, BatchCounts, MetricColumn
from assay.engine.plan import Plan
from assay.engine.problems import Problems
from assay.engine.question_counts import QuestionCounts
from assay.engine.retry_counts import RetryCounts
from assay.stats import bootstrap_mean, mean_of_equals
from assay.stats.aggregates import PassProbabilities, Verdicts
from assay.stats.exact_sums import ExactSums

GROUPS = 1000
QUALITY = (0.0, 1.0)
"""The range of a sample's score."""
ALIKE = 1e-12
"""How far the means of groups may differ and still be the same, as a share of the largest."""
Declared = tuple[str, float | None, Range] | tuple[str, float | None, Range, bool, tuple[str, ...]]
"""A metric's signature, threshold and range, whether it gates, and its inputs."""
SEVERAL = 2
"""Different thresholds of results are kept until there are so many."""
Row = Callable[[], tuple[Sample, Scores]]
"""Gives a sample and its scores, when they are asked for."""


@dataclass(slots=True)
class Sums:
    """Exact sums of one quantity by group."""

    values: ExactSums = field(default_factory=ExactSums)
    weights: ExactSums = field(default_factory=ExactSums)
    samples: int = 0
    minimum: float | None = None
    maximum: float | None = None

    def add(
        self, groups: Sequence[int], values: Sequence[float], weights: Sequence[float] | None = None
    ) -> None:
        """Count values into their groups; without weights each weighs 1."""
        if not values:
            return
        self.samples += len(values)
        lowest, highest = min(values), max(values)
        if self.minimum is None or lowest < self.minimum:
            self.minimum = lowest
        if self.maximum is None or highest > self.maximum:
            self.maximum = highest
        if weights is None:
            self.values.add(groups, values)
            self.weights.count(groups)
        else:
            self.values.add(groups, [v * w for v, w in zip(values, weights, strict=True)])
            self.weights.add(groups, weights)

    def merge(self, other: Sums) -> Sums:
        """The sums of both sets of samples together."""
        lowest = [s.minimum for s in (self, other) if s.minimum is not None]
        highest = [s.maximum for s in (self, other) if s.maximum is not None]
        return Sums(
            self.values.merge(other.values),
            self.weights.merge(other.weights),
            self.samples + other.samples,
            min(lowest, default=None),
            max(highest, default=None),
        )

    def to_json(self) -> dict[str, Any]:
        """The sums as plain data."""
        return {
            **{name: getattr(self, name) for name in ("samples", "minimum", "maximum")},
            **{name: getattr(self, name).to_json() for name in ("values", "weights")},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Sums:
        """The sums again, from what `to_json` gave."""
        exact = {name: ExactSums.from_json(data[name]) for name in ("values", "weights")}
        return cls(**{**data, **exact})

    def mean(self) -> float | None:
        """The (weighted) mean of all that was added."""
        total = sum(self.weights.rounded())
        return sum(self.values.rounded()) / total if total else None

    def interval(self, range: Range, seed: int) -> Interval | None:
        """The 95 % interval of the mean of values in that range."""
        if self.samples < 2:
            return None
        if self.minimum is not None and self.minimum == self.maximum:
            return mean_of_equals(self.minimum, self.samples, range)
        sums = zip(self.values.rounded(), self.weights.rounded(), strict=True)
        filled = [(v, w) for v, w in sums if w]
        means = [value / weight for value, weight in filled]
        if max(means) - min(means) <= ALIKE * max(map(abs, means)):
            return mean_of_equals(means[0], len(means), range)
        return bootstrap_mean([v for v, _ in filled], [w for _, w in filled], seed)


class _MetricTally:
    """What is known of one metric so far."""

    def __init__(
        self,
        metric: str,
        signature: str,
        threshold: float | None,
        range: Range,
        gates: bool = True,
        inputs: tuple[str, ...] = (),
        *,
        include_imputed: bool,
    ) -> None:
        self.metric = metric
        self.signature = signature
        self.threshold = threshold
        self.range = range
        self.gates = gates
        self.inputs = inputs
        self.counted: tuple[State, ...] = ("ok", "imputed") if include_imputed else ("ok",)
        self.states: Counter[str] = Counter()
        self.plain = Sums()
        self.weighted: Sums | None = None
        """With the samples' weights; None as long as all of them are 1."""
        self.verdicts: Counter[str | None] = Counter()
        self.repeated = Sums()
        """Passes among the answers that are repeats, by question."""
        self.probabilities = ExactSums()
        """The sum of calibrated probabilities, and of their variances."""
        self.estimated = 0
        self.thresholds: set[float] = set()
        self.applicable = 0
        self.bins = [0] * BINS
        self.reasons: Counter[str] = Counter()

    def add(
        self,
        column: MetricColumn,
        groups: Sequence[int],
        weights: Sequence[float] | None,
        repeats: Collection[int],
    ) -> None:
        """Count the results of a batch, whose samples have these groups and weights."""
        self.states.update(column.states)
        self.applicable += column.applicable
        for reason, count in column.reasons.items():
            if len(self.reasons) < GROUPS or reason in self.reasons:
                self.reasons[reason] += count
        places, values = column.places, column.values
        groups = [groups[place] for place in places]
        if weights is not None and self.weighted is None:
            self.weighted = deepcopy(self.plain)
        self.plain.add(groups, values)
        if self.weighted is not None:
            self.weighted.add(groups, values, weights and [weights[place] for place in places])
        self.verdicts.update(column.verdicts)
        if repeats:
            self._add_repeats(column, groups, repeats)
        self.estimated += len(column.probabilities)
        for place, moment in enumerate((column.probabilities, _variances(column.probabilities))):
            self.probabilities.add([place] * len(moment), moment)
        if len(self.thresholds) < SEVERAL:
            self.thresholds |= {*column.thresholds}
        for bar, count in column.bins.items():
            self.bins[bar] += count

    def _add_repeats(
        self, column: MetricColumn, groups: Sequence[int], repeats: Collection[int]
    ) -> None:
        judged = [
            (group, float(verdict == "pass"))
            for place, group, verdict in zip(column.places, groups, column.verdicts, strict=True)
            if place in repeats and verdict is not None
        ]
        self.repeated.add([group for group, _ in judged], [passed for _, passed in judged])

    def merge(self, other: _MetricTally) -> None:
        """Add what another part of the run counted of the same metric."""
        if self.weighted is not None or other.weighted is not None:
            self.weighted = (self.weighted or self.plain).merge(other.weighted or other.plain)
        self.plain = self.plain.merge(other.plain)
        self.repeated = self.repeated.merge(other.repeated)
        self.states += other.states
        self.verdicts += other.verdicts
        self.estimated += other.estimated
        self.probabilities = self.probabilities.merge(other.probabilities)
        self.thresholds |= other.thresholds
        self.applicable += other.applicable
        self.bins = [one + two for one, two in zip(self.bins, other.bins, strict=True)]
        self.reasons = Counter(dict(_commonest(self.reasons + other.reasons, GROUPS)))

    def to_json(self) -> dict[str, Any]:
        """What was counted as plain data."""
        return {
            "states": self.states,
            "plain": self.plain.to_json(),
            "weighted": self.weighted and self.weighted.to_json(),
            "repeated": self.repeated.to_json(),
            "verdicts": [*self.verdicts.items()],
            "probabilities": self.probabilities.to_json(),
            "estimated": self.estimated,
            "thresholds": [*self.thresholds],
            "applicable": self.applicable,
            "bins": self.bins,
            "reasons": self.reasons,
        }

    def load(self, data: Mapping[str, Any]) -> None:
        """Take what `to_json` gave."""
        self.states = Counter(data["states"])
        self.plain = Sums.from_json(data["plain"])
        self.weighted = Sums.from_json(data["weighted"]) if data["weighted"] else None
        self.repeated = Sums.from_json(data["repeated"])
        self.verdicts = Counter(dict(data["verdicts"]))
        self.probabilities = ExactSums.from_json(data["probabilities"])
        self.estimated, self.applicable = data["estimated"], data["applicable"]
        self.thresholds, self.bins = {*data["thresholds"]}, [*data["bins"]]
        self.reasons = Counter(data["reasons"])

    def _threshold(self) -> float | None:
        """The threshold of all results; None where they have several, as of different languages."""
        if not self.thresholds:
            return self.threshold
        return next(iter(self.thresholds)) if len(self.thresholds) == 1 else None

    def aggregate(self, seed: int) -> Aggregate:
        passed, failed, unsure = (self.verdicts[word] for word in ("pass", "fail", "unsure"))
        verdicts = Verdicts(passed=passed, failed=failed, unsure=unsure)
        rate_interval = verdicts.pass_rate_interval
        if 0 < verdicts.judged == self.repeated.samples:  # answers to one question are alike
            rate_interval = self.repeated.interval(QUALITY, seed)
        estimate = PassProbabilities(self.estimated, *self.probabilities.rounded()).estimate
        mean, interval = self.plain.mean(), self.plain.interval(self.range, seed)
        weighted, weighted_interval = mean, interval
        if self.weighted is not None:
            weighted = self.weighted.mean()
            weighted_interval = self.weighted.interval(self.range, seed)
        return Aggregate(
            metric=self.metric,
            samples=sum(self.states.values()),
            scored=self.states["ok"],
            missing=self.states["missing"],
            imputed=self.states["imputed"],
            errors=self.states["error"],
            mean=mean,
            mean_interval=interval,
            weighted_mean=weighted,
            weighted_mean_interval=weighted_interval,
            minimum=self.plain.minimum,
            maximum=self.plain.maximum,
            passed=passed,
            judged=verdicts.judged,
            pass_rate=verdicts.pass_rate,
            pass_rate_interval=rate_interval,
            threshold=self._threshold(),
            signature=self.signature,
            distribution=tuple(self.bins) if sum(self.bins) else (),
            reasons=dict(_commonest(self.reasons, 5)),
            unsure=unsure,
            applicable=self.applicable,
            gates=self.gates,
            estimated_pass_rate=estimate.value,
            estimated_pass_rate_interval=estimate.interval,
            estimated_samples=self.estimated,
        )


def _variances(probabilities: Sequence[float]) -> list[float]:
    return [probability * (1.0 - probability) for probability in probabilities]


def _commonest(reasons: Mapping[str, int], count: int) -> list[tuple[str, int]]:
    """The most frequent reasons first."""
    return sorted(reasons.items(), key=lambda reason: (-reason[1], reason[0]))[:count]


def _row(sample: Sample, scores: Scores) -> tuple[Sample, Scores]:
    return sample, scores


class Tally:
    """Takes the samples of a run in order and sums them up at the end.

    Where there is no plan, `plan` says of each metric its signature, threshold and range, and may
    add whether it gates and its inputs. A metric counts the samples that have a result of it: all
    of them, unless every test chose its own metrics. A part of a run says by `first` how many
    records lie before it; the parts are put together by `merge`, in any order.
    """

    def __init__(
        self,
        plan: Plan | Mapping[str, Declared],
        *,
        include_imputed: bool = False,
        seed: int = 0,
        first: int = 0,
    ) -> None:
        self._first = first
        self._selection = plan.selection if isinstance(plan, Plan) else ""
        if isinstance(plan, Plan):
            plan = {
                s.metric.id: (s.signature, s.threshold, s.metric.range, s.gates, s.metric.inputs)
                for s in plan.shown
            }
        self._metrics = [
            _MetricTally(id, *entry, include_imputed=include_imputed) for id, entry in plan.items()
        ]
        self._applicable = 0
        self._overall = Sums()
        self._seed = seed
        self._problems = Problems()
        self._worst: list[tuple[float, int, Row]] = []
        self._statuses: Counter[str] = Counter()
        self._questions = QuestionCounts()
        self._retries = RetryCounts()
        self.samples = self.unread = 0

    def add(self, sample: Sample, scores: Scores) -> None:
        """Count one scored sample."""
        self.add_batch([sample], [scores])

    def add_batch(self, items: Sequence[Sample | SampleError], scored: Sequence[Scores]) -> None:
        """Count some records, with the scores of those that are samples."""
        counts = self.counts(items, scored)
        samples = [item for item in items if isinstance(item, Sample)]
        self.take(
            counts,
            {
                place: partial(_row, samples[place], scored[place])
                for place in counts.worst(self.cutoff)
            },
        )

    def counts(
        self, items: Sequence[Sample | SampleError], scored: Sequence[Scores]
    ) -> BatchCounts:
        """What `take` needs of some records; another process may make it."""
        return BatchCounts.of(self._metrics, items, scored)

    def take(self, counts: BatchCounts, rows: Mapping[int, Row]) -> None:
        """Count some records; `rows` are the samples that may be among the worst, by place."""
        first = self._place
        for place, problem in counts.unread:
            self._problems.add(problem, first + place)
        groups = [
            (first + place if number is None else number) % GROUPS
            for place, number in zip(
                counts.offsets,
                map(self._questions.add, counts.questions, counts.statuses),
                strict=True,
            )
        ]
        for tally, column in zip(self._metrics, counts.columns, strict=True):
            if column is not None:
                tally.add(column, groups, counts.weights, counts.repeats)
        self._applicable += counts.applicable
        scored = [
            (g, score) for g, score in zip(groups, counts.scores, strict=True) if score is not None
        ]
        self._overall.add([group for group, _ in scored], [score for _, score in scored])
        for place, row in rows.items():
            score = counts.scores[place]
            assert score is not None, "what has no score is not among the worst"
            entry = (-score, -first - counts.offsets[place], row)
            if len(self._worst) < WORST:
                heapq.heappush(self._worst, entry)
            else:
                heapq.heappushpop(self._worst, entry)
        self._statuses.update(counts.statuses)
        if counts.retried:
            self._retries.add(counts)
        self.samples += len(counts.offsets)
        self.unread += len(counts.unread)

    @property
    def _place(self) -> int:
        """The place of the next record in the run."""
        return self._first + self.samples + self.unread

    def merge(self, other: Tally) -> None:
        """Add what another part of the same run counted.

        The summary is that of one tally of all samples, whatever the parts and their order; only
        of more than 1,000 different reasons for one metric, or 20 for unread records, the rarer
        ones may be counted otherwise, and the intervals of repeated answers, which are resampled
        by question, may differ a little where the answers to one question are in several parts.
        """
        for own, others in zip(self._metrics, other._metrics, strict=True):
            own.merge(others)
        self._applicable += other._applicable
        self._overall = self._overall.merge(other._overall)
        self._problems.merge(other._problems)
        both = [*self._worst, *other._worst]
        self._worst = heapq.nlargest(WORST, both, key=itemgetter(0, 1))[::-1]
        self._statuses += other._statuses
        self._questions.merge(other._questions)
        self._retries.merge(other._retries)
        self.samples += other.samples
        self.unread += other.unread

    def to_json(self) -> dict[str, Any]:
        """What was counted as plain data, to be merged by another program."""
        return {
            "metrics": {tally.metric: tally.to_json() for tally in self._metrics},
            "applicable": self._applicable,
            "overall": self._overall.to_json(),
            "problems": self._problems.to_json(),
            "worst": [
                {"place": -place, "sample": sample_json(sample), **scores_json(scores)}
                for _, place, row in self._worst
                for sample, scores in (row(),)
            ],
            "statuses": self._statuses,
            "questions": self._questions.to_json(),
            "retries": self._retries.to_json(),
            "samples": self.samples,
            "unread": self.unread,
        }

    def load(self, data: Mapping[str, Any]) -> None:
        """Take what `to_json` of a tally of the same metrics gave, in place of what was counted."""
        for tally in self._metrics:
            tally.load(data["metrics"][tally.metric])
        self._applicable = data["applicable"]
        self._overall = Sums.from_json(data["overall"])
        self._problems = Problems.from_json(data["problems"])
        self._worst = []
        for entry in data["worst"]:
            sample = sample_from_json(entry["sample"])
            scores = scores_from_json(sample.id, entry)
            self._worst.append((-entry["score"], -entry["place"], partial(_row, sample, scores)))
        self._statuses = Counter(data["statuses"])
        self._questions = QuestionCounts.from_json(data["questions"])
        self._retries = RetryCounts.from_json(data["retries"])
        self.samples, self.unread = data["samples"], data["unread"]

    @property
    def cutoff(self) -> float | None:
        """The score below which a sample is among the worst; None as long as any is."""
        return -self._worst[0][0] if len(self._worst) >= WORST else None

    @property
    def scored(self) -> int:
        """Samples with a score of their own."""
        return self._overall.samples

    @property
    def verdicts(self) -> Verdicts:
        """How many samples passed, failed and so on."""
        return Verdicts(**self._statuses)

    def add_unread(self, problem: str) -> None:
        """Count a record that could not be read."""
        self._problems.add(problem, self._place)
        self.unread += 1

    def summary(self) -> Summary:
        """The summary of the samples so far."""
        verdicts = self.verdicts
        repeats = self._questions.repeats()
        interval = repeats.pass_rate_interval() if repeats else verdicts.pass_rate_interval
        return Summary(
            samples=self.samples,
            unread=self.unread,
            overall=self._overall.mean(),
            overall_interval=self._overall.interval(QUALITY, self._seed),
            pass_rate=verdicts.pass_rate,
            pass_rate_interval=interval,
            passed=verdicts.passed,
            judged=verdicts.judged,
            metrics={tally.metric: tally.aggregate(self._seed) for tally in self._metrics},
            worst=[row() for *_, row in sorted(self._worst, key=itemgetter(0, 1), reverse=True)],
            problems=self._problems.lines(),
            failed=verdicts.failed,
            unsure=verdicts.unsure,
            applicable=self._applicable,
            selection=self._selection,
            repeats=repeats.to_json() if repeats else None,
            retries=self._retries.comparison(
                verdicts, self._overall.mean(), self._overall.samples, is_tested=repeats is None
            ),
        )
