"""The tests of a run by blocks, read by DuckDB from its Parquet files where they lie.

Nothing that is asked for enters SQL as text: columns are those of the run's metrics as the store
knows them, files are those of the blocks that the run recorded, and values are parameters.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

from assay.core import NotFoundError, Sample, Scores, Span, UsageError
from assay.core.jsontext import loads
from assay.core.parquet_columns import QUALITY
from assay.store import schema
from assay.store.connect import Store
from assay.store.packed_scores import ABSENT, DECIDED, FAILS, NO_THRESHOLDS, StoredScore
from assay.store.parquet_reader import PARQUET, ParquetReader, quoted
from assay.store.row_codec import result_of, safe, sample_of, scores_of
from assay.store.test_reader import ScoredMetric, run_metrics
from assay.store.text_search import COLUMNS, places_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from assay.store.test_filter import TestFilter

SHOWN = (
    *("place", "id", "status", "duration", "test_language", "test_type", "error_message"),
    *("score", "query", "response", "outcomes"),
)
"""What a list shows of a test."""
NOT_KEPT = "The run keeps no reasons; --detail full would."
"""Stands for the explanation of a score without its reasons."""
CHUNK = 500
"""Tests read at a time, so that memory does not grow with a run."""
_ORDERS = {"name": "id", "language": "test_language"}
"""What tests may be ordered by whose column has another name here."""


class BlockPart(NamedTuple):
    """A finished block."""

    place: int
    number: int
    written: float


@dataclass(frozen=True, slots=True)
class BlockTests:
    """The tests of one run by blocks."""

    run: int
    name: str
    metrics: Mapping[str, ScoredMetric]
    parts: Sequence[BlockPart]
    reader: ParquetReader

    def page(self, chosen: TestFilter, limit: int, offset: int) -> tuple[list[int], int]:
        """The places of a page of tests in their order, and how many there are in all."""
        files = self._files(chosen)
        where = self._where(chosen)
        if where is None or not files:
            return [], 0
        condition, values = where
        order = ", ".join(self._order(chosen))
        places = self.reader.rows(
            f"SELECT place FROM {PARQUET} WHERE {condition} "  # noqa: S608 -- known columns
            f"ORDER BY {order} LIMIT ? OFFSET ?",
            [files, *values, limit, offset],
        )
        sql = f"SELECT count(*) FROM {PARQUET} WHERE {condition}"  # noqa: S608 -- likewise
        ((total,),) = self.reader.rows(sql, [files, *values])
        return [place for (place,) in places], total

    def entries(self, places: Sequence[int], metric: str | None = None) -> dict[int, Any]:
        """Rows of what a list shows, by place; with a metric its `value` too."""
        columns = [*map(quoted, SHOWN)]
        if metric is not None and metric in self.metrics:
            columns.append(f"{quoted(metric)} AS value")
        return {row.place: row for row in self._at(places, columns)}

    def further(
        self, rows: Mapping[int, Any], metric: str | None, text: str | None
    ) -> dict[int, dict[str, Any]]:
        """Place → what else a list shows: failing metrics, where words stand, the metric's score.

        `rows` are those of `entries`.
        """
        places = self._found_in(list(rows), text) if text else {}
        more: dict[int, dict[str, Any]] = {
            place: {"fails": self._failing(row.outcomes), "found_in": places.get(place, [])}
            for place, row in rows.items()
        }
        if metric is None or metric not in self.metrics:
            return more
        details = self._details(list(rows.values()), metric)
        for place, row in rows.items():
            reasons = details[place].get(metric)
            more[place] |= {
                "value": row.value,
                "state": DECIDED[row.outcomes[self._position(metric)]].state,
                "explanation": safe(reasons.explanation) if reasons else NOT_KEPT,
            }
        return more

    def written(self, place: int) -> float:
        """When the block of a record was written."""
        return self._part(place).written

    def failing(self, places: Sequence[int]) -> dict[int, tuple[list[str], list[str]]]:
        """Place → the metrics that a test fails because of, and its tags, both sorted."""
        rows = self._at(places, ["place", "outcomes", "tags"])
        return {row.place: (self._failing(row.outcomes), sorted(row.tags or ())) for row in rows}

    def whole(self, place: int) -> tuple[Sample, Scores, Any]:
        """One test with all that is known of it: sample, scores and its row."""
        rows = self._at([place], ["*"])
        if not rows:
            raise NotFoundError(f"there is no record {place} in run {self.name!r}")
        return self._record(rows[0], self._details(rows))

    def records(self) -> Iterator[tuple[Sample, Scores]]:
        """All tests in order, a few at a time."""
        for part in self.parts:
            first = -1
            while rows := self._after(part, first):
                details = self._details(rows)
                for row in rows:
                    sample, scores, _ = self._record(row, details)
                    yield sample, scores
                first = rows[-1].place

    def patterns(self, chosen: TestFilter) -> list[tuple[str, str, int, str]]:
        """Kinds of failure with their counts and advice, the commonest first."""
        files, where = self._files(chosen), self._where(chosen)
        if where is None or not files:
            return []
        return self.reader.rows(
            f"SELECT category, root_cause, count(*), min(recommendations) FROM {PARQUET} "  # noqa: S608 -- known columns
            f"WHERE {where[0]} AND category IS NOT NULL "
            "GROUP BY category, root_cause ORDER BY count(*) DESC, category, root_cause",
            [files, *where[1]],
        )

    def values(self, metric: str, limit: int) -> tuple[list[float], int]:
        """The computed values of a metric in order, evenly drawn where there are more, and all."""
        position = self._position(metric)
        codes = [code for code, known in DECIDED.items() if known.state == "ok"]
        condition = (
            f"problem IS NULL AND {quoted(metric)} IS NOT NULL "
            "AND list_contains(?, substr(outcomes, ?, 1))"
        )
        given = [self._paths(self.parts), codes, position + 1]
        if not self.parts:
            return [], 0
        count = f"SELECT count(*) FROM {PARQUET} WHERE {condition}"  # noqa: S608 -- a known column
        ((total,),) = self.reader.rows(count, given)
        step = max(1, -(-total // limit))
        rows = self.reader.rows(
            f"SELECT value FROM (SELECT {quoted(metric)} AS value, row_number() OVER "  # noqa: S608 -- likewise
            f"(ORDER BY {quoted(metric)}, place) - 1 AS rank FROM {PARQUET} "
            f"WHERE {condition}) WHERE rank % ? = 0 ORDER BY rank",
            [*given, step],
        )
        return [value for (value,) in rows], total

    def worst(self, count: int) -> list[tuple[Sample, Scores]]:
        """The tests with the lowest scores, the lowest first."""
        if not self.parts:
            return []
        rows = self.reader.rows(
            f"SELECT place FROM {PARQUET} WHERE score IS NOT NULL "  # noqa: S608 -- no value in it
            "ORDER BY score, place LIMIT ?",
            [self._paths(self.parts), count],
        )
        return [self.whole(place)[:2] for (place,) in rows]

    def _where(self, chosen: TestFilter) -> tuple[str, list[Any]] | None:
        """The condition and the values of its parameters; None where nothing can fulfil it."""
        parts, values = ["problem IS NULL"], list[Any]()
        if chosen.metric is not None and chosen.metric not in self.metrics:
            return None
        if chosen.fails is not None and chosen.fails not in self.metrics:
            return None
        if chosen.metric is not None:
            parts.append("substr(outcomes, ?, 1) <> ?")
            values += [self._position(chosen.metric) + 1, ABSENT]
            for condition, limit in self._ranges(chosen, chosen.metric):
                parts.append(condition)
                values.append(limit)
        for column, wanted in (("status", chosen.status), ("test_language", chosen.language)):
            if wanted:
                parts.append(f"{column} = ?")
                values.append(wanted)
        if chosen.tag:
            parts.append("list_contains(tags, ?)")
            values.append(chosen.tag)
        if chosen.fails is not None:
            parts.append("list_contains(?, substr(outcomes, ?, 1))")
            values += [list(FAILS), self._position(chosen.fails) + 1]
        if chosen.text:
            columns = ("id", *COLUMNS, "texts")
            parts.append(f"({' OR '.join(f'contains(lower({name}), ?)' for name in columns)})")
            values += [chosen.text.lower()] * len(columns)
        return " AND ".join(parts), values

    def _ranges(self, chosen: TestFilter, metric: str) -> Iterator[tuple[str, float]]:
        """The parts of the metric's scale that are meant."""
        value, quality = quoted(metric), quoted(f"{metric}{QUALITY}")
        (low, high), (worst, best) = chosen.value, chosen.quality
        if low is not None:
            yield f"{value} >= ?", low
        if high is not None:
            yield f"{value} <= ?", high
        if worst is not None:
            yield f"{quality} >= ?", worst
        if best is not None:
            yield f"{quality} {'<=' if best >= 1 else '<'} ?", best

    def _order(self, chosen: TestFilter) -> list[str]:
        name = chosen.order.removeprefix("-")
        if name == "time" or (name == "value" and chosen.metric is None):
            name = "place" if name == "time" else ""
        if name:
            column = quoted(_ORDERS.get(name, name))
            if name == "value" and chosen.metric is not None:
                column = quoted(chosen.metric)
            way = "DESC" if chosen.order.startswith("-") else "ASC"
            return [f"{column} IS NULL", f"{column} {way}", "place"]
        worst = "score" if chosen.metric is None else f"{chosen.metric}{QUALITY}"
        return [f"{quoted(worst)} IS NULL", quoted(worst), "place"]

    def _position(self, metric: str) -> int:
        return list(self.metrics).index(metric)

    def _failing(self, outcomes: str) -> list[str]:
        codes = zip(self.metrics, outcomes, strict=False)
        return sorted(metric for metric, code in codes if code in FAILS)

    def _found_in(self, places: Sequence[int], text: str) -> dict[int, list[str]]:
        wanted = text.casefold()
        columns = ["place", "sample", *("id", *COLUMNS)]
        return {
            row.place: places_of(
                wanted, {name: getattr(row, name) for name in ("id", *COLUMNS)}, row.sample
            )
            for row in self._at(places, columns)
        }

    def _details(self, rows: Sequence[Any], metric: str | None = None) -> dict[int, dict[str, Any]]:
        """Place → metric → what the run keeps of its reasons; nothing where it keeps none."""
        kept: dict[int, dict[str, Any]] = {row.place: {} for row in rows}
        places = {(self._part(row.place).number, row.id): row.place for row in rows}
        for number in {number for number, _ in places}:
            path = self.reader.path("details", number)
            if path is None:
                continue
            ids = [id for own, id in places if own == number]
            condition = "list_contains(?, sample)" + (" AND metric = ?" if metric else "")
            sql = f"SELECT * FROM {PARQUET} WHERE {condition}"  # noqa: S608 -- no value in it
            given = [[path], ids, *([metric] if metric else [])]
            for row in self.reader.records(sql, given):
                kept[places[number, row.sample]][row.metric] = row
        return kept

    def _record(self, row: Any, details: Mapping[int, Mapping[str, Any]]) -> tuple[Any, Any, Any]:
        texts = {
            "query": row.query,
            "expected_response": row.expected,
            "actual_response": row.response,
        }
        sample = sample_of(row.sample, texts)
        own = details.get(row.place, {})
        other = {} if row.thresholds == NO_THRESHOLDS else loads(row.thresholds)
        results = {}
        for place, ((metric, declared), code) in enumerate(
            zip(self.metrics.items(), row.outcomes, strict=False)
        ):
            if code != ABSENT:
                score = StoredScore(
                    getattr(row, metric),
                    getattr(row, f"{metric}{QUALITY}"),
                    other.get(str(place), declared.threshold),
                    DECIDED[code],
                )
                reasons = _reasons_of(own.get(metric))
                results[metric] = result_of(metric, score, declared.signature, *reasons)
        stored = SimpleNamespace(**{**vars(row), "language": row.test_language})
        return sample, scores_of(sample, results, stored), row

    def _after(self, part: BlockPart, place: int) -> list[Any]:
        """The next tests of a block behind a place."""
        return self.reader.records(
            f"SELECT * FROM {PARQUET} WHERE problem IS NULL AND place > ? "  # noqa: S608 -- likewise
            "ORDER BY place LIMIT ?",
            [self._paths([part]), place, CHUNK],
        )

    def _at(self, places: Sequence[int], columns: Sequence[str]) -> list[Any]:
        """The tests at some places."""
        if not places:
            return []
        files = self._paths(sorted({self._part(place) for place in places}))
        listed, marks = ", ".join(columns), ", ".join("?" * len(places))
        return self.reader.records(
            f"SELECT {listed} FROM {PARQUET} "  # noqa: S608 -- known columns, and marks
            f"WHERE place IN ({marks}) AND problem IS NULL",
            [files, *places],
        )

    def _part(self, place: int) -> BlockPart:
        """The block that holds a record."""
        index = bisect_right([part.place for part in self.parts], place) - 1
        if index < 0:
            raise NotFoundError(f"there is no record {place} in run {self.name!r}")
        return self.parts[index]

    def _files(self, chosen: TestFilter) -> list[str]:
        since = chosen.since
        return self._paths([p for p in self.parts if since is None or p.written >= since])

    def _paths(self, parts: Sequence[BlockPart]) -> list[str]:
        return [self.reader.sample_path(part.number) for part in parts]


