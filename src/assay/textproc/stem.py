"""The stem of an English word, by Porter's algorithm with the extensions that NLTK made to it.

Porter, M. F. (1980), "An algorithm for suffix stripping", Program 14(3). The extensions: a table of
irregular words, no change to words of one or two letters, "ties" and "tied" to "tie", and a final y
to i after any consonant. ROUGE is defined over these stems, so they follow NLTK to the letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

MEMO_SIZE = 100_000
"""Words whose stems are kept; more than that and the memo starts anew."""
MEMO_LENGTH = 40
"""Longer words are stemmed each time, so that the memo stays small."""
STEMMED_FROM = 4
"""Letters that a word must have for ROUGE to stem it."""
IRREGULAR = {
    "canning": "canning",
    "cannings": "canning",
    "dying": "die",
    "exceed": "exceed",
    "howe": "howe",
    "inning": "inning",
    "innings": "inning",
    "lying": "lie",
    "news": "news",
    "outing": "outing",
    "outings": "outing",
    "proceed": "proceed",
    "skies": "sky",
    "sky": "sky",
    "succeed": "succeed",
    "tying": "tie",
}


class _Endings(NamedTuple):
    """Endings and what they become; the first that fits counts."""

    changes: tuple[tuple[str, str], ...]
    every: tuple[str, ...]
    last: frozenset[str]
    """Their last letters: most words have none of them, and one look is enough."""

    @classmethod
    def of(cls, *changes: tuple[str, str]) -> _Endings:
        every = tuple(ending for ending, _ in changes)
        return cls(changes, every, frozenset(ending[-1] for ending in every))


_STEP_2 = _Endings.of(
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("fulli", "ful"),
)
_STEP_3 = _Endings.of(
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
)
_STEP_4 = _Endings.of(
    *(
        (ending, "")
        for ending in (
            *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent"),
            *("ion", "ou", "ism", "ate", "iti", "ous", "ive", "ize"),
        )
    )
)


class _Stems(dict[str, str]):
    """Word → stem, filled as words are met."""

    def __missing__(self, word: str) -> str:
        result = stem(word) if len(word) >= STEMMED_FROM and word.isascii() else word
        if len(word) <= MEMO_LENGTH:
            if len(self) >= MEMO_SIZE:
                self.clear()
            self[word] = result
        return result


_STEMS = _Stems()


def stems(words: Iterable[str]) -> list[str]:
    """The stems of words in lower case; short words and those of other scripts stay as they are."""
    return list(map(_STEMS.__getitem__, words))


def stem(word: str) -> str:
    """The stem of a word of any length, in lower case."""
    lower = word.lower()
    if lower in IRREGULAR:
        return IRREGULAR[lower]
    if len(word) <= 2:
        return lower
    for step in (_plural, _past, _final_y, _step_2, _step_3, _step_4, _final_e, _final_l):
        lower = step(lower)
    return lower


def _plural(word: str) -> str:
    """Step 1a: caresses → caress, flies → fli, dies → die, cats → cat."""
    if word[-1] != "s":
        return word
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("sses"):
        return word[:-2]
    return word if word.endswith("ss") else word[:-1]


def _past(word: str) -> str:
    """Step 1b: tried → tri, died → die, agreed → agree, plastered → plaster, motoring → motor."""
    if word[-1] not in "dg":
        return word
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    for ending in ("ed", "ing"):
        if word.endswith(ending):
            rest = word.removesuffix(ending)
            return _restored(rest) if "v" in _shape(rest) else word
    return word


def _restored(word: str) -> str:
    """What stood before -ed or -ing: conflat → conflate, hopp → hop, fil → file."""
    shape = _shape(word)
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    if shape[-1] == "c" and word[-1] == word[-2:-1]:
        return word if word[-1] in "lsz" else word[:-1]
    return word + "e" if _measure(word) == 1 and _is_short(word) else word


def _final_y(word: str) -> str:
    """Step 1c: happy → happi, fly → fli, but enjoy."""
    is_changed = word[-1] == "y" and len(word) > 2 and _shape(word[:-1])[-1] == "c"
    return word[:-1] + "i" if is_changed else word


def _step_2(word: str) -> str:
    """Step 2: relational → relate, digitizer → digitize, hopefulness → hopeful."""
    if word[-1] not in _STEP_2.last:
        return word
    if word.endswith("alli") and _measure(word[:-4]):
        return _step_2(word[:-2])
    if word.endswith("logi"):  # the l counts as part of what stays: geologi → geolog
        return word[:-1] if _measure(word[:-3]) else word
    return _changed(word, _STEP_2, 0)


def _step_3(word: str) -> str:
    """Step 3: triplicate → triplic, goodness → good."""
    return _changed(word, _STEP_3, 0)


def _step_4(word: str) -> str:
    """Step 4: allowance → allow, adoption → adopt, but billion."""
    if word.endswith("ion") and word[-4:-3] not in ("s", "t"):
        return word
    return _changed(word, _STEP_4, 1)


def _final_e(word: str) -> str:
    """Step 5a: probate → probat, cease → ceas, but rate."""
    if word[-1] != "e":
        return word
    rest = word[:-1]
    measure = _measure(rest)
    return rest if measure > 1 or (measure == 1 and not _is_short(rest)) else word


def _final_l(word: str) -> str:
    """Step 5b: controll → control, but roll."""
    return word[:-1] if word[-2:] == "ll" and _measure(word[:-1]) > 1 else word


def _changed(word: str, endings: _Endings, least: int) -> str:
    """The word with its ending changed, where what stands before measures more than the least."""
    if word[-1] not in endings.last or not word.endswith(endings.every):
        return word
    for ending, new in endings.changes:
        if word.endswith(ending):
            rest = word.removesuffix(ending)
            return rest + new if _measure(rest) > least else word
    return word


def _measure(word: str) -> int:
    """How many times a vowel is followed by a consonant: 0 for "tree", 1 for "oats"."""
    return _shape(word).count("vc")


def _is_short(word: str) -> bool:
    """Whether it ends consonant, vowel, consonant ("hop", not "bow"), or is just the last two."""
    shape = _shape(word)
    return shape == "vc" or (shape[-3:] == "cvc" and word[-1] not in "wxy")


class _Kinds(dict[int, str]):
    """Code of a letter → "v" for a vowel, "c" for anything else."""

    def __missing__(self, code: int) -> str:
        return "c"


_KINDS = _Kinds({code: "v" if chr(code) in "aeiou" else "c" for code in range(128)})
_RUN_OF_Y = re.compile("y+")


def _shape(word: str) -> str:
    """The word with "v" for each vowel and "c" for each consonant."""
    return (_RUN_OF_Y.sub(_plain, word) if "y" in word else word).translate(_KINDS)


def _plain(run: re.Match[str]) -> str:
    """Other letters for a run of y: each is a vowel after a consonant, else a consonant."""
    before = run.string[run.start() - 1] if run.start() else "a"
    pair = "ba" if before in "aeiou" else "ab"
    return (pair * len(run.group()))[: len(run.group())]
