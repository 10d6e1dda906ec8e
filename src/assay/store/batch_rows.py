"""A scored batch as the rows that stand for it in every table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from assay.core import Result, Sample, SampleError, Scores
from assay.core.jsontext import dumps
from assay.data.metric_roles import metric_roles
from assay.store import schema
from assay.store.packed_blocks import BLOCK, pack_block
from assay.store.packed_scores import PackedScores, in_order, pack_scores
from assay.store.row_codec import TEXTS, Outcome, rest_of, safe

if TYPE_CHECKING:
    from sqlalchemy import Table

Row = tuple[Any, ...]
UNKNOWN = "unknown"
"""The language of scores that name none."""


class BatchRows:
    """The rows of one batch; `places` records of the run came before it.

    `thresholds` are those of the run's metrics, in the run's order. `outcomes`, where given, has
    one for each sample; otherwise the scores tell how it went.
    """

    def __init__(
        self,
        run: int,
        thresholds: Mapping[str, float | None],
        places: int,
        batch: Sequence[Sample | SampleError],
        scored: Sequence[Scores],
        timestamp: float,
        outcomes: Sequence[Outcome] = (),
    ) -> None:
        self.run = run
        self.thresholds = thresholds
        self.timestamp = timestamp
        self.tests: list[tuple[Sample, Scores, Outcome, str]] = []
        """Sample, scores, outcome and language of every test."""
        self.values: list[list[float | None]] = []
        """The values of every test, in the order of the run's metrics."""
        self.packed: list[PackedScores] = []
        """The scores of every test."""
        self.test_results: list[Row] = []
        self.test_blocks: list[Row] = []
        self.test_scores: list[Row] = []
        self.test_tags: list[Row] = []
        self.validation_details: list[Row] = []
        self.quality_checks: list[Row] = []
        self.failure_analysis: list[Row] = []
        self.unread_records: list[Row] = []
        results = iter(scored)
        went = iter(outcomes)
        for place, item in enumerate(batch, places):
            if isinstance(item, SampleError):
                self.unread_records.append((run, place, safe(str(item))))
            else:
                scores = next(results)
                outcome = next(went, None) or outcome_of(item, scores)
                self._add(schema.test_id(run, place), item, scores, outcome)
        for start in range(0, len(self.tests), BLOCK):
            self._add_block(range(start, min(start + BLOCK, len(self.tests))))

    def tables(self) -> Iterator[tuple[Table, list[Row]]]:
        """Every table with its new rows, those first that others refer to."""
        for name in (
            "test_results",
            "test_blocks",
            "test_scores",
            "test_tags",
            "validation_details",
            "quality_checks",
            "failure_analysis",
            "unread_records",
        ):
            yield getattr(schema, name), getattr(self, name)

    def _add(self, id: int, sample: Sample, scores: Scores, outcome: Outcome) -> None:
        code = language_of(sample, scores)
        results = scores.results
        self.tests.append((sample, scores, outcome, code))
        self.test_results.append(
            (
                id,
                self.run,
                safe(sample.id),
                self.timestamp,
                outcome.status,
                outcome.duration,
                safe(code),
                type_of(sample),
                safe(outcome.error_message),
                safe(outcome.stack_trace),
                scores.score,
            )
        )
        self.test_tags += [(self.run, tag, id) for tag in dict.fromkeys(map(safe, sample.tags))]
        self.validation_details.append(_validation(id, sample, results))
        checked = metric_roles().quality_checks
        checks = results[checked].details if checked in results else {}
        self.quality_checks += [
            (id, name, held, "{}") for name, held in checks.items() if isinstance(held, bool)
        ]
        if failure := scores.failure:
            patterns, advice = _listed(failure[2]), _listed(failure[3])
            self.failure_analysis.append(
                (id, failure.root_cause, failure.category, patterns, advice)
            )

    def _add_block(self, places: range) -> None:
        """Pack the scores of some tests of the batch."""
        ids = [self.test_results[place][0] for place in places]
        samples = [self.tests[place][0] for place in places]
        results = [in_order(self.tests[place][1].results, self.thresholds) for place in places]
        columns = pack_block([rest_of(sample) for sample in samples], results)
        self.test_blocks.append((ids[0], *columns))
        for entry, (id, own) in enumerate(zip(ids, results, strict=True)):
            packed = pack_scores(own, self.thresholds.values())
            self.values.append([result.value for result in own])
            self.packed.append(packed)
            self.test_scores.append((id, ids[0], entry, *packed))


@lru_cache(maxsize=1024)
def _listed(words: tuple[str, ...]) -> str:
    """Words as JSON; tests fail in few ways."""
    return dumps(list(words))


def outcome_of(sample: Sample, scores: Scores) -> Outcome:
    """How a test went, by its scores alone."""
    failed = (r.explanation for r in scores.results.values() if r.state == "error")
    return Outcome(scores.status, sample.duration, next(failed, None))


def language_of(sample: Sample, scores: Scores) -> str:
    """The language that a test is grouped by."""
    return scores.language or sample.language or UNKNOWN


def type_of(sample: Sample) -> str | None:
    """The kind of test that a sample says it is."""
    return safe(str(sample.metadata.get("test_type", "evaluation")))


def _validation(id: int, sample: Sample, results: Mapping[str, Result]) -> Row:
    similarity = next(
        (results[name] for name in metric_roles().similarity if name in results), None
    )
    texts = [safe(getattr(sample, name)) for name in TEXTS]
    if similarity is None:
        return (id, *texts, None, None, "metrics", None)
    return (id, *texts, similarity.value, similarity.threshold, "semantic", similarity.passed)
