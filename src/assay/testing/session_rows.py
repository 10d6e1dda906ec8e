"""The tests of a session as samples with scores: what the store and the reports take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import NamedTuple

from assay.core import Result, Sample, Scores
from assay.core.jsontext import dumps
from assay.core.plain import sample_json
from assay.data import fingerprint
from assay.engine.failures import analyse_failure
from assay.runner.redaction import mask, mask_sample, mask_scores
from assay.store.row_codec import Outcome
from assay.testing.answer_check import Check
from assay.testing.outcomes import TestOutcome
from assay.textproc.language import listed_language

Metrics = Mapping[str, tuple[str, float | None]]
"""Metric → its signature and threshold."""
_VERDICTS = {"passed": True, "failed": False}


class SessionRow(NamedTuple):
    """An answer that a test has scored, or a test that has scored none."""

    sample: Sample
    scores: Scores
    outcome: Outcome

    def masked(self) -> SessionRow:
        """The row without personal data, in what pytest says of the test too."""
        outcome = replace(
            self.outcome,
            error_message=mask(self.outcome.error_message),
            stack_trace=mask(self.outcome.stack_trace),
        )
        return SessionRow(mask_sample(self.sample), mask_scores(self.scores), outcome)


@dataclass
class _Answer:
    """All checks of one sample within a test."""

    sample: Sample
    checks: list[Check] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        return all(check.holds is not False for check in self.checks)

    def results(self) -> dict[str, Result]:
        """One result a metric: what was asserted stands before signals, what failed before all."""
        result: dict[str, Result] = {}
        for check in sorted(self.checks, key=_rank):
            result |= check.scores.results
        return result

    def score(self) -> float | None:
        """The mean quality of what was asserted, or of the signals where nothing was."""
        asserted = [c for c in self.checks if c.holds is not None] or self.checks
        scores = [c.scores.score for c in asserted if c.scores.score is not None]
        return fmean(scores) if scores else None


def _rank(check: Check) -> int:
    return {None: 0, True: 1, False: 2}[check.holds]


def rows_of(test: TestOutcome) -> Iterator[SessionRow]:
    """One row for every answer that the test has scored; a single one where it has scored none."""
    answers = _answers(Check.from_text(text) for text in test.checks) or [_Answer(Sample())]
    for place, answer in enumerate(answers, start=1):
        name = test.name if len(answers) == 1 else f"{test.name}#{place}"
        is_last = place == len(answers)
        outcome = _outcome(test, answer, is_last=is_last)
        passed = _VERDICTS.get(outcome.status)
        results = answer.results()
        scores = Scores(
            name,
            results,
            answer.score(),
            passed,
            None if passed is not False else analyse_failure(answer.sample, results),
            listed_language(answer.sample),
            is_skipped=outcome.status == "skipped",
            is_unsure=outcome.status == "unsure",
        )
        yield SessionRow(_named(answer.sample, name), scores, outcome)


def _answers(checks: Iterable[Check]) -> list[_Answer]:
    """The checks by sample, in the order in which the samples came."""
    answers: dict[str, _Answer] = {}
    for check in checks:
        key = dumps(sample_json(check.sample))
        answers.setdefault(key, _Answer(check.sample)).checks.append(check)
    return list(answers.values())


def _outcome(test: TestOutcome, answer: _Answer, *, is_last: bool) -> Outcome:
    """How the test went with an answer: a test ends at the first that fails."""
    if is_last:
        return Outcome(test.status, test.duration, test.message, test.trace)
    return Outcome("passed" if answer.holds or test.status == "passed" else "failed")


def _named(sample: Sample, name: str) -> Sample:
    """The sample under the test's name; its own id stays among the metadata."""
    own = {"sample_id": sample.id} if sample.id else {}
    return replace(sample, id=name, metadata={"test_type": "pytest", **own, **sample.metadata})


def metrics_of(rows: Sequence[SessionRow]) -> Metrics:
    """The metrics of all tests, by id.

    Where tests differ, no threshold is the session's, and the signature stands for all of theirs.
    """
    signatures: dict[str, set[str]] = {}
    thresholds: dict[str, set[float]] = {}
    for row in rows:
        for id, result in row.scores.results.items():
            signatures.setdefault(id, set()).add(result.signature)
            if result.threshold is not None:
                thresholds.setdefault(id, set()).add(result.threshold)
    return {
        id: (_signature(id, own_signatures), _only(thresholds.get(id, set())))
        for id, own_signatures in sorted(signatures.items())
    }


def gating_of(rows: Sequence[SessionRow]) -> frozenset[str]:
    """The metrics that some test was asserted by."""
    return frozenset(
        id for row in rows for id, result in row.scores.results.items() if result.gates
    )


def _only(values: set[float]) -> float | None:
    return next(iter(values)) if len(values) == 1 else None


def _signature(metric: str, values: set[str]) -> str:
    if len(values) == 1:
        return next(iter(values))
    return f"{metric}|mixed:{fingerprint(' '.join(sorted(values)))}"
