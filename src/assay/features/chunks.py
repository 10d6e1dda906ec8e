"""The contexts in pieces that a claim can rest on: sentences and lines, none too long.

Every character of every context lies in a piece. A claim is compared with a window: a piece
together with its neighbours in the same context.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from heapq import nsmallest
from itertools import accumulate
from math import log

from assay.core import Document, Span, feature
from assay.core.lazy import lazy
from assay.core.recurrence import recurrence_cache
from assay.data.meaning import Unit
from assay.features.language import language as language_feature
from assay.features.normal import normal as normal_feature
from assay.features.sentences import ABBREVIATIONS, bounds
from assay.features.words import words as words_feature
from assay.meaning import Figure, TextReading, read
from assay.meaning.figure_reader import may_have_figures
from assay.meaning.figures import amount_measure
from assay.textproc.language import SAMPLED
from assay.textproc.normal import Normal
from assay.textproc.quantities import Figures, KnownFigures, figures
from assay.textproc.word_keys import Keys

MAX_WORDS = 60
"""A longer sentence is cut, so that a text without full stops has pieces too."""
MAX_LENGTH = 1000
"""A piece of so many characters is cut too: not every script has blanks."""
MAX_AMOUNTS = 200
"""At most so many different amounts of one kind are kept for comparison."""
FIRST = 6
"""So many pieces stand for all where a claim shares no word with any."""
REMEMBERED = 20_000
"""A longer context, in characters, is cut anew each time."""
_WORDS = re.compile(rf"(?:\S+\s+){{0,{MAX_WORDS - 1}}}\S+")


class Piece:
    """A sentence or line of a text, wherever that text stands."""

    def __init__(self, start: int, text: str, whole: Normal) -> None:
        self._start, self._end = start, start + len(text)
        if not whole.text.isascii():  # what was cut out of normalised ASCII is normalised
            text = normal_feature.feature(text).text
        self.text = text
        self._lower = text.lower()
        self.keys = Keys(self._lower)
        self._whole = whole

    @property
    def span(self) -> tuple[int, int]:
        """Its place in the text as given."""
        return self._whole.span(self._start, self._end)

    @lazy
    def figures(self) -> Figures:
        """Its numbers and dates."""
        return figures(self._lower, self.keys.words)

    @lazy
    def reading(self) -> TextReading:
        """It as it is compared with statements: figures, negations, names."""
        return read(self.text, self._lower)

    @property
    def may_have_figures(self) -> bool:
        """Whether its reading may have figures; a piece without any need not be read for them."""
        lower = self._lower
        # elsewhere a reading may have words that are parts of these, or are written otherwise
        is_plain = lower.isascii() and "_" not in lower and ".m" not in lower
        return not is_plain or may_have_figures(lower, self.keys.words)


class Chunk:
    """A piece of a context."""

    __slots__ = ("context", "keys", "piece", "place", "text")

    def __init__(self, context: int, place: int, piece: Piece) -> None:
        self.context = context
        self.place = place
        """Its index among all pieces."""
        self.piece = piece
        self.text = piece.text
        self.keys = piece.keys

    @property
    def span(self) -> tuple[int, int]:
        """Its place in the context as given."""
        return self.piece.span

    @property
    def figures(self) -> Figures:
        """Its numbers and dates."""
        return self.piece.figures


class ChunkWindow:
    """A piece with its neighbours."""

    def __init__(self, chunks: Sequence[Chunk], centre: Chunk) -> None:
        self.chunks = chunks
        self.centre = centre
        self.keys: frozenset[str] = frozenset().union(*[chunk.keys.distinct for chunk in chunks])
        """The keys of all its pieces."""

    @lazy
    def words(self) -> frozenset[str]:
        """The words of all its pieces."""
        return frozenset().union(*[chunk.keys.words for chunk in self.chunks])

    @lazy
    def has_negation(self) -> bool:
        """Whether a word of a piece denies something."""
        return any(chunk.keys.has_negation for chunk in self.chunks)

    @lazy
    def readings(self) -> Sequence[TextReading]:
        """Its pieces as they are compared with statements."""
        return [chunk.piece.reading for chunk in self.chunks]

    @lazy
    def reading_keys(self) -> frozenset[str]:
        """The keys of all words of its readings."""
        return frozenset().union(*[reading.keys for reading in self.readings])

    def pairs_share(self, keys: Keys) -> float:
        """The share of the neighbouring keys of a text that are neighbours in one of its pieces."""
        if not keys.pairs:
            return 0.0
        joined = "".join([chunk.keys.joined for chunk in self.chunks])
        return sum([f" {one} {two} " in joined for one, two in keys.pairs]) / len(keys.pairs)

    def word(self, key: str) -> str:
        """The first word of its pieces with that key."""
        return next(c.keys.word(key) for c in self.chunks if key in c.keys.distinct)

    @lazy
    def text(self) -> str:
        """The text of all its pieces."""
        return " ".join([chunk.text for chunk in self.chunks])


class Chunks:
    """All pieces of all contexts, with an index of their keys."""

    def __init__(self, chunks: Sequence[Chunk], documents: Sequence[Document]) -> None:
        self.all = chunks
        self.documents = documents
        self._windows: dict[int, ChunkWindow] = {}
        self._languages: dict[str, bool] = {}

    @lazy
    def index(self) -> Mapping[str, Sequence[int]]:
        """Key → the pieces that hold it."""
        places: dict[str, list[int]] = defaultdict(list)
        for place, chunk in enumerate(self.all):
            for key in chunk.keys.distinct:
                places[key].append(place)
        return places

    def has_language(self, language: str) -> bool:
        """Whether a context is in that language."""
        if language not in self._languages:
            texts = (normal_feature.feature(own.content[:SAMPLED]) for own in self.documents)
            self._languages[language] = any(
                language_feature.feature(text, words_feature.feature(text)) == language
                for text in texts
            )
        return self._languages[language]

    @lazy
    def words(self) -> frozenset[str]:
        """All words."""
        return frozenset().union(*[chunk.keys.words for chunk in self.all])

    @lazy
    def known(self) -> KnownFigures:
        """All numbers and dates."""
        return KnownFigures(chunk.figures for chunk in self.all)

    @lazy
    def amounts(self) -> Mapping[str, Sequence[Figure]]:
        """What is measured → its different amounts, the first of them where there are very many.

        Weekdays are amounts too: "Monday to Friday" has five of them.
        """
        amounts: dict[str, dict[tuple[float, Unit, str], Figure]] = defaultdict(dict)
        for chunk in self.all:
            for figure in chunk.piece.reading.figures if chunk.piece.may_have_figures else ():
                measure = amount_measure(figure)
                known = amounts[measure]
                if measure and len(known) < MAX_AMOUNTS:
                    known.setdefault((figure.value, figure.unit, figure.limit), figure)
        return {measure: tuple(known.values()) for measure, known in amounts.items()}

    def weights(self, keys: Iterable[str]) -> dict[str, float]:
        """How much each key says: the more pieces hold it, the less."""
        index, weights = self.index, self._weights
        return {key: weights[len(index[key]) if key in index else 0] for key in keys}

    @lazy
    def _weights(self) -> Sequence[float]:
        """How many pieces hold a key → its weight."""
        return _log_weights(len(self.all))

    def window(self, place: int) -> ChunkWindow:
        """A piece with its neighbours in the same context."""
        if (known := self._windows.get(place)) is not None:
            return known
        centre = self.all[place]
        near = self.all[max(0, place - 1) : place + 2]
        neighbours = ChunkWindow(
            [chunk for chunk in near if chunk.context == centre.context], centre
        )
        self._windows[place] = neighbours
        return neighbours

    @lazy
    def apart(self) -> Sequence[Chunks]:
        """The pieces of each context by themselves; they are cut and read once for all."""
        pieces: list[list[Piece]] = [[] for _ in self.documents]
        for chunk in self.all:
            pieces[chunk.context].append(chunk.piece)
        return [
            Chunks([Chunk(0, place, piece) for place, piece in enumerate(own)], (document,))
            for own, document in zip(pieces, self.documents, strict=True)
        ]

    @lazy
    def ranks(self) -> Sequence[int]:
        """The pieces in the order of their text and of that around them, whatever the contexts'.

        Pieces that are alike in both have the same rank.
        """
        around = [self.around(place) for place in range(len(self.all))]
        rank = {text: place for place, text in enumerate(sorted(set(around)))}
        return [rank[text] for text in around]

    def around(self, place: int) -> tuple[str, str]:
        """The text of a piece and of its window."""
        centre = self.all[place]
        near = self.all[max(0, place - 1) : place + 2]
        return centre.text, " ".join([c.text for c in near if c.context == centre.context])

    @lazy
    def first(self) -> Sequence[int]:
        """The first pieces in that order."""
        return nsmallest(FIRST, range(len(self.all)), key=self.around)

    def find(self, keys: Keys) -> Chunk | None:
        """The piece where a text of these keys begins, one behind the other."""
        if not keys.distinct <= self.index.keys():
            return None
        for first, starts, text in self._texts:
            place = text.find(keys.joined)
            if place >= 0:
                return self.all[first + bisect_right(starts, place) - 1]
        return None

    @lazy
    def _texts(self) -> Sequence[tuple[int, Sequence[int], str]]:
        """For each context its first piece, where its pieces begin in its keys, and its keys."""
        pieces = []
        by_context: dict[int, list[Chunk]] = defaultdict(list)
        for chunk in self.all:
            by_context[chunk.context].append(chunk)
        for own in by_context.values():
            texts = [" ".join(chunk.keys.all) for chunk in own]
            ends = accumulate([len(text) + 1 for text in texts], initial=0)
            pieces.append((own[0].place, [*ends][:-1], f" {' '.join(texts)} "))
        return pieces

    def name(self, context: int) -> str:
        """What a context is called in a sentence."""
        document = self.documents[context]
        return document.source or document.id or f"context {context + 1}"

    def spot(self, chunk: Chunk, label: str) -> Span:
        """The piece as evidence."""
        return Span(f"contexts[{chunk.context}]", *chunk.span, label)


@lru_cache(maxsize=256)
def _log_weights(size: int) -> Sequence[float]:
    """How many of so many pieces hold a key → its weight."""
    return [log(1.0 + size / (0.5 + count)) for count in range(size + 1)]


@feature(data=ABBREVIATIONS)
def context_chunks(contexts: tuple[Document, ...]) -> Chunks:
    """The pieces of all contexts, in order."""
    chunks: list[Chunk] = []
    for context, document in enumerate(contexts):
        is_short = len(document.content) <= REMEMBERED
        for piece in (_remembered if is_short else _cut)(document.content):
            chunks.append(Chunk(context, len(chunks), piece))
    return Chunks(chunks, contexts)


def _cut(content: str) -> Sequence[Piece]:
    """The pieces of one text that have words."""
    whole = normal_feature.feature(content)
    cuts = [Piece(start, text, whole) for start, text in _pieces(whole)]
    return [piece for piece in cuts if piece.keys.all]


_remembered = recurrence_cache(recent=32, recurring=256)(_cut)
"""Samples of one run often have the same contexts."""


def _pieces(whole: Normal) -> Iterator[tuple[int, str]]:
    """Sentences, parted at line breaks and after so many words, with their places."""
    for begin, stop in bounds(whole):
        end = begin
        for line in whole.text[begin:stop].rstrip().splitlines(keepends=True):
            is_short = len(line) < 2 * MAX_WORDS  # so many words need as many characters again
            if is_short or (len(line) <= MAX_LENGTH and len(line.split()) <= MAX_WORDS):
                if text := line.strip():
                    yield end + len(line) - len(line.lstrip()), text
                end += len(line)
                continue
            for match in _WORDS.finditer(line):
                for begin in range(match.start(), match.end(), MAX_LENGTH):
                    yield end + begin, line[begin : min(begin + MAX_LENGTH, match.end())]
            end += len(line)
