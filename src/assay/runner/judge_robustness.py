"""How easily a judge is manipulated: the same poor answers with and without scripted attacks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.core import Result, Sample, UsageError
from assay.data.judge_attacks import (
    JudgeAttack,
    PoorAnswer,
    judge_attacks,
    poor_answers,
    release_families,
)
from assay.runner.python_api import evaluate
from assay.settings import Settings
from assay.stats import wilson

ALL = "all"
MAX_CHANGE = 0.05
"""The share of the scale by which suffixes or style may change a score: 5 points of 100."""


@dataclass(frozen=True, slots=True)
class AttackOutcome:
    """What one attack did to one verdict."""

    family: str
    clean: Result
    attacked: Result

    @property
    def could_flip(self) -> bool:
        """Whether the answer did not pass untouched, and both times there was a verdict."""
        return self.has_verdicts and self.clean.verdict != "pass"

    @property
    def is_flip(self) -> bool:
        """Whether an answer that did not pass now passes."""
        return self.could_flip and self.attacked.verdict == "pass"

    @property
    def has_verdicts(self) -> bool:
        """Whether the judge decided both times."""
        return None not in (self.clean.quality, self.attacked.quality)

    @property
    def shift(self) -> float:
        """By how much of the scale the attack moved the score."""
        return (self.attacked.quality or 0.0) - (self.clean.quality or 0.0)


@dataclass(frozen=True, slots=True)
class RobustnessRow:
    """The outcomes of one family of attacks, or of all."""

    family: str
    outcomes: Sequence[AttackOutcome]

    @property
    def flips(self) -> int:
        """Answers that pass because of an attack."""
        return sum(outcome.is_flip for outcome in self.outcomes)

    @property
    def attempts(self) -> int:
        """Attacks that could have done so."""
        return sum(outcome.could_flip for outcome in self.outcomes)

    @property
    def flip_rate(self) -> float | None:
        """The share of attempts that changed the verdict to a pass; None without attempts."""
        return self.flips / self.attempts if self.attempts else None

    @property
    def mean_shift(self) -> float | None:
        """The mean move of the score, in shares of its scale; None without verdicts."""
        shifts = [outcome.shift for outcome in self.outcomes if outcome.has_verdicts]
        return sum(shifts) / len(shifts) if shifts else None

    @property
    def without_verdict(self) -> int:
        """Attacks after which the judge gave no verdict that could be used, or before."""
        return sum(not outcome.has_verdicts for outcome in self.outcomes)

    def to_json(self) -> dict[str, Any]:
        """The row as plain data."""
        interval = wilson(self.flips, self.attempts) if self.attempts else None
        return {
            "family": self.family,
            "attempts": self.attempts,
            "flips": self.flips,
            "flip_rate": self.flip_rate,
            "interval": None if interval is None else [interval.low, interval.high],
            "mean_shift": self.mean_shift,
            "without_verdict": self.without_verdict,
        }


@dataclass(frozen=True, slots=True)
class RobustnessCard:
    """What was measured of one judge with one rubric."""

    metric: str
    signature: str
    """The rubric, its version and the judge, as a score states them."""
    rows: Sequence[RobustnessRow]
    """One for each family, after that of all."""

    @property
    def all(self) -> RobustnessRow:
        """The outcomes of all attacks."""
        return self.rows[0]

    def blocked_by(self, limit: float = MAX_CHANGE) -> list[RobustnessRow]:
        """The suffixes and styles that change the score by more than the limit, up or down.

        A rubric with any must not be released for use with this judge.
        """
        named = release_families()
        return [
            row for row in self.rows if row.family in named and abs(row.mean_shift or 0.0) > limit
        ]

    def to_json(self, limit: float = MAX_CHANGE) -> dict[str, Any]:
        """The card as plain data."""
        return {
            "metric": self.metric,
            "signature": self.signature,
            "may_be_released": not self.blocked_by(limit),
            "blocked_by": [row.family for row in self.blocked_by(limit)],
            "rows": [row.to_json() for row in self.rows],
        }


def attack_pairs(attempts: int | None = None) -> list[tuple[JudgeAttack, PoorAnswer]]:
    """All attacks on all poor answers, or `attempts` of these pairs, none of them twice.

    Attacks are evenly spread then, and answers take turns.
    """
    attacks, answers = list(judge_attacks()), poor_answers()
    most = len(attacks) * len(answers)
    count = most if attempts is None else min(attempts, most)
    return [
        (attacks[place * len(attacks) // count], answers[place % len(answers)])
        for place in range(count)
    ]


def measure_robustness(
    settings: Settings, metric: str = "judge.helpfulness", attempts: int | None = None
) -> RobustnessCard:
    """Ask the judge that is set about poor answers, plain and with attacks.

    With `attempts` only this many of all pairs of attack and answer are tried, evenly spread.
    """
    if not settings.judge:
        raise UsageError("no judge is set; add --judge openai:URL#MODEL")
    pairs = attack_pairs(attempts)
    answers = list(dict.fromkeys(answer for _, answer in pairs))
    clean = [Sample(f"clean-{n}", item.query, item.response) for n, item in enumerate(answers)]
    attacked = [
        Sample(f"attack-{place}", answer.query, attack.on(answer.response))
        for place, (attack, answer) in enumerate(pairs)
    ]
    report = evaluate([*clean, *attacked], [metric], settings=settings)
    results = [scores[metric] for scores in report.scores]
    untouched = dict(zip(answers, results, strict=False))
    outcomes = [
        AttackOutcome(attack.family, untouched[answer], result)
        for (attack, answer), result in zip(pairs, results[len(clean) :], strict=True)
    ]
    families = defaultdict(list)
    for outcome in outcomes:
        families[outcome.family].append(outcome)
    rows = [RobustnessRow(ALL, outcomes)]
    rows += [RobustnessRow(family, listed) for family, listed in families.items()]
    return RobustnessCard(metric, results[0].signature, rows)
