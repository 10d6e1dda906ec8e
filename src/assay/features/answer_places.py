"""Which statements of the expected answer the contexts hold, and which contexts hold them."""

from __future__ import annotations

from typing import NamedTuple

from assay.core import Document, feature
from assay.features.chunks import Chunks, context_chunks
from assay.features.claims import statements
from assay.features.statements import Statement, judged
from assay.meaning import read
from assay.meaning.word_coverage import share_of
from assay.textproc.normal import Normal

SHORT = 5
"""An expected answer of at most so many content words is looked for as it is."""
HELD = 0.8
"""The share of a short answer's words, or forms of them, that one place must have."""
SUPPORTED = 0.57
"""The probability from which on a longer statement is held."""


class AnswerPlaces(NamedTuple):
    """The statements of the expected answer and where they are."""

    statements: tuple[Statement, ...]
    contexts: tuple[frozenset[int], ...]
    """Statement → the contexts that hold it by themselves."""
    together: tuple[bool, ...]
    """Statement → whether the contexts together hold it."""


@feature()
def answer_places(
    expected_normal: Normal,
    contexts: tuple[Document, ...],
    context_chunks: Chunks,
    expected_language: str,
) -> AnswerPlaces:
    """The statements of the expected answer, and the contexts that hold them."""
    claims = statements(expected_normal)
    found = judged(claims, context_chunks, expected_language)
    alone = [_chunks(document) for document in contexts]
    held: list[set[int]] = [set() for _ in claims]
    for index, chunks in enumerate(alone):
        for place, statement in enumerate(judged(claims, chunks, expected_language)):
            if _is_held(statement, chunks):
                held[place].add(index)
    together = tuple(
        bool(own) or _is_held(statement, context_chunks)
        for own, statement in zip(held, found, strict=True)
    )
    return AnswerPlaces(found, tuple(map(frozenset, held)), together)


def _chunks(document: Document) -> Chunks:
    return context_chunks.function((document,))  # type: ignore[no-any-return]


def _is_held(statement: Statement, chunks: Chunks) -> bool:
    """Whether contexts say a statement; a short answer must stand in one place."""
    reading = read(statement.claim.text)
    if len(reading.content) > SHORT:
        return statement.probability >= SUPPORTED
    if statement.claim.keys.all and chunks.find(statement.claim.keys):
        return True
    if statement.chunk is None:
        return False
    near = [chunk.piece.reading for chunk in chunks.window(statement.chunk.place).chunks]
    keys = frozenset().union(*[one.keys for one in near])
    figures = [f for f in reading.figures if not f.is_word]
    return all(
        any(figure.equals(other) for one in near for other in one.figures) for figure in figures
    ) and (share_of(reading.content, keys) >= HELD if reading.content else bool(figures))
