"""Names of persons in a text, and whether they are widely known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import NamedTuple

from assay.data import lexicon

MAX_NAMES = 50
"""At most this many names of one text are listed."""
_UPPER = "A-ZÀ-ÖØ-ÞČĆĎĐĚŁĽŇŃŐŘŚŠŤŮŰŻŹŽĞİŞĘĄΑ-ΩА-Я"
_CAP = rf"[{_UPPER}][^\W\d_]*(?:['-][^\W\d_]+)*"
_LINK = r"(?:de|del|della|van|von|der|den|bin|ibn|al|el|la|da|dos|du|di|le|y)"
_RUN = re.compile(rf"\b{_CAP}(?:(?:(?<=\b[A-Z])\.)? (?:{_LINK} )?{_CAP}){{0,4}}\b")
_TITLE = re.compile(
    r"\b(?:mr|mrs|ms|miss|mx|dr|prof|sir|madam|herr|frau|mme|señora?|shri|smt)\.? ?$", re.IGNORECASE
)
_TITLED = re.compile(r"(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Sir|Madam|Herr|Frau|Mme|Shri|Smt) (?=\S)")
_OWNER = re.compile(r"([^']+)'s ")
_INTRODUCED = re.compile(
    r"\b(?:names? (?:is|was)|(?:in|on) the account is|named|called|call me|i am|i'm|this is"
    r"|name:|user:|patient|employee|customer|client|sister|brother|mother|father|aunt|uncle"
    r"|cousin|son|daughter|wife|husband|partner|friend|neighbou?r|colleague|boss|kid|child|dear"
    r"|hi|hello|signed|says|said|ask|asked|told|tell|meet|met|named (?:him|her|them)|last name\?"
    r"|it's under|it is under|change it to|gender of)"
    r",? $",
    re.IGNORECASE,
)
_PLACED = re.compile(
    r"\b(?:in|at|from|to|near|visit|visited|of|for|the|via|through|across|into|outside|an?)"
    r" (?:(?:southern|northern|eastern|western|the) )?$",
    re.IGNORECASE,
)
_SPOKEN = re.compile(r"(?:'s)? (?:says|said|is|was|lives|has|will|called|works|asked|told)\b")
_ROLE = re.compile(
    r"(?:user|patient|employee|customer|client|tenant|applicant|candidate|student|pupil|passenger"
    r"|traveller|traveler|guest|member|subscriber|suspect|witness|victim|defendant|claimant|driver"
    r"|neighbou?r|colleague|aunt|uncle|cousin|grandma|grandpa|nurse|resident|insured|beneficiary"
    r"|coach|pastor|teacher|trainer|apprentice|intern|nephew|niece|holder|owner|caller|sender"
    r"|recipient|contact|name) ",
    re.IGNORECASE,
)
"""What a person is, written with a capital before the name: "User Karla Mendez"."""
_WORD = re.compile(r"[^\W\d_]+")
_ARABIC_TITLE = re.compile(
    r"(?:^|[\s،:(\"])[وفبل]?(?:السيد|السيدة|الآنسة|الأستاذ|الأستاذة|الدكتور|الدكتورة|الشيخ|المهندس"
    r"|المهندسة|(?:ال|لل)(?:مريض|موظف|عميل|طالب|مواطن|مستأجر|متهم|متقدم|زبون|ممرض|معلم|سائق|مدير)ة?"
    r"|(?:جار|زميل|صديق|مدير|معلم|طبيب|مستأجر|موظف|مريض|عميل|طالب|سائق|حبيب|خطيب|قريب|جد)"
    r"(?:ت)?(?:ي|نا|ه|ها|ك|كم|هم)|(?:أخ|أخت|أم|أب|ابن|ابنت|بنت|زوج|زوجت|عم|عمت|خال|خالت|والد|والدت)"
    r"(?:ي|نا|ه|ها|ك|كم|هم)|اسمي|اسمه|اسمها|يدعى|تدعى|هو|هي)"
    r" ((?:ال)?[\u0621-\u064a]{2,15}(?: (?:بن |بنت |عبد |أبو |آل )?(?:ال)?[\u0621-\u064a]{2,15})?)"
)
_ARABIC_WORD = re.compile(r"[\u0621-\u064a]{2,15}")


class PersonName(NamedTuple):
    """The name of a person, and how sure that is from 0 to 1."""

    start: int
    end: int
    strength: float
    is_public: bool


def person_names(text: str) -> tuple[PersonName, ...]:
    """Names of persons in the text, in order of place."""
    figures = _places(text, *_listed("public_figures", "public_figures.ar"))
    result = [*_latin(text), *_arabic(text)]
    public = [PersonName(start, end, 1.0, True) for start, end in figures]
    private = [
        name for name in result if not any(name.start < e and s < name.end for s, e in figures)
    ]
    return tuple(sorted([*public, *private]))


def is_given_name(word: str) -> bool:
    """Whether a word in lower case is, or begins with, a known given name."""
    given = _words("given_names")
    return any(word[:end] in given for end in range(3, len(word) + 1))


def _latin(text: str) -> Iterator[PersonName]:
    given, things = _words("given_names"), _words("name_like_words.en")
    is_shouted = text.isupper()
    if text.islower():
        yield from _lower_case(text, given)
        return
    for first, last in islice(_runs(text), MAX_NAMES):
        written = text[first:last]
        words = _WORD.findall(written.lower())
        before = text[max(0, first - 32) : first]
        is_start = not before.strip() or before.rstrip()[-1:] in ".!?:\n\"'"
        role = _ROLE.match(written)
        if role and len(words) > 1 and words[1] not in things:
            yield PersonName(first + role.end(), last, 0.9, False)
            continue
        if is_start and len(words) > 1 and words[0] not in given and words[1] in given:
            first += written.index(" ") + 1 if " " in written else 0
            words = words[1:]
        known = any(word in given for word in words)
        is_thing = words[0] in things or words[-1] in things
        if _TITLE.search(before):
            strength = 0.9
        elif is_shouted or (is_thing and not (known and words[0] not in things)):
            continue
        elif _INTRODUCED.search(before) and not (len(words) == 1 and is_start and not known):
            strength = 0.9 if known or len(words) > 1 else 0.6
        elif known and words[0] in given:
            strength = 0.9 if len(words) > 1 else 0.7
        elif _PLACED.search(before):
            strength = 0.15 if len(words) > 1 else 0.0
        elif len(words) in (2, 3) and not written.isupper():
            strength = 0.5 if not is_start or _SPOKEN.match(text, last) else 0.35
        elif len(words) == 1 and len(words[0]) > 2 and _SPOKEN.match(text, last):
            strength = 0.3 if not is_start else 0.15
        elif len(words) == 1 and not is_start and len(words[0]) > 2:
            strength = 0.2
        else:
            continue
        if strength:
            yield PersonName(first, last, strength, False)


def _runs(text: str) -> Iterator[tuple[int, int]]:
    """Words with capitals in a row: without a title before them, up to a possessive."""
    for run in _RUN.finditer(text):
        title = _TITLED.match(run.group())
        owner = _OWNER.match(run.group())
        last = run.start() + owner.end(1) if owner else run.end()
        yield run.start() + (title.end() if title else 0), last


def _lower_case(text: str, given: frozenset[str]) -> Iterator[PersonName]:
    """Known given names in a text without capitals."""
    common = _words("names_as_words.en")
    for word in islice(_WORD.finditer(text), 500):
        if word.group() in given and word.group() not in common:
            yield PersonName(*word.span(), 0.45, False)


def _arabic(text: str) -> Iterator[PersonName]:
    if text.isascii():
        return
    for match in islice(_ARABIC_TITLE.finditer(text), MAX_NAMES):
        first = match.group(1).split()[0]
        is_given = first in _words("given_names.ar")
        yield PersonName(*match.span(1), 0.9 if is_given else 0.5, False)
    given = _words("given_names.ar")
    for match in islice(_ARABIC_WORD.finditer(text), 500):
        if match.group() in given:
            follows = re.match(
                r" (?:ال)?[\u0621-\u064a]{2,15}", text[match.end() : match.end() + 20]
            )
            yield PersonName(match.start(), match.end(), 0.6 if follows else 0.4, False)


def _places(text: str, *phrases: str) -> list[tuple[int, int]]:
    lower = text.lower()
    present = [*filter(lower.__contains__, phrases)]
    return [(lower.index(phrase), lower.index(phrase) + len(phrase)) for phrase in present]


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(pattern.name for pattern in lexicon(name).patterns)


@cache
def _listed(*names: str) -> tuple[str, ...]:
    return tuple(pattern.name for name in names for pattern in lexicon(name).patterns)
