"""What texts say, read for comparison: query, response, expected and all accepted answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.backends import Embedder
from assay.backends.choice import is_configured
from assay.core import ModelError, feature, text_feature
from assay.meaning.agreement import Agreement, agreement, alternatives
from assay.meaning.likeness import likeness, translation_likeness
from assay.meaning.reading import Reading, read
from assay.meaning.refusals import Refusal, refusal
from assay.meaning.relevance import Relevance, relevance
from assay.textproc.cosine import cosine
from assay.textproc.normal import Normal, normalise

MOST = 50
"""Accepted answers that are looked at; further ones are not."""
_LISTS = ("references", "accepted_answers", "answers", "accepted")
"""Where the metadata may hold further accepted answers."""


@text_feature(data=("meaning.toml", "quantities.toml"))
def reading(normal: Normal) -> Reading:
    """The text with its words, figures and denials."""
    return read(normal.text, normal.lower)


@feature(data=("meaning.toml", "quantities.toml"))
def accepted_answers(expected: str, metadata: Mapping[str, Any]) -> tuple[Reading, ...]:
    """Every answer that is accepted: `expected`, its alternatives, and those of the metadata."""
    texts = [expected, *(text for name in _LISTS for text in _texts(metadata.get(name)))]
    parts = dict.fromkeys(part for text in texts[:MOST] for part in alternatives(text))
    return tuple(map(_read, parts))


@feature(data=("meaning.toml", "quantities.toml", "lexicons/antonyms.en.txt"))
def answer_agreement(
    response_reading: Reading,
    accepted_answers: tuple[Reading, ...],
    query_reading: Reading | None = None,
) -> Agreement | None:
    """The response beside the accepted answer that fits it best; None without words in one."""
    return agreement(query_reading, response_reading, accepted_answers)


def _texts(given: Any) -> Sequence[str]:
    if isinstance(given, str):
        return (given,)
    if not isinstance(given, Sequence):
        return ()
    return [text for text in given[:MOST] if isinstance(text, str) and text.strip()]


@feature(data=("meaning.toml", "quantities.toml"))
def response_refusal(response_reading: Reading, query_reading: Reading | None = None) -> Refusal:
    """What the response says for and against being a refusal."""
    return refusal(query_reading, response_reading)


@feature(data=("meaning.toml", "quantities.toml"))
def answer_relevance(query_reading: Reading, response_reading: Reading) -> Relevance:
    """What speaks for and against the response addressing the query."""
    return relevance(query_reading, response_reading)


@feature(is_batch=True, data=("meaning.toml", "quantities.toml"))
def similarity_measures(
    response_reading: list[Reading], expected_reading: list[Reading], embedder: Embedder
) -> list[dict[str, float] | ModelError | None]:
    """How alike response and expected answer are; with an embedder also their `cosine`."""
    pairs = list(zip(response_reading, expected_reading, strict=True))
    found: list[dict[str, float] | ModelError | None] = [
        likeness(one, other) if one.words and other.words else None for one, other in pairs
    ]
    for place, similarity in enumerate(_cosines(pairs, embedder)):
        own = found[place]
        if isinstance(own, dict) and similarity is not None:
            own["cosine"] = similarity
    return found


@feature(is_batch=True, data=("meaning.toml", "quantities.toml"))
def query_response_cosine(
    query_reading: list[Reading], response_reading: list[Reading], embedder: Embedder
) -> list[float | None]:
    """The cosine of query and response; None without an embedder that reads both."""
    pairs = list(zip(query_reading, response_reading, strict=True))
    return _cosines(pairs, embedder)


@feature(is_batch=True, data=("meaning.toml", "quantities.toml"))
def cross_language_measures(
    translations: list[Mapping[str, str]],
    embedder: Embedder,
    response: list[str | None] | None = None,
    response_language: list[str | None] | None = None,
) -> list[dict[str, dict[str, float]] | ModelError]:
    """Language → how alike its text and the English one are; nothing for one language alone."""
    texts: list[dict[str, Reading]] = []
    for place, found in enumerate(translations):
        own = dict(found)
        said = response[place] if response else None
        if said:
            own.setdefault((response_language or [])[place] or "und", said)
        texts.append({code: _read(text) for code, text in sorted(own.items())})
    pairs: list[tuple[Reading, Reading]] = []
    owners: list[tuple[int, str]] = []
    for place, readings in enumerate(texts):
        base = "en" if "en" in readings else next(iter(readings), "")
        for code, one in readings.items():
            if code != base:
                pairs.append((readings[base], one))
                owners.append((place, code))
    rows: list[dict[str, dict[str, float]] | ModelError] = [{} for _ in texts]
    for (place, code), pair, similarity in zip(
        owners, pairs, _cosines(pairs, embedder), strict=True
    ):
        row = rows[place]
        if similarity is None:
            rows[place] = ModelError("no embedder that reads both languages is configured")
        elif isinstance(row, dict):
            row[code] = {"cosine": similarity, **translation_likeness(*pair)}
    return rows


def _read(text: str) -> Reading:
    found = normalise(text)
    return read(found.text, found.lower)


def _cosines(pairs: Sequence[tuple[Reading, Reading]], embedder: Embedder) -> list[float | None]:
    """The cosine of each pair; None where there is no embedder or it cannot read one text."""
    if not is_configured(embedder):
        return [None] * len(pairs)
    texts = list(dict.fromkeys(one.text for pair in pairs for one in pair))
    vectors = dict(zip(texts, embedder.embed(texts) if texts else (), strict=True))
    found: list[float | None] = []
    for one, other in pairs:
        a, b = vectors[one.text], vectors[other.text]
        is_read = not isinstance(a, ModelError) and not isinstance(b, ModelError)
        found.append(cosine(a, b) if is_read else None)
    return found
