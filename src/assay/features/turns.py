"""The turns of a conversation: who said what, and the signs in it that lexicons know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from assay.core import Span, feature
from assay.features.sentences import bounds
from assay.textproc.normal import Normal, normalise
from assay.textproc.patterns import matcher

Speaker = Literal["user", "assistant"]
MAX_TURNS = 1000
"""Turns of one conversation that are read."""
MAX_SENTENCES = 80
"""Sentences of one side that are compared with each other: every pair is looked at."""
SIGNS = {
    "frustration": ("frustration.en", "frustration.ar"),
    "resolution": ("resolution.en", "resolution.ar"),
    "unresolved": ("unresolved.en", "unresolved.ar"),
    "role_break": ("role_breaks",),
}
"""Kind of sign → the lexicons that know it."""
_LEXICONS = frozenset(name for names in SIGNS.values() for name in names)
_KINDS = {name: kind for kind, names in SIGNS.items() for name in names}
_MARKS = frozenset("?؟？")


class DialogueTurn(NamedTuple):
    """What one side said at one place of the conversation."""

    place: int
    role: Speaker
    normal: Normal
    signs: Mapping[str, tuple[Span, ...]]
    """Kind of sign → where it stands."""


class TurnSentence(NamedTuple):
    """A sentence of a turn."""

    turn: int
    """The place of its turn in the conversation."""
    text: str
    span: Span
    is_question: bool


Turns = tuple[DialogueTurn, ...]


@feature(
    data=(
        "lexicons/frustration.ar.txt",
        "lexicons/frustration.en.txt",
        "lexicons/resolution.ar.txt",
        "lexicons/resolution.en.txt",
        "lexicons/unresolved.ar.txt",
        "lexicons/unresolved.en.txt",
        "patterns/role_breaks.toml",
    )
)
def turns(conversation: Sequence[Mapping[str, Any]]) -> Turns:
    """What user and assistant said, in order; turns without a text, and others', are left out."""
    return tuple(
        _turn(place, turn["role"], turn["content"])
        for place, turn in enumerate(conversation[:MAX_TURNS])
        if turn.get("role") in ("user", "assistant")
        and isinstance(turn.get("content"), str)
        and turn["content"].strip()
    )


def _turn(place: int, role: Speaker, text: str) -> DialogueTurn:
    normal = normalise(text)
    signs: dict[str, list[Span]] = {}
    for hit in matcher(_LEXICONS).find(normal):
        span = Span(f"conversation[{place}]", *normal.span(hit.start, hit.end), hit.pattern)
        signs.setdefault(_KINDS[hit.lexicon], []).append(span)
    return DialogueTurn(
        place, role, normal, {kind: tuple(sorted(own)) for kind, own in signs.items()}
    )


def by(role: Speaker, turns: Turns) -> list[DialogueTurn]:
    """The turns of one side."""
    return [turn for turn in turns if turn.role == role]


def signs_of(turns: Sequence[DialogueTurn], kind: str) -> list[Span]:
    """Where one kind of sign stands in the turns."""
    return [span for turn in turns for span in turn.signs.get(kind, ())]


def turn_sentences(turns: Sequence[DialogueTurn]) -> list[TurnSentence]:
    """The sentences of the turns, as many as are compared."""
    result: list[TurnSentence] = []
    for turn in turns:
        text = turn.normal.text
        for start, end in bounds(turn.normal):
            words = text[start:end].rstrip()
            span = Span(f"conversation[{turn.place}]", *turn.normal.span(start, start + len(words)))
            is_question = text[end : end + 1] in _MARKS and end < len(text)
            result.append(TurnSentence(turn.place, words, span, is_question))
            if len(result) == MAX_SENTENCES:
                return result
    return result
