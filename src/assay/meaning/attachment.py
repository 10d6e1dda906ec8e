"""Words of a passage that a statement puts together otherwise: exchanged roles, moved figures.

Every word of such a statement stands in the passage: nothing but their places gives it away.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise

from assay.data.meaning import ARABIC_FOLDED, meaning_words
from assay.meaning.figures import Figure
from assay.meaning.reading import TextReading
from assay.meaning.word_coverage import has_root, synonyms
from assay.meaning.word_relations import converses, related
from assay.meaning.words import Word

MOST_WORDS = 80
"""Longer texts are not compared, so that time stays linear."""

COMPARED = 3
"""So many words before "than" the word that compares is looked for."""
FEW_WORDS = 18
"""In longer English sentences a clause may go on with what an earlier one is about."""
MOST_CLAUSES = 3
"""A comma before "and" makes one more."""
MIN_HERE = 2
"""Content words of a statement that a clause must have to be the one that it is about."""
MOVING = ("number", "weekday", "time")
"""Kinds of figures of which a sentence may have several, each with words of its own."""
NEAR_WORDS = 2
"""So many words before a figure the one that it belongs to is looked for."""
MIN_SCRAMBLED = 7
"""Words that a statement must have to be taken for words without order."""
KNOWN = 0.9
"""Share of its words that the sentence must have."""
IN_A_ROW = 0.12
"""Share of its neighbouring words that are neighbours there, too, at most."""
_NONE: frozenset[str] = frozenset()
Span = tuple[int, int]


def is_comparable(claim: TextReading, sentence: TextReading) -> bool:
    """Whether two texts are short enough to compare the places of their words."""
    return max(len(claim.words), len(sentence.words)) <= MOST_WORDS


def exchanged(claim: TextReading, sentence: TextReading) -> Span | None:
    """What stands around a word such as "than" or "against", where the two sides are exchanged."""
    for place, other in _exchanged_pivots(claim, sentence):
        if _comparison(claim, place) == _comparison(sentence, other):
            return claim.words[0].start, claim.words[-1].end
    return None


def is_inverted(claim: TextReading, sentence: TextReading) -> bool:
    """Whether two exchanged sides are compared by opposites: "lower than", "higher than"."""
    known = related()
    return any(
        _comparison(sentence, other) in known.get(_comparison(claim, place), _NONE)
        for place, other in _exchanged_pivots(claim, sentence)
    )


def _exchanged_pivots(claim: TextReading, sentence: TextReading) -> Iterator[tuple[int, int]]:
    """The places of a word of both texts, such as "than", whose sides are exchanged."""
    pivots = meaning_words().lists["pivots"]
    if "as" not in claim.texts and pivots.isdisjoint(claim.texts):
        return
    for place, word in enumerate(claim.words):
        if word.text not in pivots and not _is_second_as(claim, place):
            continue
        left, right = _sides(claim, place)
        for other, known in enumerate(sentence.words):
            if known.text != word.text or (
                word.text == "as" and not _is_second_as(sentence, other)
            ):
                continue
            before, after = _sides(sentence, other)
            if (left & after) - right - before and (right & before) - left - after:
                yield place, other


def _is_second_as(reading: TextReading, place: int) -> bool:
    """Whether a word is the second one of "as long as"."""
    if reading.words[place].text != "as":
        return False
    before = reading.words[max(0, place - COMPARED) : max(0, place - 1)]
    return any(word.text == "as" for word in before)


def _comparison(reading: TextReading, place: int) -> str:
    """The key of the word that compares before "than", as in "more power than"; else empty."""
    if reading.words[place].text not in meaning_words().lists["comparison"]:
        return ""
    before = reading.words[max(0, place - COMPARED) : place]
    degree = [word for word in before if degree_of(word)]
    nearest = degree or before[-1:]
    return nearest[-1].key if nearest else ""


def degree_of(word: Word) -> int:
    """1 for "more", -1 for "less" and "fewer", else 0."""
    lists = meaning_words().lists
    if word.text in lists["more"] or word.bare in lists["more"]:
        return 1
    return -1 if word.text in lists["less"] or word.bare in lists["less"] else 0


def other_degree(claim: TextReading, sentence: TextReading) -> tuple[Word, Word] | None:
    """A word that is said to be more in one text and less in the other: "cost less"."""
    lists = meaning_words().lists
    if lists["more"].isdisjoint(claim.spellings) and lists["less"].isdisjoint(claim.spellings):
        return None
    if not is_comparable(claim, sentence):
        return None
    known = _degrees(sentence)
    for key, (sign, word) in _degrees(claim).items():
        if key in known and known[key][0] == -sign and not is_inverted(claim, sentence):
            return word, known[key][1]
    return None


def _degrees(reading: TextReading) -> dict[str, tuple[int, Word]]:
    """The key of a word that is said to be more or less → 1 or -1, and the word that says so."""
    result: dict[str, tuple[int, Word]] = {}
    twice: set[str] = set()
    words = reading.words
    for place, word in enumerate(words):
        sign = degree_of(word)
        if not sign:
            continue
        before = [w for w in words[:place] if w.clause == word.clause and not w.is_empty]
        following = words[place + 1 : place + 2]
        if any(w.text in meaning_words().lists["comparison"] for w in following) and any(
            w.is_number for w in words[place + 2 : place + 3]
        ):
            continue
        behind = [w for w in following if w.clause == word.clause and not w.is_empty]
        heads = behind or before[-1:]
        if not heads or heads[-1].is_number:
            continue
        if heads[-1].key in result:
            twice.add(heads[-1].key)
        result[heads[-1].key] = sign, word
    return {key: entry for key, entry in result.items() if key not in twice}


def says_what_it_is(claim: TextReading) -> bool:
    """Whether a statement says what something is: "DNA is an album", "Ferrer was a director"."""
    lists = meaning_words().lists
    pairs = pairwise(word.text for word in claim.words)
    return any(one in lists["being"] and two in lists["articles"] for one, two in pairs)


def moved_run(claim: TextReading, sentence: TextReading) -> Span | None:
    """Words of a later clause that a statement puts into an earlier one.

    "Salma wrote the novel, and Karim drew its cover" says nothing of "Karim wrote the novel". The
    earlier clause has the rest of the statement, and words of its own in that place.
    """
    if not all(_has(key, sentence.keys) for key in claim.content) or len(sentence.clauses) < 2:
        return None
    if claim.text.isascii() and not (len(claim.clauses) == 1 and _goes_on(sentence)):
        return None
    if any(all(_has(key, clause.keys) for key in claim.content) for clause in sentence.clauses):
        return None
    if says_what_it_is(claim):  # "was an actor and director" says it of both
        return None
    if not all(any(map(one.equals, sentence.figures)) for one in claim.stated_figures):
        return None
    content = list(claim.content.values())
    for number, clause in enumerate(sentence.clauses[:-1]):
        moved = [word for word in content if not _has(word.key, clause.keys)]
        here = [word for word in content if _has(word.key, clause.keys)]
        if not moved or len(here) < MIN_HERE or content.index(moved[0]) == 0:
            continue
        places = [content.index(word) for word in moved]
        is_run = places == [*range(places[0], places[0] + len(places))]
        later = [other.keys for other in sentence.clauses[number + 1 :]]
        is_there = any(all(_has(word.key, keys) for word in moved) for keys in later)
        own = frozenset(word.key for word in content)
        left = [
            word
            for word in sentence.content.values()
            if clause.start <= word.start < clause.end and not _has(word.key, own)
        ]
        is_next = moved[-1] is content[-1] and _opens_clause(moved[0], sentence, number + 1)
        if is_run and is_there and left and not is_next:
            return moved[0].start, moved[-1].end
    return None


def _opens_clause(word: Word, sentence: TextReading, number: int) -> bool:
    """Whether a clause opens with a word: "was born and died in Graz" says both of one."""
    clause = sentence.clauses[number]
    modal = meaning_words().classes  # "and needs approval" says so of the same, too
    inside = (w for w in sentence.words if clause.start <= w.start < clause.end and not w.is_empty)
    first = next((own for own in inside if own.text not in modal), None)
    return first is not None and first.key == word.key


def _goes_on(sentence: TextReading) -> bool:
    """Whether an English sentence is short, and a word such as "and" or "who" opens a clause."""
    if len(sentence.words) > FEW_WORDS or len(sentence.clauses) > MOST_CLAUSES:
        return False
    starts = {clause.start for clause in sentence.clauses[1:]}
    opening = [w.text for w in sentence.words if w.start in starts]
    return any(text in meaning_words().lists["clause_openings"] for text in opening)


def _has(key: str, keys: frozenset[str]) -> bool:
    return key in keys or (not key.isascii() and has_root(key, keys))


def other_attribute(claim: TextReading, sentence: TextReading) -> tuple[Word, Word] | None:
    """An Arabic adjective behind a noun that has another one in the sentence."""
    if claim.text.isascii():
        return None
    known = {one.key: two for one, two in pairwise(sentence.words) if _is_noun_phrase(one, two)}
    for noun, own in pairwise(claim.words):
        other = known.get(noun.key) if _is_noun_phrase(noun, own) else None
        if other is None or _has(own.key, sentence.keys) or _has(other.key, claim.keys):
            continue
        if own.key not in synonyms().get(other.key, _NONE):
            return own, other
    return None


def _is_noun_phrase(one: Word, two: Word) -> bool:
    """Whether two words with the article are a noun and its adjective."""
    is_close = one.clause == two.clause and one.has_article and two.has_article
    is_plain = not one.is_empty and not two.is_empty
    return is_close and is_plain and two.text.startswith("ال")


def is_scrambled(claim: TextReading, sentence: TextReading) -> bool:
    """Whether nearly all words of a statement are those of a sentence, and hardly two in a row."""
    if len(claim.words) < MIN_SCRAMBLED:
        return False
    known = sum(word.key in sentence.keys for word in claim.words)
    if known < KNOWN * len(claim.words):
        return False
    articles = meaning_words().lists["articles"]
    in_a_row = [pair for pair in claim.pairs & sentence.pairs if pair[0] not in articles]
    return len(in_a_row) <= IN_A_ROW * len(claim.pairs)


def is_converse(claim: TextReading, sentence: TextReading) -> bool:
    """Whether two texts say the same from two sides: "Lind lost to Varga", "Varga beat Lind".

    Each has a word whose converse the other has, and two other words are in the other order.
    """
    known = converses()
    verbs = known.keys() & claim.content.keys()
    if all(known[key].isdisjoint(sentence.keys) for key in verbs):
        return False
    one, other = _single_places(claim), _single_places(sentence)
    both = sorted((place, other[key]) for key, place in one.items() if key in other)
    return any(first[1] > second[1] for first, second in pairwise(both))


def _sides(reading: TextReading, place: int) -> tuple[frozenset[str], frozenset[str]]:
    """The keys of the content words before and behind a word in its clause."""
    clause = reading.words[place].clause
    left = [w.key for w in reading.words[:place] if w.clause == clause and not w.is_empty]
    right = [w.key for w in reading.words[place + 1 :] if w.clause == clause and not w.is_empty]
    return frozenset(left), frozenset(right)


def moved_figure(claim: TextReading, sentence: TextReading) -> Span | None:
    """A number that belongs to other words of the sentence than the statement says.

    Each word belongs to the number that it stands nearest to. The statement has all words of
    another number of that unit, and lacks some of those of its own. Both ends of a range such as
    "from 7 to 10" have the same words.
    """
    for figure in claim.stated_figures:
        if figure.is_word or figure.kind not in MOVING or sentence.has_limit(figure):
            continue
        own = [other for other in sentence.figures if figure.equals(other)]
        rivals = [
            other
            for other in sentence.figures
            if other.kind == figure.kind
            and not other.is_word
            and other.unit.dimension == figure.unit.dimension
            and not any(one.equals(other) for one in claim.figures)
        ]
        if len(own) != 1:
            continue
        rivals = [other for other in rivals if not is_range(sentence, own[0], other)]
        if not rivals:
            continue
        here = _place(sentence, own[0])
        message = claim.keys
        mine: set[str] = set()
        cells: dict[int, set[str]] = {_place(sentence, other): set() for other in rivals}
        parts = _parts(sentence)
        for key, place in _single_places(sentence).items():
            distance = partial(_distance, parts, place)
            nearest = min(cells, key=distance)
            is_mine = distance(here) <= distance(nearest)
            (mine if is_mine else cells[nearest]).add(key)
        held = len(mine & message)
        if not mine <= message and any(
            cell and cell <= message and len(cell) >= held for cell in cells.values()
        ):
            return figure.start, figure.end
        beside = _beside(claim, figure)
        is_mine = any(word.key in mine for word in claim.words if word.end <= figure.start)
        if beside and not is_mine and any(_beside(sentence, r) == beside for r in rivals):
            return figure.start, figure.end
    return None


def is_range(sentence: TextReading, one: Figure, other: Figure) -> bool:
    """Whether two figures are the ends of a range: "6 to 12", "6-12", "between 6 and 12"."""
    lists = meaning_words().lists
    first, last = sorted((one, other), key=lambda figure: figure.start)
    between = sentence.lower[first.end : last.start].strip().translate(ARABIC_FOLDED)
    before = sentence.lower[: first.start].rpartition(" ")[0].rpartition(" ")[2]
    return between in lists["range_joints"] or (
        between in lists["list_joints"] and before in lists["between"]
    )


def _beside(reading: TextReading, figure: Figure) -> str:
    """The key of the word of content right before a figure, small words left aside; else empty."""
    before = [word for word in reading.words if word.end <= figure.start][-NEAR_WORDS:]
    plain = [word for word in before if not word.is_empty]
    return plain[-1].key if plain else ""


def _parts(reading: TextReading) -> list[int]:
    """The number of the part of a sentence that each word stands in: marks and "and" part it."""
    breaks = meaning_words().lists["clause_breaks"]
    parts: list[int] = []
    joined = 0
    for word in reading.words:
        joined += word.text in breaks or word.text in meaning_words().lists["and"]
        parts.append(word.clause + joined)
    return parts


def _distance(parts: list[int], place: int, other: int) -> tuple[bool, int]:
    """How far two words are apart: those of one part are nearer."""
    return parts[place] != parts[other], abs(place - other)


def _single_places(reading: TextReading) -> dict[str, int]:
    """Key → its place, for content keys that a text has once."""
    single_places: dict[str, int] = {}
    twice: set[str] = set()
    for place, word in enumerate(reading.words):
        if word.key not in reading.content:
            continue
        if word.key in single_places:
            twice.add(word.key)
        single_places.setdefault(word.key, place)
    return {key: place for key, place in single_places.items() if key not in twice}


def _place(reading: TextReading, figure: Figure) -> int:
    return next(n for n, word in enumerate(reading.words) if word.end > figure.start)


def has_same_preposition(
    claim: TextReading, word: Word, reference: TextReading, other: Word
) -> bool:
    """Whether an Arabic word follows one preposition in both texts: its place says nothing."""
    lists = meaning_words().lists
    known = lists["arabic_prepositions"] | lists["placing"]
    places = ((claim, word), (reference, other))
    before = [
        next((w.text for w in text.words if w.end + 1 == own.start), "") for text, own in places
    ]
    return not word.text.isascii() and before[0] == before[1] and before[0] in known
