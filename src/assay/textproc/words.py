"""The words of a text, as the documented tokeniser sees them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from itertools import accumulate

from assay.core.lazy import lazy
from assay.core.result import Span
from assay.textproc.normal import Normal, exchange

_ASCII_SEPARATORS = " \t\n\r.,;:!?()[]{}\"'"
SEPARATORS = _ASCII_SEPARATORS + "،؛؟۔٪٫٬॥।。、，；：！？「」『』（）"
"""The documented separators and their Arabic, Indic and East Asian kin. A hyphen does not split."""
_BLANKED = dict.fromkeys(SEPARATORS.replace(" ", ""), " ")
_TABLE = str.maketrans(_BLANKED)
SHORT = 100
"""In a text of fewer characters a pass for each separator takes longer than a look at each."""
_BLANKED_ASCII = bytes.maketrans(_ASCII_SEPARATORS.encode(), b" " * len(_ASCII_SEPARATORS))

_new = tuple.__new__
"""Makes a named tuple out of a row in half the time that its own constructor takes."""
_one_more = (1).__add__


def blank(lower: str) -> str:
    """The text with every separator as a blank; the way by bytes is quicker."""
    if lower.isascii():
        return lower.encode().translate(_BLANKED_ASCII).decode()
    return lower.translate(_TABLE) if len(lower) < SHORT else exchange(lower, _BLANKED)


class Words:
    """The words of a text in lower case, with their places found when asked for."""

    def __init__(self, source: Normal) -> None:
        self._source = source
        self.blanked = blank(source.lower)
        """The lower-case text with every separator as a blank; places are unchanged."""
        self.all = self.blanked.split()

    @lazy
    def distinct(self) -> frozenset[str]:
        """The words, each once."""
        return frozenset(self.all)

    @lazy
    def counts(self) -> Counter[str]:
        """How often each word of three characters or more occurs."""
        return Counter([word for word in self.all if len(word) > 2])

    def spans(self, wanted: Container[str], limit: int, field: str, label: str) -> tuple[Span, ...]:
        """The first place of each wanted word in order, at most so many."""
        found = [word for word in dict.fromkeys(self.all) if word in wanted][:limit]
        places = self._first_places
        bounds = [(places[word], places[word] + len(word)) for word in found]
        if not self._source.is_in_place:
            bounds = [self._source.span(*own) for own in bounds]
        return tuple([_new(Span, (field, *own, label)) for own in bounds])

    @lazy
    def _first_places(self) -> dict[str, int]:
        """Word → where it first stands in the text."""
        return first_places(self.blanked)

    def span(self, first: int, last: int) -> tuple[int, int]:
        """From the start of the word at one index to the end of the word at another."""
        end = start = 0
        for index, word in enumerate(self.all[: last + 1]):
            begin = self.blanked.index(word, end)
            end = begin + len(word)
            if index == first:
                start = begin
        return self._source.span(start, end)


def first_places(blanked: str) -> dict[str, int]:
    """Word → where it first stands in a text in which only blanks part words."""
    parts = blanked.split(" ")
    starts = [*accumulate(map(_one_more, map(len, parts)), initial=0)]
    return dict(zip(reversed(parts), reversed(starts[:-1]), strict=True))
