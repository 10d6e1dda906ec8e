"""Samples that no metric could decide, in a file for people to label, with all labels so far.

One JSON object a line: the sample, the metric that is unsure, its value and explanation, and the
label, `pass` or `fail`, which is empty until a judge or a person has decided. `by` says who did.
`assay calibrate --labels label --labels-from FILE` reads it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from assay.core import DataError, Result, Sample, SampleError
from assay.core.jsontext import dumps
from assay.core.plain import sample_json, sendable, with_finite_numbers
from assay.data.rubrics import SHOWN_FIELDS
from assay.runner.human_labels import is_blank
from assay.samples.raw_records import records

LABELS = ("pass", "fail")
PERSON, JUDGE = "person", "judge"
"""Who decides; a person may give a name instead."""
KEY_DIGITS = 16


class Label(NamedTuple):
    """What somebody decided of a sample."""

    verdict: Literal["pass", "fail"]
    by: str = PERSON
    reason: str = ""


class QueueEntry(NamedTuple):
    """One sample that one metric could not decide."""

    sample: Sample
    result: Result
    label: Label | None = None


class LabelQueue:
    """The file; entries are added at its end, and none is written twice. Without one, memory."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._labels: dict[str, Label | None] = _read(path) if path and path.exists() else {}

    def label(self, sample: Sample, metric: str) -> Label | None:
        """What was decided of this very sample for the metric; None where nothing was."""
        return self._labels.get(_key(sample, metric))

    def add(self, entries: Iterable[QueueEntry]) -> int:
        """Keep the entries that are not in the file yet, or only without a label; how many."""
        lines = []
        for sample, result, label in entries:
            key = _key(sample, result.metric)
            if key in self._labels and (label is None or self._labels[key]):
                continue
            self._labels[key] = label
            lines.append(dumps(_line(key, sample, result, label)) + "\n")
        if lines and self.path:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                file.writelines(lines)
        return len(lines)


def _line(key: str, sample: Sample, result: Result, label: Label | None) -> dict[str, Any]:
    entry = {
        "id": sample.id,
        "metric": result.metric,
        "label": label.verdict if label else "",
        "by": label.by if label else "",
        "reason": label.reason if label else "",
        "value": result.value,
        "explanation": result.explanation,
    }
    return {**sendable(entry), **_fields(sample), "key": key}


def _fields(sample: Sample) -> dict[str, Any]:
    """What there is to read of a sample, as plain data."""
    known = sample_json(sample)
    plain: dict[str, Any] = sendable({name: known[name] for name in SHOWN_FIELDS if name in known})
    return {name: with_finite_numbers(value) for name, value in plain.items()}


def _key(sample: Sample, metric: str) -> str:
    """Tells samples apart by all that a judge might be shown, whatever their ids are."""
    text = dumps({"metric": metric, **_fields(sample)})
    return hashlib.sha256(text.encode()).hexdigest()[:KEY_DIGITS]


def _read(path: Path) -> dict[str, Label | None]:
    """Key → label; where a sample stands twice, a label counts, and the later one."""
    labels: dict[str, Label | None] = {}
    for record in records(path):
        value = record.value
        if isinstance(value, SampleError) or not isinstance(value, Mapping) or "key" not in value:
            raise DataError(
                f"{str(path)!r}, {record.place}: expected a line that --escalate has written, with "
                "a 'key'; name another file with --queue"
            )
        key, word = str(value["key"]), value.get("label")
        label = None if is_blank(word) else str(word).strip().lower()
        if label is None:
            labels.setdefault(key, None)
        elif label in LABELS:
            verdict = cast("Literal['pass', 'fail']", label)
            by, reason = (str(value.get(name) or "") for name in ("by", "reason"))
            labels[key] = Label(verdict, by or PERSON, reason)
        else:
            raise DataError(
                f"{str(path)!r}, {record.place}: the label is {word!r}; expected 'pass', 'fail' "
                "or nothing"
            )
    return labels
