"""Words that decide whether two statements agree, as `meaning.toml` lists them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from assay.data.bundled_files import read_toml
from assay.data.quantities import wordings

FILE = "meaning.toml"
ARABIC_FOLDED = str.maketrans("أإآٱةى", "ااااهي")
"""Variant letters of Arabic in plain form."""


class Unit(NamedTuple):
    """What a number is of: 1 of it is `factor` of the dimension's base."""

    dimension: str
    factor: float


@dataclass(frozen=True, slots=True)
class MeaningWords:
    """What `meaning.toml` says, together with the tables of `quantities.toml`."""

    numbers: Mapping[str, float]
    scales: Mapping[str, float]
    fractions: Mapping[str, float]
    ordinals: Mapping[str, int]
    units: Mapping[str, Unit]
    duals: Mapping[str, Unit]
    weekdays: Mapping[str, int]
    short_weekdays: Mapping[str, int]
    """Short names that are other words in a sentence."""
    months: Mapping[str, int]
    times: Mapping[str, int]
    half_days: Mapping[str, str]
    """What follows an hour → "am" or "pm"."""
    rates: Mapping[str, float]
    limits: Mapping[str, str]
    limits_behind: Mapping[str, str]
    negations: frozenset[str]
    denying_verbs: frozenset[str]
    harmless: tuple[str, ...]
    answers: Mapping[str, bool]
    classes: Mapping[str, tuple[tuple[str, str], ...]]
    """Word → the classes that it belongs to, each with its table: ("modality", "must")."""
    lists: Mapping[str, frozenset[str]]
    converses: tuple[tuple[str, str], ...]
    opposites: tuple[tuple[str, str], ...]
    qualities: Mapping[str, tuple[tuple[str, int], ...]]
    """Quality → what it is measured by, with 1, or -1 where less is more: cheap, money."""
    measuring: Mapping[str, str]
    """Verb → what it measures: weigh, mass."""
    measured_nouns: Mapping[str, str]
    """Noun that asks for an amount → what that is measured in: length, price."""
    sides: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    """Two classes of words, of which each of one excludes each of the other: up and down."""
    refuting: tuple[tuple[str, str], ...]
    """A word of a yes-or-no question / a word that answers no to it: free, pay."""
    not_opposites: tuple[tuple[str, str], ...]
    """Pairs that WordNet calls opposites, and that say much the same of another side."""
    phrases: tuple[tuple[str, str], ...]
    """A verb with a word behind it / the verb that says the same: turn down, reject."""
    aliases: tuple[tuple[str, str], ...]
    irregular: Mapping[str, str]
    """Irregular forms that WordNet does not list → their base."""
    own_forms: frozenset[str]
    """Irregular forms that are more often words of their own: ground, data."""
    unknowns: tuple[str, ...]
    """Phrases of one who does not know."""
    polar: frozenset[str]
    """Words with which a question begins that asks for yes or no."""
    refusal: Mapping[str, tuple[str, ...]]
    """How people decline: list → phrases."""
    asked: Mapping[str, tuple[str, ...]]
    """Kind of answer → the phrases of a question that ask for it, the most special kind first."""
    answering: Mapping[str, frozenset[str]]
    """Kind of answer → words that give it."""


CLASSES = (
    "quantity_words",
    "frequency_words",
    "modality",
    "certainty",
    "time_order",
    "place_order",
)
"""Tables whose classes exclude each other."""


@cache
def meaning_words() -> MeaningWords:
    """The bundled table."""
    text = (files("assay") / "data" / FILE).read_text(encoding="utf-8")
    table = read_toml(text.translate(ARABIC_FOLDED), FILE)
    known = wordings()
    units = {word: Unit(*_unit(unit)) for unit, words in table["units"].items() for word in words}
    classes: dict[str, tuple[tuple[str, str], ...]] = {}
    for name in CLASSES:
        for own, words in table[name].items():
            for word in words:
                classes[word] = (*classes.get(word, ()), (name, own))
    return MeaningWords(
        numbers=_folded(known.numbers) | table["numbers"],
        scales=_folded(known.scales) | table["scales"],
        fractions=table["fractions"],
        ordinals=_folded(known.ordinals) | table["ordinals"],
        units=units,
        duals={word: units[single] for word, single in table["duals"].items()},
        weekdays=table["weekdays"],
        short_weekdays=table["short_weekdays"],
        months=_folded(known.months) | table["months"],
        times=table["times"],
        half_days={phrase: own for own, listed in table["half_days"].items() for phrase in listed},
        rates={word: float(days) for word, days in table["rates"].items()},
        limits={word: limit for limit, words in table["limits"].items() for word in words},
        limits_behind={
            word: limit for limit, words in table["limits_behind"].items() for word in words
        },
        negations=frozenset(table["negation"]["words"]),
        denying_verbs=frozenset(table["negation"]["verbs"]),
        harmless=tuple(table["negation"]["harmless"]),
        answers={word: own == "yes" for own, words in table["answers"].items() for word in words},
        classes=classes,
        lists={name: frozenset(words) for name, words in table["lists"].items()},
        converses=_pairs(table["converses"]["pairs"]),
        opposites=_pairs(table["opposites"]["pairs"]),
        qualities={
            quality: tuple((own.removeprefix("-"), -1 if own[0] == "-" else 1) for own in measures)
            for quality, measures in table["qualities"].items()
        },
        measuring=table["measuring"],
        measured_nouns=table["measured_nouns"],
        sides=tuple((tuple(one["one"]), tuple(one["other"])) for one in table["sides"]),
        not_opposites=_pairs(table["opposites"]["none"]),
        phrases=_pairs(table["phrases"]["pairs"]),
        refuting=_pairs(table["opposites"]["refuting"]),
        irregular=table["irregular"]["forms"],
        own_forms=frozenset(table["irregular"]["own"]),
        aliases=_pairs(table["aliases"]["pairs"]),
        unknowns=tuple(table["unknowns"]["phrases"]),
        polar=frozenset(table["questions"]["polar"]),
        asked={kind: tuple(phrases) for kind, phrases in table["asked"].items()},
        answering={kind: frozenset(listed) for kind, listed in table["answering"].items()},
        refusal={name: tuple(listed) for name, listed in table["refusal"].items()},
    )


def _unit(name: str) -> tuple[str, float]:
    dimension, _, factor = name.partition(" ")
    return dimension, float(factor)


def _folded(words: Mapping[str, float]) -> dict[str, float]:
    return {word.translate(ARABIC_FOLDED): value for word, value in words.items()}


def _pairs(lines: list[str]) -> tuple[tuple[str, str], ...]:
    sides = (line.partition(" / ") for line in lines)
    return tuple((one, other) for one, _, other in sides)
