"""Drift of whole populations: the texts and scores of one file against those of another.

Each side is a file of samples or of results; the baseline may also be a snapshot that an earlier
comparison has saved. The baseline decides the bins (see `assay.stats.psi`).
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from assay.core import DataError, Sample, SampleError, Scores, UsageError
from assay.core.atomic_file import write_file
from assay.core.bounds import finite
from assay.core.jsontext import dumps, loads
from assay.core.result_records import DeclaredMetrics
from assay.features.normal import normal as normal_feature
from assay.features.words import words as words_feature
from assay.runner.execute import RunRequest, execute
from assay.runner.job import make_job
from assay.samples import read_samples
from assay.samples.raw_records import records
from assay.settings import Settings
from assay.stats import psi

KIND = "assay-drift-baseline"
VERSION = 1
"""Goes up when older snapshots cannot be compared any more."""
Kind = Literal["words", "scores"]


@dataclass
class Population:
    """What one file holds: the words of a field and the scores by metric."""

    text_field: str
    samples: int = 0
    unread: int = 0
    words: Counter[str] = field(default_factory=Counter)
    scores: dict[str, array[float]] = field(default_factory=dict)
    signatures: dict[str, str] = field(default_factory=dict)

    def write(self, sample: Sample, scores: Scores) -> None:
        """Take a sample with its scores; only computed ones count, substitutes do not."""
        self.add(sample)
        for id, result in scores.results.items():
            if result.state == "ok":
                self.add_score(id, result.value, result.signature)

    def add(self, sample: Sample) -> None:
        """Take the text of a sample."""
        self.samples += 1
        text = getattr(sample, self.text_field)
        if text is not None:
            self.words.update(words_feature.feature(normal_feature.feature(text)).all)

    def add_score(self, metric: str, value: Any, signature: str) -> None:
        """Take one score; what is no number is left out."""
        number = finite(value)
        if number is not None:
            self.scores.setdefault(metric, array("d")).append(number)
            self.signatures.setdefault(metric, signature)


class Bins(NamedTuple):
    """A baseline's bins of one metric or one text field, and how much lies in each."""

    kind: Kind
    marks: tuple[Any, ...]
    """The words that have a bin, or the numbers at which bins begin."""
    counts: tuple[int, ...]
    signature: str = ""

    @property
    def labels(self) -> list[str]:
        """What the bins are called."""
        if self.kind == "words":
            return [*self.marks, "other words"]
        return psi.number_labels(self.marks)


@dataclass(frozen=True)
class DriftBaseline:
    """What later populations are compared with."""

    samples: int
    bins: Mapping[str, Bins]
    """Metric id or text field → its bins."""


class DriftComparison(NamedTuple):
    """One metric or text field of two populations."""

    name: str
    kind: Kind
    drift: psi.Drift
    baseline_size: int
    current_size: int
    is_same_rule: bool
    """Whether both sides' scores have the same signature; otherwise the rule itself has changed."""

    def to_json(self) -> dict[str, Any]:
        """The comparison as plain data."""
        return {
            "name": self.name,
            "kind": self.kind,
            "psi": self.drift.psi,
            "band": self.drift.band,
            "chance": self.drift.chance,
            "baseline_size": self.baseline_size,
            "current_size": self.current_size,
            "is_same_rule": self.is_same_rule,
            "bins": [part._asdict() for part in self.drift.bins],
        }


def is_baseline(path: str) -> bool:
    """Whether a file is a snapshot that was saved for later comparisons."""
    try:
        with Path(path).open("rb") as file:
            return KIND.encode() in file.read(100)
    except OSError:
        return False


def read_population(
    path: str, text_field: str, metrics: tuple[str, ...], settings: Settings
) -> Population:
    """Read one side.

    Samples are scored by the `metrics` given, if any; of results, which are scored already, the
    metrics so named are taken, or all.
    """
    if is_baseline(path):
        raise UsageError(f"{path!r} is a saved baseline; give it as BASELINE, not as CURRENT")
    population = Population(text_field)
    if path != "-" and _holds_results(Path(path)):
        _read_results(Path(path), metrics, population)
        return population
    items = read_samples(path, map=settings.map, needs_map=False)
    if metrics:
        own = settings.override({"metrics": metrics})
        request = RunRequest(
            items=items,
            job=make_job(own),
            settings=own,
            sinks=[population],
            redact=False,  # only counts of words and scores are kept
        )
        population.unread = execute(request).summary.unread
        return population
    for item in items:
        if isinstance(item, SampleError):
            population.unread += 1
        else:
            population.add(item)
    return population


