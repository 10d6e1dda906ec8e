"""Answers of several systems to the same questions, judged in pairs and in both orders.

The pairs are samples of a run like any other (`execute`), so the judge's cache, caps, pace and
redaction hold for them: what was asked once is not asked again, also after a kill.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, NamedTuple

from assay.core import Interval, Result, Sample, Scores, Summary, UsageError
from assay.core.wording import counted
from assay.data.preferences import FIRST, QUESTION_FIELDS, RESPONSES, SECOND, preference_rubric
from assay.data.rubrics import rubric as read_rubric
from assay.engine import Plan
from assay.runner.answered_systems import AnsweredSystem, common_questions
from assay.runner.execute import Observer, RunRequest, execute
from assay.runner.job import Job, make_job
from assay.settings import Settings
from assay.stats.bradley_terry import StrengthRanking, rank_systems
from assay.stats.davidson import PairVerdict
from assay.stats.grouped import grouped_rate
from assay.textproc.degenerate import emptiness

SCORES = {FIRST: 1.0, SECOND: 0.0}
"""What a label says of the response that stood first; any other is a tie."""


class OrderVerdict(NamedTuple):
    """What the judge says of a pair in one order."""

    score: float | None
    """1 where the first system is better, 0.5 for a tie; None without a usable verdict."""
    reason: str


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """Two systems' answers to one question."""

    question: str
    first: int
    second: int
    orders: tuple[OrderVerdict, OrderVerdict] | None
    """With the first system's answer in front, and with the second's; None where a rule decides."""
    rule_score: float | None = None
    """What a rule says: of equal answers, or of one without content."""

    @property
    def score(self) -> float | None:
        """1 where the first system wins, 0.5 for a tie, None where an order lacks a verdict.

        A verdict that depends on the order is a tie.
        """
        if self.orders is None:
            return self.rule_score
        one, other = self.orders[0].score, self.orders[1].score
        if one is None or other is None:
            return None
        return one if one == other else 0.5

    @property
    def is_flip(self) -> bool:
        """Whether the verdict depends on the order."""
        if self.orders is None or self.score is None:
            return False
        return self.orders[0].score != self.orders[1].score

    @property
    def favours(self) -> str:
        """The place that wins in both orders, `first` or `second`; empty for none."""
        scores = tuple(order.score for order in self.orders or ())
        if scores == (1.0, 0.0):
            return FIRST
        return SECOND if scores == (0.0, 1.0) else ""

    def to_json(self, systems: Sequence[str]) -> dict[str, Any]:
        """The comparison as plain data."""
        return {
            "question": self.question,
            "first": systems[self.first],
            "second": systems[self.second],
            "score": self.score,
            "is_flip": self.is_flip,
            "orders": [order._asdict() for order in self.orders or ()],
            "by_rule": self.orders is None,
        }


class PairTally(NamedTuple):
    """All comparisons of two systems."""

    first: str
    second: str
    wins: int
    losses: int
    ties: int
    """Flips are among them."""
    flips: int
    undecided: int


@dataclass(frozen=True, slots=True)
class PairwiseReport:
    """What judging in pairs came to."""

    systems: tuple[str, ...]
    metric: str
    signature: str
    pairs: tuple[ComparedPair, ...]
    summary: Summary | None
    """Of the run that asked the judge; None where rules decided all."""
    unpaired: Mapping[str, int] = field(default_factory=dict)
    """System → its answers to questions that not all systems have."""

    @property
    def ranking(self) -> StrengthRanking:
        """The systems by strength."""
        return rank_systems(
            self.systems,
            (
                PairVerdict(pair.question, pair.first, pair.second, pair.score)
                for pair in self.pairs
                if pair.score is not None
            ),
        )

    @property
    def tallies(self) -> list[PairTally]:
        """The comparisons of each two systems."""
        return [self._tally(*two) for two in combinations(range(len(self.systems)), 2)]

    def _tally(self, first: int, second: int) -> PairTally:
        pairs = [pair for pair in self.pairs if (pair.first, pair.second) == (first, second)]
        scores = [pair.score for pair in pairs]
        wins, losses, ties = (scores.count(score) for score in (1.0, 0.0, 0.5))
        return PairTally(
            self.systems[first],
            self.systems[second],
            wins,
            losses,
            ties,
            flips=sum(pair.is_flip for pair in pairs),
            undecided=scores.count(None),
        )

    @property
    def judged(self) -> list[ComparedPair]:
        """The pairs that the judge decided, in both orders."""
        return [pair for pair in self.pairs if pair.orders is not None and pair.score is not None]

    @property
    def undecided(self) -> int:
        """Pairs that lack a usable verdict in one order or in both."""
        return sum(pair.score is None for pair in self.pairs)

    @property
    def flip_rate(self) -> float | None:
        """The share of pairs whose verdict depends on the order; None where none was judged."""
        judged = self.judged
        return sum(pair.is_flip for pair in judged) / len(judged) if judged else None

    def flip_interval(self) -> Interval | None:
        """The 95 % interval of the flip rate, over questions."""
        judged = self.judged
        if not judged:
            return None
        return grouped_rate([pair.is_flip for pair in judged], [pair.question for pair in judged])

    def favoured(self, place: str) -> int:
        """Pairs in which that place, `first` or `second`, won whichever answer stood there."""
        return sum(pair.favours == place for pair in self.judged)

    def to_json(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "systems": list(self.systems),
            "metric": self.metric,
            "signature": self.signature,
            "ranking": self.ranking.to_json(),
            "pairs": [tally._asdict() for tally in self.tallies],
            "comparisons": len(self.pairs),
            "judged": len(self.judged),
            "undecided": self.undecided,
            "flips": {
                "rate": self.flip_rate,
                "interval": self.flip_interval(),
                "for_the_first_place": self.favoured(FIRST),
                "for_the_second_place": self.favoured(SECOND),
            },
            "unpaired": dict(self.unpaired),
            "judge": self.summary.judge if self.summary else None,
        }


