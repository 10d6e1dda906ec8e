"""The parts of a passage, and the things that each of them says something of.

A part stands between marks and words such as "and". It says something of the thing that it names,
or else of the one that the part before it names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import NamedTuple

from assay.data.contrasts import things_of_words
from assay.data.meaning import meaning_words
from assay.meaning.figures import Figure
from assay.meaning.reading import TextReading
from assay.meaning.word_coverage import kin, light_keys, synonyms
from assay.meaning.words import Word

MOST_PARTS = 60
"""Of longer passages the first parts are compared."""
REMEMBERED = 512
"""So many texts that were read in parts are kept."""
PASSAGES = 16
"""So many passages are kept: all checks of a statement read the same one."""
LEADING = 2
"""So many words may stand before a name that a part is about: "transport minister Alvarez"."""
NAME = "name"
REST = "rest"
"""What is left of a set: "everybody else", "all others"."""
NEAR = 3
"""So many words behind "by" or "is" a name begins that a part is about."""
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


def things_of(parts: Iterable[Part]) -> Iterator[Thing]:
    """The things that parts name."""
    return (thing for part in parts for thing in part.things)


def part_keys(part: Part) -> frozenset[str]:
    """The words of a part, and those of the things that it names."""
    return part.keys.union(*[thing.name for thing in part.things])


def fit_of(wanted: Iterable[str], figures: Iterable[Figure], part: Part) -> float:
    """How many words and figures of a statement a part has."""
    known = synonyms()
    keys = part_keys(part)
    held = sum(key in keys or (key in known and not known[key].isdisjoint(keys)) for key in wanted)
    return held + sum(any(map(figure.equals, part.figures)) for figure in figures)


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
            parts = (with_opening(sentence, parts[0], names), *parts[1:])
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
    lists = meaning_words().lists
    naming = lists["naming"]
    # "It won the Harper Prize" is not about the prize
    is_meant = words[0].text == "it" or words[0].text in lists["named_before"]
    before = [] if is_meant else [word for word in words if not word.is_empty][: LEADING + 1]
    leading = {word.key for word in before}
    for place, word in enumerate(words):
        if word.text in naming:
            reach = NEAR if word.text == "by" else 1
            leading.update(w.key for w in words[place + 1 : place + 1 + reach] if w.is_capital)
    return leading


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
        listed_things(reading) or not meaning_words().lists["rest"].isdisjoint(reading.spellings)
    )


def listed_things(reading: TextReading) -> set[tuple[str, str]]:
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


def with_opening(reading: TextReading, part: Part, names: AbstractSet[str]) -> Part:
    """A part of a text whose first word is a name too, if it is among known ones."""
    first = opening_name(reading, part)
    if first is None or first.key not in names:
        return part
    thing = Thing(NAME, frozenset((first.key,)))
    return part._replace(keys=part.keys - {first.key}, things=part.things | {thing})


def opening_name(claim: TextReading, part: Part) -> Word | None:
    """The first word of a part that says something, where it has a capital letter."""
    first = next((w for w in claim.words if w.start >= part.start and not w.is_empty), None)
    return first if first and first.is_capital and first.key in part.keys else None
