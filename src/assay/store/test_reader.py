"""Reads stored tests back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from assay.core import Result, Sample, SampleError, Scores
from assay.store import schema
from assay.store.connect import Store
from assay.store.packed_blocks import PackedBlock
from assay.store.packed_scores import unpack_scores
from assay.store.row_codec import TEXTS, rest_of, result_of, safe, sample_of, scores_of

if TYPE_CHECKING:
    from sqlalchemy import Connection, Select

FAILURE = ("root_cause", "category", "detected_patterns", "recommendations")
"""The columns of `failure_analysis` that say why a test failed."""
MOST_BLOCKS = 1000
"""Blocks that one query asks for: fewer than a statement may have parameters."""


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """What a run holds of one record: a scored sample, or why it could not be read."""

    sample: Sample | None
    scores: Scores | None
    problem: str | None = None

    def is_of(self, item: Sample | SampleError) -> bool:
        """Whether it was made of this very record."""
        if isinstance(item, SampleError):
            return self.problem == safe(str(item))
        return self.sample == item or (
            self.sample is not None and _whole(self.sample) == _whole(item)
        )


def _whole(sample: Sample) -> tuple[Any, ...]:
    return (rest_of(sample), *(getattr(sample, name) for name in TEXTS))


def read_places(store: Store, run: int, start: int, end: int) -> dict[int, StoredRecord]:
    """The records of a run from one place to before another, by place."""

    def work(connection: Connection) -> dict[int, StoredRecord]:
        first, last = schema.test_id(run, start), schema.test_id(run, end)
        samples, scores = read_scored(connection, run, first, last)
        result = {
            id - schema.test_id(run, 0): StoredRecord(samples[id], scores[id]) for id in samples
        }
        unread = schema.unread_records
        query = unread.select().where(
            unread.c.run_id == run, unread.c.place >= start, unread.c.place < end
        )
        for row in connection.execute(query):
            result[row.place] = StoredRecord(None, None, row.problem)
        return result

    return store.read(work)


def read_scored(
    connection: Connection, run: int, first: int, last: int
) -> tuple[dict[int, Sample], dict[int, Scores]]:
    """Samples and scores of the tests from one id to before another."""
    from sqlalchemy import select

    tests, texts, packed = schema.test_results, schema.validation_details, schema.test_scores
    failed = schema.failure_analysis
    reasons = (failed.c[n] for n in FAILURE)
    query = (
        select(
            tests.c.status,
            tests.c.score,
            tests.c.language,
            packed,
            *(texts.c[column] for column in TEXTS.values()),
            *reasons,
        )
        .join(packed, packed.c.test_id == tests.c.test_id)
        .join(texts, texts.c.test_id == tests.c.test_id)
        .outerjoin(failed, failed.c.test_id == tests.c.test_id)
        .where(tests.c.test_id >= first, tests.c.test_id < last)
        .order_by(tests.c.test_id)
    )
    metrics = run_metrics(connection, run)
    rows = connection.execute(query).all()
    blocks = read_blocks(connection, {row.block for row in rows})
    samples: dict[int, Sample] = {}
    scores: dict[int, Scores] = {}
    for row in rows:
        block = blocks[row.block]
        columns = {column: getattr(row, column) for column in TEXTS.values()}
        sample = samples[row.test_id] = sample_of(block.sample(row.entry), columns)
        scores[row.test_id] = scores_of(sample, _results(row, block, metrics), row)
    return samples, scores


class ScoredMetric(NamedTuple):
    """What a run says of a metric."""

    signature: str
    threshold: float | None


def run_metrics(connection: Connection, run: int) -> dict[str, ScoredMetric]:
    """The metrics of a run, in its order."""
    table = schema.run_metrics
    query = table.select().where(table.c.run_id == run).order_by(table.c.position)
    return {
        row.metric_name: ScoredMetric(row.signature, row.threshold)
        for row in connection.execute(query)
    }


def read_blocks(
    connection: Connection, numbers: Iterable[int], *columns: str
) -> dict[int, PackedBlock]:
    """Rows of `test_blocks` by their first test, with these columns alone where some are named."""
    from sqlalchemy import select

    table = schema.test_blocks
    read = [table.c[name] for name in columns] if columns else table.c.values()[1:]
    every = sorted(numbers)
    return {
        row.first_test: PackedBlock(row)
        for start in range(0, len(every), MOST_BLOCKS)
        for row in connection.execute(
            select(table.c.first_test, *read).where(
                table.c.first_test.in_(every[start : start + MOST_BLOCKS])
            )
        )
    }


def _results(
    row: Any, block: PackedBlock, metrics: Mapping[str, ScoredMetric]
) -> dict[str, Result]:
    """Metric → result of one test, in the run's order of metrics."""
    explanations, details = block.explanations(row.entry), block.details(row.entry)
    evidence = block.evidence(row.entry)
    thresholds = {metric: entry.threshold for metric, entry in metrics.items()}
    return {
        metric: result_of(
            metric,
            score,
            metrics[metric].signature,
            explanations[place],
            details[place],
            evidence.get(place, ()),
        )
        for metric, (place, score) in unpack_scores(row, thresholds).items()
    }


def read_page(
    connection: Connection, query: Select[Any], limit: int, offset: int
) -> tuple[Sequence[Any], int]:
    """A part of the rows of a query, and how many there are in all."""
    from sqlalchemy import func, select

    every = query.order_by(None).subquery()
    total = connection.execute(select(func.count()).select_from(every)).scalar_one()
    return connection.execute(query.limit(limit).offset(offset)).all(), total
