"""Policy packs: what a law asks of an answer, as data (`policies/*.toml`).

A pack is one file; `docs/how-to/policies.md` shows how to write one:

    name = "ours"
    title = "…"                     # and source, licence, language, jurisdiction, date
    [force_to_zero]                 # the dimension that an answered exempt query costs
    dimension = "legal_compliance"
    [[exemption]]                   # a clause with the words of a query that touch it
    id = "8(1)(a)"
    title = "Sovereignty and security"
    keywords = ["defence"]
    matches = ["What is the defence budget?"]
    rejects = ["Which fence was painted?"]
    [[identifier]]                  # and so on: a pattern with its weight, check and examples
    name = "pan"
    regex = '\\b[a-z]{5}\\d{4}[a-z]\\b'
    weight = 0.4
    check = "pan"
    matches = ["ABCDE1234F"]
    rejects = ["abcde1234f"]

Reading checks the form of a pack; `assay.features.policy_hits.check_policy` compiles its patterns
and runs its examples.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from assay.core.errors import ProfileError
from assay.data.bundled_files import bundled, fingerprint, read_toml
from assay.data.lexicons import Lexicon, Pattern, read_pattern

CLAUSES = ("exemption", "area")
"""Sections that list words of a query by clause: what may be refused, and what is of high risk."""
QUERY_SECTIONS = (*CLAUSES, "allowed")
"""What is looked for in the query; an allowed phrase excuses the keywords in it."""
RESPONSE_SECTIONS = (
    "refusal",
    "appeal",
    "citation",
    "identifier",
    "official_contact",
    "transparency",
)
"""What is looked for in the response; an official contact excuses the identifiers in it."""
SECTIONS = (*QUERY_SECTIONS, *RESPONSE_SECTIONS)
DEFAULT = "rti"
"""The pack of a profile that names none."""
_HEADER = ("name", "title", "source", "licence", "language", "jurisdiction", "date")
_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,39}")


class PolicyClause(NamedTuple):
    """A clause of the law and the words that touch it."""

    id: str
    title: str
    keywords: tuple[str, ...]


class PolicyExample(NamedTuple):
    """A text that a pattern or a clause must find something in, or must leave alone."""

    section: str
    name: str
    """The pattern's name, or the clause's id."""
    text: str
    is_match: bool


@dataclass(frozen=True, eq=False)
class Policy:
    """What a law or a rule book asks of an answer. Equal packs have the same name and text."""

    name: str
    title: str
    source: str
    licence: str
    language: str
    jurisdiction: str
    date: str
    file: str
    """What the pack was read from, for messages."""
    fingerprint: str
    force_to_zero: str | None
    """The dimension that falls to 0 when an exempt query was answered."""
    clauses: Mapping[str, tuple[PolicyClause, ...]] = field(repr=False)
    """The sections `exemption` and `area`."""
    lexicons: Mapping[str, Lexicon] = field(repr=False)
    """The patterns of every section that is in the pack; a keyword's name is `id: keyword`."""
    examples: tuple[PolicyExample, ...] = field(repr=False)

    @property
    def identity(self) -> str:
        """What a signature says of the pack."""
        return f"{self.name}@{self.fingerprint}"

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that its words are in."""
        return tuple(part.strip() for part in self.language.split(","))

    def weights(self, section: str) -> dict[str, float]:
        """Pattern → weight; empty for a section that the pack does not have."""
        own_lexicon = self.lexicons.get(section)
        return (
            {pattern.name: pattern.weight for pattern in own_lexicon.patterns}
            if own_lexicon
            else {}
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Policy) and self.identity == other.identity

    def __hash__(self) -> int:
        return hash(self.identity)


def keyword_name(clause: str, keyword: str) -> str:
    """What the pattern of a clause's keyword is called."""
    return f"{clause}: {keyword}"


def split_keyword(name: str) -> tuple[str, str]:
    """The clause's id and the keyword behind a pattern's name."""
    clause, _, keyword = name.partition(": ")
    return clause, keyword


def policy_names() -> list[str]:
    """The bundled packs."""
    return [name.removesuffix(".toml") for name in bundled("policies")]


def policy(name: str = DEFAULT) -> Policy:
    """The bundled pack of that name, or the pack in the file of that path."""
    if not name.endswith(".toml"):
        return _bundled(name)
    try:
        return read_policy(Path(name).read_text(encoding="utf-8"), name)
    except OSError as error:
        raise ProfileError(f"policy {name!r} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ProfileError(f"policy {name!r} is not UTF-8 text") from None


@cache
def _bundled(name: str) -> Policy:
    file = bundled("policies").get(f"{name}.toml")
    if file is None:
        known = ", ".join(policy_names())
        raise ProfileError(f"unknown policy {name!r}; expected one of {known}, or a .toml file")
    return read_policy(file.read_text(encoding="utf-8"), file.name)


def read_policy(text: str, file: str) -> Policy:
    """Read a pack's text; a mistake is refused with the file, the key and the reason."""
    table = read_toml(text, file)
    expected = (*_HEADER, "force_to_zero", *SECTIONS)
    for key in table:
        if key not in expected:
            raise ProfileError(f"{file}: unknown key {key!r}; expected one of {_listed(expected)}")
    header = {key: _header(table, key, file) for key in _HEADER}
    entries = {section: _entries(table, section, file) for section in SECTIONS if section in table}
    clauses = {
        section: tuple(_clause(entry, f"{file}: {section}") for entry in entries[section])
        for section in CLAUSES
        if section in entries
    }
    return Policy(
        **header,
        file=file,
        fingerprint=fingerprint(text),
        force_to_zero=_force_to_zero(table, file),
        clauses=clauses,
        lexicons={
            section: _lexicon(section, header, _patterns(section, entries, clauses, file), file)
            for section in entries
        },
        examples=tuple(
            example
            for section, listed in entries.items()
            for entry in listed
            for example in _examples(section, entry)
        ),
    )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)


