"""How far each context has to do with the query, by its words.

Words of the query that few contexts have count more. A word of like meaning and another form of a
word count in part. A linear model (`data/models/context_relevance.json`, fitted by
`training/context_relevance.py`) makes a probability of the measures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log

from assay.core import feature
from assay.features.chunks import Chunk, Chunks
from assay.linear import measure_model
from assay.meaning import TextReading, read
from assay.meaning.word_coverage import pairs_share, weighted_share
from assay.textproc.normal import Normal

MODEL = "context_relevance"
MEASURES = ("shared", "sentence", "neighbours", "figures")


@feature(
    data=(
        "lexicons/synonyms.ar.txt",
        "lexicons/synonyms.en.txt",
        "meaning.toml",
        "models/context_relevance.json",
        "wordnet.toml",
    )
)
def context_relevances(
    query_normal: Normal, context_chunks: Chunks, query_language: str
) -> tuple[float, ...] | None:
    """The probability that each context is relevant; None where no word can tell."""
    if not context_chunks.has_language(query_language):
        return None
    query = read(query_normal.text, query_normal.lower)
    if not query.content:
        return None
    model = measure_model(MODEL)
    return tuple(model.probability(own) for own in relevance_measures(query, context_chunks))


def relevance_measures(query: TextReading, chunks: Chunks) -> list[Mapping[str, float]]:
    """Each context in numbers beside a query."""
    own: list[list[Chunk]] = [[] for _ in chunks.documents]
    for chunk in chunks.all:
        own[chunk.context].append(chunk)
    keys = [frozenset().union(*[c.piece.reading.keys for c in pieces]) for pieces in own]
    weights = {
        key: log(1.0 + len(own) / (0.5 + sum(key in known for known in keys)))
        for key in query.content
    }
    return [_measures(query, weights, known, p) for known, p in zip(keys, own, strict=True)]


def _measures(
    query: TextReading,
    weights: Mapping[str, float],
    keys: frozenset[str],
    pieces: Sequence[Chunk],
) -> Mapping[str, float]:
    readings = [chunk.piece.reading for chunk in pieces]
    figures = [figure for figure in query.figures if not figure.is_word]
    measures = [any(f.equals(o) for r in readings for o in r.figures) for f in figures]
    total = sum(weights.values())
    order = {key: place for place, key in enumerate(weights)}.__getitem__
    shared = (sorted(weights.keys() & reading.keys, key=order) for reading in readings)
    best = max((sum(map(weights.__getitem__, own)) for own in shared), default=0.0)
    return {
        "shared": weighted_share(weights, keys),
        "sentence": best / total,
        "neighbours": pairs_share(query.pairs, [reading.pairs for reading in readings]),
        "figures": sum(measures) / len(measures) if measures else 0.0,
    }
