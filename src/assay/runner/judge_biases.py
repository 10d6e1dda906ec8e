"""What sways a judge that should not: the same answers with and without a cue.

Each bias is tested by itself: is the score of an answer higher, or lower, with the cue than without
it? The sign-flip test over the answers says whether that may be chance, corrected by Holm over all
biases, so that a judge without any bias is cleared in 95 % of cases or more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np

from assay.core import Interval, Sample, UsageError
from assay.data.judge_biases import POSITION, bias_probes, plain_answers, reworded_answers
from assay.runner.answered_systems import system_of
from assay.runner.pairwise import judge_pairs, plan_pairs
from assay.runner.python_api import evaluate
from assay.settings import Settings
from assay.stats.corrections import holm
from assay.stats.intervals import mean_of_equals
from assay.stats.paired import Array, difference_interval, sign_flips

ALPHA = 0.05
LEAST_SHIFT = 0.02
"""A smaller mean shift, as a share of the scale, is no bias that matters, however sure."""


class BiasRow(NamedTuple):
    """How far one kind of cue moves the verdicts of a judge."""

    bias: str
    answers: int
    """Those with a usable verdict both times."""
    shift: float | None
    """The mean change by the cue, in shares of the scale; of position, how much more often the
    first place wins than the second."""
    interval: Interval | None
    p_value: float | None
    """Of the sign-flip test, corrected by Holm over all biases."""

    @property
    def is_found(self) -> bool:
        """Whether the judge has this bias, beyond doubt and beyond what matters."""
        if self.shift is None or self.p_value is None:
            return False
        return self.p_value <= ALPHA and abs(self.shift) >= LEAST_SHIFT

    def to_json(self) -> dict[str, Any]:
        """The row as plain data."""
        return {**self._asdict(), "is_found": self.is_found}


@dataclass(frozen=True, slots=True)
class BiasCard:
    """What was measured of one judge with one rubric."""

    metric: str
    signature: str
    rows: tuple[BiasRow, ...]

    @property
    def found(self) -> list[str]:
        """The biases that the judge has."""
        return [row.bias for row in self.rows if row.is_found]

    def to_json(self) -> dict[str, Any]:
        """The card as plain data."""
        rows = [row.to_json() for row in self.rows]
        return {"metric": self.metric, "signature": self.signature, "biases": rows}


def bias_rows(differences: Mapping[str, Sequence[float]], seed: int = 0) -> tuple[BiasRow, ...]:
    """Test each bias by the differences that its cue makes, one for each answer."""
    columns = {bias: np.asarray(values, float) for bias, values in differences.items()}
    known = [bias for bias, values in columns.items() if len(values) > 1]
    adjusted = holm(sign_flips([columns[bias] for bias in known], seed)) if known else []
    p_values = dict(zip(known, adjusted, strict=True))
    return tuple(
        BiasRow(
            bias,
            len(values),
            fmean(values) if len(values) else None,
            _interval(columns[bias]) if bias in p_values else None,
            p_values.get(bias),
        )
        for bias, values in differences.items()
    )


def _interval(differences: Array) -> Interval | None:
    """The 95 % interval of the mean; equal differences are no certainty about others."""
    if np.ptp(differences) == 0:
        return mean_of_equals(float(differences[0]), len(differences), (-1.0, 1.0))
    return difference_interval(differences)


def measure_biases(settings: Settings, metric: str = "judge.helpfulness") -> BiasCard:
    """Ask the judge that is set about pairs in both orders, and about all probes.

    The pairs come first: a rubric that cannot compare is refused before anything is asked.
    """
    if not settings.judge:
        raise UsageError("no judge is set; add --judge openai:URL#MODEL")
    answers, probes = plain_answers(), list(bias_probes())
    plain = [Sample(f"plain-{n}", one.query, one.response) for n, one in enumerate(answers)]
    cued = [Sample(f"cued-{n}", one.query, one.response) for n, one in enumerate(probes)]
    differences: dict[str, list[float]] = {POSITION: _position(settings, metric)}
    report = evaluate([*plain, *cued], [metric], settings=settings)
    results = [scores[metric] for scores in report.scores]
    for probe, result in zip(probes, results[len(plain) :], strict=True):
        own = differences.setdefault(probe.bias, [])
        before, after = results[probe.answer].quality, result.quality
        if before is not None and after is not None:
            own.append(after - before)
    return BiasCard(metric, results[0].signature, bias_rows(differences, settings.seed))


def _position(settings: Settings, metric: str) -> list[float]:
    """For each answer and the same in other words, how far the first place is preferred."""
    answers = plain_answers()
    systems = [
        system_of(name, [Sample(f"q{n}", answers[n].query, text) for n, text in enumerate(texts)])
        for name, texts in (
            ("plain", [answer.response for answer in answers]),
            ("reworded", reworded_answers()),
        )
    ]
    pairs = plan_pairs(systems, settings, metric.removeprefix("judge."))
    preferences = []
    for pair in judge_pairs(pairs, settings).judged:
        first, second = (order.score for order in pair.orders or ())
        assert first is not None
        assert second is not None
        preferences.append(first - second)
    return preferences
