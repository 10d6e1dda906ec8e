"""The figures of a statement among those of the contexts: known, converted or worked out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from heapq import nsmallest
from itertools import pairwise

from assay.data.meaning import meaning_words
from assay.features.chunks import Chunks
from assay.features.claims import Claim
from assay.meaning import ClaimDifference, Figure, TextReading
from assay.meaning.figures import NO_UNIT, amount_measure
from assay.meaning.limits import freed_by_limit, is_case_of, is_case_within
from assay.meaning.opening_days import other_days
from assay.meaning.shares import ROUNDED, share_in
from assay.meaning.words import Word

PLACES = 4
"""So many sentences with most of a statement's words are looked at, with their neighbours."""
MAX_FIGURES = 20
"""At most so many figures of a statement are compared."""
MAX_PIECES = 200
"""In contexts of more sentences it is not asked which document a figure belongs to."""
MAX_SUMMED = 6
"""At most so many figures of the contexts are added up in pairs."""
_PERIODS = {
    "a_day": range(1, 2),
    "a_week": range(7, 8),
    "a_month": range(30, 32),
    "a_year": range(364, 367),
}
"""List of words → how many days the period has, in whole days."""
WORKED_OUT = ("number", "time", "date")
"""Differences of figures that may have been worked out."""


def converted_amounts(claim: Claim, reading: TextReading, chunks: Chunks) -> list[tuple[int, int]]:
    """Where amounts stand that the contexts have, but in other words or units."""
    return [
        (figure.start, figure.end)
        for figure in reading.stated_figures[:MAX_FIGURES]
        if amount_measure(figure) not in ("", "%")
        and not _is_worded_alike(figure, claim, chunks)
        and any(map(figure.equals, chunks.amounts.get(amount_measure(figure), ())))
    ]


def _is_worded_alike(figure: Figure, claim: Claim, chunks: Chunks) -> bool:
    """Whether all words of a figure stand in the contexts as they are."""
    return all(
        key in chunks.index
        for key, start in zip(claim.keys.all, claim.keys.starts, strict=True)
        if figure.start <= start < figure.end
    )


def is_known(figure: Figure, readings: Sequence[TextReading]) -> bool:
    """Whether one of some texts has a figure."""
    for reading in readings:
        for other in reading.figures:
            if figure.equals(other):
                return True
    return False


def is_period(figure: Figure, claim: TextReading, readings: Sequence[TextReading]) -> bool:
    """Whether a figure is the period of an amount that one of some texts words otherwise.

    "28 days each year" where it says "28 days a year". What happens less often is another period.
    """
    has_amount = any(other.kind == "number" for other in claim.stated_figures)
    names = [name for name, days in _PERIODS.items() if round(figure.value) in days]
    if figure.kind != "rate" or not has_amount or not names:
        return False
    words = meaning_words().lists[names[0]]
    return any(
        not words.isdisjoint(one.texts)
        and all(other.value <= figure.value for other in one.figures if other.kind == "rate")
        for one in readings
    )


def is_case(figure: Figure, claim: TextReading, readings: Sequence[TextReading]) -> bool:
    """Whether a figure is that of a single case under a rule that one of some texts has.

    A case lies within a limit or a range of ages, beyond the limit of a duty of which it is free,
    or is a day on which something is open or closed.
    """
    if figure.kind == "weekday":
        return other_days(claim, readings) is True
    if freed_by_limit(claim, readings) is True:
        return True
    if any(is_case_within(figure, claim, one) for one in readings):
        return True
    return any(is_case_of(figure, claim, other) for one in readings for other in one.figures)


def with_figures(reading: TextReading, chunks: Chunks) -> list[int]:
    """The sentences that have all figures of a statement, the first ones."""
    figures = reading.stated_figures[:MAX_FIGURES]
    if not figures or len(chunks.all) > MAX_PIECES:
        return []
    pieces = [chunk.piece for chunk in chunks.all]
    return [
        place
        for place, piece in enumerate(pieces)
        if piece.may_have_figures and all(is_known(figure, (piece.reading,)) for figure in figures)
    ][:PLACES]


