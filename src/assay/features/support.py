"""How far the words of the contexts carry each claim, without a model.

For each claim the best window of the contexts is found through an index of words, and measures of
claim and window are taken; `data/verifier.toml` says what each measure weighs. Numbers, dates and
names are compared one by one, and so are negations and words of opposite meaning.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Any, Literal, NamedTuple

from assay.core import feature
from assay.data import pairs
from assay.features.chunks import Chunk, Chunks, ChunkWindow
from assay.features.claims import Claim, Claims
from assay.meaning import read
from assay.meaning.conflicts import conflicts, figure_conflicts
from assay.textproc.quantities import Date, Quantity
from assay.textproc.stem import stems
from assay.textproc.word_keys import empty_words, listed

ENDING = 2
"""So many of a claim's last words are most of what it says anew."""
MAX_UNKNOWN = 30
"""At most so many words of a claim that no context has are compared by their meaning."""
CANDIDATES = 6
"""So many pieces with most of a claim's words are looked at closely."""
MAX_TIES = 20
"""More pieces than this are put in order once for all claims."""
MAX_LOOKUPS = 4000
"""Entries of the index that one claim may read; common words are left out beyond it."""

SAME_SUBJECT = 0.5
"""The share of a claim's words that a window must hold to speak of the same thing."""
NEAR_COPY = 0.8
"""The share from which on a piece says nearly the same as the claim."""

SAID_OTHERWISE = frozenset(("limit", "rate", "time", "unit", "weekday"))
"""Differences of claim and piece that contradict it. On the development halves of the labelled sets
they leave groundedness as it was; negations beyond near copies, numbers and names lower it."""

Measures = Mapping[str, float]


class Conflict(NamedTuple):
    """Something that a context says otherwise."""

    kind: Literal["figure", "opposite", "negation", "order"]
    reason: str
    """What it is, in a few words."""


class Support(NamedTuple):
    """What the words of the contexts say about one claim."""

    measures: Measures
    window: ChunkWindow | None
    """Where the claim fits best; None where no word of it is found."""
    candidates: tuple[int, ...]
    """The pieces with most of its words, best first."""
    is_exact: bool
    """Whether the claim stands in a context word for word."""
    known_words: int
    """How many of its content words the contexts have."""
    unknown_words: tuple[str, ...]
    """Its content words that no context has, the first of them where there are very many."""
    absent: tuple[str, ...]
    """Numbers, dates and names of the claim that no context has."""
    is_figure_absent: bool
    """Whether a number or a date is among them, small written numbers left aside."""
    is_foreign: bool
    """Whether the contexts are in other languages and have no word of it."""
    language: str
    """The language of the response."""
    conflict: Conflict | None
    """What the window says against the claim, the first thing where there are several."""
    weights: Mapping[str, float]
    """What each of its content words, numbers left out, weighs."""

    @property
    def is_doubted(self) -> bool:
        """Whether a context says otherwise, or no context has a number or date of it."""
        return self.conflict is not None or self.is_figure_absent


Supports = tuple[Support | None, ...]
"""One for each claim; None for a citation."""


@feature(
    data=(
        "lexicons/absolutes.en.txt",
        "lexicons/antonyms.en.txt",
        "lexicons/personal.en.txt",
        "lexicons/synonyms.ar.txt",
        "lexicons/synonyms.en.txt",
        "meaning.toml",
    )
)
def claim_support(
    response_claims: Claims, context_chunks: Chunks, response_language: str
) -> Supports:
    """What the words of the contexts say about each claim."""
    return tuple(
        None if claim.kind == "citation" else support_of(claim, context_chunks, response_language)
        for claim in response_claims
    )


def support_of(
    claim: Claim, chunks: Chunks, language: str, converted: Sequence[tuple[int, int]] = ()
) -> Support:
    """What the words of the contexts say about one claim that is no citation.

    `converted` are places of amounts that the contexts have in other words or units: they are
    numbers that were found, whatever their words.
    """
    places = [*claim.figures.places, *converted]
    content = list(claim.keys.content(language, places))
    weights = chunks.weights(content)
    candidates = _candidates(weights, chunks)
    exact = chunks.find(claim.keys)
    window = chunks.window(exact.place) if exact else _best(weights, candidates, chunks)
    quantities = [
        one
        for one in claim.figures.quantities
        if not (one.is_small_word and one.value == 1)
        and not _is_in(converted, one.start)
        and not _has_quantity(one, window)
        and not chunks.known.has_quantity(one)
    ]
    dates = [
        date
        for date in claim.figures.dates
        if not _has_date(date, window) and not chunks.known.has_date(date)
    ]
    names = [name for name in claim.names if not chunks.words.issuperset(name.words)]
    missing = [(one.start, one.end) for one in quantities]
    missing += [(one.start, one.end) for one in dates]
    absent = [*missing, *((name.start, name.end) for name in names)]
    measures = {
        "coverage": _coverage(weights, window),
        "words": _share(chunks.index.keys(), claim.keys.outside(places)),
        "number_absent": float(bool(missing)),
        "number_found": float(bool(places) and not missing),
        "name_absent": float(bool(names)),
        "ending_absent": float(_is_ending_absent(claim, language, window, places, missing)),
        **_wording(claim, content, window),
    }
    unknown = [key for key in content if key not in chunks.index]
    result = (
        _conflicts(claim, content, window, quantities, dates, language)
        if window and not exact
        else iter(())
    )
    return Support(
        measures,
        window,
        candidates,
        exact is not None,
        len(content) - len(unknown),
        tuple([claim.keys.word(key) for key in unknown[:MAX_UNKNOWN]]),
        tuple([claim.text[start:end] for start, end in absent]),
        bool(dates) or any(not one.is_small_word for one in quantities),
        len(unknown) == len(content) and not chunks.has_language(language),
        language,
        next(result, None),
        weights,
    )


