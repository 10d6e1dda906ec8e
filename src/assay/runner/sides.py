"""The two sides of a comparison: a stored run, or a file of results."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from assay import registry
from assay.core import DataError, UsageError
from assay.core.bounds import finite
from assay.core.result_records import DeclaredMetrics
from assay.core.sample import question_in
from assay.core.time_limit import check_time
from assay.samples.raw_records import records

if TYPE_CHECKING:  # files can be compared without the extra `store`
    from assay.runner.compare_rollups import RunFigures
    from assay.store import Store
    from assay.store.run_list import Run

By = Literal["id", "query"]
Values = Mapping[str, tuple[float, bool | None]]
"""Metric → its computed value, and whether it holds the threshold."""


class ScoredSample(NamedTuple):
    """One sample of a side, without its texts."""

    key: str
    """What it is paired by: its query, or the question that it names, or its id."""
    values: Values
    score: float | None
    """The sample's own mean quality; None where the source does not keep it."""
    passed: bool | None
    question: str | None = None
    """What it answers once more, as the sample names it."""


class SampleView(NamedTuple):
    """One sample of a side as people see it."""

    id: str
    query: str | None
    response: str | None
    explanations: Mapping[str, str]


class Side(Protocol):
    """A run to compare; signatures and thresholds are complete once `read` has ended."""

    name: str
    signatures: dict[str, str]
    thresholds: dict[str, float | None]
    weights: Any
    """What else decides the samples' own scores; None where it is not known."""
    gating: set[str]
    """The metrics that decide passes and the samples' own scores."""
    unread: int
    notes: list[str]

    def read(self, by: By) -> Iterator[ScoredSample]:
        """All scored samples, in order."""

    def show(self, places: Iterable[int]) -> dict[int, SampleView]:
        """The samples at some places of what `read` gave, with their texts."""


class StoredSide:
    """A run of a store."""

    def __init__(self, store: Store, run: Run) -> None:
        self.name = run.name
        self.signatures = {id: entry[0] for id, entry in run.plan["metrics"].items()}
        self.thresholds = {id: entry[1] for id, entry in run.plan["metrics"].items()}
        self.weights = run.plan["settings"].get("weights", {})
        self.gating = {*self.signatures} - {*run.plan["settings"].get("informational", ())}
        self.unread = 0
        self.notes = []
        if run.status != "finished":
            self.notes.append(f"Run {run.name!r} is not finished; what it has so far is compared.")
        self._store, self._run = store, run
        self._tests = array("q")
        self.folder = run.folder
        """Where the samples of a run by blocks lie; it is compared by its roll-ups."""

    def figures(self) -> RunFigures:
        """What is known of the run without its samples."""
        from assay.runner.compare_rollups import RunFigures
        from assay.store.run_parts import read_sketches
        from assay.store.statistics import StatisticsFilter, metric_counts

        if self._run.summary is None:
            raise UsageError(f"run {self.name!r} is not finished; resume it before it is compared")
        window = StatisticsFilter(run=self._run.id)
        counts = self._store.read(lambda connection: metric_counts(connection, window))
        sketches = read_sketches(self._store, self._run.id)
        return RunFigures(counts, self._run.summary, sketches)

    def read(self, by: By) -> Iterator[ScoredSample]:
        """All scored samples, in order."""
        from assay.store.stored_scores import read_values

        del self._tests[:]
        stored_scores = read_values(
            self._store,
            self._run,
            with_query=by == "query",
            with_question=_may_have_repeats(self._run),
        )
        for stored in stored_scores:
            check_time()
            self._tests.append(stored.test_id)
            key = stored.question or stored.name if by == "id" else _query_key(stored.query)
            yield ScoredSample(key, stored.values, stored.score, stored.passed, stored.question)

    def show(self, places: Iterable[int]) -> dict[int, SampleView]:
        """The samples at some places of what `read` gave, with their texts."""
        from assay.store.stored_scores import read_whole

        ids = {place: self._tests[place] for place in places}
        whole_records = read_whole(self._store, self._run, ids.values())
        shown = {}
        for place, id in ids.items():
            sample, scores = whole_records[id]
            explanations = {id: result.explanation for id, result in scores.results.items()}
            shown[place] = SampleView(sample.id, sample.query, sample.response, explanations)
        return shown


