"""What metrics were measured to be worth, on labelled public sets (`measured.toml`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, NamedTuple

from assay.data.bundled_files import read_bundled_toml

FILE = "measured.toml"
Statistic = Literal["auroc", "spearman"]
CHANCE: Mapping[str, float] = {"auroc": 0.5, "spearman": 0.0}
"""What a coin would get."""


class BaselineDifference(NamedTuple):
    """Metric minus baseline, with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Decision:
    """How well a metric's verdicts at its default threshold agree with the labels."""

    threshold: float
    decided: int
    """Records with a verdict of pass or fail."""
    unsure: int
    precision: float | None
    """The share of what it reports that is labelled so; None where it reports nothing."""
    recall: float | None
    """The share of what is labelled so that it reports."""
    balanced_accuracy: float | None
    """The mean share of right verdicts of the two labels."""
    reported: float | None = None
    """The share that it reports: of right answers, those that pass."""
    labelled: float | None = None
    """The share that is labelled so."""


class FalseAlarms(NamedTuple):
    """How often a metric reports harmless records that look like positive ones."""

    records: int
    rate: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class MeasuredSet:
    """A labelled set with which a question was measured."""

    question: str
    set: str
    records: int
    positives: int
    """0 where labels are grades."""
    groups: int


@dataclass(frozen=True, slots=True)
class MeasuredRule:
    """How well a baseline did on a set."""

    rule: str
    question: str
    set: str
    records: int
    statistic: Statistic
    value: float
    interval: tuple[float, float]


@dataclass(frozen=True, slots=True)
class MeasuredAgreement:
    """How well one metric put the records of one labelled set in the order of their labels."""

    question: str
    """What the labels answer."""
    set: str
    records: int
    statistic: Statistic
    value: float
    interval: tuple[float, float]
    is_ahead: bool
    """Whether it is ahead of chance and of every baseline, by intervals."""
    rules: Mapping[str, BaselineDifference]
    """Plain rule → what the metric has more than it."""
    decisions: Mapping[str, Decision] = field(default_factory=dict)
    """Language → its verdicts there; `all` for every record. Empty without a threshold."""
    is_held_out: bool = False
    """Whether each record was scored by models that were fitted without its group."""
    unscored: Mapping[str, int] = field(default_factory=dict)
    """How many records have no score of their own, by state."""
    false_alarms: FalseAlarms | None = None


_NO_RATES = dict.fromkeys(("precision", "recall", "balanced_accuracy"))
"""TOML has no null: what is not there is None."""


def measured(metric: str) -> tuple[MeasuredAgreement, ...]:
    """What is known of a metric; nothing where no set has been found that measures it."""
    return _by_metric().get(metric, ())


@cache
def measured_sets() -> tuple[MeasuredSet, ...]:
    """All labelled sets by question, in the order of the file."""
    return tuple(MeasuredSet(**entry) for entry in read_bundled_toml(FILE).get("set", ()))


@cache
def measured_rules() -> tuple[MeasuredRule, ...]:
    """What the baselines were measured to be worth."""
    return tuple(
        MeasuredRule(**{**entry, "interval": tuple(entry["interval"])})
        for entry in read_bundled_toml(FILE).get("rule", ())
    )


def measured_metrics() -> tuple[str, ...]:
    """The metrics of which something is known."""
    return tuple(_by_metric())


@cache
def _by_metric() -> dict[str, tuple[MeasuredAgreement, ...]]:
    agreements: dict[str, tuple[MeasuredAgreement, ...]] = {}
    for entry in read_bundled_toml(FILE)["finding"]:
        rules = {name: BaselineDifference(*ends) for name, ends in entry.get("rules", {}).items()}
        given = {name: value for name, value in entry.items() if name != "metric"}
        made: dict[str, Any] = {
            "interval": tuple(entry["interval"]),
            "rules": rules,
            "decisions": {
                language: Decision(**{**_NO_RATES, **decision})
                for language, decision in entry.get("decisions", {}).items()
            },
        }
        if alarms := entry.get("false_alarms"):
            made["false_alarms"] = FalseAlarms(**alarms)
        agreement = MeasuredAgreement(**{**given, **made})
        agreements[entry["metric"]] = (*agreements.get(entry["metric"], ()), agreement)
    return agreements
