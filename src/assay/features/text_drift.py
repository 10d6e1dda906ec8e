"""How far the words of a response have moved from those of a baseline response."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from assay.core import MAX_EVIDENCE, Span, feature
from assay.features.normal import normal as normal_feature
from assay.features.words import words as words_feature
from assay.stats.psi import Band, band, word_psi
from assay.textproc.words import Words

KEY = "baseline_response"
"""Where the metadata holds the baseline."""


class TextDrift(NamedTuple):
    """The comparison of two texts' words."""

    psi: float
    band: Band
    new: int
    """Distinct words that only the response has."""
    gone: int
    """Distinct words that only the baseline has."""
    spans: Sequence[Span]
    """Where new words stand first."""


@feature()
def response_baseline_drift(response_words: Words, metadata: Mapping[str, Any]) -> TextDrift | None:
    """The response's words against those of the metadata's baseline; None where it has none."""
    baseline = metadata.get(KEY)
    if not isinstance(baseline, str):
        return None
    before = _words(baseline)
    new = response_words.distinct - before.distinct
    psi = word_psi(Counter(response_words.all), Counter(before.all))
    return TextDrift(
        psi,
        band(psi),
        len(new),
        len(before.distinct - response_words.distinct),
        response_words.spans(new, MAX_EVIDENCE, "response", "not in the baseline"),
    )


def text_psi(current: str, baseline: str) -> float:
    """The population stability index of two texts' words."""
    return word_psi(Counter(_words(current).all), Counter(_words(baseline).all))


def _words(text: str) -> Words:
    words: Words = words_feature.feature(normal_feature.feature(text))
    return words
