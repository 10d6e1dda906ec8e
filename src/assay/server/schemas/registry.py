"""What there is: metrics, families, settings, prompts."""

from __future__ import annotations

from typing import Any, Literal

from assay.server.schemas.base import Ends, ResponseModel


class DecisionEntry(ResponseModel):
    """How well a metric's verdicts at its default threshold agree with the labels."""

    threshold: float
    decided: int
    unsure: int
    precision: float | None
    recall: float | None
    balanced_accuracy: float | None
    reported: float | None
    """The share that it reports: of right answers, those that pass."""
    labelled: float | None
    """The share that is labelled so."""


class AgreementEntry(ResponseModel):
    """How well a metric put the records of a labelled set in the order of their labels."""

    question: str
    set: str
    records: int
    statistic: Literal["auroc", "spearman"]
    value: float
    interval: Ends
    is_ahead: bool
    """Whether it is ahead of chance and of every plain rule, by intervals."""
    rules: dict[str, tuple[float, float, float]]
    """Metric minus plain rule, and the ends of the interval of that."""
    decisions: dict[str, DecisionEntry]
    """Language → its verdicts at the default threshold; `all` for every record."""
    is_held_out: bool
    """Whether each record was scored by models that were fitted without its group."""
    unscored: dict[str, int]
    """How many records have no score of their own, by state."""
    false_alarms: tuple[int, float, float, float] | None
    """Harmless look-alikes: records, share reported, and the ends of its interval."""


class MetricEntry(ResponseModel):
    """What is declared of a metric, and what it was measured to be worth."""

    id: str
    family: str
    group: str
    name: str
    label: str
    """The name for people."""
    summary: str
    inputs: list[str]
    """Sample fields without which there is no score."""
    needs: list[str]
    """The same for people: where nothing is declared, the fields that its rule reads."""
    range: tuple[float | None, float | None]
    unit: str
    polarity: Literal["higher", "lower", "neutral"]
    threshold: float | None
    unsure: tuple[float, float] | None
    """Between which values the default threshold decides nothing."""
    exact: bool
    gates: bool
    """Whether it decides passes without being chosen; otherwise it is for information."""
    version: int
    tags: list[str]
    aliases: list[str]
    languages: list[str]
    is_composite: bool
    measured: list[AgreementEntry]


class Example(ResponseModel):
    """A worked example of a metric."""

    why: str
    fields: dict[str, Any]
    options: dict[str, Any]
    value: float | None
    state: Literal["ok", "missing", "imputed", "error"]
    passed: bool | None
    evidence: list[str] | None


class MetricPage(MetricEntry):
    """All that there is to know about one metric."""

    documentation: str
    """Rule and blind spots, in Markdown."""
    parameters: list[str]
    lexicons: list[str]
    options: dict[str, Any]
    examples: list[Example]


class Family(ResponseModel):
    """A family of metrics."""

    name: str
    title: str
    groups: list[str]
    metrics: int


class SettingEntry(ResponseModel):
    """One setting with its value and where that came from."""

    name: str
    group: str
    value: bool | int | float | str | list[str]
    default: bool | int | float | str | list[str]
    source: str
    help: str


class PromptEntry(ResponseModel):
    """A question to a judge, as the product asks it."""

    key: str
    text: str
