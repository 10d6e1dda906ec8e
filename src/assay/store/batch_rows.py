"""A scored batch as the rows that stand for it in every table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from assay.core import Result, Sample, SampleError, Scores
from assay.core.jsontext import dumps
from assay.data.metric_roles import metric_roles
from assay.store import schema
from assay.store.row_codec import TEXTS, Outcome, rest_of, safe, score_row, spans_text

if TYPE_CHECKING:
    from sqlalchemy import Table

Row = tuple[Any, ...]
UNKNOWN = "unknown"
"""The language of scores that name none."""


class BatchRows:
    """The rows of one batch; `places` records of the run came before it.

    `outcomes`, where given, has one for each sample; otherwise the scores tell how it went.
    """

    def __init__(
        self,
        run: int,
        places: int,
        batch: Sequence[Sample | SampleError],
        scored: Sequence[Scores],
        timestamp: float,
        outcomes: Sequence[Outcome] = (),
    ) -> None:
        self.run = run
        self.timestamp = timestamp
        self.tests: list[tuple[Sample, Scores, Outcome, str]] = []
        """Sample, scores, outcome and language of every test."""
        self.test_results: list[Row] = []
        self.samples: list[Row] = []
        self.test_tags: list[Row] = []
        self.validation_details: list[Row] = []
        self.scoring_details: list[Row] = []
        self.evidence: list[Row] = []
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
                outcome = next(went, None) or _outcome(item, scores)
                self._add(schema.test_id(run, place), item, scores, outcome)

    def tables(self) -> Iterator[tuple[Table, list[Row]]]:
        """Every table with its new rows, those first that others refer to."""
        for name in (
            "test_results",
            "samples",
            "test_tags",
            "validation_details",
            "scoring_details",
            "evidence",
            "quality_checks",
            "failure_analysis",
            "unread_records",
        ):
            yield getattr(schema, name), getattr(self, name)

    def _add(self, id: int, sample: Sample, scores: Scores, outcome: Outcome) -> None:
        code = scores.language or sample.language or UNKNOWN
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
                safe(str(sample.metadata.get("test_type", "evaluation"))),
                safe(outcome.error_message),
                safe(outcome.stack_trace),
                scores.score,
            )
        )
        self.samples.append((id, rest_of(sample)))
        self.test_tags += [(self.run, tag, id) for tag in dict.fromkeys(map(safe, sample.tags))]
        self.validation_details.append(_validation(id, sample, results))
        for metric, result in results.items():
            self.scoring_details.append(score_row(id, metric, result))
            if result.evidence:
                self.evidence.append((id, metric, spans_text(result.evidence)))
        checked = metric_roles().quality_checks
        checks = results[checked].details if checked in results else {}
        self.quality_checks += [
            (id, name, held, "{}") for name, held in checks.items() if isinstance(held, bool)
        ]
        if failure := scores.failure:
            patterns, advice = (dumps(list(part)) for part in failure[2:])
            self.failure_analysis.append(
                (id, failure.root_cause, failure.category, patterns, advice)
            )


def _outcome(sample: Sample, scores: Scores) -> Outcome:
    """How a test went, by its scores alone."""
    failed = (r.explanation for r in scores.results.values() if r.state == "error")
    return Outcome(scores.status, sample.duration, next(failed, None))


def _validation(id: int, sample: Sample, results: Mapping[str, Result]) -> Row:
    similarity = next(
        (results[name] for name in metric_roles().similarity if name in results), None
    )
    texts = [safe(getattr(sample, name)) for name in TEXTS]
    if similarity is None:
        return (id, *texts, None, None, "metrics", None)
    return (id, *texts, similarity.value, similarity.threshold, "semantic", similarity.passed)
