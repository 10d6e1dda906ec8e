"""A rule's probability, alone or with the encoder, and what the result says of the two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.core import Result, Span
from assay.core.result import CALIBRATED
from assay.features.encoded import EncoderReading
from assay.linear import bounded_logit
from assay.linear.models import logistic

LITTLE = 0.05
"""A smaller change by the encoder is not worth words."""


@dataclass(frozen=True, slots=True)
class JointValue:
    """The value of a metric, and the parts that it was made from."""

    value: float
    rules: float
    """By the rules alone."""
    threshold: float
    """From which the verdict turns."""
    reading: EncoderReading | None = None
    rules_threshold: float = 0.5
    """From which the verdict of the rules alone turns."""
    is_guess: bool = False
    """Whether the rules only guess, so that it says nothing that the encoder agrees with them."""

    def result(
        self, explanation: str, evidence: Sequence[Span], details: Mapping[str, Any] | None = None
    ) -> Result:
        """The result; with an encoder it says by whom, and how much the encoder adds."""
        own = dict(details or {})
        if self.reading is None:
            return Result(self.value, explanation, evidence, own)
        return Result(
            self.value,
            f"{explanation.removesuffix('.')}; {self.note}.",
            evidence,
            {
                **own,
                "by": self.by,
                "rules": round(self.rules, 4),
                "encoder": self.encoder,
                CALIBRATED: self.reading.combiner.is_calibrated,
            },
            threshold=self.threshold,
            unsure=None if self.is_agreed else self.reading.combiner.unsure,
        )

    @property
    def is_agreed(self) -> bool:
        """Whether rules and encoder, each by itself, give the verdict that both give together."""
        if self.reading is None or self.is_guess:
            return False
        verdict = self.value >= self.threshold
        by_rules, by_encoder = self.rules >= self.rules_threshold, self.reading.logit >= 0.0
        return verdict == by_rules == by_encoder

    @property
    def by(self) -> str:
        """Who made the value."""
        return f"rules + {self.reading.encoder}" if self.reading else "rules"

    @property
    def encoder(self) -> float | None:
        """The probability by the encoder alone."""
        return round(logistic(self.reading.logit), 4) if self.reading else None

    @property
    def note(self) -> str:
        """How much the encoder adds, in words."""
        assert self.reading is not None
        return changed_by(self.reading.encoder, self.rules, self.value)


def joint(
    rules: float,
    threshold: float,
    reading: EncoderReading | None,
    *,
    is_guess: bool = False,
    **measures: float,
) -> JointValue:
    """The value by the rules alone, or by both where there is a reading; sure rules stand.

    `measures` of the rules that the combiner weighs by themselves come by name. Where the rules
    only guess, both agreeing is no reason to decide.
    """
    if reading is None:
        return JointValue(rules, rules, threshold, rules_threshold=threshold)
    value = reading.with_rules(rules, measures)
    sure = reading.combiner.sure
    if sure is not None and bounded_logit(rules) - bounded_logit(threshold) > sure:
        value = max(value, rules)
    return JointValue(value, rules, reading.combiner.threshold, reading, threshold, is_guess)


def changed_by(encoder: str, rules: float, value: float) -> str:
    """What the encoder changed in a value, in words."""
    if abs(value - rules) < LITTLE:
        return f"{encoder} agrees with the rules ({rules:.2f})"
    verb = "raises" if value > rules else "lowers"
    return f"{encoder} {verb} the rules' {rules:.2f} to {value:.2f}"
