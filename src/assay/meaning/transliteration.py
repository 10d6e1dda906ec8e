"""Names in another script: "جورج أورويل" is George Orwell.

Both are reduced to their consonants, in classes that the usual transliterations keep. Vowels, "w"
and "y" are left out, since Arabic writes only some of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from assay.data.transliteration import consonants
from assay.meaning.words import Word

LEAST = 3
"""Consonants that a name must have in all: shorter ones, such as Oman, are too many."""
MOST_FORMS = 16
"""Readings of one Latin word that are compared."""


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
    own, known = _latin_forms(latin.text), consonants().arabic
    for text in {arabic.text, arabic.bare, arabic.text.removeprefix("ال")}:
        form = _single("".join([known.get(letter, "") for letter in text.replace("تش", "ش")]))
        if form and form in own:
            return len(form)
    return 0


@lru_cache(maxsize=4096)
def _latin_forms(word: str) -> frozenset[str]:
    """The consonants that a Latin word may be heard as."""
    forms, place, known = [""], 0, consonants().latin
    while place < len(word):
        size = 2 if word[place : place + 2] in known else 1
        heard = known.get(word[place : place + size], ("",))
        forms = [form + sound for form in forms for sound in heard][:MOST_FORMS]
        place += size
    return frozenset(map(_single, forms))


def _single(form: str) -> str:
    """Consonants of which none stands twice in a row."""
    return "".join(
        [letter for place, letter in enumerate(form) if form[place - 1 : place] != letter]
    )
