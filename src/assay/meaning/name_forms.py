"""Whether two short values name the same: persons, companies, places, labels and enumerations.

Names are compared word by word in one spelling. Initials stand for names that begin with them, a
company is the same without its legal form, an abbreviation is the first letters of what it stands
for. `field_values.toml` lists other names of countries, cities, languages, currencies and labels.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from assay.data.bundled_files import read_bundled_toml
from assay.data.meaning import ARABIC_FOLDED, meaning_words
from assay.meaning.value_kinds import TABLE, name, plain, unaccented

MIN_ABBREVIATION = 2
MAX_ITEMS = 30
"""Longer enumerations are compared as text."""
MAX_ITEM_WORDS = 3
"""Items of an enumeration are short."""
_SIGNS = ((re.compile(r"(?<=\w)\+"), " plus"), (re.compile(r"(?<=\w)#"), " sharp"))
_MINUS = re.compile(r"(?<=\b[a-z])-(?!\w)")
_MARKED = r"[,;،؛|]\s*+(?:and\s++|or\s++|و\s*+)?"
_BETWEEN = re.compile(  # begins where its blanks begin, or it would try each of them
    rf"(?:(?<!\s)\s*+(?:{_MARKED}|(?<=\s)(?:(?:and|&)\s++|و(?=\S)))|{_MARKED})\s*+"
)
_DOTTED = re.compile(r"\b([a-z])\.\s?(?=[a-z]\b)")
_PARTS = re.compile(r"[^\W_]+|[✓✔$€£¥₹]")
_NO = re.compile(r"(?:no|no known|without|without any|لا توجد|لا يوجد) \w+")
"""What "none" means where the field's own noun is said: "no allergies"."""
_TABLES = ("country", "language", "currency", "state")
"""Hints whose names and codes have tables of their own: "CA" is a country and a state."""


def same_label(one: str, other: str, hints: frozenset[str]) -> bool:
    """Whether two words are known to name the same, such as "cancelled" and "canceled"."""
    tables = ["labels", *(hint for hint in _TABLES if hint in hints)]
    forms = _folded(one), _folded(other)
    if any(
        form in meaning_words().lists["none_words"] and _NO.fullmatch(its)
        for form, its in (forms, forms[::-1])
    ):
        return True
    return any(
        forms[0] in table and table[forms[0]] == table.get(forms[1])
        for table in map(_table, tables)
    )


def same_name(one: str, other: str, hints: frozenset[str]) -> bool:
    """Whether two names are the same but for initials, order, legal form or abbreviation."""
    ours, theirs = _words(one), _words(other)
    if not ours or not theirs:
        return False
    if ours == theirs or "".join(ours) == "".join(theirs):
        return True
    if set(_spelt_out(ours)) & set(_spelt_out(theirs)):
        return True
    if _without_form(ours, theirs) or _is_abbreviation(ours, theirs):
        return True
    if "place" in hints and (_with_country(one, theirs) or _with_country(other, ours)):
        return True
    if "place" in hints and _with_state(one) == _with_state(other) is not None:
        return True
    return "name" in hints and _same_person(ours, theirs)


def same_address(one: str, other: str) -> bool:
    """Whether two addresses are the same, one perhaps with its country."""
    ours, theirs = (
        sorted(map(_street, name(_short_states(text), is_address=True))) for text in (one, other)
    )
    if ours == theirs:
        return True
    longer, shorter = (ours, theirs) if len(ours) > len(theirs) else (theirs, ours)
    left = list(longer)
    for word in shorter:
        if word not in left:
            return False
        left.remove(word)
    return bool(left) and _folded(" ".join(left)) in _table("country")


def items_of(text: str) -> list[str]:
    """The items of an enumeration in a text; empty where it is none."""
    parts = [part.strip(" .") for part in _BETWEEN.split(text)]
    is_list = 1 < len(parts) <= MAX_ITEMS and all(parts)
    return parts if is_list and all(len(p.split()) <= MAX_ITEM_WORDS for p in parts) else []


def _signed(text: str) -> str:
    for sign, word in _SIGNS:
        text = sign.sub(word, text)
    return _MINUS.sub(" minus", text)


