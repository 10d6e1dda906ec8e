"""One scoring of one answer within a test, and its way from a worker to the session's end."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from assay.core import Result, Sample, Scores, Span, UsageError
from assay.core.plain import sample_from_json, sample_json

if TYPE_CHECKING:
    import pytest


class Check(NamedTuple):
    """An answer with its scores."""

    sample: Sample
    scores: Scores
    holds: bool | None
    """Whether what was asserted holds; None where nothing was."""

    def to_text(self) -> str:
        """The check as JSON in plain ASCII, which every channel between processes can carry."""
        scores = self.scores
        fields = {
            "sample": sample_json(self.sample),
            "results": {id: result.to_json() for id, result in scores.results.items()},
            "score": scores.score,
            "holds": self.holds,
        }
        try:
            return json.dumps(fields, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise UsageError(f"the sample cannot be kept as JSON: {error}") from None

    @classmethod
    def from_text(cls, text: str) -> Check:
        """The check again."""
        document = json.loads(text)
        sample = sample_from_json(document["sample"])
        results = {id: _result(id, entry) for id, entry in document["results"].items()}
        return cls(sample, Scores(sample.id, results, document["score"]), document["holds"])


def _result(metric: str, entry: dict[str, Any]) -> Result:
    evidence = tuple(Span(**span) for span in entry.pop("evidence"))
    return Result(**entry, evidence=evidence, metric=metric)


def keep(test: pytest.Item, check: Check) -> None:
    """Keep a check with its test, and its scores as the test's properties in JUnit files."""
    from assay.testing.outcomes import CHECKS  # needs pytest, as the rest here does not

    test.stash.setdefault(CHECKS, []).append(check.to_text())
    results = check.scores.results
    test.user_properties[:] = [entry for entry in test.user_properties if entry[0] not in results]
    for id, result in results.items():
        test.user_properties.append((id, result.state if result.value is None else result.value))


def without_verdict(scores: Scores) -> Scores:
    """The scores as mere signals: nothing says whether they are good enough."""
    results = {
        id: result._replace(threshold=None, passed=None, verdict=None, gates=False)
        for id, result in scores.results.items()
    }
    return Scores(scores.id, results, scores.score)
