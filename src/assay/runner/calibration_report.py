"""What a calibration is asked for, what it finds, and the profile that it becomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, NamedTuple

from assay.core.atomic_file import write_file
from assay.core.jsontext import dumps
from assay.stats.agreement import Confusion
from assay.stats.cuts import Aim
from assay.stats.intervals import Estimate

Direction = Literal["higher", "lower"]
"""Which scores go with the positive label."""
Method = Literal["strata", "rogan-gladen"]
Origin = Literal["own", "given", "chosen"]
"""Of a threshold: the metric's, that of the call, or chosen on the labels."""


@dataclass(frozen=True)
class CalibrationRequest:
    """What a calibration is asked for."""

    positive: tuple[str, ...] = ()
    direction: Direction | None = None
    """None lets the labels decide."""
    aim: Aim = "agreement"
    at_least: float | None = None
    """The wanted precision or recall."""
    threshold: float | None = None
    """A threshold to look at, instead of choosing one."""
    method: Method | None = None
    """None lets it depend on whether the labelled records are among all."""
    these_only: bool = False
    seed: int = 0


class LabelVerdicts(NamedTuple):
    """A metric as a verdict by some threshold, against the labels."""

    threshold: float
    origin: Origin
    """Figures of a chosen one allow for its having been chosen on the same labels."""
    says_positive: str
    """The condition in words, such as `>= 0.5`."""
    is_reached: bool
    counts: Confusion
    precision: Estimate
    recall: Estimate
    agreement: Estimate
    kappa: Estimate

    def to_json(self) -> dict[str, Any]:
        """The verdicts as plain data."""
        return {**_plain(self._asdict()), "counts": self.counts._asdict()}


@dataclass(frozen=True)
class Calibration:
    """What the labels say about a metric, and about all records."""

    metric: str
    signature: str
    positive: str
    records: int
    scored: int
    """Records that have a score."""
    labelled: int
    """Labelled records with a score; all figures about the metric rest on them."""
    positives: int
    unscored: int
    """Labelled records without a score."""
    unread: int
    direction: Direction
    aim: Aim
    at_least: float | None
    auroc: Estimate
    spearman: Estimate | None
    """Of scores and graded labels, without regard to the direction."""
    weighted_kappa: Estimate | None
    """For graded labels on the scale of the scores, with quadratic weights."""
    verdicts: Sequence[LabelVerdicts]
    """By the metric's own threshold where it has one, then by the chosen or given one."""
    raw_rate: Estimate
    """The share of scored records that the last of them calls positive, errors and all."""
    labels_rate: Estimate
    """The share of positive labels alone."""
    corrected_rate: Estimate
    method: Method
    these_only: bool
    warnings: Sequence[str] = ()

    @property
    def threshold(self) -> float:
        """The chosen threshold, or the one that was given."""
        return self.verdicts[-1].threshold

    def to_json(self) -> dict[str, Any]:
        """The calibration as plain data."""
        document = {part.name: getattr(self, part.name) for part in fields(self)}
        return {**_plain(document), "verdicts": [one.to_json() for one in self.verdicts]}


def _plain(values_given: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: value.to_json() if isinstance(value, Estimate) else value
        for name, value in values_given.items()
    }


def save_profile(calibration: Calibration, path: str) -> None:
    """Write a profile with the threshold, for `assay run --profile`."""
    aim = "given"
    if calibration.verdicts[-1].origin == "chosen":
        aim = (
            calibration.aim
            if calibration.at_least is None
            else f"{calibration.aim} of {calibration.at_least:g}"
        )
    lines = [
        f"title = {dumps(f'{calibration.metric}, calibrated on {calibration.labelled} labels')}",
        f"source = {dumps(f'assay calibrate: threshold for {aim}; {calibration.signature}')}",
        f"metrics = [{dumps(calibration.metric)}]",
        "",
        "[thresholds]",
        f"{dumps(calibration.metric)} = {float(calibration.threshold)!r}",
    ]
    write_file(path, "\n".join(lines) + "\n")