def make_baseline(population: Population, *, bins: int, words: int) -> DriftBaseline:
    """Choose the bins of a population and count what lies in them."""
    made: dict[str, Bins] = {}
    if population.words:
        marks = psi.commonest(population.words, words)
        counts = psi.word_counts(marks, population.words)
        made[population.text_field] = Bins("words", tuple(marks), tuple(counts))
    for metric, numbers in sorted(population.scores.items()):
        begins = psi.cuts(numbers, bins)
        counts = psi.number_counts(begins, numbers)
        made[metric] = Bins("scores", tuple(begins), tuple(counts), population.signatures[metric])
    return DriftBaseline(population.samples, made)


def compare(baseline: DriftBaseline, current: Population) -> list[DriftComparison]:
    """Compare what both sides hold, texts first."""
    comparisons = []
    for name, bins in baseline.bins.items():
        counts = _counts(name, bins, current)
        if sum(counts):
            changed = psi.compare(bins.labels, bins.counts, counts)
            is_same = bins.signature == current.signatures.get(name, "")
            sizes = sum(bins.counts), sum(counts)
            comparisons.append(DriftComparison(name, bins.kind, changed, *sizes, is_same))
    return comparisons


def write_baseline(baseline: DriftBaseline, path: str) -> None:
    """Save a baseline for later comparisons."""
    bins = {name: own_bins._asdict() for name, own_bins in baseline.bins.items()}
    table = {"kind": KIND, "version": VERSION, "samples": baseline.samples, "bins": bins}
    write_file(path, dumps(table, indent=1) + "\n")


def read_baseline(path: str) -> DriftBaseline:
    """Read a saved baseline; raises `DataError` for a damaged one."""
    try:
        table = loads(Path(path).read_text(encoding="utf-8"))
        if table["version"] != VERSION:
            raise ValueError(f"it has version {table['version']!r}; expected {VERSION}")
        bins = {str(name): _bins(own_bins) for name, own_bins in table["bins"].items()}
        return DriftBaseline(int(table["samples"]), bins)
    except OSError as error:
        raise DataError(f"{path!r} cannot be read: {error.strerror}") from None
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise DataError(f'{path!r} is no baseline of "assay drift": {error}') from None


def _bins(table: Mapping[str, Any]) -> Bins:
    """Bins as they were saved."""
    kind: Kind = "words" if table["kind"] == "words" else "scores"
    read: Callable[[Any], Any] = str if kind == "words" else float
    bins = Bins(
        kind,
        tuple(map(read, table["marks"])),
        tuple(map(int, table["counts"])),
        str(table["signature"]),
    )
    if len(bins.labels) != len(bins.counts) or min(bins.counts) < 0:
        raise ValueError("the counts do not fit the bins")
    return bins


def _counts(name: str, bins: Bins, current: Population) -> list[int]:
    """How much of a population lies in a baseline's bins."""
    if bins.kind == "scores":
        return psi.number_counts(bins.marks, current.scores.get(name, ()))
    return psi.word_counts(bins.marks, current.words) if name == current.text_field else [0]


def _holds_results(path: Path) -> bool:
    """Whether a file's first record is a sample's results, as `assay run --out` writes them."""
    first = next(iter(records(path)), None)
    results = DeclaredMetrics().results(first.value) if first else None
    if first is None or results is None:
        return False
    return "metrics" in first.value or all("value" in result for result in results.values())


def _read_results(path: Path, metrics: Iterable[str], population: Population) -> None:
    wanted, declared = set(metrics), DeclaredMetrics()
    for record in records(path):
        results = declared.results(record.value)
        if results is None:
            population.unread += 1
            continue
        population.samples += 1
        for id, result in results.items():
            if result.get("state", "ok") == "ok" and (not wanted or _is_wanted(id, wanted)):
                population.add_score(id, result.get("value"), str(result.get("signature", "")))


def _is_wanted(metric: str, wanted: set[str]) -> bool:
    """Whether a metric is named by its id or its family."""
    return metric in wanted or metric.partition(".")[0] in wanted