def _words(text: str) -> tuple[str, ...]:
    text = _DOTTED.sub(r"\1 ", _signed(text)).replace("ß", "ss")
    return tuple(word.translate(ARABIC_FOLDED) for word in name(text))


def _spelt_out(words: Sequence[str]) -> tuple[str, ...]:
    """The words as one, with and without the e of an umlaut: Müller, Mueller."""
    joined = " ".join(words)
    return joined, re.sub(r"(?<=[aou])e", "", joined)


def _without_form(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether only one of two companies is named with its legal form."""
    forms = _legal_forms()
    longer, shorter = (ours, theirs) if len(ours) > len(theirs) else (theirs, ours)
    extra = longer[len(shorter) :]
    return (
        longer[: len(shorter)] == shorter
        and bool(extra)
        and not forms.intersection(shorter)
        and forms.issuperset(extra)
    )


def _with_country(text: str, place: Sequence[str]) -> bool:
    """Whether a text is the place with its country: "Lima, Peru"."""
    head, comma, country = text.rpartition(",")
    return bool(comma) and _words(head) == place and _folded(country) in _table("country")


def _with_state(text: str) -> tuple[str, str] | None:
    """A place and the letters of its American state: "Portland, Oregon"."""
    head, _, state = text.rpartition(", ")
    letters = _states().get(state, state)
    return (head, letters) if head and letters in _states().values() else None


def _is_abbreviation(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether one is the first letters of the other."""
    short, full = (ours, theirs) if len(ours) == 1 else (theirs, ours)
    if len(short) != 1 or len(full) < MIN_ABBREVIATION:
        return False
    letters = "".join(word[0] for word in full)
    large = "".join(word[0] for word in full if word not in meaning_words().lists["small_in_names"])
    return len(short[0]) >= MIN_ABBREVIATION and short[0] in (letters, large)


def _same_person(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether two names are of one person: other order, initials, a middle initial left out."""
    if len(ours) == len(theirs):
        if sorted(ours) == sorted(theirs):
            return True
        pairs = list(zip(ours, theirs, strict=True))
        full = [a == b for a, b in pairs if min(len(a), len(b)) > 1]
        return bool(full) and all(full) and all(a[0] == b[0] for a, b in pairs)
    longer, shorter = (ours, theirs) if len(ours) > len(theirs) else (theirs, ours)
    kept = [w for n, w in enumerate(longer) if len(w) > 1 or n in (0, len(longer) - 1)]
    return len(shorter) > 1 and tuple(kept) == tuple(shorter)


def _short_states(address: str) -> str:
    """The address without dots and ß, American states of two words by their letters."""
    return _long_states().sub(
        lambda found: _states()[found.group()], _DOTTED.sub(r"\1", address.replace("ß", "ss"))
    )


@cache
def _states() -> Mapping[str, str]:
    """Name of an American state → its two letters."""
    return dict(read_bundled_toml(TABLE)["same"]["state"])


@cache
def _long_states() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(name for name in _states() if ' ' in name)})\b")


def _street(word: str) -> str:
    """A German street in full; an American state by its letters."""
    word = _states().get(word, word)
    word = word.removesuffix("str") + "strasse" if len(word) > 5 and word.endswith("str") else word
    return _ordinals().get(word, word)


def _folded(text: str) -> str:
    text = _signed(_DOTTED.sub(r"\1", text)).translate(ARABIC_FOLDED)
    return unaccented(" ".join(_PARTS.findall(text)))


@cache
def _table(kind: str) -> Mapping[str, str]:
    """Every listed spelling of a kind of name → the first one."""
    same = read_bundled_toml(TABLE)["same"]
    groups = [*same.get(kind, ()), *(same["names"] if kind == "country" else ())]
    return {_folded(plain(word)): group[0] for group in groups for word in group}


@cache
def _legal_forms() -> frozenset[str]:
    return frozenset(read_bundled_toml(TABLE)["ignored"]["legal_forms"])


@cache
def _ordinals() -> Mapping[str, str]:
    listed = read_bundled_toml(TABLE)["same"]["ordinals"]
    return {word: group[0] for group in listed for word in group}
