"""The tokens of the default embedder, found once for each word.

The package's tokenizer searches the best pieces of a whole text, character by character. No piece
of its vocabulary reaches over a blank, so the best pieces of a text are those of its words, which
are remembered. Two ways to cut a word may have the same score; which of them wins then depends on
rounding, and with it on the words before: such a text is left to the package.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

WORDS = 16_384
"""Words that are remembered."""
LONGEST = 32
"""Characters of a word that is remembered; longer ones seldom come again."""
MARGIN = 1e-6
"""How much better than the next one the best way to a place must be; the scores of a text of
20,000 characters are rounded by less than a thousandth of it."""
START, END, UNKNOWN = 1, 2, 0
BLANK_MARK = "\u2581"
"""What a blank becomes; a text that has it already is left to the package."""
_SEPARATORS = re.compile(r"[ \t\n\r\f]+")
"""What the normaliser turns into blanks; none of these is part of one of its longer keys."""

Ids = list[int]
WordIds = tuple[int, ...] | None
"""None for a word with two best ways to cut it."""


class WordTokenizer:
    """Text → the ids that the package's tokenizer gives it, special ones included."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._remembered = lru_cache(maxsize=WORDS)(self._word)

    def __call__(self, text: str) -> Ids:
        ids = self._ids(text)
        whole: Ids = self._tokenizer.encode(text) if ids is None else [START, *ids, END]
        return whole

    def _ids(self, text: str) -> Ids | None:
        """The ids of a text word by word; None if that may differ from those of the whole text."""
        if BLANK_MARK in text:
            return None
        ids: Ids = []
        for word in _SEPARATORS.split(text):
            own = self._remembered(word) if len(word) <= LONGEST else self._word(word)
            if own is None:
                return None
            ids += own
        return ids or [UNKNOWN]

    def _word(self, word: str) -> WordIds:
        normalised = self._tokenizer._normalizer.normalize(word)
        return best_pieces(self._tokenizer, normalised)


def best_pieces(tokenizer: Any, text: str) -> WordIds:
    """The pieces with the highest sum of scores; None where another way is as good.

    A piece of one character that the vocabulary lacks is unknown, at a score below all others.
    """
    lowest = float("-inf")
    size = len(text)
    best, second = [0.0, *[lowest] * size], [lowest] * (size + 1)
    begin, piece = [0] * (size + 1), [UNKNOWN] * (size + 1)
    known, scores = tokenizer._prefixes.get, tokenizer._scores
    for start in range(size):
        stop = min(start + tokenizer._max_len, size)
        ways = [(start + 1, tokenizer._unk_score, UNKNOWN)]
        for end in range(start + 1, stop + 1):
            found = known(text[start:end])
            if found is None:
                break
            if found:
                way = (end, scores[found - 1], found - 1)
                ways = [way] if end == start + 1 else [*ways, way]
        for end, score, number in ways:
            total = best[start] + score
            if total > best[end]:
                second[end] = best[end]
                best[end], begin[end], piece[end] = total, start, number
            elif total > second[end]:
                second[end] = total
    ids: Ids = []
    place = size
    while place:
        if best[place] - second[place] < MARGIN:
            return None
        ids.append(piece[place])
        place = begin[place]
    return tuple(reversed(ids))
