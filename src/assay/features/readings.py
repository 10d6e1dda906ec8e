"""What texts say, read for comparison: query, response, expected and all accepted answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.core import feature, text_feature
from assay.meaning.agreement import Agreement, agreement, alternatives
from assay.meaning.reading import TextReading, read
from assay.meaning.refusals import Refusal, refusal
from assay.meaning.relevance import Relevance, relevance
from assay.textproc.normal import Normal, normalise

MOST = 50
"""Accepted answers that are looked at; further ones are not."""
_LISTS = ("references", "accepted_answers", "answers", "accepted")
"""Where the metadata, or a record `meta` in it, may hold further accepted answers."""
_MISREAD_BLANK = "\u00c2\u00a0"
"""A no-break space in UTF-8 that was read as Latin-1, as in answers taken from web pages."""


@text_feature(data=("meaning.toml", "wordnet.toml", "quantities.toml"))
def reading(normal: Normal) -> TextReading:
    """The text with its words, figures and denials."""
    return read(normal.text, normal.lower)


@feature(data=("meaning.toml", "wordnet.toml", "quantities.toml"))
def accepted_answers(
    expected: str, expected_reading: TextReading, metadata: Mapping[str, Any]
) -> tuple[TextReading, ...]:
    """Every answer that is accepted: `expected`, its alternatives, and those of the metadata."""
    inner = metadata.get("meta")
    tables = (metadata, inner) if isinstance(inner, Mapping) else (metadata,)
    listed = (text for own in tables for name in _LISTS for text in _texts(own.get(name)))
    texts = [text.replace(_MISREAD_BLANK, " ") for text in (expected, *listed)]
    parts = dict.fromkeys(part for text in texts[:MOST] for part in alternatives(text))
    return tuple([expected_reading if part == expected else read_text(part) for part in parts])


@feature(
    data=(
        "lexicons/antonyms.en.txt",
        "meaning.toml",
        "quantities.toml",
        "transliteration.toml",
        "wordnet.toml",
    )
)
def answer_agreement(
    response_reading: TextReading,
    accepted_answers: tuple[TextReading, ...],
    query_reading: TextReading | None = None,
) -> Agreement | None:
    """The response beside the accepted answer that fits it best; None without words in one."""
    return agreement(query_reading, response_reading, accepted_answers)


def _texts(given: Any) -> Sequence[str]:
    if isinstance(given, str):
        return (given,)
    if not isinstance(given, Sequence):
        return ()
    return [text for text in given[:MOST] if isinstance(text, str) and text.strip()]


@feature(data=("meaning.toml", "wordnet.toml", "quantities.toml"))
def response_refusal(
    response_reading: TextReading, query_reading: TextReading | None = None
) -> Refusal:
    """What the response says for and against being a refusal."""
    return refusal(query_reading, response_reading)


@feature(data=("meaning.toml", "wordnet.toml", "quantities.toml", "lexicons/given_names.ar.txt"))
def answer_relevance(
    query_reading: TextReading, response_reading: TextReading, response_refusal: Refusal
) -> Relevance:
    """What speaks for and against the response addressing the query."""
    return relevance(query_reading, response_reading, response_refusal)


def read_text(text: str) -> TextReading:
    """Normalise a text and read it."""
    raw = normalise(text)
    return read(raw.text, raw.lower)
