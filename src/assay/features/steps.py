"""The reasoning steps of a text. The first of four rules that finds any decides.

1. What follows "step", "step 2" or "step two:" up to the next one, over 10 characters.
2. Lines that begin with -, • or *, over 10 characters.
3. Sentences of more than 20 characters with a connector such as "because".
4. The whole text, when it is longer than 50 characters.

Connectors are matched as whole words, so "also" holds no "so"; "step by step" announces no step.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice, pairwise
from typing import NamedTuple

from assay.backends import Embedder, Vector
from assay.core import text_feature
from assay.data import lexicon
from assay.features.sentences import Sentences
from assay.textproc.lines import line_matches
from assay.textproc.normal import Normal
from assay.textproc.patterns import matcher
from assay.textproc.words import Words

MIN_MARKED = 10
"""A step behind a marker or a bullet is longer than this, in characters."""
MIN_SENTENCE = 20
MIN_WHOLE = 50
MAX_STEPS = 500
"""At most this many steps of one text are looked at: hostile text stays cheap."""
_BULLET = re.compile(r"^[ \t]*[-•*][ \t]+(.+)$", re.MULTILINE)


class ReasoningStep(NamedTuple):
    """A step, and its place in the original text."""

    text: str
    start: int
    end: int
    words: list[str]
    has_connector: bool


Steps = tuple[ReasoningStep, ...]


@text_feature(data=("lexicons/connectors.en.txt", "patterns/step_markers.toml"))
def steps(normal: Normal, words: Words, sentences: Sentences) -> Steps:
    """The steps of the text, in order."""
    for bounds in (_marked(normal), _bulleted(normal)):
        pieces = _between(normal, words, bounds, MIN_MARKED)
        if pieces:
            return pieces
    return _reasoned(words, sentences) or _between(
        normal, words, [(0, len(normal.text))], MIN_WHOLE
    )


@text_feature(is_batch=True)
def steps_embeddings(steps: list[Steps], embedder: Embedder) -> list[tuple[Vector, ...]]:
    """The vector of each step."""
    vectors = iter(embedder.embed([step.text for own_steps in steps for step in own_steps]))
    return [tuple(islice(vectors, len(own_steps))) for own_steps in steps]


def _marked(normal: Normal) -> Iterator[tuple[int, int]]:
    """From the end of each step marker to the beginning of the next one."""
    if "step" not in normal.lower:
        return iter(())
    places: dict[str, list[tuple[int, int]]] = {"step": [], "step by step": []}
    for marker in matcher(frozenset({"step_markers"})).find(normal):
        places[marker.pattern].append((marker.start, marker.end))
    idle = {start for begin, end in places["step by step"] for start in range(begin, end)}
    markers = [place for place in places["step"] if place[0] not in idle]
    last = (len(normal.text), len(normal.text))
    return ((end, start) for (_, end), (start, _) in pairwise([*markers, last]))


def _bulleted(normal: Normal) -> Iterator[tuple[int, int]]:
    return (line.span(1) for line in line_matches(_BULLET, normal.text))


def _reasoned(words: Words, sentences: Sentences) -> Steps:
    """The sentences with a connector."""
    single, phrases = _connectors()
    held = _phrases_in(words.all, phrases)  # mostly none, so that no sentence is asked for them
    markers = (
        ReasoningStep(s.text, s.start, s.end, s.words, True)
        for s in sentences
        if len(s.text) > MIN_SENTENCE
        and (not single.isdisjoint(s.words) or (held and _phrases_in(s.words, held)))
    )
    return tuple(islice(markers, MAX_STEPS))


def _between(
    normal: Normal, words: Words, bounds: Iterable[tuple[int, int]], min_length: int
) -> Steps:
    """The steps between places of the normalised text that are longer than so many characters."""
    pieces = []
    for begin, end in bounds:
        text = normal.text[begin:end].strip()
        if len(text) <= min_length:
            continue
        begin = normal.text.index(text, begin)
        own = words.blanked[begin : begin + len(text)].split()
        place = normal.span(begin, begin + len(text))
        pieces.append(ReasoningStep(text, *place, own, _has_connector(own)))
        if len(pieces) == MAX_STEPS:
            break
    return tuple(pieces)


def _has_connector(words: list[str]) -> bool:
    """Whether a connector stands among the words."""
    single, phrases = _connectors()
    return not single.isdisjoint(words) or bool(_phrases_in(words, phrases))


def _phrases_in(words: list[str], phrases: Iterable[str]) -> list[str]:
    """The phrases that stand among the words."""
    padded = f" {' '.join(words)} "
    return [phrase for phrase in phrases if phrase in padded]


@cache
def _connectors() -> tuple[frozenset[str], tuple[str, ...]]:
    """The connectors of one word, and those of several with a blank before and after."""
    listed = [pattern.name for pattern in lexicon("connectors.en").patterns]
    return (
        frozenset(name for name in listed if " " not in name),
        tuple(f" {name} " for name in listed if " " in name),
    )
