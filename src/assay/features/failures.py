"""Why a failed test failed, as far as its texts and scores tell.

The categories are data (`data/failures.toml`); here are the signs that they go by.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from assay.core import Result, Sample
from assay.data.files import read_bundled_toml
from assay.features.normal import normal
from assay.textproc.patterns import matcher

SHORT = 20
"""Characters below which an answer is too short to be one."""
SCANNED = 20_000
"""Characters of an answer that are searched for stock phrases."""
MAX_RECOMMENDATIONS = 10


@dataclass(frozen=True, slots=True)
class Category:
    """A kind of failure, and what may be done about it."""

    name: str
    signs: tuple[str, ...]
    root_cause: str
    recommendations: tuple[str, ...]
    overrides: bool = False
    """Whether it wins over categories that stand before it."""


class Failure(NamedTuple):
    """Why one test failed, and what may be done."""

    root_cause: str
    category: str
    detected_patterns: tuple[str, ...]
    recommendations: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The fields as plain data."""
        return {
            "root_cause": self.root_cause,
            "category": self.category,
            "detected_patterns": list(self.detected_patterns),
            "recommendations": list(self.recommendations),
        }


@cache
def categories() -> tuple[Category, ...]:
    """The kinds of failure, in the order in which they are tried."""
    return tuple(
        Category(
            entry["name"],
            tuple(entry["signs"]),
            entry["root_cause"],
            tuple(entry["recommendations"]),
            entry.get("overrides", False),
        )
        for entry in read_bundled_toml("failures.toml")["category"]
    )


def analysis(sample: Sample, results: Mapping[str, Result], language: str) -> Failure:
    """The kind of failure of a sample in that language that missed a threshold."""
    signs = _signs(sample, results, language)
    fitting = [c for c in categories() if not c.signs or set(signs) & set(c.signs)]
    chosen = next((c for c in fitting if c.overrides), fitting[0])
    failed = [id for id, result in results.items() if result.passed is False]
    advice = dict.fromkeys(text for c in (chosen, *fitting) for text in c.recommendations)
    return Failure(
        chosen.root_cause,
        chosen.name,
        (*signs, *(f"failed:{id}" for id in failed)),
        tuple(advice)[:MAX_RECOMMENDATIONS],
    )


def _signs(sample: Sample, results: Mapping[str, Result], language: str) -> Sequence[str]:
    """What is wrong with the answer, in the documented order."""
    response = (sample.response or "").strip()
    similarity = results.get("chat.semantic_similarity") or results.get("chat.accuracy")
    found: dict[str, Any] = {
        "fallback_phrase": _falls_back(response),
        "short_response": len(response) < SHORT,
        "markup": "<" in response and ">" in response,
        "very_low_similarity": _is_below(similarity, 0.3),
        "low_similarity": similarity is not None and similarity.passed is False,
        "min_length": _held(results, "chat.response_quality", "min_length") is False,
        "low_bertscore": _is_below(results.get("chat.f1_score"), 0.3),
        "low_rouge": _is_below(results.get("chat.rouge_unicode"), 0.2),
        "other_language": language == "ar" and not _is_arabic(sample.query or ""),
    }
    return [name for name, holds in found.items() if holds]


def _falls_back(response: str) -> bool:
    phrases = matcher(frozenset({"fallback.en", "fallback.ar"}))
    return next(phrases.find(normal.feature(response[:SCANNED])), None) is not None


def _is_below(result: Result | None, limit: float) -> bool:
    return result is not None and result.value is not None and result.value < limit


def _held(results: Mapping[str, Result], metric: str, check: str) -> Any:
    return results[metric].details.get(check) if metric in results else None


def _is_arabic(text: str) -> bool:
    return any("\u0600" <= char <= "\u06ff" for char in text)
