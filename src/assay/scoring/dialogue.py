"""What the assistant of a conversation says or asks twice, and what it takes back."""

from __future__ import annotations

from assay.features.turns import Turns, TurnSentence, by, turn_sentences
from assay.meaning.conflicts import conflicts
from assay.meaning.reading import read

SAME_QUESTION = 0.7
"""The share of all content words of two questions that both must have to be the same one."""
MIN_WORDS = 2
"""Content words without which a question asks for nothing in particular: "And then?"."""
MIN_STATEMENT = 3
"""Words without which a sentence states nothing: "Of course"."""
Repeat = tuple[TurnSentence, TurnSentence]
"""A sentence, and the earlier one that it belongs to."""


def asked_again(turns: Turns) -> tuple[int, list[Repeat]]:
    """How many questions the assistant asks, and those that it asked in an earlier turn."""
    questions = [one for one in turn_sentences(by("assistant", turns)) if one.is_question]
    answered = {turn.place for turn in by("user", turns)}
    words = [frozenset(read(one.text).content) for one in questions]
    again: list[Repeat] = []
    for place, one in enumerate(questions):
        for earlier in range(place):
            before = questions[earlier]
            is_answered = any(before.turn < at < one.turn for at in answered)
            if is_answered and _is_same(words[place], words[earlier]):
                again.append((one, before))
                break
    return len(questions), again


def opposed(turns: Turns) -> tuple[int, list[Repeat]]:
    """How many statements the assistant makes, and those against one of an earlier turn."""
    sentences = [one for one in turn_sentences(by("assistant", turns)) if not one.is_question]
    statements = [
        (one, reading)
        for one in sentences
        if len((reading := read(one.text)).words) >= MIN_STATEMENT
    ]
    against: list[Repeat] = []
    for place, (one, reading) in enumerate(statements):
        for before, earlier in statements[:place]:
            if before.turn < one.turn and conflicts(reading, earlier, [earlier]):
                against.append((one, before))
                break
    return len(statements), against


def _is_same(one: frozenset[str], other: frozenset[str]) -> bool:
    if min(len(one), len(other)) < MIN_WORDS:
        return False
    return len(one & other) >= SAME_QUESTION * len(one | other)
