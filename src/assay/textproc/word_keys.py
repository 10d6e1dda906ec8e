"""The words of a text in a form in which two texts can be compared.

English words are stemmed, Arabic ones lose the article and variant letters, and scripts without
blanks are read in pairs of characters. A negation that is written otherwise ("isn't", "has yet to")
is "not".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice, pairwise

from assay.core.lazy import lazy
from assay.data import languages, lexicon
from assay.textproc.plain_words import plain_text, split_plain
from assay.textproc.stem import stems

NEGATION_SCOPE = 4
"""So many words behind a negation are looked at for what it denies."""
DENIED = 2
"""At most so many words are denied by one negation."""
OPENING = 8
"""Within so many words an answer such as "I do not know, but" may stand before a statement."""
_UNSPACED = re.compile("[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_ARABIC = re.compile("[\u0600-\u06ff]")
_ARABIC_FOLDED = str.maketrans("أإآٱةى", "ااااهي")
_ARABIC_ARTICLES = ("وال", "بال", "كال", "فال", "ال", "لل")
_MIN_ARABIC = 3
"""Letters that must be left when an article is taken off."""
_SPECIAL = frozenset(("t", "yet"))
"""Words that may be part of a negation."""


class Keys:
    """The keys of a text in order, with the words that they were made of and their places.

    The text is given in lower case, and normalised.
    """

    def __init__(self, lower: str) -> None:
        self._lower = lower
        plain = plain_text(lower)
        self.words = plain.split()
        if not plain.isascii() or not _SPECIAL.isdisjoint(self.words):
            words = list(_words(lower))
            self.words = [word for word, _ in words]
            self.starts = [start for _, start in words]
        self.all = stems(self.words)
        if not plain.isascii():
            self.all = [_folded(key) for key in self.all]
        self.distinct = frozenset(self.all)
        """The keys, each once."""

    @lazy
    def starts(self) -> list[int]:
        """The places of the words."""
        plain = plain_text(self._lower)
        starts, end = [], 0
        for word in self.words:
            start = plain.index(word, end)
            starts.append(start)
            end = start + len(word)
        return starts

    @lazy
    def pairs(self) -> frozenset[tuple[str, str]]:
        """Neighbouring keys."""
        return frozenset(pairwise(self.all))

    @lazy
    def joined(self) -> str:
        """All keys with one blank around each."""
        return f" {' '.join(self.all)} "

    @property
    def has_negation(self) -> bool:
        """Whether a word denies something; "No, but …" and "I am not sure, but …" do not count."""
        return not negations().isdisjoint(self.words[self._opening :])

    @property
    def _opening(self) -> int:
        """How many words answer or hesitate before the statement begins."""
        head = self.words[:OPENING]
        if "but" in head:
            return head.index("but") + 1
        return int(head[:1] == ["no"])

    @property
    def denied(self) -> frozenset[str]:
        """The keys that stand right behind a negation."""
        return frozenset(self._denied()) if self.has_negation else frozenset()

    def word(self, key: str) -> str:
        """The first word with that key."""
        return self.words[self.all.index(key)]

    def outside(self, taken: Sequence[tuple[int, int]]) -> Collection[str]:
        """The distinct keys that do not stand in a stretch that is taken, such as a number's."""
        return {key for _, key in self._outside(taken)} if taken else self.distinct

    def content(self, language: str, taken: Sequence[tuple[int, int]] = ()) -> dict[str, None]:
        """The distinct keys outside that say what the text is about; all where none does."""
        empty = empty_words(language)
        rows = self._outside(taken) if taken else zip(self.words, self.all, strict=True)
        keys = dict.fromkeys([key for word, key in rows if word not in empty])
        return keys or dict.fromkeys(self.all)

    def _outside(self, taken: Iterable[tuple[int, int]]) -> Iterator[tuple[str, str]]:
        """The words that do not stand in a stretch that is taken, with their keys."""
        held = {place for start, end in taken for place in range(start, end)}
        for word, key, start in zip(self.words, self.all, self.starts, strict=True):
            if start not in held:
                yield word, key

    def last(self, language: str, count: int) -> list[tuple[str, int]]:
        """The last keys that say what the text is about, with their indices among the words."""
        empty = empty_words(language)
        behind = range(len(self.words) - 1, -1, -1)
        places = islice((n for n in behind if self.words[n] not in empty), count)
        return [(self.all[n], n) for n in places]

    def _denied(self) -> Iterator[str]:
        empty = empty_words("en")
        for place, word in enumerate(self.words):
            if word in negations() and place >= self._opening:
                behind = range(place + 1, min(place + 1 + NEGATION_SCOPE, len(self.words)))
                denied = [self.all[i] for i in behind if self.words[i] not in empty]
                yield from denied[:DENIED]


def _words(lower: str) -> Iterator[tuple[str, int]]:
    """The words with their places; what is written without blanks in pairs of characters."""
    before = ""
    words = split_plain(lower)
    for place, (word, start, _) in enumerate(words):
        if (word == "t" and before.endswith("n")) or (
            word == "yet" and place + 1 < len(words) and words[place + 1].text == "to"
        ):
            yield "not", start
        elif len(word) > 2 and not word.isascii() and _UNSPACED.search(word):
            for place in range(len(word) - 1):
                yield word[place : place + 2], start + place
        else:
            yield word, start
        before = word


def _folded(key: str) -> str:
    """An Arabic word without its article and in plain letters; any other word as it is."""
    if key.isascii() or not _ARABIC.search(key):
        return key
    plain = key.translate(_ARABIC_FOLDED)
    for article in _ARABIC_ARTICLES:
        if plain.startswith(article) and len(plain) - len(article) >= _MIN_ARABIC:
            return plain.removeprefix(article)
    return plain


def listed(name: str) -> frozenset[str]:
    """The words of a bundled list."""
    return frozenset(pattern.name for pattern in lexicon(name).patterns)


@cache
def negations() -> frozenset[str]:
    """Words that deny."""
    return listed("negations.en")


@cache
def function_words(language: str) -> frozenset[str]:
    """Words of a language that say little; of English where the language has no list."""
    if language == "ar":
        return listed("function_words.ar")
    known = languages().words
    own = known.get(language, known["en"])
    return own | listed("function_words.en") if own is known["en"] else own


@cache
def empty_words(language: str) -> frozenset[str]:
    """Words that do not say what a text is about: function words, and those that deny."""
    return function_words(language) | negations()
