"""BERTScore over words of any language that the sentence embedder reads, Arabic among them.

Each word is embedded by itself, so that a word has the same vector wherever it stands; otherwise
the pairing is that of `bertscore`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from assay.backends import Embedder, Vector
from assay.core import ModelError, feature
from assay.features.bertscore import BertScore, greedy_match
from assay.features.normal import normal as normal_feature
from assay.features.words import words as words_feature
from assay.textproc.words import Words

MAX_WORDS = 1_000
"""Words of a text that are compared."""
Pair = tuple[Sequence[str], Sequence[str]]
"""The words of a response and of what it is compared with."""


@feature(is_batch=True)
def expected_word_bertscore(
    response_words: list[Words], expected_words: list[Words], embedder: Embedder
) -> list[BertScore]:
    """The response's score against the expected answer."""
    pairs = zip(response_words, expected_words, strict=True)
    return _scores([(own.all[:MAX_WORDS], other.all[:MAX_WORDS]) for own, other in pairs], embedder)


@feature(is_batch=True)
def known_facts_word_bertscores(
    response_words: list[Words], known_facts: list[tuple[str, ...]], embedder: Embedder
) -> list[tuple[BertScore, ...]]:
    """The response's score against each known fact; none without facts."""
    pairs = [
        (own.all[:MAX_WORDS], _words(fact))
        for own, facts in zip(response_words, known_facts, strict=True)
        for fact in facts
    ]
    scores = iter(_scores(pairs, embedder))
    return [tuple(islice(scores, len(facts))) for facts in known_facts]


def _scores(pairs: Sequence[Pair], embedder: Embedder) -> list[BertScore]:
    """The score of each pair; each distinct word is embedded once."""
    words = list(dict.fromkeys(word for pair in pairs for text in pair for word in text))
    vectors = dict(zip(words, embedder.embed(words) if words else (), strict=True))
    return [_score(*pair, vectors, embedder.name) for pair in pairs]


def _words(text: str) -> list[str]:
    words: Words = words_feature.feature(normal_feature.feature(text))
    return words.all[:MAX_WORDS]


def _score(
    response: Sequence[str],
    reference: Sequence[str],
    vectors: Mapping[str, Vector | ModelError],
    model: str,
) -> BertScore:
    if not reference:
        return BertScore(0.0, 0.0, 0.0, model, "The expected text has no words.")
    if not response:
        return BertScore(0.0, 0.0, 0.0, model)
    result = [vectors[word] for word in (*response, *reference)]
    if refused := next((one for one in result if isinstance(one, ModelError)), None):
        return BertScore(0.0, 0.0, 0.0, model, f"{refused}.")
    matrix = _unit(np.array(result, dtype=np.float64))
    own, other = matrix[: len(response)], matrix[len(response) :]
    return greedy_match(own, other)._replace(model=model)


def _unit(matrix: Any) -> Any:
    """The rows at a length of 1; a row of zeros stays as it is."""
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return matrix / np.where(lengths > 0, lengths, 1.0)