@dataclass(frozen=True, slots=True)
class PairwiseJob:
    """What is going to be asked."""

    systems: Sequence[AnsweredSystem]
    job: Job
    metric: str
    settled: Sequence[ComparedPair]
    """Pairs that a rule decides."""
    asked: Sequence[tuple[str, int, int]]
    """Question and systems of the pairs that the judge decides."""
    unpaired: Mapping[str, int]

    @property
    def total(self) -> int:
        """Samples of the run: each pair in both orders."""
        return 2 * len(self.asked)

    def samples(self) -> Iterator[Sample]:
        """Each pair that is judged, in both orders."""
        for question, first, second in self.asked:
            for one, other in ((first, second), (second, first)):
                yield self._sample(question, one, other)

    def _sample(self, question: str, one: int, other: int) -> Sample:
        texts = [self.systems[place].answers[question].response or "" for place in (one, other)]
        names = [self.systems[place].name for place in (one, other)]
        given = {name: self._question_field(question, name) for name in QUESTION_FIELDS}
        given[RESPONSES] = tuple(texts)
        return Sample(id=" | ".join([question, *names]), **given)

    def _question_field(self, question: str, name: str) -> Any:
        """That of the first system which has it, so that no pair and no order is shown another."""
        values = [getattr(system.answers[question], name) for system in self.systems]
        return next((value for value in values if value), values[0])


def plan_pairs(
    systems: Sequence[AnsweredSystem],
    settings: Settings,
    rubric: str = "helpfulness",
    limit: int | None = None,
) -> PairwiseJob:
    """What is to be compared by the question of a rubric, and what rules decide already."""
    if len(systems) < 2:
        found = counted(len(systems), "system")
        raise UsageError(f"found {found}; expected two or more to compare")
    if not settings.judge:
        raise UsageError("no judge is set; add --judge openai:URL#MODEL")
    preference = preference_rubric(read_rubric(rubric))
    metric = f"judge.{preference.name}"
    job = make_job(settings.override({"metrics": (metric,)}), rubrics=preference)
    questions, unpaired = common_questions(systems)
    settled, asked = [], []
    for question in questions[:limit]:
        for first, second in combinations(range(len(systems)), 2):
            texts = (systems[place].answers[question] for place in (first, second))
            score = _rule(*texts)
            if score is None:
                asked.append((question, first, second))
            else:
                settled.append(ComparedPair(question, first, second, None, score))
    return PairwiseJob(systems, job, metric, settled, asked, unpaired)


def judge_pairs(
    pairwise: PairwiseJob, settings: Settings, observer: Observer | None = None
) -> PairwiseReport:
    """Ask the judge about every pair in both orders."""
    verdicts = _Verdicts(pairwise.metric)
    summary = None
    if pairwise.asked:
        summary = execute(
            RunRequest(
                items=pairwise.samples(),
                job=pairwise.job,
                settings=settings,
                total=pairwise.total,
                sinks=[verdicts],
                observer=observer or Observer(),
            )
        ).summary
    given = iter(verdicts.given)
    judged = [
        ComparedPair(question, first, second, (next(given), _turned(next(given))))
        for question, first, second in pairwise.asked
    ]
    return PairwiseReport(
        tuple(system.name for system in pairwise.systems),
        pairwise.metric,
        verdicts.signature or _signature(pairwise.job.plan(), pairwise.metric),
        tuple(_in_order([*pairwise.settled, *judged])),
        summary,
        pairwise.unpaired,
    )


class _Verdicts:
    """A sink that keeps what the judge says, and nothing else of a sample."""

    def __init__(self, metric: str) -> None:
        self.given: list[OrderVerdict] = []
        self.signature = ""
        self._metric = metric

    def write(self, sample: Sample, scores: Scores) -> None:
        """Keep a verdict."""
        result = scores[self._metric]
        self.signature = result.signature
        self.given.append(OrderVerdict(_score(result), result.explanation))


def _score(result: Result) -> float | None:
    label = result.details.get("label")
    return SCORES.get(label, 0.5) if result.state == "ok" and isinstance(label, str) else None


def _turned(verdict: OrderVerdict) -> OrderVerdict:
    """A verdict on the pair in the other order, as one on the pair."""
    return verdict if verdict.score is None else verdict._replace(score=1.0 - verdict.score)


def _rule(one: Sample, other: Sample) -> float | None:
    """The score of a pair that needs no judge: equal answers tie, one without content loses."""
    texts = [sample.response or "" for sample in (one, other)]
    if texts[0].strip() == texts[1].strip():
        return 0.5
    says = [not emptiness(text, one.query) for text in texts]
    return None if all(says) else (1.0 + says[0] - says[1]) / 2


def _signature(plan: Plan, metric: str) -> str:
    return next(step.signature for step in plan.shown if step.metric.id == metric)


def _in_order(pairs: Iterable[ComparedPair]) -> list[ComparedPair]:
    return sorted(pairs, key=lambda pair: (pair.question, pair.first, pair.second))
