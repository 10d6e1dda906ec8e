"""The figures of a statement among those of the contexts: known, converted or worked out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from heapq import nsmallest

from assay.data.meaning import meaning_words
from assay.features.chunks import Chunks
from assay.features.claims import Claim
from assay.meaning import ClaimDifference, Figure, TextReading
from assay.meaning.figures import measure_of
from assay.meaning.limits import is_case_of

PLACES = 4
"""So many sentences with most of a statement's words are looked at, with their neighbours."""
MAX_FIGURES = 20
"""At most so many figures of a statement are compared."""
MAX_PIECES = 200
"""In contexts of more sentences it is not asked which document a figure belongs to."""
MAX_SUMMED = 24
"""At most so many figures of the contexts are added up in pairs."""


def converted_amounts(claim: Claim, reading: TextReading, chunks: Chunks) -> list[tuple[int, int]]:
    """Where amounts stand that the contexts have, but in other words or units."""
    return [
        (figure.start, figure.end)
        for figure in reading.stated_figures[:MAX_FIGURES]
        if figure.unit.dimension not in ("", "%")
        and not _is_worded_alike(figure, claim, chunks)
        and any(map(figure.equals, chunks.amounts.get(measure_of(figure.unit.dimension), ())))
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


def is_case(figure: Figure, claim: TextReading, readings: Sequence[TextReading]) -> bool:
    """Whether a figure is that of a single case under a limit that one of some texts has."""
    return any(is_case_of(figure, claim, other) for one in readings for other in one.figures)


def with_figures(reading: TextReading, chunks: Chunks) -> list[int]:
    """The sentences that have all figures of a statement, the first ones."""
    figures = reading.stated_figures[:MAX_FIGURES]
    if not figures or len(chunks.all) > MAX_PIECES:
        return []
    pieces = [chunk.piece.reading for chunk in chunks.all]
    return [
        place
        for place, piece in enumerate(pieces)
        if piece.figures and all(is_known(figure, (piece,)) for figure in figures)
    ][:PLACES]


def is_worked_out(
    one: ClaimDifference, reading: TextReading, windows: Mapping[int, Sequence[TextReading]]
) -> bool:
    """Whether a difference is a number that was worked out from those of the contexts."""
    message = next(
        (f for f in reading.figures if reading.quote(f.start, f.end) == one.claimed), None
    )
    if message is None or one.kind != "number":
        return False
    return is_sum(message, reading, [own for around in windows.values() for own in around])


def is_sum(figure: Figure, claim: TextReading, readings: Sequence[TextReading]) -> bool:
    """Whether a number is worked out from others: a sum, a difference, a half or the double.

    The statement says that it is, or a sentence of the contexts gives the two parts.
    """
    if figure.kind == "time":
        return _is_later(figure, readings)
    if figure.kind != "number" or figure.is_word:
        return False
    numbers = [
        other.value * other.unit.factor
        for reading in readings
        for other in reading.figures
        if other.kind == "number" and other.unit.dimension in ("", figure.unit.dimension)
    ][:MAX_SUMMED]
    wanted = figure.value * figure.unit.factor
    made: set[float] = set()
    lists = meaning_words().lists
    if not lists["totals"].isdisjoint(claim.spellings):
        made |= {2 * one for one in numbers} | {one / 2 for one in numbers}
        made |= _sums(numbers, 1) | _sums(numbers, -1)
    for reading in readings:
        made |= _made_there(reading, numbers)
    if figure.unit.dimension == "calendar":
        made |= _years_between(readings)
    return any(abs(wanted - one) <= 1e-6 * max(1.0, wanted) for one in made)


def _is_later(time: Figure, readings: Sequence[TextReading]) -> bool:
    """Whether a time lies one of the given durations after, or before, a given one."""
    given = [figure for reading in readings for figure in reading.figures]
    spans = [f.value * f.unit.factor / 60 for f in given if f.unit.dimension == "duration"]
    for other in [figure for figure in given if figure.kind == "time"][:MAX_SUMMED]:
        ends = [other.value + sign * span for span in spans[:MAX_SUMMED] for sign in (1, -1)]
        if any(time.equals(other._replace(value=end)) for end in ends):
            return True
    return False


def _years_between(readings: Sequence[TextReading]) -> set[float]:
    """The months between the years of all pairs of dates."""
    years = {f.date[0] for one in readings for f in one.figures if f.kind == "date" and f.date[0]}
    return {12.0 * abs(a - b) for a in list(years)[:MAX_SUMMED] for b in years if a != b}


def _sums(numbers: Sequence[float], sign: int) -> set[float]:
    """The sums or differences of all pairs of numbers."""
    return {abs(a + sign * b) for a in numbers for b in numbers if a is not b}


def _made_there(reading: TextReading, numbers: Sequence[float]) -> set[float]:
    """Numbers that a sentence gives without naming them: "2,500 more than last year", "half"."""
    lists = meaning_words().lists
    made: set[float] = set()
    has_than = not lists["comparison"].isdisjoint(reading.texts)
    if has_than and not lists["more"].isdisjoint(reading.spellings):
        made |= _sums(numbers, -1)
    if has_than and not lists["less"].isdisjoint(reading.spellings):
        made |= _sums(numbers, 1)
    if not lists["doubling"].isdisjoint(reading.spellings):
        made |= {2 * one for one in numbers} | {one / 2 for one in numbers}
    shares = [f.value / 100 for f in reading.figures if f.unit.dimension == "%"]
    return made | {share * one for share in shares for one in numbers}


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
