import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice

from assay.core import MAX_EVIDENCE, Result, Span, metric
from assay.features import Normal, Words

MAX_WORD = 64
_NUMBER = re.compile(r"[0-9]+(?:[.,][0-9]+)*")


@metric(
    id="text.consistency",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=0.50,
)
def consistency(response_words: Words, response_normal: Normal) -> Result:
    """Whether the response contradicts itself in plain statements and figures.

    A contradiction is "X is/are Y" beside "X is/are not Y", or the same word followed by different
    numbers ("costs 5" … "costs 7"):

        value = 1 with no contradiction, 0.5 with one, 0 with more

    An empty response scores 1.

    Blind spots: X and Y are single words, so "the old door is wide open" is not compared; lists
    such as "page 3 … page 4" count as contradictions; statements are read in English.
    """
    stated = {
        statement: both for statement, both in _statements(response_words).items() if all(both)
    }
    figures = {word: spans for word, spans in _figures(response_normal).items() if len(spans) > 1}
    conflicts = len(stated) + len(figures)
    return Result(
        (1.0, 0.5, 0.0)[min(conflicts, 2)],
        f"{conflicts} contradictions in statements and figures.",
        (
            *(
                Span("response", *response_words.span(*place), label)
                for both in islice(stated.values(), MAX_EVIDENCE)
                for label, places in zip(("stated", "denied"), both, strict=True)
                for place in places[:1]
            ),
            *(
                s
                for spans in islice(figures.values(), MAX_EVIDENCE)
                for s in islice(spans.values(), MAX_EVIDENCE)
            ),
        ),
        {
            "statements": sorted(map(" ".join, stated))[:MAX_EVIDENCE],
            "figures": sorted(figures)[:MAX_EVIDENCE],
        },
    ).limited(2 * len(stated) + sum(map(len, figures.values())))


Places = list[tuple[int, int]]
"""Indexes of the first and the last word of each place."""


def _statements(words: Words) -> dict[tuple[str, str], tuple[Places, Places]]:
    """(X, Y) → where "X is Y" stands, and where "X is not Y" does."""
    statements: dict[tuple[str, str], tuple[Places, Places]] = defaultdict(lambda: ([], []))
    for verb in ("is", "are") if "not" in words.distinct else ():
        for index in _indexes(words, verb):
            denied = words.all[index + 1 : index + 2] == ["not"]
            last = index + 1 + denied
            if index > 0 and last < len(words.all):
                key = words.all[index - 1], words.all[last]
                statements[key][denied].append((index - 1, last))
    return statements


def _indexes(words: Words, wanted: str) -> Iterator[int]:
    index = -1
    for _ in range(words.all.count(wanted)):
        index = words.all.index(wanted, index + 1)
        yield index


def _figures(text: Normal) -> dict[str, dict[str, Span]]:
    """Word → the different numbers that follow it, with the first place of each."""
    figures: dict[str, dict[str, Span]] = defaultdict(dict)
    for number in _NUMBER.finditer(text.lower):
        start, end = number.span()
        word = _word_before(text.lower, start)
        if word.isalpha():
            span = Span("response", *text.span(start, end), f"{word} {number.group()}"[:80])
            figures[word].setdefault(number.group(), span)
    return figures


def _word_before(lower: str, place: int) -> str:
    """The last word that one blank parts from a place; "" when it is longer than any word."""
    if lower[place - 1 : place] != " ":
        return ""
    start = max(0, place - MAX_WORD)
    before = lower[start : place - 1].split()
    return before[-1].lstrip("([{\"'") if before and (len(before) > 1 or not start) else ""