def is_worked_out(
    one: ClaimDifference,
    reading: TextReading,
    windows: Mapping[int, Sequence[TextReading]],
    query: TextReading | None,
) -> bool:
    """Whether a difference is a figure that the contexts do not have and that is right.

    It was worked out from others, or is the age of a single case in a range.
    """
    message = next(
        (f for f in reading.figures if reading.quote(f.start, f.end) == one.claimed), None
    )
    if message is None or one.kind not in WORKED_OUT:
        return False
    near = [own for around in windows.values() for own in around]
    if is_known(message, near):
        return False
    return is_sum(message, reading, near, query) or any(
        is_case_within(message, reading, own) for own in near
    )


def is_sum(
    figure: Figure,
    claim: TextReading,
    readings: Sequence[TextReading],
    query: TextReading | None,
) -> bool:
    """Whether one step of arithmetic gives a figure from others.

    A sum, a difference, a share, the percentage of a part, so many times an amount, the time
    between two others, or a time that lies so long before or after another one. Of the figures that
    no context has, in cases that the rules were not made with, 85 % of those that can be worked out
    so are right, and 41 % of the others.
    """
    given = [*dict.fromkeys(other for reading in readings for other in reading.figures)]
    if figure.kind == "time":
        return _is_later(figure, given[:MAX_SUMMED])
    if figure.kind == "date":
        return _is_years_later(figure, given[:MAX_SUMMED])
    is_article = figure.is_word and figure.start not in claim.counted
    if figure.kind != "number" or is_article or figure.is_ordinal:
        return False
    if any(_is_share(figure, reading) for reading in readings):
        return True
    counted = [one for one in (claim, query) if one is not None]
    if any(_is_total(figure, one, reading) for one in counted for reading in readings):
        return True
    wanted = figure.value * figure.unit.factor
    own = [other for other in claim.figures if other != figure]
    made = _made(figure, given[:MAX_SUMMED], own[:MAX_FIGURES], _ways(readings))
    if any(_is_doubled(reading) for reading in (claim, *readings)):
        made |= {times * one for one in _same(figure, given[:MAX_SUMMED]) for times in (0.5, 2.0)}
    return any(abs(wanted - one) <= 1e-6 * max(1.0, wanted) for one in made)


def _is_total(figure: Figure, counted: TextReading, prices: TextReading) -> bool:
    """Whether an amount is what so many of several kinds cost: two adults and a child.

    The price of a kind stands behind it or before it, for all kinds alike.
    """
    counts = {word.key: count for word, count in _counted(counted) if word.key in prices.keys}
    amounts = [f for f in prices.figures if f.unit.dimension == figure.unit.dimension != ""]
    if len(counts) < 2 or len(amounts) < len(counts):
        return False
    kinds = [word for word in prices.words if word.key in counts]
    behind = [next((f for f in amounts if f.start > word.start), None) for word in kinds]
    before = [next((f for f in reversed(amounts) if f.end < word.end), None) for word in kinds]
    return any(
        sum(counts[w.key] * f.value for w, f in zip(kinds, own, strict=True) if f) == figure.value
        for own in (behind, before)
        if None not in own and len({f.start for f in own if f}) == len(counts) == len(kinds)
    )


def _counted(reading: TextReading) -> list[tuple[Word, float]]:
    """What a text counts, and how many of it: "two adults and a child"."""
    numbers = [f for f in reading.figures if f.kind == "number" and f.unit == NO_UNIT]
    values = {f.end: f.value for f in numbers}
    return [
        (word, values.get(before.end, 1.0))
        for before, word in pairwise(reading.words)
        if (before.end in values or before.text in ("a", "an")) and not word.is_empty
    ]


def _is_share(figure: Figure, reading: TextReading) -> bool:
    """Whether a percentage is that of a part and its whole, rounded."""
    if figure.unit.dimension != "%":
        return False
    share = share_in(reading)
    return share is not None and abs(share.percent - figure.value) <= ROUNDED


def _ways(readings: Sequence[TextReading]) -> tuple[int, ...]:
    """Whether amounts are added or taken off: of "2,500 more than last year" they are taken off."""
    lists = meaning_words().lists
    comparing = [one for one in readings if not lists["comparison"].isdisjoint(one.texts)]
    ways = [
        sign
        for name, sign in (("more", -1), ("less", 1))
        if any(not lists[name].isdisjoint(one.spellings) for one in comparing)
    ]
    return tuple(ways) or (1, -1)


