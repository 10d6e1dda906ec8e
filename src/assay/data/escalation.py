"""What a judge is asked where a metric is unsure (`escalation.toml`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from assay.data.bundled_files import fingerprint, read_toml
from assay.data.rubrics import Rubric, RubricChoice

FILE = "escalation.toml"
VERSION = 1


def escalation_rubric(metric: str) -> Rubric | None:
    """The question that settles a metric's verdict: 1 for pass, 0 for fail; None without one."""
    return _rubrics().get(metric)


@cache
def _rubrics() -> Mapping[str, Rubric]:
    text = (files("assay") / "data" / FILE).read_text(encoding="utf-8")
    return {metric: _rubric(metric, entry) for metric, entry in read_toml(text, FILE).items()}


def _rubric(metric: str, entry: Mapping[str, Any]) -> Rubric:
    choices = tuple(
        RubricChoice(label, float(label == entry["passes"]), entry[label])
        for label in ("yes", "no")
    )
    return Rubric(
        name=f"escalated.{metric}",
        title=f"Whether a sample passes {metric}.",
        question=entry["question"].strip(),
        inputs=tuple(entry["inputs"]),
        optional=tuple(entry.get("optional", ())),
        answers=choices,
        polarity="higher",
        threshold=0.5,
        degenerate="ask",
        version=VERSION,
        examples=(),
        blind_spots="",
        fingerprint=fingerprint(str(sorted(entry.items()))),
    )
