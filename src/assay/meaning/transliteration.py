"""Names in another script: "جورج أورويل" is George Orwell.

Both are reduced to their consonants, in classes that the usual transliterations keep. Vowels, "w"
and "y" are left out, since Arabic writes only some of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from assay.meaning.words import Word

LEAST = 3
"""Consonants that a name must have in all: shorter ones, such as Oman, are too many."""
MOST_FORMS = 16
"""Readings of one Latin word that are compared."""
_ARABIC = {
    **dict.fromkeys("بپ", "b"),
    **dict.fromkeys("تط", "t"),
    **dict.fromkeys("دضذظ", "d"),
    **dict.fromkeys("جغقكخگ", "k"),
    **dict.fromkeys("سصشثچ", "s"),
    **dict.fromkeys("هح", "h"),
    **dict.fromkeys("فڤ", "f"),
    "ر": "r",
    "ز": "z",
    "ل": "l",
    "م": "m",
    "ن": "n",
}
_LATIN_PAIRS = {
    "sh": ("s",),
    "ch": ("s", "k"),
    "th": ("t", "s", "d"),
    "ph": ("f",),
    "kh": ("k",),
    "gh": ("k", ""),
    "dh": ("d",),
    "ck": ("k",),
    "qu": ("k",),
}
_LATIN = {
    "c": ("k", "s"),
    "g": ("k",),
    "j": ("k",),
    "q": ("k",),
    "k": ("k",),
    "x": ("ks",),
    "p": ("b",),
    "b": ("b",),
    "v": ("f", "b"),
    "f": ("f",),
    "h": ("h", ""),
    "s": ("s", "z"),
    "z": ("z", "s"),
    **{letter: (letter,) for letter in "dlmnrt"},
}


def is_transliterated(names: Sequence[Word], words: Sequence[Word]) -> bool:
    """Whether all words of a name stand in a row among the words of a text in another script."""
    is_latin = all(word.text.isascii() for word in names)
    if not names or (not is_latin and any(word.text.isascii() for word in names)):
        return False
    others = [word for word in words if word.text.isascii() != is_latin]
    for place in range(len(others) - len(names) + 1):
        pairs = zip(names, others[place : place + len(names)], strict=True)
        lengths = [_shared(*(pair if is_latin else reversed(pair))) for pair in pairs]
        if all(lengths) and sum(lengths) >= LEAST:
            return True
    return False


def _shared(latin: Word, arabic: Word) -> int:
    """How many consonants a word has in both scripts; 0 where they differ."""
    own = _latin_forms(latin.text)
    for text in {arabic.text, arabic.bare, arabic.text.removeprefix("ال")}:
        form = _single("".join([_ARABIC.get(letter, "") for letter in text.replace("تش", "ش")]))
        if form and form in own:
            return len(form)
    return 0


@lru_cache(maxsize=4096)
def _latin_forms(word: str) -> frozenset[str]:
    """The consonants that a Latin word may be heard as."""
    forms, place = [""], 0
    while place < len(word):
        pair = _LATIN_PAIRS.get(word[place : place + 2])
        heard = pair or _LATIN.get(word[place], ("",))
        forms = [form + sound for form in forms for sound in heard][:MOST_FORMS]
        place += 2 if pair else 1
    return frozenset(map(_single, forms))


def _single(form: str) -> str:
    """Consonants of which none stands twice in a row."""
    return "".join(
        [letter for place, letter in enumerate(form) if form[place - 1 : place] != letter]
    )
