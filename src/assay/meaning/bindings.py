"""What belongs to what: things of one kind, each with what a passage says of it.

"Adults pay 12 euros, children half of that": a statement in the same words that gives one thing
what is said of the other is found by reading the passage in parts (`parts.py`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from assay.data.meaning import meaning_words
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.figures import Figure, measure_of
from assay.meaning.parts import (
    NAME,
    REST,
    Part,
    Thing,
    fit_of,
    listed_things,
    opening_name,
    part_keys,
    parts_of,
    passage_parts,
    things_of,
    with_opening,
)
from assay.meaning.reading import TextReading
from assay.meaning.word_relations import list_keys

MOST_WORDS = 40
"""Longer statements are not compared."""
HELD = 0.5
"""Share of a statement's other words that a part must have to be what it speaks of."""
LEAST_FIT = 2
"""So many words of like meaning a part has in common with a statement whose figure moved."""
HELD_BY_NAME = 0.7
"""The same where a name tells the thing from others."""
AROUND = 0.5
"""What a word counts that the parts before in the same sentence have."""
_NONE: frozenset[str] = frozenset()
_DIGIT = re.compile(r"\d")


def other_thing(claim: TextReading, sentences: Sequence[TextReading]) -> ClaimDifference | None:
    """A thing of the statement of which the passage says something else.

    What the statement says of it stands in a part on another thing of its kind.
    """
    if len(claim.words) > MOST_WORDS or not _may_name(claim, sentences):
        return None
    if not _may_be_bound(claim, sentences):
        return None
    parts = passage_parts(sentences)
    for own in _with_openings(claim, parts):
        for thing in () if own.is_denied else own.things:
            if not any(map(thing.is_same, things_of(parts))):
                continue
            rival = _bound_otherwise(own, thing, parts, _names_in(claim, own))
            if rival is not None:
                reading = sentences[rival.sentence]
                spans = (own.start, own.end, rival.start, rival.end)
                quoted = claim.quote(own.start, own.end), reading.quote(rival.start, rival.end)
                return ClaimDifference("binding", *quoted, *spans)
    return None


def _may_name(claim: TextReading, sentences: Sequence[TextReading]) -> bool:
    """Whether a statement may name one of several things: most do not, and are left at once."""
    own = listed_things(claim)
    if own:
        kinds = {kind for kind, _ in own}
        others = [found for one in sentences for found in listed_things(one) if found[0] in kinds]
        if len(kinds) < len(own) or any(other not in own for other in others):
            return True
    if not meaning_words().lists["rest"].isdisjoint(claim.texts):
        return True
    if _DIGIT.search(claim.text):
        pairs = pairwise(claim.words)
        counted = {one.key for one, two in pairs if two.is_number and not one.is_empty}
        if any(not counted.isdisjoint(one.keys) for one in sentences):
            return True
    capitals = {word.key for word in claim.words if word.is_capital}
    alike = (one for one in sentences if not capitals.isdisjoint(one.keys))
    if all(capitals.isdisjoint(one.names) for one in alike):
        return False
    return any(one.names.keys() - capitals for one in sentences)


def _may_be_bound(claim: TextReading, sentences: Sequence[TextReading]) -> bool:
    """Whether a part of a statement has a thing of which some sentences may have a rival.

    A name, or the word that a part opens with, must stand there as a name beside another one.
    """
    parts = parts_of(claim)
    things = [thing.name for part in parts for thing in part.things if thing.kind == NAME]
    if sum(len(part.things) for part in parts) > len(things):
        return True
    names = frozenset().union(*[one.names.keys() for one in sentences])
    openings = (opening_name(claim, part) for part in parts)
    own = [*things, *(frozenset((word.key,)) for word in openings if word)]
    return any(not name.isdisjoint(names) and not names <= name for name in own)


def _with_openings(claim: TextReading, parts: Sequence[Part]) -> list[Part]:
    """The parts of a statement; a word that opens a sentence is a name where the passage has it."""
    names = {key for thing in things_of(parts) if thing.kind == NAME for key in thing.name}
    return [with_opening(claim, part, names) for part in parts_of(claim)]


def _bound_otherwise(
    own: Part, thing: Thing, parts: Sequence[Part], named: frozenset[str]
) -> Part | None:
    """The part that says of another thing what the statement says; None unless all best ones do.

    What the statement names beside it is no other one.
    """
    wanted = own.keys | {key for other in own.things - {thing} for key in other.name}
    if thing.kind == NAME:
        wanted = _said_of(NAME, wanted, parts)
    total = len(wanted) + len(own.figures)
    if not total:
        return None
    fits = [
        fit_of(wanted, own.figures, part) + AROUND * _fit_around(wanted, place, parts)
        for place, part in enumerate(parts)
    ]
    best = max(fits, default=0.0)
    is_name = thing.kind == NAME
    if best < max(1.0, (HELD_BY_NAME if is_name else HELD) * total):
        return None
    if is_name and _is_together(wanted, thing, parts):
        return None
    if own.figures and any(_has_all(own.figures, thing, part) for part in parts):
        return None
    if any(part.is_denied and any(map(thing.is_same, part.things)) for part in parts):
        return None
    found = None
    for place, fit in enumerate(fits):
        if fit < best:
            continue
        governing = _governing(place, thing, parts)
        if thing.kind == REST and not governing and own.keys & parts[place].keys:
            found = found or parts[place]
            continue
        if not governing or any(map(thing.is_same, governing)):
            return None
        if any(one.is_same(other) for one in own.things for other in governing):
            return None
        if thing.kind == NAME and any(not named.isdisjoint(other.name) for other in governing):
            return None
        if not any(thing.rivals(other) for other in governing):
            return None
        found = found or parts[place]
    return found