def _header(table: Mapping[str, Any], key: str, file: str) -> str:
    value = table.get(key)
    if key == "date":
        if type(value) is not date:
            raise ProfileError(f"{file}: 'date' is {value!r}; expected a day such as 2026-02-04")
        return value.isoformat()
    if not isinstance(value, str) or not value.strip():
        raise ProfileError(f"{file}: {key!r} is {value!r}; expected text")
    if key == "name" and not _NAME.fullmatch(value):
        raise ProfileError(
            f"{file}: 'name' is {value!r}; expected small letters, digits and _ . - only"
        )
    return value


def _force_to_zero(table: Mapping[str, Any], file: str) -> str | None:
    """The dimension that falls to zero; what costs it is always an answered exempt query."""
    if "force_to_zero" not in table:
        return None
    names = table["force_to_zero"]
    if not isinstance(names, dict) or [*names] != ["dimension"]:
        raise ProfileError(f"{file}: 'force_to_zero' is {names!r}; expected a table with dimension")
    if not isinstance(names["dimension"], str) or not _NAME.fullmatch(names["dimension"]):
        raise ProfileError(
            f"{file}: force_to_zero.dimension is {names['dimension']!r}; "
            "expected a dimension such as 'legal_compliance'"
        )
    if "exemption" not in table:
        raise ProfileError(f"{file}: 'force_to_zero' needs an [[exemption]] that can be violated")
    return names["dimension"]


def _entries(table: Mapping[str, Any], section: str, file: str) -> list[dict[str, Any]]:
    """The tables of one section; each has a name of its own and examples on both sides."""
    entries = table[section]
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ProfileError(f"{file}: {section!r} is {entries!r}; expected [[{section}]] tables")
    seen: set[str] = set()
    for entry in entries:
        name = str(entry.get(_name_key(section), ""))
        if name in seen:
            raise ProfileError(f"{file}: {section} {name!r} stands twice")
        seen.add(name)
        for key in ("matches", "rejects"):
            if not _is_texts(entry.get(key)):
                raise ProfileError(
                    f"{file}: {section} {name!r}: {key!r} is {entry.get(key)!r}; "
                    "expected a list with at least one text"
                )
    return entries


def _name_key(section: str) -> str:
    return "id" if section in CLAUSES else "name"


def _clause(entry: Mapping[str, Any], place: str) -> PolicyClause:
    expected = ("id", "title", "keywords", "matches", "rejects")
    for key in entry:
        if key not in expected:
            raise ProfileError(f"{place}: unknown key {key!r}; expected {_listed(expected)}")
    for key in ("id", "title"):
        if not isinstance(entry.get(key), str) or not entry[key].strip() or ": " in entry[key]:
            raise ProfileError(
                f"{place}: {key!r} is {entry.get(key)!r}; expected text without ': '"
            )
    keywords = entry.get("keywords")
    if not _is_texts(keywords) or len(set(keywords or ())) != len(keywords or ()):
        raise ProfileError(
            f"{place} {entry['id']!r}: 'keywords' is {keywords!r}; expected a list of texts, "
            "each once"
        )
    return PolicyClause(entry["id"], entry["title"], tuple(keywords or ()))


def _is_texts(value: Any) -> bool:
    """Whether a value is a list of one text or more, none of them blank."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(text, str) and text.strip() for text in value)
    )


def _patterns(
    section: str,
    entries: Mapping[str, list[dict[str, Any]]],
    clauses: Mapping[str, tuple[PolicyClause, ...]],
    file: str,
) -> tuple[Pattern, ...]:
    if section in clauses:
        return tuple(
            Pattern(keyword_name(clause.id, keyword), phrase=keyword)
            for clause in clauses[section]
            for keyword in clause.keywords
        )
    patterns = tuple(read_pattern(entry, f"{file}: {section}") for entry in entries[section])
    for pattern in patterns:
        if not isfinite(pattern.weight) or not 0 < pattern.weight <= 1:
            raise ProfileError(
                f"{file}: {section} {pattern.name!r}: 'weight' is {pattern.weight!r}; "
                "expected a number above 0 and up to 1"
            )
    return patterns


def _lexicon(
    section: str, header: Mapping[str, str], patterns: tuple[Pattern, ...], file: str
) -> Lexicon:
    """The patterns of a section; the name says the place, for messages."""
    metadata = {key: header[key] for key in ("title", "source", "licence", "language")}
    name = f"{file}: {section}"
    return Lexicon(name=name, **metadata, patterns=patterns, matches=(), rejects=(), fingerprint="")


def _examples(section: str, entry: Mapping[str, Any]) -> Iterator[PolicyExample]:
    name = entry[_name_key(section)]
    for key in ("matches", "rejects"):
        for text in entry[key]:
            yield PolicyExample(section, name, text, key == "matches")
