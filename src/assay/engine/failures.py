"""Why a failed sample failed, as far as its texts and scores tell.

The categories, and the metrics whose scores are signs of them, are data (`data/failures.toml`);
the signs that are read off the texts are here. The engine analyses each failed sample once and
the analysis travels with its scores.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from assay.core import FailureAnalysis, Result, Sample, Scores
from assay.data.bundled_files import read_bundled_toml
from assay.textproc.language import listed_language
from assay.textproc.normal import normalise
from assay.textproc.patterns import matcher

SHORT = 20
"""Characters below which an answer is too short to be one."""
SCANNED = 20_000
"""Characters of an answer that are searched for stock phrases."""
MAX_RECOMMENDATIONS = 10
TEXT_SIGNS = ("fallback_phrase", "short_response", "markup", "other_script")
"""The signs that are read off the texts."""
_ARABIC = re.compile("[\u0600-\u06ff]")


@dataclass(frozen=True, slots=True)
class ScoreSign:
    """A score that is a sign of a failure: below a limit or its threshold, or a failed check."""

    name: str
    metric: str
    below: float | None = None
    """The limit on the metric's own scale; the metric's threshold where there is none."""
    check: str | None = None
    """The entry of the result's details that is false."""

    def is_shown_by(self, result: Result) -> bool:
        """Whether the result shows the sign."""
        if self.check is not None:
            return result.details.get(self.check) is False
        if self.below is None:
            return result.passed is False
        return result.value is not None and result.value < self.below


@dataclass(frozen=True, slots=True)
class Cause:
    """What some signs of a category mean, and what may be done about it."""

    signs: frozenset[str]
    root_cause: str
    recommendations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FailureCategory:
    """A kind of failure; the first of its causes with a sign gives the sentence."""

    name: str
    causes: tuple[Cause, ...]
    overrides: bool = False
    """Whether it wins over categories that stand before it."""

    @property
    def is_general(self) -> bool:
        """Whether it needs no sign: it says no more than that something failed."""
        return not any(cause.signs for cause in self.causes)

    def cause(self, signs: frozenset[str]) -> Cause | None:
        """The first cause that the signs show."""
        return next((c for c in self.causes if not c.signs or c.signs & signs), None)


@cache
def categories() -> tuple[FailureCategory, ...]:
    """The kinds of failure, in the order in which they are tried."""
    return tuple(
        FailureCategory(
            entry["name"],
            tuple(
                Cause(
                    frozenset(cause["signs"]),
                    cause["root_cause"],
                    tuple(cause["recommendations"]),
                )
                for cause in entry["cause"]
            ),
            entry.get("overrides", False),
        )
        for entry in read_bundled_toml("failures.toml")["category"]
    )


@cache
def score_signs() -> tuple[ScoreSign, ...]:
    """The signs that are read off scores."""
    return tuple(ScoreSign(**entry) for entry in read_bundled_toml("failures.toml")["sign"])


def analyse_failure(sample: Sample, results: Mapping[str, Result]) -> FailureAnalysis:
    """The kind of failure of a sample that failed a metric; what does not gate is no sign."""
    results = {id: result for id, result in results.items() if result.gates}
    signs = [*_text_signs(sample), *_score_signs(results)]
    failed = [f"failed:{id}" for id, result in results.items() if result.passed is False]
    return _explained(frozenset(signs))._replace(detected_patterns=(*signs, *failed))


@lru_cache(maxsize=1024)
def _explained(signs: frozenset[str]) -> FailureAnalysis:
    """What some signs mean together."""
    fitting = [(c, cause) for c in categories() if (cause := c.cause(signs)) is not None]
    category, cause = next((entry for entry in fitting if entry[0].overrides), fitting[0])
    causes = (cause, *(other for _, other in fitting))
    advice = dict.fromkeys(text for c in causes for text in c.recommendations)
    return FailureAnalysis(
        cause.root_cause,
        category.name,
        recommendations=tuple(advice)[:MAX_RECOMMENDATIONS],
    )


def describe_scores(sample: Sample, scores: Scores) -> Scores:
    """The scores with their language and, if they failed, the reason, where these are absent."""
    language = scores.language or listed_language(sample)
    failure = scores.failure
    if failure is None and scores.passed is False:
        failure = analyse_failure(sample, scores.results)
    return replace(scores, language=language, failure=failure)


def _text_signs(sample: Sample) -> Iterator[str]:
    query, response = sample.query or "", (sample.response or "").strip()
    shown = (
        _falls_back(response),
        len(response) < SHORT,
        "<" in response and ">" in response,
        _has_other_script(query, response),
    )
    yield from (name for name, holds in zip(TEXT_SIGNS, shown, strict=True) if holds)


def _score_signs(results: Mapping[str, Result]) -> Iterator[str]:
    for sign in score_signs():
        if sign.metric in results and sign.is_shown_by(results[sign.metric]):
            yield sign.name


def _falls_back(response: str) -> bool:
    phrases = matcher(frozenset({"fallback.en", "fallback.ar"}))
    return next(phrases.find(normalise(response[:SCANNED])), None) is not None


def _has_other_script(query: str, response: str) -> bool:
    """Whether one of the texts is Arabic and the other has letters, but no Arabic ones."""
    question, answer = query[:SCANNED], response[:SCANNED]
    if not (any(map(str.isalpha, question)) and any(map(str.isalpha, answer))):
        return False
    return _is_arabic(question) != _is_arabic(answer)


def _is_arabic(text: str) -> bool:
    return not text.isascii() and _ARABIC.search(text) is not None