def _names_in(claim: TextReading, part: Part) -> frozenset[str]:
    """All names in a part, those of whom it says nothing too."""
    return frozenset(k for k, word in claim.names.items() if part.start <= word.start < part.end)


def _said_of(kind: str, wanted: frozenset[str], parts: Sequence[Part]) -> frozenset[str]:
    """Those of some words that are not merely said of the topic: all where none is left."""
    free = [part.keys for part in parts if not any(one.kind == kind for one in part.things)]
    return wanted - frozenset().union(*free)


def _is_together(wanted: frozenset[str], name: Thing, parts: Sequence[Part]) -> bool:
    """Whether a sentence with a name has all the other words of a statement as well."""
    for number in {part.sentence for part in parts if any(map(name.is_same, part.things))}:
        own = [part for part in parts if part.sentence == number]
        found = {key for key in wanted if any(fit_of((key,), (), part) for part in own)}
        if wanted <= found:
            return True
    return False


def _has_all(figures: Sequence[Figure], thing: Thing, part: Part) -> bool:
    """Whether a part has figures beside a thing: "at weekends every half hour"."""
    if not any(map(thing.is_same, part.things)):
        return False
    return all(any(map(one.equals, part.figures)) for one in figures)


def _governing(place: int, thing: Thing, parts: Sequence[Part]) -> frozenset[Thing]:
    """The things of a kind that a part is about: its own, else those of the part before it."""
    sentence = parts[place].sentence
    while place >= 0 and parts[place].sentence == sentence:
        same = [other for other in parts[place].things if other.kind == thing.kind]
        if same:
            return frozenset(same)
        place -= 1
    return frozenset()


def moved_amount(claim: TextReading, sentences: Sequence[TextReading]) -> ClaimDifference | None:
    """A figure of the statement that the passage has, but not with the words beside it.

    The part with most of the statement's words has another figure of that kind instead.
    """
    if not any(map(_may_move, claim.stated_figures)) or len(claim.words) > MOST_WORDS:
        return None
    around = [figure for one in sentences for figure in one.stated_figures]
    parts: Sequence[Part] = ()
    for own in parts_of(claim):
        for figure in own.figures:
            if not _may_move(figure) or not any(map(figure.equals, around)):
                continue
            if any(one.has_limit(figure) for one in sentences):
                continue
            if not any(_is_rival(figure, one, own) for one in around):
                continue
            parts = parts or passage_parts(sentences)
            rival = _moved(own, figure, parts)
            if rival is not None:
                part, other = rival
                reading = sentences[part.sentence]
                spans = (figure.start, figure.end, other.start, other.end)
                quoted = claim.quote(*spans[:2]), reading.quote(*spans[2:])
                return ClaimDifference("number", *quoted, *spans)
    return None


def _may_move(figure: Figure) -> bool:
    """Whether a figure belongs to some words: a mere number may count anything."""
    return not figure.is_word and (figure.kind != "number" or bool(figure.unit.dimension))


def _moved(own: Part, figure: Figure, parts: Sequence[Part]) -> tuple[Part, Figure] | None:
    wanted = own.keys - list_keys("prepositions")
    wanted |= {key for thing in own.things for key in thing.name}
    others = [one for one in own.figures if one is not figure]
    if figure.kind == "time":
        wanted -= list_keys("opening", "closing")  # they say the same of the hours of a door
    if not wanted and not others:
        return None
    here = best = -1.0
    found: tuple[Part, Figure] | None = None
    for place, part in enumerate(parts):
        fit = fit_of(wanted, others, part) + AROUND * _fit_around(wanted, place, parts)
        if any(map(figure.equals, part.figures)):
            told = (wanted & _keys_behind(place, parts)) - part.keys
            here = max(here, fit, fit_of(wanted, others, part) + AROUND * len(told))
            continue
        rival = next((one for one in part.figures if _is_rival(figure, one, own)), None)
        if rival is not None and fit > best:
            best, found = fit, (part, rival)
    is_better = here >= 0 and best >= here + 1.0 and best >= HELD * (len(wanted) + len(others))
    if found is None or not is_better:
        return None
    # one word of like meaning says little
    is_same = not wanted.isdisjoint(part_keys(found[0])) or fit_of((), others, found[0]) > 0
    return found if is_same or best >= LEAST_FIT else None


def _fit_around(wanted: frozenset[str], place: int, parts: Sequence[Part]) -> float:
    """How many words the parts before in the same sentence have."""
    before = [part for part in parts[:place] if part.sentence == parts[place].sentence]
    keys = frozenset().union(*[part.keys for part in before]) - parts[place].keys
    return float(len(wanted & keys))


def _keys_behind(place: int, parts: Sequence[Part]) -> frozenset[str]:
    """The words of the next parts of the same sentence, up to one with figures of its own.

    "In 1979, when the last keeper left" says of the keeper what was in 1979.
    """
    keys = frozenset[str]()
    for part in parts[place + 1 :]:
        if part.sentence != parts[place].sentence or part.figures:
            break
        keys |= part.keys
    return keys


def _is_rival(figure: Figure, other: Figure, own: Part) -> bool:
    """Whether two figures measure the same, and the statement has not both."""
    if figure.kind != other.kind or other.is_word or any(map(other.equals, own.figures)):
        return False
    return measure_of(figure.unit.dimension) == measure_of(other.unit.dimension)