def _reasons_of(row: Any) -> tuple[str, Mapping[str, Any], list[Span]]:
    """Explanation, details and evidence of a result."""
    if row is None:
        return NOT_KEPT, {}, []
    spans = [Span(**span) for span in loads(row.evidence)]
    return row.explanation, loads(row.details), spans


def open_block_tests(store: Store, run: int | None) -> BlockTests | None:
    """The tests of a run by blocks; None for a run whose tests are in the store."""
    if run is None:
        return None

    def work(connection: Connection) -> tuple[Any, dict[str, ScoredMetric], list[BlockPart]] | None:
        from sqlalchemy import select

        runs, parts = schema.runs, schema.run_parts
        row = connection.execute(
            select(runs.c.name, runs.c.folder).where(runs.c.id == run)
        ).one_or_none()
        if row is None or not row.folder:
            return None
        query = parts.select().where(parts.c.run_id == run).order_by(parts.c.place)
        listed = [BlockPart(p.place, p.number, p.written) for p in connection.execute(query)]
        return row, run_metrics(connection, run), listed

    opened = store.read(work)
    if opened is None:
        return None
    row, metrics, parts = opened
    reader = ParquetReader(row.folder, row.name, store.reading_limit)
    return BlockTests(run, row.name, metrics, parts, reader)


def refuse_blocks(store: Store, run: int) -> None:
    """Refuse a run by blocks where its samples would have to be in the store."""
    if blocks := open_block_tests(store, run):
        raise UsageError(
            f"the samples of run {blocks.name!r} lie in Parquet files; score a part of them with "
            "--limit and without a folder to do this"
        )
