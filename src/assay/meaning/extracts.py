"""Statements that are a sentence without one of the things that it names side by side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from assay.data.meaning import meaning_words
from assay.meaning.reading import TextReading
from assay.meaning.words import Word

LEAST_WORDS = 3
"""A shorter statement is not read."""
MOST_WORDS = 40
"""Nor is a longer sentence."""


def in_part(claim: TextReading, sentences: Sequence[TextReading]) -> bool | None:
    """True where a sentence says the same of more things: "batteries and wear parts are excluded".

    None where no sentence does. Left out may only be what "and" or "but" joins to the rest, and no
    figure, condition, exception, denial or word such as "some".
    """
    own = [word.key for word in claim.words]
    if not LEAST_WORDS <= len(own) <= MOST_WORDS:
        return None
    keys = frozenset(own)
    for sentence in sentences:
        if len(own) < len(sentence.words) <= MOST_WORDS and keys <= sentence.keys:
            left = _left_out(own, sentence)
            if left and all(_is_joined(run, sentence) for run in left):
                return True
    return None


def _left_out(own: Sequence[str], sentence: TextReading) -> list[list[int]]:
    """The runs of words that a sentence has besides these; empty where they stand in no such order.

    The last words are taken where they may, so that "and" begins or ends a run.
    """
    places: list[int] = []
    end = len(sentence.words)
    for key in reversed(own):
        end = next((n for n in range(end - 1, -1, -1) if sentence.words[n].key == key), -1)
        if end < 0:
            return []
        places.append(end)
    held = {*places}
    runs: list[list[int]] = []
    for place in range(len(sentence.words)):
        if place in held:
            continue
        if runs and runs[-1][-1] == place - 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return runs


def _is_joined(run: Sequence[int], sentence: TextReading) -> bool:
    """Whether words are joined to the others by "and" or "but", and limit nothing."""
    words: list[Word] = [sentence.words[place] for place in run]
    joints = meaning_words().lists["joints"]
    is_joined = words[0].text in joints or words[-1].text in joints
    if not is_joined or any(not _limiting().isdisjoint((w.text, w.bare)) for w in words):
        return False
    if any(scope.place in run for scope in sentence.scopes):
        return False
    return sentence.in_figures.isdisjoint(run)


@cache
def _limiting() -> frozenset[str]:
    """Words without which a sentence says more."""
    table = meaning_words()
    names = ("conditions", "clause_conditions", "exceptions", "only", "open", "without", "denials")
    return frozenset(table.classes).union(*[table.lists[name] for name in (*names, "unless")])
