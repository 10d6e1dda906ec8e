"""Reads stored tests back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.core import Result, Sample, SampleError, Scores
from assay.store import schema
from assay.store.connect import Store
from assay.store.row_codec import TEXTS, rest_of, result_of, safe, sample_of, scores_of

if TYPE_CHECKING:
    from sqlalchemy import Connection, Select

FAILURE = ("root_cause", "category", "detected_patterns", "recommendations")
"""The columns of `failure_analysis` that say why a test failed."""


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

    tests, texts, rest = schema.test_results, schema.validation_details, schema.samples
    failed = schema.failure_analysis
    reasons = (failed.c[n] for n in FAILURE)
    query = (
        select(
            tests.c.test_id,
            tests.c.status,
            tests.c.score,
            tests.c.language,
            rest.c.rest,
            *(texts.c[column] for column in TEXTS.values()),
            *reasons,
        )
        .join(rest, rest.c.test_id == tests.c.test_id)
        .join(texts, texts.c.test_id == tests.c.test_id)
        .outerjoin(failed, failed.c.test_id == tests.c.test_id)
        .where(tests.c.test_id >= first, tests.c.test_id < last)
        .order_by(tests.c.test_id)
    )
    results = _results(connection, run, first, last)
    samples: dict[int, Sample] = {}
    scores: dict[int, Scores] = {}
    for row in connection.execute(query):
        columns = {column: getattr(row, column) for column in TEXTS.values()}
        sample = samples[row.test_id] = sample_of(row.rest, columns)
        own_results = results.get(row.test_id, {})
        scores[row.test_id] = scores_of(sample, own_results, row)
    return samples, scores


def _results(
    connection: Connection, run: int, first: int, last: int
) -> Mapping[int, dict[str, Result]]:
    """Test → metric → result, in the run's order of metrics."""
    from sqlalchemy import and_, select

    scoring, evidence, metrics = schema.scoring_details, schema.evidence, schema.run_metrics
    query = (
        select(scoring, evidence.c.spans, metrics.c.signature)
        .join(
            metrics,
            and_(metrics.c.run_id == run, metrics.c.metric_name == scoring.c.metric_name),
        )
        .outerjoin(
            evidence,
            and_(
                evidence.c.test_id == scoring.c.test_id,
                evidence.c.metric_name == scoring.c.metric_name,
            ),
        )
        .where(scoring.c.test_id >= first, scoring.c.test_id < last)
        .order_by(scoring.c.test_id, metrics.c.position)
    )
    results: dict[int, dict[str, Result]] = {}
    for row in connection.execute(query):
        result = result_of(row, row.spans, row.signature)
        results.setdefault(row.test_id, {})[row.metric_name] = result
    return results


def read_page(
    connection: Connection, query: Select[Any], limit: int, offset: int
) -> tuple[Sequence[Any], int]:
    """A part of the rows of a query, and how many there are in all."""
    from sqlalchemy import func, select

    every = query.order_by(None).subquery()
    total = connection.execute(select(func.count()).select_from(every)).scalar_one()
    return connection.execute(query.limit(limit).offset(offset)).all(), total
