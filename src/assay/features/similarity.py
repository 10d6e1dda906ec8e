"""How alike two texts are: as the sample says, as a comparer does, or else as the embedder does.

A sample may bring a similarity along: `metadata["similarity_score"]`. It is that of expected answer
and response, as in the PyAI-Slayer guide, unless `metadata["similarity_pair"]` beside it names
another pair: tools also write the similarity of query and response under that name. A comparer,
such as a judge, is asked only where a run has chosen one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from assay.backends import Comparer, Embedder
from assay.backends import Vector as Vector
from assay.backends.choice import is_configured
from assay.core import NO_THRESHOLD, ModelError, feature
from assay.core.bounds import clamp, finite
from assay.textproc.cosine import cosine

THRESHOLD = 0.7
"""From which similarity on two texts count as alike (SEMANTIC_SIMILARITY_THRESHOLD)."""
ARABIC_THRESHOLD = 0.5
"""The same for Arabic (ARABIC_SEMANTIC_SIMILARITY_THRESHOLD)."""
EXPECTED = "expected/response"
"""The pair of texts that a given similarity is of, unless the sample says otherwise."""
_ARABIC = re.compile("[\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufefc]")
"""The Arabic blocks. U+FEFF, at the end of the last one, is the byte order mark."""


@feature(version=2, is_batch=True)
def similarity_score(
    metadata: list[Mapping[str, Any]],
    comparer: Comparer,
    expected: list[str | None] | None = None,
    response: list[str | None] | None = None,
) -> list[float | ModelError | None]:
    """The similarity of expected answer and response: brought along, or as a comparer says."""
    scores: list[float | ModelError | None] = [_given(own, EXPECTED) for own in metadata]
    if not is_configured(comparer):
        return scores
    pairs = zip(expected or (), response or (), strict=True)
    unknown_pairs = {
        place: (one, other)
        for place, (one, other) in enumerate(pairs)
        if scores[place] is None and one is not None and other is not None
    }
    answers = (
        comparer.similarities(list(unknown_pairs.values()), "semantic") if unknown_pairs else ()
    )
    for place, answer in zip(unknown_pairs, answers, strict=True):
        scores[place] = answer
    return scores


@feature()
def relevance_similarity(metadata: Mapping[str, Any]) -> float | None:
    """The similarity of query and response that the sample brings along."""
    return _given(metadata, "query/response")


@feature(is_batch=True)
def similarity_threshold(response: list[str], embedder: Embedder) -> list[float | None]:
    """The embedder's own threshold, where its cosines lie on another scale than most."""
    return [embedder.threshold] * len(response)


def similarity(
    given: float | None,
    one: Vector | Sequence[float] | None,
    other: Vector | Sequence[float] | None,
) -> float | None:
    """The given similarity, else the cosine of two vectors; None where there is neither."""
    if given is not None:
        return clamp(given)
    return None if one is None or other is None else cosine(one, other)


def percent(similarity_score: float | None) -> float | None:
    """A similarity between 0 and 100."""
    return None if similarity_score is None else 100.0 * clamp(similarity_score)


def wanted_similarity(
    *texts: str | None,
    chosen: float | None = None,
    chosen_arabic: float | None = None,
    own: float | None = None,
) -> float:
    """From which similarity on texts are alike: as chosen, as the embedder says, as documented."""
    is_arabic = any(map(has_arabic, texts))
    first, last = (chosen_arabic, ARABIC_THRESHOLD) if is_arabic else (chosen, THRESHOLD)
    return next(limit for limit in (first, own, last) if limit is not None)


def wanted_relevance(
    *texts: str | None,
    chosen: float | None = None,
    chosen_arabic: float | None = None,
    own: float | None = None,
    is_given: bool = False,
) -> float:
    """From which similarity on query and answer are alike; `NO_THRESHOLD` where that is unknown.

    The documented figure for Arabic was set for another model. With the embedder that comes with
    Assay 3 % of right Arabic passages and 1 % of right short answers reach it (XQuAD, development
    half: medians 0.32 and 0.10), so a cosine says nothing there unless a person or the embedder
    brings a threshold. `is_given` says that the similarity is not our embedder's.
    """
    if not is_given and chosen_arabic is None and own is None and any(map(has_arabic, texts)):
        return NO_THRESHOLD
    return wanted_similarity(*texts, chosen=chosen, chosen_arabic=chosen_arabic, own=own)


def has_arabic(text: str | None) -> bool:
    """Whether a character of an Arabic block stands in the text."""
    return bool(text) and _ARABIC.search(text or "") is not None


def _given(metadata: Mapping[str, Any], pair: str) -> float | None:
    """The similarity in the metadata when it is a number and of that pair; see the module."""
    stated = finite(metadata.get("similarity_score"))
    return stated if metadata.get("similarity_pair", EXPECTED) == pair else None