def _candidates(weights: Mapping[str, float], chunks: Chunks) -> tuple[int, ...]:
    """The pieces that hold most of the weight; ties by their text, not by their place."""
    candidates: dict[int, float] = defaultdict(float)
    left = MAX_LOOKUPS
    for key in sorted(weights, key=lambda key: (-weights[key], key)):
        weight = weights[key]
        places = chunks.index.get(key, ())[:left]
        left -= len(places)
        for place in places:
            candidates[place] += weight
    least = min(sorted(candidates.values())[-CANDIDATES:], default=0.0)
    best = [place for place in candidates if candidates[place] >= least]
    if len({candidates[place] for place in best}) < len(best):
        best.sort(key=_tie_order(best, chunks))
    best.sort(key=candidates.__getitem__, reverse=True)
    return tuple(best[:CANDIDATES])


def _tie_order(places: Sequence[int], chunks: Chunks) -> Callable[[int], Any]:
    """What puts pieces of equal weight in order: their text, and that around where it is equal."""
    texts = {place: chunks.all[place].text for place in places}
    if len({*texts.values()}) == len(texts):
        return texts.__getitem__
    return chunks.ranks.__getitem__ if len(places) > MAX_TIES else chunks.around


def _best(
    weights: Mapping[str, float], candidates: Sequence[int], chunks: Chunks
) -> ChunkWindow | None:
    """The window around a candidate that holds most of the weight."""
    windows = [chunks.window(place) for place in candidates]
    return max(windows, key=lambda window: _held(weights, window), default=None)


def near_words(own: Support, chunks: Chunks) -> frozenset[str]:
    """The content words around the candidates of a claim, which its unknown words may mean.

    Without candidates they are those of some pieces; without unknown words there are none.
    """
    if not own.unknown_words:
        return frozenset()
    windows = [chunks.window(place).words for place in own.candidates or chunks.first]
    return frozenset().union(*windows) - empty_words(own.language)


def _has_quantity(one: Quantity, window: ChunkWindow | None) -> bool:
    """Whether the window has a quantity; most are found there, before all others are read."""
    chunks = window.chunks if window else ()
    return any(one.equals(other) for chunk in chunks for other in chunk.figures.quantities)


def _has_date(date: Date, window: ChunkWindow | None) -> bool:
    chunks = window.chunks if window else ()
    return any(date.equals(other) for chunk in chunks for other in chunk.figures.dates)


def _coverage(weights: Mapping[str, float], window: ChunkWindow | None) -> float:
    """The share of the weight that a window holds."""
    total = sum(weights.values())
    return _held(weights, window) / total if window and total else 0.0


def _held(weights: Mapping[str, float], window: ChunkWindow) -> float:
    """The weight that a window holds."""
    keys = window.keys
    return sum([weight for key, weight in weights.items() if key in keys])


def _share(known: AbstractSet[str], items: Collection[str]) -> float:
    """The share of the items that are known."""
    return sum([item in known for item in items]) / len(items) if items else 0.0


def _is_ending_absent(
    claim: Claim,
    language: str,
    window: ChunkWindow | None,
    places: Sequence[tuple[int, int]],
    absent: Sequence[tuple[int, int]],
) -> bool:
    """Whether the window lacks one of the claim's last words; numbers are looked up by value."""
    if window is None:
        return True
    last = claim.keys.last(language, ENDING)
    if not places and not absent:
        return any(key not in window.keys for key, _ in last)
    starts = [(key, claim.keys.starts[index]) for key, index in last]
    return any(
        _is_in(absent, start) or (not _is_in(places, start) and key not in window.keys)
        for key, start in starts
    )


def _is_in(places: Iterable[tuple[int, int]], place: int) -> bool:
    return any(start <= place < end for start, end in places)