def _made(
    figure: Figure, given: Sequence[Figure], own: Sequence[Figure], ways: Sequence[int]
) -> set[float]:
    """What one step gives of the unit of a figure, from given ones and counts of the statement."""
    same = _same(figure, given)
    is_share = figure.unit.dimension == "%"
    shares = [f.value / 100 for f in given if f.unit.dimension == "%" and not is_share]
    counts = [f.value for f in (*given, *own) if f.kind == "number" and f.unit == NO_UNIT]
    made = {sum(same) if 1 in ways else 0.0} | _between(figure, given)
    for place, one in enumerate(same):
        made |= {one * factor for share in shares for factor in (share, 1 - share, 1 + share)}
        made |= {number for n in counts if n not in (0, one) for number in (one * n, one / n)}
        made |= {abs(one + way * two) for two in same[:place] for way in ways}
    return made


def _same(figure: Figure, given: Sequence[Figure]) -> list[float]:
    """The given amounts of the kind of a figure."""
    return [
        other.value * other.unit.factor
        for other in given
        if other.kind == "number" and other.unit.dimension == figure.unit.dimension
    ]


def _is_doubled(reading: TextReading) -> bool:
    """Whether a text says that something is double or half of another."""
    return not meaning_words().lists["doubling"].isdisjoint(reading.spellings)


def _is_later(time: Figure, given: Sequence[Figure]) -> bool:
    """Whether a time lies one of the given durations after, or before, a given one."""
    spans = [f.value * f.unit.factor / 60 for f in given if f.unit.dimension == "duration"]
    return any(
        time.equals(other._replace(value=other.value + sign * span))
        for other in given
        if other.kind == "time"
        for span in spans
        for sign in (1, -1)
    )


def _is_years_later(date: Figure, given: Sequence[Figure]) -> bool:
    """Whether a year lies one of the given spans after, or before, a given one."""
    if not date.date[0] or date.date[1]:
        return False
    spans = [f.value * f.unit.factor / 12 for f in given if f.unit.dimension == "calendar"]
    return any(abs(date.date[0] - year) in spans for year in _years(given))


def _between(figure: Figure, given: Sequence[Figure]) -> set[float]:
    """The time between given times or years, in the unit of a figure; ages lack a year or not."""
    if figure.unit.dimension == "duration":
        times = [other.value for other in given if other.kind == "time"]
        return {60.0 * ((b - a) % 1440) for a in times for b in times if a != b}
    spans = {b - a for a in _years(given) for b in _years(given) if a < b}
    if figure.unit.dimension == "calendar":
        return {12.0 * span for span in spans}
    is_plain = figure.unit == NO_UNIT
    return {float(span - less) for span in spans for less in (0, 1)} if is_plain else set()


def _years(given: Sequence[Figure]) -> list[int]:
    return [f.date[0] for f in given if f.kind == "date" and f.date[0]]


def document_sentences(reading: TextReading, chunks: Chunks) -> list[list[TextReading]]:
    """The sentences of each context; none where the statement has no figures."""
    figures = [figure for figure in reading.figures if not figure.is_word]
    is_few = len(figures) <= MAX_FIGURES and len(chunks.all) <= MAX_PIECES
    if len(chunks.documents) < 2 or not figures or not is_few:
        return []
    if len(figures) + len(reading.names) < 2:
        return []
    return [
        [chunks.all[place].piece.reading for place in sorted(places)]
        for places in _most_shared(reading, chunks)
    ]


def _most_shared(reading: TextReading, chunks: Chunks) -> list[list[int]]:
    """Of each context the sentences that share most words with a statement, the first of equals."""
    shared: Counter[int] = Counter()
    for word in reading.words:
        if not word.is_empty:
            shared.update(chunks.index.get(word.key, ()))
    places: list[list[int]] = [[] for _ in chunks.documents]
    for place in shared:
        places[chunks.all[place].context].append(place)
    return [nsmallest(PLACES, own, key=lambda place: (-shared[place], place)) for own in places]
