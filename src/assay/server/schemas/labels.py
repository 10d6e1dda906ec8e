"""Verdicts of people on samples, and what they say about metrics."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from assay.server.schemas.base import Body, Label, ResponseModel, Text
from assay.server.schemas.tests import TestEntry

Verdict = Literal["pass", "fail"]


class LabelBody(Body):
    """A person's verdict on a sample; null takes an earlier one back."""

    label: Verdict | None
    note: Annotated[Text, Field(max_length=5000)] = ""
    rater: Label | None = None
    """Who says so; the name of the key, or of the machine's user, unless given."""


class LabelEntry(ResponseModel):
    """What one person says of one sample."""

    rater: str
    label: Verdict
    note: str
    created: str


class RaterEntry(ResponseModel):
    """One rater over a run."""

    rater: str
    labels: int
    shared: int
    """Labels of others on the same samples."""
    agreement: float | None
    """The share of those that say the same."""


class EstimateEntry(ResponseModel):
    """A figure with its 95 % interval."""

    value: float | None
    low: float | None
    high: float | None


class LabelReport(ResponseModel):
    """The labels of a run."""

    samples: int
    """Samples that have a label."""
    good: int
    bad: int
    disputed: int
    """Samples of which as many say one thing as the other; they calibrate nothing."""
    raters: list[RaterEntry]
    kappa: EstimateEntry | None
    """How far raters agree beyond chance; null where no sample has two labels."""


class QueueEntry(ResponseModel):
    """A sample to look at next."""

    test: TestEntry
    reason: str


class LabelQueue(ResponseModel):
    """The samples from which calibration learns most."""

    items: list[QueueEntry]
    left: int
    is_enough: bool
    """Whether the agreement of metric and people is known narrowly enough to stop."""
    agreement: EstimateEntry | None


class CalibrationEntry(ResponseModel):
    """A metric against the labels of a run; figures are absent until the labels suffice."""

    metric: str
    problem: str
    """What is missing; empty where nothing is."""
    labelled: int
    threshold: float | None
    """The threshold that agrees best with the labels."""
    says_pass: str
    """The condition for a pass, such as `>= 0.5`."""
    auroc: EstimateEntry | None
    precision: EstimateEntry | None
    recall: EstimateEntry | None
    agreement: EstimateEntry | None
    pass_rate: EstimateEntry | None
    """The share that people would pass, estimated for all samples of the run."""
    warnings: list[str]
    details: dict[str, Any]
    """All that `assay calibrate --json` says."""
