"""What the trained encoder says of statements beside the contexts.

It reads few pairs: each statement with the places of the contexts that the rules found nearest,
as many words around them as a budget for the whole record allows.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from math import exp, log
from typing import NamedTuple

from assay.backends import Encoder
from assay.backends.choice import is_configured
from assay.backends.protocols import EncoderAnswer
from assay.core import ModelError, feature
from assay.data.meaning import meaning_words
from assay.features.chunks import Chunk, Chunks
from assay.features.encoded import COMBINED, temperature
from assay.features.statements import EncodedSupport, Statement, Statements
from assay.linear import bounded, combiner

HEAD = "support"
BUDGET = 110
"""Words that are read of a record with many statements: those with least support by the rules, and
what stands beside them. An answer of 300 words in five statements then takes 40 ms on one core."""
NEAR_WORDS = 60
"""Words of contexts beside one statement at most, where few are read."""
MOST_WORDS = 150
"""Words of a second, wider window, read where there are few statements."""
FEW = 2
"""Statements up to which there is time for a second window."""
LEAST_WORDS = 35
PLACES = 4
"""Sentences with a statement's words that are gathered."""
REACH = 12
"""How far from the nearest sentence others are taken, where there is room."""
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
    query: list[str | None] | None = None,
) -> list[Statements]:
    """The statements with what the encoder says of them; as they are without an encoder."""
    if not is_configured(encoder):
        return response_support
    queries = query or [None] * len(response_support)
    asked = [
        one
        for sample, language in enumerate(response_language)
        if combiner(HEAD, language)
        for one in _pairs(
            sample, response_support[sample], context_chunks[sample], queries[sample] or ""
        )
    ]
    answers = encoder.ask(HEAD, [one.pair for one in asked])
    reads: dict[tuple[int, int], list[EncodedSupport]] = defaultdict(list)
    for one, answer in zip(asked, answers, strict=True):
        if not isinstance(answer, ModelError):
            read = _read(answer, encoder, response_language[one.sample], one.chunk)
            reads[one.sample, one.statement].append(read)
    return [
        tuple(
            own._replace(encoded=_mean(reads[sample, number])) if reads[sample, number] else own
            for number, own in enumerate(statements)
        )
        for sample, statements in enumerate(response_support)
    ]


def _mean(reads: Sequence[EncodedSupport]) -> EncodedSupport:
    """What the windows beside a statement say together."""
    return reads[0]._replace(
        entailed=sum(one.entailed for one in reads) / len(reads),
        contradicted=sum(one.contradicted for one in reads) / len(reads),
    )


def _pairs(sample: int, statements: Statements, chunks: Chunks, query: str) -> list[_Asked]:
    """The pairs of a record that are read, within the budget; doubtful statements first."""
    is_open = [not (one.measures["exact"] or one.measures["silence"]) for one in statements]
    open_ones = [number for number, own in enumerate(is_open) if own]
    numbers = sorted(open_ones, key=lambda number: (statements[number].by_rules, number))
    chosen: list[int] = []
    claimed = 0
    for number in numbers:
        size = len(statements[number].claim.keys.all)
        if chosen and claimed + size + LEAST_WORDS * (len(chosen) + 1) > BUDGET:
            break
        chosen.append(number)
        claimed += size
    words = (BUDGET - claimed) // max(1, len(chosen))
    size = max(LEAST_WORDS, min(NEAR_WORDS, words))
    pairs = {
        (number, text): _Asked(
            sample, number, chunk, (as_sentence(statements[number].claim.text), text)
        )
        for number in sorted(chosen)
        for chunk, places in [_places(statements[number], chunks)]
        for text in _texts(chunk, places, chunks, size, query, len(open_ones) <= FEW)
    }
    return [*pairs.values()]


