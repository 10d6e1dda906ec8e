"""The words of a text, as the documented tokeniser sees them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from functools import cached_property

from assay.core.result import Span
from assay.textproc.normal import Normal

_ASCII_SEPARATORS = " \t\n\r.,;:!?()[]{}\"'"
SEPARATORS = _ASCII_SEPARATORS + "،؛؟۔٪٫٬॥।。、，；：！？「」『』（）"
"""The documented separators and their Arabic, Indic and East Asian kin. A hyphen does not split."""
_BLANKED = str.maketrans(dict.fromkeys(SEPARATORS, " "))
_BLANKED_ASCII = bytes.maketrans(_ASCII_SEPARATORS.encode(), b" " * len(_ASCII_SEPARATORS))


def blank(lower: str) -> str:
    """The text with every separator as a blank; the way by bytes is quicker."""
    if lower.isascii():
        return lower.encode().translate(_BLANKED_ASCII).decode()
    return lower.translate(_BLANKED)


class Words:
    """The words of a text in lower case, with their places found when asked for."""

    def __init__(self, source: Normal) -> None:
        self._source = source
        self.blanked = blank(source.lower)
        """The lower-case text with every separator as a blank; places are unchanged."""
        self.all = self.blanked.split()

    @cached_property
    def distinct(self) -> frozenset[str]:
        """The words, each once."""
        return frozenset(self.all)

    @cached_property
    def counts(self) -> Counter[str]:
        """How often each word of three characters or more occurs."""
        return Counter([word for word in self.all if len(word) > 2])

    def spans(self, wanted: Container[str], limit: int, field: str, label: str) -> tuple[Span, ...]:
        """The first place of each wanted word in order, at most so many."""
        padded = f" {self.blanked} "
        spans: dict[str, Span] = {}
        for word in self.all:
            if word in wanted and word not in spans:
                start = padded.index(f" {word} ")
                place = self._source.span(start, start + len(word))
                spans[word] = Span(field, *place, label)
                if len(spans) == limit:
                    break
        return tuple(spans.values())

    def span(self, first: int, last: int) -> tuple[int, int]:
        """From the start of the word at one index to the end of the word at another."""
        end = start = 0
        for index, word in enumerate(self.all[: last + 1]):
            begin = self.blanked.index(word, end)
            end = begin + len(word)
            if index == first:
                start = begin
        return self._source.span(start, end)
