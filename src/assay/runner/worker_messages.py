"""What travels between a run and its workers: plain text and counts, never objects of records.

Records are data of others. They go to a worker as JSON and come back as JSON, so that the pickles
between the processes, in which Python can be told to call anything, hold texts and numbers and
nothing that a record decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.core import FailureAnalysis, Result, Sample, Scores, Span
from assay.core.jsontext import MAX_DEPTH, dumps, loads
from assay.core.plain import sample_from_json, sample_json
from assay.core.score_digest import ScoreDigest


def sample_texts(samples: Sequence[Sample]) -> list[str] | None:
    """Samples for a worker; None where one holds what is no plain data, as a Python call may."""
    try:
        texts = [dumps(sample_json(sample), is_compact=True) for sample in samples]
        for text in texts:
            if text.count("[") + text.count("{") > MAX_DEPTH:  # seldom, so it is looked at
                loads(text)
    except (TypeError, ValueError, RecursionError):
        return None
    return texts


def read_samples(texts: Sequence[str]) -> list[Sample]:
    """The samples again."""
    return [sample_from_json(loads(text)) for text in texts]


def score_texts(scored: Sequence[Scores | ScoreDigest]) -> list[str]:
    """Scores, or digests of them, for the run."""
    return [dumps(_packed(one), is_compact=True) for one in scored]


def read_scores(texts: Sequence[str]) -> list[Scores | ScoreDigest]:
    """The scores and digests again."""
    return [_unpacked(loads(text)) for text in texts]


def read_row(sample: str, scores: str) -> tuple[Sample, Scores]:
    """A sample and its whole scores again."""
    (one,), (own,) = read_samples([sample]), read_scores([scores])
    assert isinstance(own, Scores)
    return one, own


def _packed(scored: Scores | ScoreDigest) -> list[Any]:
    if isinstance(scored, ScoreDigest):
        return [*scored]
    failure = scored.failure
    return [
        *(scored.id, [_row(*entry) for entry in scored.results.items()], scored.score),
        *(scored.passed, None if failure is None else [*failure], scored.language),
        *(scored.is_skipped, scored.is_unsure),
    ]


def _row(id: str, result: Result) -> list[Any]:
    return [id, *result._replace(evidence=[*result.evidence])]


def _unpacked(row: list[Any]) -> Scores | ScoreDigest:
    if len(row) == len(ScoreDigest._fields):
        return ScoreDigest(*row)
    id, results, score, passed, failure, language, is_skipped, is_unsure = row
    return Scores(
        id,
        {name: _result(fields) for name, *fields in results},
        score,
        passed,
        None if failure is None else FailureAnalysis(*failure[:2], *map(tuple, failure[2:])),
        language,
        is_skipped=is_skipped,
        is_unsure=is_unsure,
    )


def _result(fields: list[Any]) -> Result:
    result = Result(*fields)
    return result._replace(
        evidence=tuple(Span(*span) for span in result.evidence),
        unsure=None if result.unsure is None else (result.unsure[0], result.unsure[1]),
    )
