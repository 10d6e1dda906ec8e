"""Statements that are a sentence without one of the things that it names side by side."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import pairwise

from assay.data.meaning import meaning_words
from assay.meaning.reading import TextReading
from assay.meaning.words import Word

LEAST_WORDS = 3
"""A shorter statement is not read."""
MOST_WORDS = 40
"""Nor is a longer sentence."""
MOST_ITEM = 3
"""Words of a thing in a list."""
_COMMAS = frozenset((",", "،"))
_SEMICOLONS = frozenset((";", "؛"))
_A = frozenset(("a", "an"))
_ARTICLES = _A | {"the"}


def in_part(claim: TextReading, sentences: Sequence[TextReading]) -> bool | None:
    """True where a sentence says the same of more things: "batteries and wear parts are excluded".

    None where no sentence does. Left out may only be what "and" or "but" joins to the rest, and no
    figure, condition, exception, denial or word such as "some". "A guest" may stand for one guest.
    """
    light = _ARTICLES if _A.isdisjoint(claim.texts) else _ARTICLES | {"one"}
    own = [word.key for word in claim.words if word.text not in light]
    if not LEAST_WORDS <= len(own) <= MOST_WORDS:
        return None
    keys = frozenset(own)
    for sentence in (part for one in sentences for part in _parts(one)):
        if len(own) < len(sentence.words) <= MOST_WORDS and keys <= sentence.keys:
            left = _left_out(own, sentence, light)
            if left and all(_is_joined(run, sentence) for run in left):
                return True
    return None


def _parts(sentence: TextReading) -> list[TextReading]:
    """A sentence, or what stands between its semicolons."""
    if ";" not in sentence.text and "؛" not in sentence.text:
        return [sentence]
    starts = [0] + [
        two.start
        for one, two in pairwise(sentence.words)
        if not _SEMICOLONS.isdisjoint(sentence.text[one.end : two.start])
    ]
    return [sentence.stretch(*ends) for ends in pairwise((*starts, len(sentence.text)))]


def _left_out(
    own: Sequence[str], sentence: TextReading, light: AbstractSet[str]
) -> list[list[int]]:
    """The runs of words that a sentence has besides these; empty where they stand in no such order.

    Light words are left out as they are. The last words are taken where they may, so that "and"
    begins or ends a run.
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
        is_alone = sentence.words[place].text in light and place + 1 in held
        if place in held or is_alone:
            continue
        if runs and runs[-1][-1] == place - 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return runs


def _is_joined(run: Sequence[int], sentence: TextReading) -> bool:
    """Whether words are joined to the others by "and" or "but" or as an item, and limit nothing."""
    words: list[Word] = [sentence.words[place] for place in run]
    joints = meaning_words().lists["joints"]
    is_joined = words[0].text in joints or words[-1].text in joints or _is_item(run, sentence)
    if not is_joined or any(not _limiting().isdisjoint((w.text, w.bare)) for w in words):
        return False
    if any(scope.place in run for scope in sentence.scopes):
        return False
    return sentence.in_figures.isdisjoint(run)


def _is_item(run: Sequence[int], sentence: TextReading) -> bool:
    """Whether words are things of a list that goes on to "and": "towels, lockers and a drink"."""
    words, joints = sentence.words, meaning_words().lists["joints"]
    behind = [word.text for word in words[run[-1] + 1 : run[-1] + 2 + 2 * MOST_ITEM]]
    sizes = [0]
    for place in run:
        is_joint = words[place].text in joints
        sizes[-1] += not is_joint and words[place].text not in _ARTICLES
        if is_joint or _has_comma(sentence, place):
            sizes.append(0)
    if not run[0] or max(sizes) > MOST_ITEM:
        return False
    if not behind:
        return _has_comma(sentence, run[0] - 1) and any(words[n].text in joints for n in run)
    is_parted = sizes[-1] == 0 or behind[0] in joints
    return is_parted and not joints.isdisjoint(behind)


def _has_comma(sentence: TextReading, place: int) -> bool:
    return sentence.text[sentence.words[place].end :].lstrip()[:1] in _COMMAS


@cache
def _limiting() -> frozenset[str]:
    """Words without which a sentence says more."""
    table = meaning_words()
    names = ("conditions", "clause_conditions", "exceptions", "only", "open", "without", "denials")
    return frozenset(table.classes).union(*[table.lists[name] for name in (*names, "unless")])