def _wording(claim: Claim, content: Sequence[str], window: ChunkWindow | None) -> dict[str, float]:
    """Measures of how the claim is worded beside its window."""
    words = claim.keys.words
    absolutes = _listed("absolutes.en").intersection(words)
    is_denied = claim.keys.has_negation and not (window and window.has_negation)
    return {
        "personal": float(not _listed("personal.en").isdisjoint(words)),
        "negation_added": float(is_denied),
        "absolute": float(bool(absolutes and absolutes.difference(window.words if window else ()))),
        "opposite": float(bool(window and any(_opposites(content, claim, window)))),
    }


def _opposites(
    content: Iterable[str], claim: Claim, window: ChunkWindow
) -> Iterator[tuple[str, str]]:
    """Keys of the claim whose opposite stands in the window instead."""
    known = _antonyms()
    for key in content:
        if key in known and key not in window.keys:
            for other in sorted((known[key] & window.keys) - claim.keys.distinct):
                yield key, other


def _conflicts(
    claim: Claim,
    content: Sequence[str],
    window: ChunkWindow,
    quantities: Sequence[Quantity],
    dates: Sequence[Date],
    language: str,
) -> Iterator[Conflict]:
    """What the window says against the claim."""
    overlap = _share(window.keys, content)
    near = _share(window.centre.keys.distinct, content)
    if overlap >= SAME_SUBJECT:
        yield from _other_figures(claim, window, quantities, dates)
        yield from (
            Conflict("opposite", _against(claim.keys.word(one), window.word(other)))
            for one, other in _opposites(content, claim, window)
        )
    if near >= NEAR_COPY:
        yield from _negations(claim, window.centre)
        yield from _swapped(claim, window.centre)
    if overlap >= SAME_SUBJECT:
        yield from _said_otherwise(claim, window, language)


def _said_otherwise(claim: Claim, window: ChunkWindow, language: str) -> Iterator[Conflict]:
    """A weekday, unit, time, rate or limit that is another one there; in Arabic also a denial.

    English denials are looked for in near copies, by `_negations`.
    """
    own, centre = read(claim.text), window.centre.piece.reading
    is_arabic = language == "ar"
    against = (
        conflicts(own, centre, window.readings) if is_arabic else figure_conflicts(own, centre)
    )
    for one in against:
        if one.kind == "negation" and is_arabic:
            yield Conflict("negation", f"it {one.message}")
        elif one.kind in SAID_OTHERWISE:
            yield Conflict("figure", _against(one.claimed, one.expected))


def _negations(claim: Claim, chunk: Chunk) -> Iterator[Conflict]:
    """A denial that only one of claim and piece has."""
    own, other = claim.keys, chunk.keys
    if own.has_negation and not other.has_negation:
        yield Conflict("negation", "it denies what is said there")
    if other.denied & own.distinct and not own.has_negation:
        yield Conflict("negation", "it says what is denied there")


def _swapped(claim: Claim, chunk: Chunk) -> Iterator[Conflict]:
    """Two names that changed places around the same words."""
    own = [name.words[-1] for name in claim.names]
    places = [chunk.keys.words.index(word) for word in own if word in chunk.keys.words]
    is_other_voice = ("by" in claim.keys.words) != ("by" in chunk.keys.words)
    is_same = _share(claim.keys.distinct, chunk.keys.distinct) >= NEAR_COPY
    if is_same and not is_other_voice and len(places) == len(own) and places != sorted(places):
        yield Conflict("order", "the names have changed places")


def _other_figures(
    claim: Claim, window: ChunkWindow, quantities: Sequence[Quantity], dates: Sequence[Date]
) -> Iterator[Conflict]:
    """Numbers and dates that stand in the window where the claim has others."""
    numbers = [
        (chunk, other)
        for chunk in (window.chunks if quantities else ())
        for other in chunk.figures.quantities
        if not any(one.equals(other) for one in claim.figures.quantities)
    ]
    for one in quantities:
        for chunk, other in numbers:
            if one.unit == other.unit and not one.is_small_word | other.is_small_word:
                yield _instead(claim, one, chunk, other)
    days = [
        (chunk, other)
        for chunk in (window.chunks if dates else ())
        for other in chunk.figures.dates
        if not any(other.equals(date) for date in claim.figures.dates)
    ]
    for date in dates:
        for chunk, known in days:
            if date.differs(known):
                yield _instead(claim, date, chunk, known)


def _instead(claim: Claim, one: Quantity | Date, chunk: Chunk, other: Quantity | Date) -> Conflict:
    stated, true = claim.text[one.start : one.end], chunk.text[other.start : other.end]
    return Conflict("figure", _against(stated, true))


def _against(stated: str, true: str) -> str:
    return f"{stated} instead of {true}"


@cache
def _listed(name: str) -> frozenset[str]:
    return listed(name)


@cache
def _antonyms() -> Mapping[str, frozenset[str]]:
    """Key → the keys of words that exclude it."""
    antonyms: dict[str, set[str]] = defaultdict(set)
    for pair in pairs("antonyms.en"):
        one, other = stems(pair)
        if one != other:
            antonyms[one].add(other)
            antonyms[other].add(one)
    return {key: frozenset(others) for key, others in antonyms.items()}
