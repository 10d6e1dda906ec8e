"""Labelled records from a folder: one file a set, one JSON object a line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import Any

from assay.core import TEXT_FIELDS, DataError, Sample, SampleError
from assay.data.experiments import Experiment, LabelledSet
from assay.evidence.readings import READINGS
from assay.samples.fields import to_sample
from assay.samples.raw_records import RawRecord, records

SHOWN = 5
"""At most this many problems of a file are named; the count says how many there are."""


@dataclass(frozen=True, slots=True)
class LabelledSample:
    """A sample, what people said of it, and the group of records that it belongs to."""

    sample: Sample
    label: float
    """1 or 0 for AUROC, the number itself for Spearman."""
    group: str
    is_look_alike: bool = False
    """Whether it is harmless and looks like a positive record."""


@dataclass
class LabelledFile:
    """What a file gave: labelled records, and how many it had that could not be used."""

    labelled: list[LabelledSample] = field(default_factory=list)
    unlabelled: int = 0
    unread: int = 0
    problems: list[str] = field(default_factory=list)
    """The first reasons why records could not be read."""


def set_file(folder: Path, name: str, split: str | None = None) -> Path | None:
    """The file of a set, or None: `NAME.jsonl`, `NAME.SPLIT.jsonl`, either with `.gz`.

    Raises `DataError` when there is no such folder, or when several files would do.
    """
    if not folder.is_dir():
        raise DataError(f"no such folder: {str(folder)!r}; expected one with labelled records")
    wanted = re.escape(split) if split else r"[^.]+"
    named = re.compile(rf"{re.escape(name)}(\.{wanted}){'' if split else '?'}\.jsonl(\.gz)?")
    paths = sorted(path for path in folder.iterdir() if named.fullmatch(path.name))
    if len(paths) > 1:
        names = ", ".join(path.name for path in paths)
        raise DataError(f"set {name!r} has several files: {names}; choose one with --split")
    return paths[0] if paths else None


def read_labelled(
    path: Path, experiment: Experiment, labelled_set: LabelledSet, limit: int | None = None
) -> LabelledFile:
    """Read the records of a set; raises `DataError` where nothing can be measured with them."""
    labelled_file = LabelledFile()
    for record in islice(records(path), limit):
        try:
            one = _labelled(record, experiment, labelled_set)
        except SampleError as error:
            labelled_file.unread += 1
            labelled_file.problems += [f"{path.name}, {record.place}: {error}"][
                : SHOWN - labelled_file.unread + 1
            ]
            continue
        if one is None:
            labelled_file.unlabelled += 1
        else:
            labelled_file.labelled.append(one)
    _check(labelled_file, experiment, labelled_set)
    return labelled_file


def _labelled(
    record: RawRecord, experiment: Experiment, labelled_set: LabelledSet
) -> LabelledSample | None:
    place, value = record
    if isinstance(value, SampleError):
        raise value
    if not isinstance(value, Mapping):
        raise SampleError("the record is no object")
    label = _label(value.get("label"), experiment)
    if label is None:
        return None
    if any(_at(value, where) != wanted for where, wanted in labelled_set.positive_where.items()):
        label = 0.0
    id = str(value.get("id") or place.replace(" ", "-"))
    return LabelledSample(
        to_sample({**_given(value, experiment, labelled_set), "id": id}, id),
        label,
        group_of(value, id),
        label == 0.0
        and bool(labelled_set.look_alikes)
        and all(_at(value, where) in known for where, known in labelled_set.look_alikes.items()),
    )


def group_of(record: Mapping[str, Any], id: str) -> str:
    """The group of a record: `meta.group`, else itself."""
    group = _at(record, "meta.group")
    return f"record {id}" if group is None else str(group)


def _label(label: Any, experiment: Experiment) -> float | None:
    """The label as a number; None where there is none."""
    if label is None:
        return None
    if experiment.statistic == "auroc":
        return float(any(label == wanted for wanted in experiment.positive))
    if isinstance(label, bool) or not isinstance(label, int | float) or not isfinite(label):
        raise SampleError(f"'label' is {label!r}; expected a number")
    return float(label)


def _given(
    record: Mapping[str, Any], experiment: Experiment, labelled_set: LabelledSet
) -> dict[str, Any]:
    """The sample's fields; a list of texts becomes one text where the field holds one text."""
    given: dict[str, Any] = {}
    for name, place in {**experiment.fields, **labelled_set.fields}.items():
        value = _at(record, place)
        if value is not None and name in experiment.readings:
            value = READINGS[experiment.readings[name]](value)
        if name in TEXT_FIELDS and isinstance(value, list):
            value = "\n\n".join(str(part) for part in value)
        field, _, key = name.partition(".")
        if value is not None and key:
            given.setdefault(field, {})[key] = value
        elif value is not None:
            given[name] = value
    return given


def _at(record: Mapping[str, Any], place: str) -> Any:
    """What stands at a dotted place, or None."""
    value: Any = record
    for key in place.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _check(labelled_file: LabelledFile, experiment: Experiment, labelled_set: LabelledSet) -> None:
    name = labelled_set.name
    if not labelled_file.labelled:
        reason = f"; {labelled_file.problems[0]}" if labelled_file.problems else ""
        raise DataError(f"set {name!r} has no labelled records{reason}")
    labels = {one.label for one in labelled_file.labelled}
    if len(labels) > 1:
        return
    if experiment.statistic == "auroc":
        kind = "positive" if labels == {1.0} else "negative"
        wanted = ", ".join(map(repr, experiment.positive))
        raise DataError(
            f"all {len(labelled_file.labelled)} records of set {name!r} are {kind}; "
            "expected both kinds "
            f"(positive is {wanted})"
        )
    raise DataError(
        f"all {len(labelled_file.labelled)} records of set {name!r} have one label; "
        "expected several"
    )
