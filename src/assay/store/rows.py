"""A scored batch as the rows that stand for it in every table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from assay.core import Result, Sample, SampleError, Scores
from assay.features.language import language
from assay.features.normal import normal
from assay.features.words import words
from assay.store import schema
from assay.store.failures import analysis
from assay.store.records import TEXTS, rest_of, safe, score_row, spans_text

if TYPE_CHECKING:
    from sqlalchemy import Table

Row = tuple[Any, ...]
SIMILARITIES = ("chat.semantic_similarity", "chat.accuracy")
"""The metrics whose value is a test's similarity to the expected response, the best first."""
QUALITY_CHECKS = "chat.response_quality"
"""The metric whose details are a test's quality checks."""


class Rows:
    """The rows of one batch; `places` records of the run came before it."""

    def __init__(
        self,
        run: int,
        places: int,
        batch: Sequence[Sample | SampleError],
        scored: Sequence[Scores],
        timestamp: float,
    ) -> None:
        self.run = run
        self.timestamp = timestamp
        self.tests: list[tuple[Sample, Scores, str, str]] = []
        """Sample, scores, status and language of every test."""
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
        for place, item in enumerate(batch, places):
            if isinstance(item, SampleError):
                self.unread_records.append((run, place, safe(str(item))))
            else:
                self._add(schema.test_id(run, place), item, next(results))

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

    def _add(self, id: int, sample: Sample, scores: Scores) -> None:
        status = {True: "passed", False: "failed", None: "unjudged"}[scores.passed]
        code = sample.language or _language(sample.response or sample.query or "")
        results = scores.results
        error = next((r.explanation for r in results.values() if r.state == "error"), None)
        self.tests.append((sample, scores, status, code))
        self.test_results.append(
            (
                id,
                self.run,
                safe(sample.id),
                self.timestamp,
                status,
                sample.duration,
                safe(code),
                safe(str(sample.metadata.get("test_type", "evaluation"))),
                safe(error),
                None,
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
        checks = results[QUALITY_CHECKS].details if QUALITY_CHECKS in results else {}
        self.quality_checks += [
            (id, name, held, "{}") for name, held in checks.items() if isinstance(held, bool)
        ]
        if status == "failed":
            self.failure_analysis.append((id, *analysis(sample, results, code)))


def _validation(id: int, sample: Sample, results: Mapping[str, Result]) -> Row:
    found = next((results[name] for name in SIMILARITIES if name in results), None)
    texts = [safe(getattr(sample, name)) for name in TEXTS]
    if found is None:
        return (id, *texts, None, None, "metrics", None)
    return (id, *texts, found.value, found.threshold, "semantic", found.passed)


def _language(text: str) -> str:
    """The language code of a text, "unknown" where none can be told."""
    head = normal.feature(text[:1000])
    found: str = language.feature(head, words.feature(head))
    return "unknown" if found == "und" else found
