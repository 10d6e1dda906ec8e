"""Changes a sentence so that it says the same, more than the source, or something else.

Each edit takes a sentence and a source of chance and gives the changed sentence, or nothing where
it does not apply. The words are in `edits.toml`, English and Arabic.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

ENTAILED, OPEN, CONTRADICTED = "entail", "neutral", "contradict"
NOT_ENTAILED = "not_entail"
Edit = Callable[[str, Random, "Words"], str | None]
NUMBER = re.compile(r"(?<![\w.,-])\d{1,4}(?:[.,]\d+)?(?![\w-])")
NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})*")
PARENTHESIS = re.compile(r" ?\([^()]*\)")
LEADING = re.compile(r"^((?:In|On|At|During|After|Before|By) [^,]{3,40}), ([^.!?]+)([.!?]?)$")
LOWER_FIRST = frozenset(
    ("The", "This", "That", "These", "Those", "It", "He", "She", "They", "A", "An")
) | {"His", "Her", "Its", "Their"}
ENDS = ".!?؟"


class Words(NamedTuple):
    """The tables of one language."""

    numbers: list[str]
    weekdays: list[str]
    months: list[str]
    opposites: list[list[str]]
    synonyms: list[list[str]]
    widened: list[list[str]]
    narrowed: list[list[str]]
    firmer: list[list[str]]
    denied: list[list[str]]
    affirmed: list[list[str]]
    because: list[str]
    condition: list[str]


class Edited(NamedTuple):
    """A changed sentence, and what the unchanged one says of it."""

    text: str
    label: str
    edit: str


@cache
def words_of(language: str) -> Words:
    """The tables of a language."""
    tables = tomllib.loads((Path(__file__).parent / "edits.toml").read_text(encoding="utf-8"))
    return Words(**tables[language])


def edits_of(sentence: str, chance: Random, language: str = "en") -> Iterator[Edited]:
    """Every edit that applies, each once, in an order of chance."""
    words = words_of(language)
    order = [(label, edit) for label, edits in EDITS.items() for edit in edits]
    chance.shuffle(order)
    for label, edit in order:
        text = edit(sentence, chance, words)
        if text and text != sentence:
            yield Edited(text, label, edit.__name__)


def other_number(sentence: str, chance: Random, words: Words) -> str | None:
    """Another number of the same form; a year stays a year."""
    found = [*NUMBER.finditer(sentence)]
    if not found:
        return _other_of(sentence, chance, words.numbers)
    place = chance.choice(found)
    text = place.group()
    if "." in text or "," in text:
        digit = chance.randrange(len(text))
        if not text[digit].isdigit():
            digit = 0
        new = text[:digit] + str((int(text[digit]) + chance.randint(1, 8)) % 10) + text[digit + 1 :]
    elif len(text) == 4:
        new = str(int(text) + chance.choice((-20, -10, -7, -3, -2, -1, 1, 2, 3, 7, 10, 20)))
    else:
        new = str(int(text) + chance.choice((1, 2, 3, 5, 10, 20)))
    return _replaced(sentence, place, new) if new != text else None


def other_day(sentence: str, chance: Random, words: Words) -> str | None:
    """Another day of the week."""
    return _other_of(sentence, chance, words.weekdays)


def other_month(sentence: str, chance: Random, words: Words) -> str | None:
    """Another month."""
    return _other_of(sentence, chance, words.months)


def opposite(sentence: str, chance: Random, words: Words) -> str | None:
    """A word replaced by its opposite."""
    return _swapped(sentence, chance, [*words.opposites, *(pair[::-1] for pair in words.opposites)])


def negation(sentence: str, chance: Random, words: Words) -> str | None:
    """A negation added, or taken away where there is one."""
    return _swapped(sentence, chance, words.affirmed) or _swapped(sentence, chance, words.denied)


def swapped_names(sentence: str, chance: Random, words: Words) -> str | None:
    """Two names in each other's place: every word shared, another meaning."""
    found = [*NAME.finditer(sentence)]
    pairs = [(a, b) for a in found for b in found if a.start() < b.start() and a[0] != b[0]]
    if not pairs:
        return None
    a, b = chance.choice(pairs)
    return sentence[: a.start()] + b[0] + sentence[a.end() : b.start()] + a[0] + sentence[b.end() :]


def widened(sentence: str, chance: Random, words: Words) -> str | None:
    """Some becomes all."""
    return _swapped(sentence, chance, words.widened)


