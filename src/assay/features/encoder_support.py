"""What the trained encoder says of statements beside the contexts.

It reads few pairs: each statement with the places of the contexts that the rules found nearest,
as many words around them as a budget for the whole record allows.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from typing import NamedTuple

from assay.backends import Encoder
from assay.backends.choice import is_configured
from assay.backends.protocols import EncoderAnswer
from assay.core import ModelError, feature
from assay.features.chunks import Chunk, Chunks
from assay.features.encoded import COMBINED, temperature
from assay.features.statements import EncodedSupport, Statement, Statements
from assay.linear import bounded, combiner

HEAD = "support"
BUDGET = 420
"""Words of contexts that are read for one record, over all its pairs."""
MOST_WORDS = 150
"""Words of one window at most: the length of the encoder's training."""
LEAST_WORDS = 40
PLACES = 2
"""Windows of one statement at most."""
STATEMENTS = 8
"""At most so many statements of a record are read, those with least support first."""
ENTAILED, CONTRADICTED = 0, 2
"""Places among the outputs of the head."""
_ENDS = frozenset(".!?؟…\"'”’)]")


class _Asked(NamedTuple):
    sample: int
    statement: int
    chunk: Chunk
    pair: tuple[str, str]


@feature(is_batch=True, data=(COMBINED,))
def response_verified(
    response_support: list[Statements],
    context_chunks: list[Chunks],
    response_language: list[str],
    encoder: Encoder,
) -> list[Statements]:
    """The statements with what the encoder says of them; as they are without an encoder."""
    if not is_configured(encoder):
        return response_support
    asked = [
        one
        for sample, language in enumerate(response_language)
        if combiner(HEAD, language)
        for one in _pairs(sample, response_support[sample], context_chunks[sample])
    ]
    answers = encoder.ask(HEAD, [one.pair for one in asked])
    best: dict[tuple[int, int], EncodedSupport] = {}
    for one, answer in zip(asked, answers, strict=True):
        if isinstance(answer, ModelError):
            continue
        language = response_language[one.sample]
        read = _read(answer, encoder, language, one.chunk)
        place = one.sample, one.statement
        if place not in best or read.entailed > best[place].entailed:
            best[place] = read
    return [
        tuple(
            own._replace(encoded=best.get((sample, number)))
            for number, own in enumerate(statements)
        )
        for sample, statements in enumerate(response_support)
    ]


def _pairs(sample: int, statements: Statements, chunks: Chunks) -> list[_Asked]:
    """The pairs of a record that are read, within the budget."""
    is_open = [not (one.measures["exact"] or one.measures["silence"]) for one in statements]
    open_ones = [number for number, own in enumerate(is_open) if own]
    numbers = sorted(open_ones, key=lambda number: (statements[number].by_rules, number))
    chosen = [(n, _places(statements[n], chunks)) for n in sorted(numbers[:STATEMENTS])]
    total = sum(len(places) for _, places in chosen)
    if total * LEAST_WORDS > BUDGET:
        chosen = [(number, places[:1]) for number, places in chosen]
        total = len(chosen)
    words = max(LEAST_WORDS, min(MOST_WORDS, BUDGET // max(1, total)))
    return [
        _Asked(sample, number, place, (_claim(statements[number]), around(place, chunks, words)))
        for number, places in chosen
        for place in places
    ]


def _places(statement: Statement, chunks: Chunks) -> list[Chunk]:
    """The nearest sentence, and the next best one that does not stand beside it."""
    if statement.chunk is None:
        return [chunks.all[place] for place in chunks.first[:1]]
    places = [statement.chunk]
    for place in statement.places:
        other = chunks.all[place]
        if other.context != statement.chunk.context or abs(place - statement.chunk.place) > 2:
            places.append(other)
            break
    return places[:PLACES]


def around(centre: Chunk, chunks: Chunks, words: int) -> str:
    """A sentence with its neighbours on both sides, up to so many words."""
    first = last = centre.place
    count = len(centre.keys.all)
    while True:
        before = chunks.all[first - 1] if first else None
        after = chunks.all[last + 1] if last + 1 < len(chunks.all) else None
        grown = count
        for near in (before, after):
            if near is None or near.context != centre.context:
                continue
            size = len(near.keys.all)
            if grown + size > words:
                continue
            grown += size
            first, last = min(first, near.place), max(last, near.place)
        if grown == count:
            return _as_given(chunks, chunks.all[first], chunks.all[last])
        count = grown


def _as_given(chunks: Chunks, first: Chunk, last: Chunk) -> str:
    """The text from one sentence to another, with the marks that end it."""
    content = chunks.documents[first.context].content
    end = last.span[1]
    while end < len(content) and content[end] in _ENDS:
        end += 1
    return content[first.span[0] : end]


def _claim(statement: Statement) -> str:
    """A statement as a sentence, which ends with a mark."""
    text = statement.claim.text
    return text if text[-1:] in _ENDS else f"{text}."


def _read(answer: EncoderAnswer, encoder: Encoder, language: str, chunk: Chunk) -> EncodedSupport:
    heat = temperature(encoder, HEAD, language)
    weights = combiner(HEAD, language)
    assert weights is not None
    return EncodedSupport(
        encoder.title,
        bounded(one_against_rest(answer, ENTAILED, heat)),
        bounded(one_against_rest(answer, CONTRADICTED, heat)),
        weights,
        combiner("contradiction", language),
        chunk,
    )


def one_against_rest(logits: Sequence[float], place: int, heat: float) -> float:
    """The logit of one of several outcomes against all others, from their logits."""
    cooled = [value / heat for value in logits]
    others = [value for number, value in enumerate(cooled) if number != place]
    top = max(others)
    return cooled[place] - top - log(sum(exp(value - top) for value in others))
