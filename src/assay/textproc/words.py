"""The words of a text, as the documented tokeniser sees them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from functools import partial
from itertools import chain, islice

from assay.core.lazy import lazy
from assay.core.result import LazySpans, Span
from assay.textproc.normal import Normal, exchange

_ASCII_SEPARATORS = " \t\n\r.,;:!?()[]{}\"'"
SEPARATORS = _ASCII_SEPARATORS + "،؛؟۔٪٫٬॥।。、，；：！？「」『』（）"
"""The documented separators and their Arabic, Indic and East Asian kin. A hyphen does not split."""
_BLANKED = dict.fromkeys(SEPARATORS.replace(" ", ""), " ")
_TABLE = str.maketrans(_BLANKED)
SHORT = 100
"""In a text of fewer characters a pass for each separator takes longer than a look at each."""
_BLANKED_ASCII = bytes.maketrans(_ASCII_SEPARATORS.encode(), b" " * len(_ASCII_SEPARATORS))
_SPACED_ASCII = bytes(ord(" ") if chr(code).isspace() else code for code in range(256))


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

    def spans(self, wanted: Container[str], limit: int, field: str, label: str) -> Sequence[Span]:
        """The first place of each wanted word in order, at most so many."""
        return LazySpans(field, label, partial(self._places, wanted, limit))

    def _places(self, wanted: Container[str], limit: int) -> list[int]:
        found = dict.fromkeys(filter(wanted.__contains__, self.all))
        places = first_places(self.blanked, islice(found, limit))
        if self._source.is_in_place:
            return places
        ends = iter(places)
        spans = [self._source.span(*own) for own in zip(ends, ends, strict=True)]
        return [*chain.from_iterable(spans)]

    def span(self, first: int, last: int) -> tuple[int, int]:
        """From the start of the word at one index to the end of the word at another."""
        end = start = 0
        for index, word in enumerate(self.all[: last + 1]):
            begin = self.blanked.index(word, end)
            end = begin + len(word)
            if index == first:
                start = begin
        return self._source.span(start, end)


def spaced(text: str) -> str:
    """The text with a blank for all that `split` parts words at; places are unchanged."""
    if text.isascii():
        return text.encode().translate(_SPACED_ASCII).decode()
    return exchange(text, {char: " " for char in set(text) if char.isspace() and char != " "})


def first_places(blanked: str, words: Iterable[str]) -> list[int]:
    """Start and end of the first place of each word, in a text in which only blanks part words.

    The words come in the order of their first places, so that the text is searched once for all.
    """
    padded = f" {blanked} "
    places: list[int] = []
    start = 0
    for word in words:
        start = padded.index(f" {word} ", start)
        places += (start, start + len(word))
    return places
