"""Which statements of the expected answer the contexts hold, and which contexts hold them."""

from __future__ import annotations

from typing import NamedTuple

from assay.core import feature
from assay.features.chunks import Chunks
from assay.features.claims import Claim, statements
from assay.features.statements import DATA, Statement, judged, weighed
from assay.meaning import read
from assay.meaning.word_coverage import share_of
from assay.textproc.normal import Normal

SHORT = 5
"""An expected answer of at most so many content words is looked for as it is."""
HELD = 0.8
"""The share of a short answer's words, or forms of them, that one place must have."""
LEAST = 0.8
"""The share of a statement's words in all contexts that one must have to hold it by itself."""
SUPPORTED = 0.5
"""The probability from which on a longer statement is held."""


class AnswerPlaces(NamedTuple):
    """The statements of the expected answer and where they are."""

    statements: tuple[Statement, ...]
    contexts: tuple[frozenset[int], ...]
    """Statement → the contexts that hold it by themselves; none where all together do not."""
    together: tuple[bool, ...]
    """Statement → whether the contexts together hold it."""


@feature(data=DATA)
def answer_places(
    expected_normal: Normal,
    context_chunks: Chunks,
    expected_language: str,
) -> AnswerPlaces:
    """The statements of the expected answer, and the contexts that hold them."""
    claims = statements(expected_normal)
    result = judged(claims, context_chunks, expected_language)
    together = tuple(_is_held(statement, context_chunks) for statement in result)
    held: list[set[int]] = [set() for _ in claims]
    for index, chunks in enumerate(context_chunks.apart):
        results = [
            place
            for place, claim in enumerate(claims)
            if together[place] and _has_words(claim, chunks, context_chunks, expected_language)
        ]
        if len(context_chunks.apart) == 1:  # which was asked already, about all statements
            alone = weighed([result[place] for place in results])
        else:
            alone = judged(tuple(claims[place] for place in results), chunks, expected_language)
        for place, statement in zip(results, alone, strict=True):
            if _is_held(statement, chunks):
                held[place].add(index)
    return AnswerPlaces(result, tuple(map(frozenset, held)), together)


def _has_words(claim: Claim, chunks: Chunks, together: Chunks, language: str) -> bool:
    """Whether a context has nearly all words of a statement that all contexts together have."""
    content = list(claim.keys.content(language, claim.figures.places))
    known = sum(key in together.index for key in content)
    return sum(key in chunks.index for key in content) >= LEAST * known


def _is_held(statement: Statement, chunks: Chunks) -> bool:
    """Whether contexts say a statement; a short answer must stand in one place."""
    reading = read(statement.claim.text)
    if len(reading.content) > SHORT:
        return statement.probability >= SUPPORTED
    if statement.claim.keys.all and chunks.find(statement.claim.keys):
        return True
    if statement.chunk is None:
        return False
    window = chunks.window(statement.chunk.place)
    near, keys = window.readings, window.reading_keys
    figures = [f for f in reading.figures if not f.is_word]
    return all(
        any(figure.equals(other) for one in near for other in one.figures) for figure in figures
    ) and (share_of(reading.content, keys) >= HELD if reading.content else bool(figures))