class FileSide:
    """Results that `assay run --out FILE.jsonl` has written, or a run that was exported."""

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self.signatures: dict[str, str] = {}
        self.thresholds: dict[str, float | None] = {}
        self.weights: Any = None
        self.gating: set[str] = set()
        self.unread = 0
        self.notes: list[str] = []
        self._path = path

    def read(self, by: By) -> Iterator[ScoredSample]:
        """All scored samples, in order; lines that hold no results are counted."""
        self.unread = 0
        for results, record in self._records():
            if results is None:
                self.unread += 1
                continue
            for metric, result in results.items():
                self._note(metric, result)
            sample = _sample(record)
            is_exported = "sample" in record
            question = question_in(sample.get("metadata") if is_exported else record)
            key = question or str(sample.get("id", ""))
            if by == "query":
                if not is_exported:
                    raise UsageError(
                        f"{self.name!r} holds no queries; pair by id, or compare stored runs or "
                        'files of "assay runs export"'
                    )
                key = _query_key(sample.get("query"))
            passed = _verdict(record) if is_exported else _passed(results)
            values, score = _values(results), finite(record.get("score"))
            yield ScoredSample(key, values, score, passed, question)

    def show(self, places: Iterable[int]) -> dict[int, SampleView]:
        """The samples at some places of what `read` gave; result files have no texts."""
        wanted, shown = set(places), {}
        whole = (
            (sample_id, record) for sample_id, record in self._records() if sample_id is not None
        )
        for place, (results, record) in enumerate(whole):
            if place in wanted:
                sample = _sample(record)
                explanations = {
                    id: str(result.get("explanation", "")) for id, result in results.items()
                }
                texts = (_text(sample.get("query")), _text(sample.get("response")))
                shown[place] = SampleView(str(sample.get("id", "")), *texts, explanations)
        return shown

    def _records(self) -> Iterator[tuple[Mapping[str, Any] | None, Mapping[str, Any]]]:
        """Each record with its results by metric, None where it has none."""
        declared = DeclaredMetrics()
        for place, record in enumerate(records(self._path)):
            value = record.value
            if place == 0 and isinstance(value, Mapping) and "assay_run" in value:
                continue
            yield _results(value, declared), value if isinstance(value, Mapping) else {}

    def _note(self, metric: str, result: Mapping[str, Any]) -> None:
        signature = str(result.get("signature", ""))
        if self.signatures.setdefault(metric, signature) != signature:
            raise DataError(
                f"{self.name!r} holds scores of {metric!r} with two signatures, "
                f"{self.signatures[metric]!r} and {signature!r}; expected the results of one run"
            )
        if result.get("gates", True):  # files of older versions do not say it: all did
            self.gating.add(metric)
        threshold = finite(result.get("threshold"))
        if self.thresholds.get(metric) is None:
            self.thresholds[metric] = threshold


def open_side(name: str, store: Store | None) -> Side:
    """The side of that name: a file that ends in .jsonl, else a run of the store."""
    if is_file(name):
        return FileSide(Path(name))
    from assay.store.run_list import find_run

    assert store is not None
    return StoredSide(store, find_run(store, name))


def is_file(name: str) -> bool:
    """Whether a side's name is that of a file."""
    return name.lower().endswith((".jsonl", ".jsonl.gz"))


def _may_have_repeats(run: Run) -> bool:
    """Whether samples of a run may be several answers to one question."""
    is_asked_for = bool(run.plan["settings"].get("score_repeats"))
    return is_asked_for or run.summary is None or bool(run.summary.get("repeats"))


def _results(record: Any, declared: DeclaredMetrics) -> Mapping[str, Any] | None:
    """The results by metric id in a record of either kind of file; None where it has none."""
    if not isinstance(record, Mapping) or "sample" not in record:
        return declared.results(record)
    results = record.get("results")
    if not isinstance(results, Mapping) or not all(
        isinstance(r, Mapping) for r in results.values()
    ):
        return None
    return results


def _sample(record: Mapping[str, Any]) -> Mapping[str, Any]:
    fields = record.get("sample", record)
    return fields if isinstance(fields, Mapping) else {}


def _values(results: Mapping[str, Any]) -> Values:
    values = {}
    for metric, result in results.items():
        value = finite(result.get("value"))
        if value is not None and result.get("state", "ok") == "ok":
            passed = result.get("passed")
            values[metric] = value, passed if isinstance(passed, bool) else None
    return values


def _verdict(record: Mapping[str, Any]) -> bool | None:
    """How a record of an exported run enters a pass rate: skipped or unsure is no pass."""
    passed = record.get("passed")
    is_decided = record.get("is_skipped") or record.get("is_unsure")
    return False if passed is None and is_decided else passed


def _passed(results: Mapping[str, Any]) -> bool | None:
    """Whether all verdicts that gate are good, composites left out; None without one."""
    known = registry.metrics()
    verdicts = [
        result.get("passed") is True
        for metric, result in results.items()
        if result.get("state", "ok") == "ok"
        and (isinstance(result.get("passed"), bool) or result.get("verdict") == "unsure")
        and result.get("gates", True)
        and not (metric in known and known[metric].is_composite)
    ]
    return all(verdicts) if verdicts else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _query_key(query: Any) -> str:
    """A query as it is compared: without regard to its blanks."""
    return " ".join(query.split()) if isinstance(query, str) else ""
