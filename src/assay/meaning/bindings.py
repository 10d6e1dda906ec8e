"""What belongs to what: things of one kind, each with what a passage says of it.

"Adults pay 12 euros, children half of that": a statement in the same words that gives one thing
what is said of the other is found by reading the passage in parts. A part says something of the
thing that it names, or else of the one that the part before it names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from assay.data.contrasts import things_of_words
from assay.data.meaning import meaning_words
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.figures import Figure, measure_of
from assay.meaning.reading import TextReading
from assay.meaning.word_coverage import kin, light_keys, synonyms
from assay.meaning.word_relations import list_keys
from assay.meaning.words import Word

MOST_PARTS = 60
"""Of longer passages the first parts are compared."""
REMEMBERED = 512
"""So many texts that were read in parts are kept."""
PASSAGES = 16
"""So many passages are kept: all checks of a statement read the same one."""
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
LEADING = 2
"""So many words may stand before a name that a part is about: "transport minister Alvarez"."""
NAME = "name"
REST = "rest"
"""What is left of a set: "everybody else", "all others"."""
NEAR = 3
"""So many words behind "by" or "is" a name begins that a part is about."""
_NONE: frozenset[str] = frozenset()
_DIGIT = re.compile(r"\d")
_new = tuple.__new__


class Thing(NamedTuple):
    """Something that is told apart from others of its kind."""

    kind: str
    name: frozenset[str]
    """The keys of its name; for a thing of a list, its number there."""

    def is_same(self, other: Thing) -> bool:
        """Whether two are one thing, of which a name may be written in part."""
        return self.kind == other.kind and not self.name.isdisjoint(other.name)

    def rivals(self, other: Thing) -> bool:
        """Whether two are different things of one kind."""
        return self.kind == other.kind and self.name.isdisjoint(other.name)


class Part(NamedTuple):
    """A part of a sentence: what stands between marks and words such as "and"."""

    start: int
    end: int
    sentence: int
    keys: frozenset[str]
    """Of words that say something, those of things left out."""
    things: frozenset[Thing]
    figures: tuple[Figure, ...]
    is_denied: bool


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
    own = _listed_things(claim)
    if own:
        kinds = {kind for kind, _ in own}
        others = [found for one in sentences for found in _listed_things(one) if found[0] in kinds]
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
    openings = (_opening(claim, part) for part in parts)
    own = [*things, *(frozenset((word.key,)) for word in openings if word)]
    return any(not name.isdisjoint(names) and not names <= name for name in own)


def things_of(parts: Iterable[Part]) -> Iterator[Thing]:
    """The things that parts name."""
    return (thing for part in parts for thing in part.things)


def _with_openings(claim: TextReading, parts: Sequence[Part]) -> list[Part]:
    """The parts of a statement; a word that opens a sentence is a name where the passage has it."""
    names = {key for thing in things_of(parts) if thing.kind == NAME for key in thing.name}
    return [_with_opening(claim, part, names) for part in parts_of(claim)]


def _with_opening(reading: TextReading, part: Part, names: AbstractSet[str]) -> Part:
    """A part of a text whose first word is a name too, if it is among known ones."""
    first = _opening(reading, part)
    if first is None or first.key not in names:
        return part
    thing = Thing(NAME, frozenset((first.key,)))
    return part._replace(keys=part.keys - {first.key}, things=part.things | {thing})


def _opening(claim: TextReading, part: Part) -> Word | None:
    """The first word of a part that says something, where it has a capital letter."""
    first = next((w for w in claim.words if w.start >= part.start and not w.is_empty), None)
    return first if first and first.is_capital and first.key in part.keys else None


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


def _keys(part: Part) -> frozenset[str]:
    """The words of a part, and those of the things that it names."""
    return part.keys.union(*[thing.name for thing in part.things])


def fit_of(wanted: Iterable[str], figures: Iterable[Figure], part: Part) -> float:
    """How many words and figures of a statement a part has."""
    known = synonyms()
    keys = _keys(part)
    held = sum(key in keys or (key in known and not known[key].isdisjoint(keys)) for key in wanted)
    return held + sum(any(map(figure.equals, part.figures)) for figure in figures)


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
    is_same = not wanted.isdisjoint(_keys(found[0])) or fit_of((), others, found[0]) > 0
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


def passage_parts(sentences: Sequence[TextReading]) -> Sequence[Part]:
    """The parts of all sentences, each with the number of its sentence."""
    return _passage_parts(tuple(sentences))


@lru_cache(maxsize=PASSAGES)
def _passage_parts(sentences: tuple[TextReading, ...]) -> Sequence[Part]:
    result: list[Part] = []
    names = frozenset().union(*[sentence.names.keys() for sentence in sentences])
    for number, sentence in enumerate(sentences):
        parts = parts_of(sentence)
        if parts and not names.isdisjoint(sentence.keys):
            parts = (_with_opening(sentence, parts[0], names), *parts[1:])
        # what `_replace` does, without a dictionary for each part
        result += [_new(Part, (*part[:2], number, *part[3:])) for part in parts]
        if len(result) > MOST_PARTS:
            break
    return result[:MOST_PARTS]


@lru_cache(maxsize=REMEMBERED)
def parts_of(reading: TextReading) -> tuple[Part, ...]:
    """The parts of a text, in order; those that are mere items of a list stand with another."""
    return tuple(_merged(reading, _stretches(reading)))


def _stretches(reading: TextReading) -> list[list[int]]:
    """The places of the words of each part."""
    breaks, listed = meaning_words().lists["part_breaks"], things_of_words()
    stretches: list[list[int]] = []
    clause = -1
    for place, word in enumerate(reading.words):
        is_joined = word.text[0] == "و" and (
            word.text == "و"  # before a number
            or (word.text != word.bare and word.bare[0] in "يت")  # before a verb
            or (word.text.startswith("ولل") and word.bare in listed)  # "and for children"
        )
        if word.clause != clause or word.text in breaks or is_joined:
            stretches.append([])
        clause = word.clause
        stretches[-1].append(place)
    return stretches


def _merged(reading: TextReading, stretches: Sequence[list[int]]) -> list[Part]:
    result: list[Part] = []
    pending: list[int] = []
    negations = {scope.place for scope in reading.scopes}
    may_name = reading.names or _has_listed_thing(reading) or reading.has_codes
    for places in stretches:
        part = _part(reading, [*pending, *places], negations, may_name=bool(may_name))
        says_nothing = not part.keys and not part.figures
        if says_nothing and not result:
            pending += places
        elif says_nothing:
            before = result.pop()
            result.append(
                before._replace(
                    end=max(before.end, part.end),
                    things=before.things | part.things,
                    is_denied=before.is_denied or part.is_denied,
                )
            )
        else:
            result.append(part)
            pending = []
    if not result and pending:
        result.append(_part(reading, pending, negations, may_name=bool(may_name)))
    return result


def _part(
    reading: TextReading, places: Sequence[int], negations: AbstractSet[int], *, may_name: bool
) -> Part:
    """The part of the words at some places; most texts name nothing that is told apart."""
    words = [reading.words[place] for place in places]
    start, end = words[0].start, words[-1].end
    things, used = _things(reading, words) if may_name else ([], set[int]())
    if any(one.kind == NAME for one in things):
        leading = _leading(words)
        things = [one for one in things if one.kind != NAME or one.name & leading]
    figures = tuple(
        [f for f in reading.stated_figures if start <= f.start < end and f.start not in used]
    )
    light, in_figures = light_keys(), reading.in_figures
    keys = frozenset(
        [
            word.key
            for place, word in zip(places, words, strict=True)
            if not word.is_empty
            and word.start not in used
            and word.key not in light
            and place not in in_figures
        ]
    )
    is_denied = not negations.isdisjoint(places)
    return Part(start, end, 0, keys, frozenset(things), figures, is_denied)


def _leading(words: Sequence[Word]) -> set[str]:
    """The keys of the words with which the name begins that a part is about."""
    naming = meaning_words().lists["naming"]
    is_meant = words[0].text in _subjects()  # "It won the Harper Prize" is not about the prize
    before = [] if is_meant else [word for word in words if not word.is_empty][: LEADING + 1]
    leading = {word.key for word in before}
    for place, word in enumerate(words):
        if word.text in naming:
            reach = NEAR if word.text == "by" else 1
            leading.update(w.key for w in words[place + 1 : place + 1 + reach] if w.is_capital)
    return leading


@cache
def _subjects() -> frozenset[str]:
    """The pronouns of which a part may say something."""
    return meaning_words().lists["named_before"] | {"it"}


def _things(reading: TextReading, words: Sequence[Word]) -> tuple[list[Thing], set[int]]:
    """What words name that is told apart from others, and where these words begin."""
    listed, units, has_codes = things_of_words(), reading.name_units, reading.has_codes
    table = meaning_words()
    rest = table.lists["rest"]
    things: list[Thing] = []
    used: set[int] = set()
    names: dict[int, set[str]] = {}
    for place, word in enumerate(words):
        follows = words[place + 1] if has_codes and place + 1 < len(words) else None
        if follows is not None and _may_be_code(follows) and _is_code(reading, word, follows):
            things.append(Thing(word.key, frozenset((follows.text,))))
            used.update((word.start, follows.start))
        elif word.text in rest and not _is_alternate(words, place):
            things.append(Thing(REST, frozenset((REST,))))
            used.add(word.start)
        elif (bare := word.bare.removesuffix("'s")) in listed and not _is_beside(words, place):
            kind, number = listed[bare]
            things.append(Thing(kind, frozenset((number,))))
            used.add(word.start)
        elif word.key in units and _is_name(words, place):
            if word.text in table.months or word.text in table.weekdays:
                continue
            names.setdefault(units[word.key], set()).add(word.key)
            used.add(word.start)
    titles = table.lists["titles"]
    things += [Thing(NAME, frozenset(own - titles)) for own in names.values() if own - titles]
    return things, used


def _is_beside(words: Sequence[Word], place: int) -> bool:
    """Whether "with" stands before a word: "with your manager's consent" is not about managers."""
    owners = meaning_words().lists["articles"]
    before = next((word for word in reversed(words[:place]) if word.text not in owners), None)
    return before is not None and before.text in ("with", "without")


def _is_alternate(words: Sequence[Word], place: int) -> bool:
    """Whether "other" says how often something is: "every other Thursday"."""
    table = meaning_words()
    texts = [word.text for word in words[max(0, place - 1) : place + 2]]
    is_between = len(texts) > 2 and texts[0] == "every"
    return is_between and (texts[2] in table.weekdays or texts[2] in table.units)


def _has_listed_thing(reading: TextReading) -> bool:
    """Whether a text has a word that is listed among others of its kind."""
    return bool(
        _listed_things(reading) or not meaning_words().lists["rest"].isdisjoint(reading.spellings)
    )


def _listed_things(reading: TextReading) -> set[tuple[str, str]]:
    """Kind and name of the things that the words of a text name."""
    listed, spellings = things_of_words(), reading.spellings
    found = {listed[word] for word in spellings & listed.keys()}
    if "'s" in reading.text:
        owners = (word.removesuffix("'s") for word in spellings if word.endswith("'s"))
        found.update(listed[word] for word in owners if word in listed)
    return found


def _may_be_code(word: Word) -> bool:
    """Whether a word is a number or a single capital letter."""
    return word.is_number or (word.is_capital and len(word.text) == 1)


def _is_name(words: Sequence[Word], place: int) -> bool:
    """Whether a word with a capital is a name that a part may be about.

    One behind "in" or "from" says where, and a plain word may open a sentence.
    """
    before = words[place - 1] if place else None
    if before is not None:
        is_placed = before.text in meaning_words().lists["placing"]
        return not is_placed and before.text not in ("a", "an")
    key = words[place].key
    is_run = len(words) > 1 and words[1].is_capital
    return is_run or (key not in kin() and key not in synonyms())


def _is_code(reading: TextReading, word: Word, follows: Word) -> bool:
    """Whether a number or letter tells a thing from others, as in "room 204" or "lift A"."""
    is_close = word.clause == follows.clause and reading.text[word.end : follows.start] == " "
    is_noun = not word.text.endswith(("s", "ed")) and word.key not in light_keys()
    if not is_close or word.is_empty or word.is_number or not is_noun:
        return False
    if follows.is_number:
        figure = next((f for f in reading.figures if f.start <= follows.start < f.end), None)
        is_plain = figure is None or (figure.kind == "number" and not figure.unit.dimension)
        return follows.text.isdecimal() and is_plain and word.text not in things_of_words()
    return len(follows.text) == 1 and follows.is_capital
