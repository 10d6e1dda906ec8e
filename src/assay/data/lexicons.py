"""Word lists (`lexicons/*.txt`) and pattern sets (`patterns/*.toml`): one kind of thing.

A word list is one phrase a line under a header of `# key: value` comments; a pattern set is TOML
with `[[pattern]]` tables. Both say their source, licence and language, and both carry examples
that must and must not match. Patterns are written in RE2's syntax and matched without regard to
case on normalised text; phrases are matched as whole words. Word classes that several expressions
share stand once, in the table `terms`, and are named in braces: `{insult}`. A pattern with a
`check` hits only where the check of that name (`textproc/pattern_checks.py`) holds for what was
found.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from assay.core.errors import ProfileError
from assay.data.bundled_files import bundled, fingerprint, read_toml


@dataclass(frozen=True, slots=True)
class Pattern:
    """One thing to find: a whole-word phrase, or a regular expression."""

    name: str
    phrase: str | None = None
    regex: str | None = None
    weight: float = 1.0
    check: str = ""
    """What the found text must hold besides, by name; nothing when empty."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """A named set of patterns with where they come from."""

    name: str
    title: str
    source: str
    licence: str
    language: str
    patterns: tuple[Pattern, ...]
    matches: tuple[str, ...]
    rejects: tuple[str, ...]
    fingerprint: str


def lexicon_names() -> list[str]:
    """All bundled word lists and pattern sets."""
    return sorted(_places())


@cache
def lexicon(name: str) -> Lexicon:
    """The bundled word list or pattern set of that name."""
    file = _places()[name]
    return read_lexicon(name, file.read_text(encoding="utf-8"), file.name)


@cache
def pattern_weights(name: str) -> Mapping[str, float]:
    """The weight of each pattern of the word list or pattern set of that name."""
    return {pattern.name: pattern.weight for pattern in lexicon(name).patterns}


def read_lexicon(name: str, text: str, file_name: str) -> Lexicon:
    """Read the text of a word list or pattern set, telling them apart by the file's ending."""
    read = _read_patterns if file_name.endswith(".toml") else _read_phrases
    parsed = read(text, file_name)
    for key in _KEYS:
        if not parsed.get(key):
            raise ProfileError(f"{file_name}: {key!r} is missing; expected it in the header")
    if unknown := sorted(parsed.keys() - {*_KEYS, "patterns"}):
        expected = ", ".join(_KEYS)
        raise ProfileError(f"{file_name}: unknown key {unknown[0]!r}; expected one of {expected}")
    return Lexicon(name=name, fingerprint=fingerprint(text), **parsed)


@cache
def _places() -> Mapping[str, Any]:
    places = {**bundled("lexicons"), **bundled("patterns")}
    return {file_name.rsplit(".", 1)[0]: file for file_name, file in places.items()}


_KEYS = ("title", "source", "licence", "language", "matches", "rejects")
_HEADER = re.compile(r"# (\w+): (.*)")


def _read_phrases(text: str, file_name: str) -> dict[str, Any]:
    lines = text.splitlines()
    first = lines[0] if lines and not _HEADER.fullmatch(lines[0]) else ""
    title = first.removeprefix("# ") if first.startswith("# ") else ""
    fields: dict[str, Any] = {"title": title, "matches": (), "rejects": ()}
    for line in lines:
        if header := _HEADER.fullmatch(line):
            key, value = header.groups()
            fields[key] = (*fields[key], value) if key in ("matches", "rejects") else value
    phrases = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    if phrases != sorted(set(phrases)):
        raise ProfileError(f"{file_name}: phrases are not sorted, or one stands twice")
    fields["patterns"] = tuple(Pattern(phrase, phrase=phrase) for phrase in phrases)
    return fields


_KINDS: dict[str, Any] = {
    "name": str,
    "regex": str,
    "phrase": str,
    "weight": int | float,
    "check": str,
    "matches": list,
    "rejects": list,
}


def _read_patterns(text: str, file_name: str) -> dict[str, Any]:
    table = read_toml(text, file_name)
    tables = table.pop("pattern", [])
    terms = _read_terms(table.pop("terms", {}), file_name)
    for entry in tables:
        if isinstance(entry.get("regex"), str):
            entry["regex"] = _filled(entry["regex"], terms, f"{file_name}: pattern")
    return {
        **table,
        "patterns": tuple(read_pattern(entry, f"{file_name}: pattern") for entry in tables),
        "matches": tuple(m for p in tables for m in p.get("matches", ())),
        "rejects": tuple(m for p in tables for m in p.get("rejects", ())),
    }


_TERM = re.compile(r"\{([a-z_]+)\}")


def _read_terms(table: Mapping[str, Any], file_name: str) -> dict[str, str]:
    """Word class → a group of its alternatives; a class may name those that stand before it."""
    terms: dict[str, str] = {}
    for name, words in table.items():
        if not isinstance(words, str) or not words:
            raise ProfileError(
                f"{file_name}: term {name!r} is {words!r}; expected alternatives, such as 'a|b'"
            )
        terms[name] = f"(?:{_filled(words, terms, f'{file_name}: term')})"
    return terms


def _filled(regex: str, terms: Mapping[str, str], place: str) -> str:
    """The expression with its word classes written out."""

    def group(match: re.Match[str]) -> str:
        if match[1] not in terms:
            known = ", ".join(terms) or "none"
            raise ProfileError(f"{place} names the term {match[1]!r}; expected one of {known}")
        return terms[match[1]]

    return _TERM.sub(group, regex)


def read_pattern(entry: Mapping[str, Any], place: str) -> Pattern:
    """One table of patterns; a mistake is refused with the place and the pattern's name."""
    is_unknown = any(not isinstance(entry[key], _KINDS.get(key, ())) for key in entry)
    if is_unknown or "name" not in entry or ("regex" in entry) == ("phrase" in entry):
        raise ProfileError(
            f"{place} {entry.get('name', entry)!r} must have a name and either a regex or a "
            "phrase; it may have weight, check, matches and rejects"
        )
    return Pattern(
        entry["name"],
        entry.get("phrase"),
        entry.get("regex"),
        entry.get("weight", 1.0),
        entry.get("check", ""),
    )