def _texts(
    chunk: Chunk, places: Sequence[int], chunks: Chunks, size: int, query: str, has_time: bool
) -> list[str]:
    """What is read beside a statement: a window, and another one where there is time.

    That is a wider one, or of short contexts the nearest sentence alone, behind the question that
    it answers.
    """
    near = gathered(places, chunks, size)
    if not has_time:
        return [near]
    wide = gathered(places, chunks, MOST_WORDS)
    if wide != near:
        return [near, wide]
    asks = query.rstrip().endswith(("?", "؟"))
    sentence = _as_given(chunks, chunk, chunk)
    return [near, f"{query} | {sentence}" if asks else sentence]


def _places(statement: Statement, chunks: Chunks) -> tuple[Chunk, list[int]]:
    """The nearest sentence, and all sentences that were looked at, the nearest first."""
    if statement.chunk is None:
        places = [*chunks.first[:PLACES]]
        return chunks.all[places[0]], places
    return statement.chunk, [*dict.fromkeys((statement.chunk.place, *statement.places))][:PLACES]


def gathered(places: Sequence[int], chunks: Chunks, words: int) -> str:
    """The best sentences and their neighbours, up to so many words, in the order of the texts."""
    taken: dict[str, int] = {}
    count = 0
    centre = chunks.all[places[0]]
    near = [
        place
        for place in (places[0] - 1, places[0] + 1)
        if 0 <= place < len(chunks.all) and chunks.all[place].context == centre.context
    ]
    for place in (places[0], *near, *places[1:], *_outwards(places[0], chunks)):
        chunk = chunks.all[place]
        size = len(chunk.keys.all)
        if chunk.text not in taken and (not taken or count + size <= words):
            taken[chunk.text] = place
            count += size
    return " ".join(_runs(sorted(taken.values()), chunks))


def _outwards(place: int, chunks: Chunks) -> Iterator[int]:
    """The sentences of the same context, from the place to both sides."""
    context = chunks.all[place].context
    for distance in range(2, REACH):
        for other in (place - distance, place + distance):
            if 0 <= other < len(chunks.all) and chunks.all[other].context == context:
                yield other


def _runs(places: Sequence[int], chunks: Chunks) -> Iterator[str]:
    """The texts of sentences; those that follow each other as one text."""
    first = 0
    for number, place in enumerate(places):
        chunk = chunks.all[place]
        is_last = number + 1 == len(places)
        if (
            is_last
            or places[number + 1] != place + 1
            or (chunks.all[places[number + 1]].context != chunk.context)
        ):
            yield _as_given(chunks, chunks.all[places[first]], chunk)
            first = number + 1


def _as_given(chunks: Chunks, first: Chunk, last: Chunk) -> str:
    """The text from one sentence to another, with the marks that end it."""
    content = chunks.documents[first.context].content
    end = last.span[1]
    while end < len(content) and content[end] in _ENDS:
        end += 1
    return content[first.span[0] : end]


@cache
def _opening() -> re.Pattern[str]:
    """What an answer may say before it says something: a remark, or which text it is from."""
    lists = meaning_words().lists
    remarks, before, sources, telling = (
        "|".join(sorted(map(re.escape, lists[name]), key=len, reverse=True))
        for name in ("opening_remarks", "before_sources", "given_texts", "telling")
    )
    source = rf"(?:the|this) (?:\w{{1,20}} )?(?:{sources})"
    return re.compile(
        rf"(?:{remarks}) |(?:{before}) {source}, |{source} (?:{telling}) that ", re.IGNORECASE
    )


def as_sentence(text: str) -> str:
    """A statement as a sentence, which ends with a mark.

    "No, it is closed" is read as "It is closed": yes and no answer a question that is not read.
    Nor is what only says that something follows: "Please note that …", "The document says that …".
    """
    lead = _opening().match(text)
    if lead and lead.end() < len(text):
        text = text[lead.end()].upper() + text[lead.end() + 1 :]
    first, mark, rest = text.replace("،", ",", 1).partition(",")
    if mark and rest.strip() and first.strip().lower() in meaning_words().answers:
        rest = rest.strip()
        text = rest[0].upper() + rest[1:]
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
