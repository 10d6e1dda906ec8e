"""Sums up a run while it goes, in memory that does not grow with it.

Samples are spread over at most `GROUPS` groups by their place in the run; each group keeps sums.
Up to that many samples every sample is a group of its own and the bootstrap is the plain one;
beyond, whole groups are resampled, which gives the same interval within a few per cent. Sums are
taken in the order of the samples, so the numbers do not depend on workers or batches. Answers to
one question are in one group, because they are alike.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from assay.core import Aggregate, Interval, Range, Result, Sample, Scores, Summary
from assay.core.sample import REPEAT_OF
from assay.engine.plan import Plan
from assay.engine.problems import Problems
from assay.engine.question_counts import QuestionCounts
from assay.stats import bootstrap_mean, mean_of_equals
from assay.stats.aggregates import PassProbabilities, Verdicts

GROUPS = 1000
QUALITY = (0.0, 1.0)
"""The range of a sample's score."""
BINS = 20
"""Bars of the distribution of a metric's quality."""
ALIKE = 1e-12
"""How far the means of groups may differ and still be the same, as a share of the largest."""
WORST = 50
"""Samples kept whole for the report, the worst first."""
Declared = tuple[str, float | None, Range] | tuple[str, float | None, Range, bool, tuple[str, ...]]
"""A metric's signature, threshold and range, whether it gates, and its inputs."""
SEVERAL = 2
"""Different thresholds of results are counted up to this."""


@dataclass(slots=True)
class Sums:
    """Sums of one quantity by group."""

    values: list[float] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    samples: int = 0
    minimum: float | None = None
    maximum: float | None = None

    def add(self, group: int, value: float, weight: float) -> None:
        """Count a value into a group."""
        self.samples += 1
        self.minimum = value if self.minimum is None else min(self.minimum, value)
        self.maximum = value if self.maximum is None else max(self.maximum, value)
        while len(self.values) <= group:
            self.values.append(0.0)
            self.weights.append(0.0)
        self.values[group] += value * weight
        self.weights[group] += weight

    def mean(self) -> float | None:
        """The (weighted) mean of all that was added."""
        total = sum(self.weights)
        return sum(self.values) / total if total else None

    def interval(self, range: Range, seed: int) -> Interval | None:
        """The 95 % interval of the mean of values in that range."""
        if self.samples < 2:
            return None
        if self.minimum is not None and self.minimum == self.maximum:
            return mean_of_equals(self.minimum, self.samples, range)
        filled = [(v, w) for v, w in zip(self.values, self.weights, strict=True) if w]
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
        self.counted = ("ok", "imputed") if include_imputed else ("ok",)
        self.states: Counter[str] = Counter()
        self.plain = Sums()
        self.weighted = Sums()
        self.is_weighted = False
        self.verdicts: Counter[str | None] = Counter()
        self.repeated = Sums()
        """Passes among the answers that are repeats, by question."""
        self.probabilities = PassProbabilities()
        self.thresholds: set[float] = set()
        self.applicable = 0
        self.bins = [0] * BINS
        self.reasons: Counter[str] = Counter()

    def add(
        self, group: int, sample: Sample, result: Result, weight: float, *, is_repeat: bool = False
    ) -> None:
        self.states[result.state] += 1
        value = result.value
        self.applicable += self.applies_to(sample, result)
        if value is None or result.state not in self.counted:
            if len(self.reasons) < GROUPS or result.explanation in self.reasons:
                self.reasons[result.explanation] += 1
            return
        self.plain.add(group, value, 1.0)
        self.weighted.add(group, value, weight)
        self.is_weighted = self.is_weighted or weight != 1.0
        self.verdicts[result.verdict] += 1
        if is_repeat and result.verdict is not None:
            self.repeated.add(group, float(result.verdict == "pass"), 1.0)
        if (probability := result.pass_probability) is not None:
            self.probabilities.add(probability)
        if result.threshold is not None and len(self.thresholds) < SEVERAL:
            self.thresholds.add(result.threshold)
        if result.quality is not None:
            self.bins[min(BINS - 1, int(result.quality * BINS))] += 1

    def applies_to(self, sample: Sample, result: Result) -> bool:
        """Whether the sample has the metric's inputs; one that declares none says so itself."""
        if result.state != "missing":
            return True
        return bool(self.inputs) and not any(map(sample.lacks, self.inputs))

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
        estimate = self.probabilities.estimate
        mean, interval = self.plain.mean(), self.plain.interval(self.range, seed)
        weighted, weighted_interval = mean, interval
        if self.is_weighted:
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
            reasons=dict(sorted(self.reasons.items(), key=lambda r: (-r[1], r[0]))[:5]),
            unsure=unsure,
            applicable=self.applicable,
            gates=self.gates,
            estimated_pass_rate=estimate.value,
            estimated_pass_rate_interval=estimate.interval,
            estimated_samples=self.probabilities.count,
        )


class Tally:
    """Takes the samples of a run in order and sums them up at the end.

    Where there is no plan, `plan` says of each metric its signature, threshold and range, and may
    add whether it gates and its inputs. A metric counts the samples that have a result of it: all
    of them, unless every test chose its own metrics.
    """

    def __init__(
        self,
        plan: Plan | Mapping[str, Declared],
        *,
        include_imputed: bool = False,
        seed: int = 0,
    ) -> None:
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
        self._worst: list[tuple[float, int, Sample, Scores]] = []
        self._statuses: Counter[str] = Counter()
        self._questions = QuestionCounts()
        self.samples = self.unread = 0

    def add(self, sample: Sample, scores: Scores) -> None:
        """Count one scored sample."""
        group = self._questions.add(sample, scores.status) % GROUPS
        weight = sample.weight
        is_repeat = REPEAT_OF in sample.metadata
        is_applicable = False
        for tally in self._metrics:
            if (result := scores.results.get(tally.metric)) is not None:
                tally.add(group, sample, result, weight, is_repeat=is_repeat)
                is_applicable |= tally.gates and tally.applies_to(sample, result)
        self._applicable += is_applicable
        if scores.score is not None:
            self._overall.add(group, scores.score, 1.0)
            entry = (-scores.score, -self.samples, sample, scores)
            if len(self._worst) < WORST:
                heapq.heappush(self._worst, entry)
            elif entry > self._worst[0]:
                heapq.heapreplace(self._worst, entry)
        self._statuses[scores.status] += 1
        self.samples += 1

    @property
    def cutoff(self) -> float | None:
        """The score below which a sample is among the worst; None as long as any is."""
        return -self._worst[0][0] if len(self._worst) >= WORST else None

    @property
    def verdicts(self) -> Verdicts:
        """How many samples passed, failed and so on."""
        return Verdicts(**self._statuses)

    def add_unread(self, problem: str) -> None:
        """Count a record that could not be read."""
        self.unread += 1
        self._problems.add(problem)

    def summary(self) -> Summary:
        """The summary of the samples so far."""
        verdicts = self.verdicts
        repeats = self._questions.repeats(self._seed)
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
            worst=[(sample, scores) for *_, sample, scores in sorted(self._worst, reverse=True)],
            problems=self._problems.lines(),
            failed=verdicts.failed,
            unsure=verdicts.unsure,
            applicable=self._applicable,
            selection=self._selection,
            repeats=repeats.to_json() if repeats else None,
        )
