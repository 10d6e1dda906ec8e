"""What metrics were measured to be worth, on labelled public sets (`measured.toml`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

from assay.data.files import read_bundled_toml

FILE = "measured.toml"


class Difference(NamedTuple):
    """Metric minus plain rule, with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Agreement:
    """How well one metric put the records of one labelled set in the order of their labels."""

    question: str
    """What the labels answer."""
    set: str
    records: int
    statistic: Literal["auroc", "spearman"]
    value: float
    interval: tuple[float, float]
    is_ahead: bool
    """Whether it is ahead of chance and of every plain rule, by intervals."""
    rules: Mapping[str, Difference]
    """Plain rule → what the metric has more than it."""


def measured(metric: str) -> tuple[Agreement, ...]:
    """What is known of a metric; nothing where no set has been found that measures it."""
    return _by_metric().get(metric, ())


@cache
def _by_metric() -> dict[str, tuple[Agreement, ...]]:
    found: dict[str, tuple[Agreement, ...]] = {}
    for entry in read_bundled_toml(FILE)["finding"]:
        rules = {name: Difference(*ends) for name, ends in entry.get("rules", {}).items()}
        given = {name: value for name, value in entry.items() if name != "metric"}
        agreement = Agreement(**{**given, "interval": tuple(entry["interval"]), "rules": rules})
        found[entry["metric"]] = (*found.get(entry["metric"], ()), agreement)
    return found
