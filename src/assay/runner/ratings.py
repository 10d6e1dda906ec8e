"""The scores of a metric for all records of a source, and people's labels of some."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from math import isnan, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.core import DataError, Sample, SampleError, Scores, Summary
from assay.runner.execute import RunRequest, execute
from assay.runner.human_labels import is_blank
from assay.runner.job import Job
from assay.runner.sides import FileSide, is_file
from assay.samples import read_samples
from assay.samples.raw_records import READERS, records
from assay.samples.suites import SUITE
from assay.settings import Settings

if TYPE_CHECKING:  # files can be calibrated without the extra `store`
    from assay.store import Store

_FIELDS = frozenset(part.name for part in fields(Sample))


@dataclass
class Ratings:
    """The scores of all records of a source by one metric, and the labels of some."""

    metric: str
    label_of: Callable[[Sample], Any] = lambda _: None
    values: array[float] = field(default_factory=lambda: array("d"))
    """NaN for a record without a score."""
    labels: dict[int, Any] = field(default_factory=dict)
    """Place → label."""
    ids: dict[str, int] = field(default_factory=dict)
    """Id → place."""
    unread: int = 0
    signature: str = ""
    summary: Summary | None = None
    """Of the scoring, where the records had no scores yet."""

    def write(self, sample: Sample, scores: Scores) -> None:
        """Take a scored sample."""
        result = scores.results.get(self.metric)
        if result is None:
            known = ", ".join(scores.results)
            raise DataError(f"there are no scores of {self.metric!r}; found those of {known}")
        self.signature = result.signature
        self.add(sample.id, result.value if result.state == "ok" else None, self.label_of(sample))

    def add(self, id: str, value: float | None, label: Any = None) -> None:
        """Take the score and the label of a record."""
        place = len(self.values)
        self.ids[id] = place
        self.values.append(nan if value is None else value)
        if not is_blank(label):
            self.labels[place] = label

    def has(self, id: str, value: float) -> bool:
        """Whether it holds this very record; ids alone may be the same numbers in any two files."""
        place = self.ids.get(id)
        if place is None:
            return False
        own = self.values[place]
        return own == value or (isnan(own) and isnan(value))

    def join(self, labels: Mapping[str, Any]) -> int:
        """Take labels by id; how many of them name no record here."""
        known = {self.ids[id]: label for id, label in labels.items() if id in self.ids}
        self.labels.update(known)
        return len(labels) - len(known)


def read_ratings(
    source: str,
    job: Job,
    metric: str,
    *,
    settings: Settings,
    label: str | None = None,
    store: Callable[[], Store] | None = None,
    format: str | None = None,
) -> Ratings:
    """The scores and labels of a source.

    It is a file of samples, which are scored; a file of results, which are scored already and hold
    no labels; or the name of a stored run. `label` is a field of the samples or of their metadata,
    inner ones behind a dot.
    """
    ratings = Ratings(metric, (lambda sample: label_at(sample, label)) if label else lambda _: None)
    if is_samples(source):
        request = RunRequest(
            items=read_samples(source, format=format, map=settings.map, needs_map=False),
            job=job,
            settings=settings,
            sinks=[ratings],
            redact=False,  # labels are compared as they are; only figures are shown
        )
        ratings.summary = execute(request).summary
        ratings.unread = ratings.summary.unread
    elif is_file(source):
        _read_results(source, ratings)
    else:
        _read_run(source, store, ratings)
    return ratings


def is_samples(source: str) -> bool:
    """Whether a source holds samples to score, not results or the name of a run."""
    if source == "-" or source.startswith(SUITE):
        return True
    is_known = source.lower().endswith(tuple(READERS))
    return is_known and not (is_file(source) and _holds_results(Path(source)))


def label_at(sample: Sample, path: str) -> Any:
    """What stands at a field of a sample, or at a dotted place of its metadata; None if nothing."""
    if path in _FIELDS:
        return getattr(sample, path)
    value: Any = sample.metadata
    for key in path.removeprefix("metadata.").split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def read_labels(path: str, field: str, metric: str = "") -> dict[str, Any]:
    """Labels by id from a file with `id` and the field; other records are left out.

    A record of `assay run --escalate`, which has a `key`, is about the metric that it names.
    """
    result: dict[str, Any] = {}
    for record in records(Path(path)):
        value = record.value
        if isinstance(value, SampleError) or not isinstance(value, Mapping):
            raise DataError(f"{path!r}, {record.place}: {value}; expected an object with an 'id'")
        label, id = value.get(field), value.get("id")
        is_other = "key" in value and value.get("metric", metric) != metric
        if is_blank(label) or id is None or is_other:
            continue
        if result.setdefault(str(id), label) != label:
            raise DataError(
                f"{path!r}, {record.place}: {id!r} is labelled {label!r} here and "
                f"{result[str(id)]!r} before; settle on one label a record"
            )
    if not result:
        raise DataError(f"{path!r} has no record with an 'id' and {field!r}")
    return result


def _holds_results(path: Path) -> bool:
    first = next(iter(records(path)), None)
    value = first.value if first else None
    return isinstance(value, Mapping) and (
        "assay_run" in value or isinstance(value.get("scores"), Mapping)
    )


def _read_results(source: str, ratings: Ratings) -> None:
    side, seen = FileSide(Path(source)), set[str]()
    for row in side.read("id"):
        seen |= row.values.keys()
        held = row.values.get(ratings.metric)
        ratings.add(row.key, None if held is None else held[0])
    if ratings.metric not in seen:
        raise _no_scores(source, ratings.metric, seen)
    ratings.unread = side.unread
    ratings.signature = side.signatures[ratings.metric]


def _read_run(name: str, store: Callable[[], Store] | None, ratings: Ratings) -> None:
    from assay.store.run_list import find_run, read_run

    assert store
    opened = store()
    run = find_run(opened, name)
    if ratings.metric not in run.plan["metrics"]:
        raise _no_scores(name, ratings.metric, run.plan["metrics"])
    ratings.unread = run.unread
    for sample, scores in read_run(opened, run):
        ratings.write(sample, scores)


def _no_scores(source: str, metric: str, known: Iterable[str]) -> DataError:
    listed = ", ".join(sorted(known)) or "none"
    return DataError(f"{source!r} has no scores of {metric!r}; it has those of {listed}")
