"""How free a JSON output is of blocked words and personal data that the ground truth lacks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from assay.core import Result, Span
from assay.features.hits import Hits, by_lexicon
from assay.features.json_safety import Expected, expected_findings, plain_form
from assay.jsoncompare.document import JsonDocument, words_of
from assay.scoring.safety import LEXICONS, safety_findings, safety_result
from assay.textproc.normal import normalise
from assay.textproc.patterns import Matcher

HOSTILE = "hostile_words.en"
SAFETY_LEXICONS = (*LEXICONS, HOSTILE)


def json_safety(hits: Hits, text: str, document: JsonDocument, expected: Expected) -> Result:
    """The safety of an output; `text` is what the hits were found in."""
    kept = _unexpected(hits, text, expected)
    findings = safety_findings(kept)
    result = safety_result(findings)
    assert result.value is not None
    is_hostile = bool(kept[HOSTILE] or findings["blocked word"])
    details = {
        **result.details,
        "toxicity": 1.0 - result.value,
        "tone": "problematic" if is_hostile else "neutral",
    }
    is_same = text == document.text
    evidence = result.evidence if is_same else _placed(result.evidence, text, document)
    return result._replace(evidence=tuple(evidence), details=details)


class SafetyScores(NamedTuple):
    """What the safety of an output comes to, without where and why."""

    safety_score: float
    toxicity: float
    tone: str


CLEAN = SafetyScores(1.0, 0.0, "neutral")
"""Of an output in which nothing was found."""


def safety_scores(output: JsonDocument, ground_truth: Any, matcher: Matcher) -> SafetyScores:
    """The safety of an output; the ground truth is read only where it may excuse something."""
    words = words_of(output)
    hits = by_lexicon(matcher, normalise(words), "output")
    if not any(hits.values()):
        return CLEAN
    expected = expected_findings(JsonDocument(ground_truth), matcher)
    if not any(_unexpected(hits, words, expected).values()):
        return CLEAN
    findings = json_safety(hits, words, output, expected)
    return SafetyScores(
        findings.value or 0.0, findings.details["toxicity"], findings.details["tone"]
    )


def _unexpected(hits: Hits, text: str, expected: Expected) -> dict[str, tuple[Span, ...]]:
    """The hits that the ground truth does not hold as well."""
    return {
        name: tuple(
            [span for span in hits[name] if plain_form(text[span.start : span.end]) not in expected]
        )
        for name in SAFETY_LEXICONS
    }


def _placed(spans: Iterable[Span], text: str, document: JsonDocument) -> list[Span]:
    """Hits in the output's words, where the same words stand in its JSON text."""
    placed = set()
    for span in spans:
        words = text[span.start : span.end]
        start = document.text.find(words) if document.field else -1
        if start >= 0:
            placed.add(Span(document.field, start, start + len(words), span.label))
    return sorted(placed)