def firmer(sentence: str, chance: Random, words: Words) -> str | None:
    """What may be becomes what is."""
    return _swapped(sentence, chance, words.firmer)


def condition_dropped(sentence: str, chance: Random, words: Words) -> str | None:
    """The sentence without its condition."""
    for word in words.condition:
        after = re.search(rf",? {word} [^,.!?؟]+(?=[.!?؟]?$)", sentence)
        if after and after.start() > 15:
            return sentence[: after.start()] + sentence[after.end() :]
        before = re.match(rf"{word} [^,،]+[,،] ", sentence, re.IGNORECASE)
        if before and len(sentence) - before.end() > 15:
            return _capital(sentence[before.end() :])
    return None


def cause_for_effect(sentence: str, chance: Random, words: Words) -> str | None:
    """A because B becomes B because A."""
    parts = _because(sentence, words)
    if not parts:
        return None
    effect, word, cause, end = parts
    return f"{_capital(cause)} {word} {_small(effect)}{end}"


def synonym(sentence: str, chance: Random, words: Words) -> str | None:
    """A word replaced by another of the same meaning."""
    return _swapped(sentence, chance, [*words.synonyms, *(p[::-1] for p in words.synonyms)])


def number_as_word(sentence: str, chance: Random, words: Words) -> str | None:
    """A small number in letters, or in digits where it stands in letters."""
    for place in NUMBER.finditer(sentence):
        if place.group().isdigit() and 2 <= int(place.group()) < len(words.numbers):
            return _replaced(sentence, place, words.numbers[int(place.group())])
    for value, word in enumerate(words.numbers):
        found = _word(word).search(sentence)
        if found and value > 1:
            return _replaced(sentence, found, str(value))
    return None


def narrowed(sentence: str, chance: Random, words: Words) -> str | None:
    """All becomes some."""
    return _swapped(sentence, chance, words.narrowed)


def without_parenthesis(sentence: str, chance: Random, words: Words) -> str | None:
    """The sentence without what stands in brackets."""
    return PARENTHESIS.sub("", sentence)


def moved_opening(sentence: str, chance: Random, words: Words) -> str | None:
    """The circumstance that opens the sentence, at its end."""
    found = LEADING.match(sentence)
    if not found:
        return None
    opening, rest, end = found.groups()
    return f"{_capital(rest)} {opening[0].lower()}{opening[1:]}{end}"


def effect_with_so(sentence: str, chance: Random, words: Words) -> str | None:
    """A because B becomes B, so A; English only."""
    parts = _because(sentence, words)
    if not parts or words.because[0] != "because":
        return None
    effect, _, cause, end = parts
    return f"{_capital(cause)}, so {_small(effect)}{end}"


EDITS: dict[str, tuple[Edit, ...]] = {
    CONTRADICTED: (other_number, other_day, other_month, opposite, negation),
    NOT_ENTAILED: (swapped_names,),
    OPEN: (widened, firmer, condition_dropped, cause_for_effect),
    ENTAILED: (
        synonym,
        number_as_word,
        narrowed,
        without_parenthesis,
        moved_opening,
        effect_with_so,
    ),
}
"""What the unchanged sentence says of the changed one → edits."""


@cache
def _word(text: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(text)}(?!\w)")


def _swapped(sentence: str, chance: Random, pairs: Sequence[Sequence[str]]) -> str | None:
    found = [(place, new) for old, new in pairs for place in _word(old).finditer(sentence)]
    if not found:
        return None
    place, new = chance.choice(found)
    return _replaced(sentence, place, new)


def _other_of(sentence: str, chance: Random, words: Sequence[str]) -> str | None:
    found = [(place, word) for word in words for place in _word(word).finditer(sentence)]
    if not found:
        return None
    place, word = chance.choice(found)
    return _replaced(sentence, place, chance.choice([other for other in words if other != word]))


def _because(sentence: str, words: Words) -> tuple[str, str, str, str] | None:
    for word in words.because:
        effect, found, cause = sentence.partition(f" {word} ")
        if found and effect and cause:
            end = cause[-1] if cause[-1] in ENDS else ""
            return effect.rstrip(",،"), word, cause.removesuffix(end), end
    return None


def _replaced(sentence: str, place: re.Match[str], new: str) -> str:
    return sentence[: place.start()] + new + sentence[place.end() :]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _small(text: str) -> str:
    """The text as it stands inside a sentence; names keep their capital."""
    first = text.split(" ", 1)[0]
    return text[:1].lower() + text[1:] if first in LOWER_FIRST else text
