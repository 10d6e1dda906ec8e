"""Reads the checks of a record: our own form and promptfoo's assertions.

A check is an object `{"type": "icontains", "value": "Paris", "weight": 2}`, where `not-` in front
of the type turns it round; `{"icontains": "Paris"}` says the same in short, and so does the text
`icontains: Paris`; an object may also be JSON text. What is not understood is refused, so that no
check passes unread. Nothing of a check is executed, fetched or filled in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from assay.core import jsontext
from assay.core.bounds import MAX_COUNT, MAX_WEIGHT, finite, within
from assay.core.json_path import Step, parse_path
from assay.data import languages
from assay.data.check_kinds import (
    EXECUTED,
    CheckKind,
    check_kinds,
    kind_names,
    other_assertions,
)
from assay.data.rubrics import Rubric, rubric, rubric_names
from assay.textproc.linear_regex import PatternError, compiled

MAX_CHECKS = 1_000
"""Checks of one record, those inside others included."""
MAX_NESTING = 5
"""Levels of checks inside checks."""
MAX_TEXTS = 1_000
"""Texts of one check."""
MAX_LITERAL = 100_000
"""Characters of a text to look for."""
_COMMON = ("type", "value", "weight", "threshold", "name", "metric", "description")
_NAMES = ("name", "metric", "description")
"""Under which a check may have a title; the first that is given counts."""
_EXECUTED_KEYS = ("transform", "contextTransform", "rubricPrompt", "config")
_TEMPLATE = re.compile(r"\{\{-?\s*[A-Za-z_][^{}]{0,200}\}\}")
_SHORT = re.compile(r"(?P<type>[a-z][a-z:_-]{1,40})(?:\((?P<threshold>[0-9.]{1,12})\))?:\s*", re.I)
_INNER_CAPITAL = re.compile("(?<=[a-z])(?=[A-Z])")
RUBRIC = "judge."
"""How the name of a bundled rubric begins."""


class CheckError(ValueError):
    """Correct the check that the message names."""


@dataclass(frozen=True, slots=True)
class RecordCheck:
    """One check of a record, understood."""

    kind: str
    is_negated: bool = False
    value: Any = None
    """By the kind: a text, texts, a number, a schema, a call, or None."""
    threshold: float | None = None
    weight: float = 1.0
    name: str = ""
    """Its title, where it has one."""
    path: tuple[Step, ...] = ()
    """Where the value stands in JSON."""
    has_value: bool = True
    parts: tuple[RecordCheck, ...] = ()
    """The checks inside it."""

    @property
    def type(self) -> str:
        """The kind as a record writes it."""
        return f"not-{self.kind}" if self.is_negated else self.kind


def read_checks(given: Sequence[Any], where: str = "checks") -> tuple[RecordCheck, ...]:
    """The checks of a record; raises `CheckError` that names the first one that is none."""
    return _Reader().read(given, where, 1)


class _Reader:
    """Reads the checks of one record and counts them."""

    def __init__(self) -> None:
        self._count = 0

    def read(self, given: Sequence[Any], where: str, level: int) -> tuple[RecordCheck, ...]:
        if level > MAX_NESTING:
            raise CheckError(
                f"{where}: checks lie more than {MAX_NESTING} levels inside each other"
            )
        return tuple(self._one(one, f"{where}[{place}]", level) for place, one in enumerate(given))

    def _one(self, given: Any, where: str, level: int) -> RecordCheck:
        self._count += 1
        if self._count > MAX_CHECKS:
            raise CheckError(f"{where}: a record has at most {MAX_CHECKS:,} checks")
        table = _table(given, where)
        kind, is_negated = _kind(table["type"], where)
        where = f"{where} ({'not-' if is_negated else ''}{kind.name})"
        _check_keys(table, kind, where)
        value, threshold = _value_and_threshold(table, kind, where)
        if isinstance(value, str) and "arguments" in table:
            value = {"name": value.strip(), "arguments": table["arguments"]}
        if isinstance(value, list | tuple) and f"{kind.name}-any" in check_kinds():
            several = f"use {kind.name}-all or {kind.name}-any for several texts"
            raise CheckError(f"{where}: 'value' is a list; {several}")
        has_value = value is not None or ("path" in kind.keys and "value" in table)
        parts: tuple[RecordCheck, ...] = ()
        if kind.value == "checks":
            parts, value = self.read(_parts(table, where), where, level + 1), None
        elif has_value or not kind.may_lack_value:
            value = _READERS[kind.value](value, where)
        return RecordCheck(
            kind.name,
            is_negated,
            value,
            threshold,
            _weight(table.get("weight", 1.0), where),
            next((str(table[key]) for key in _NAMES if isinstance(table.get(key), str)), ""),
            _path(table["path"], where) if "path" in kind.keys else (),
            has_value,
            parts,
        )


def _table(given: Any, where: str) -> dict[str, Any]:
    """A check as an object with its `type`."""
    if isinstance(given, str):
        return _from_text(given, where)
    if not isinstance(given, Mapping):
        raise CheckError(f"{where}: a check is an object with 'type', not {_shown(given)}")
    table = {str(key): value for key, value in given.items() if value is not None}
    if "path" in table and "value" in given:
        table["value"] = given["value"]  # null is a value of JSON too
    if "type" not in table and "kind" in table:
        table["type"] = table.pop("kind")
    if "type" in table:
        return table
    short = [key for key in table if _known_kind(key) is not None]
    short = short or [key for key in table if key not in _COMMON]
    if len(short) != 1 or "value" in table:
        raise CheckError(f"{where}: it has no 'type'; {_expected_kinds()}")
    return {"type": short[0], "value": table.pop(short[0]), **table}


def _from_text(given: str, where: str) -> dict[str, Any]:
    """A check in one line: `contains: Paris`, `similar(0.8): Paris is the capital`, `is-json`."""
    if _known_kind(given.strip()) is not None or _advice(given):
        return {"type": given.strip()}
    if given.lstrip().startswith("{"):
        try:
            return _table(jsontext.loads(given), where)
        except ValueError as error:
            raise CheckError(f"{where}: {error}") from None
    match = _SHORT.match(given)
    if match is None:
        raise CheckError(f"{where}: {_shown(given)} is no check; expected 'type: value'")
    table: dict[str, Any] = {"type": match["type"], "value": given[match.end() :].strip()}
    number = _number(match["threshold"]) if match["threshold"] else None
    return table if number is None else {**table, "threshold": number}


def _plain_name(name: Any) -> str:
    """The name of a kind in the one spelling that counts: `starts_with` is `starts-with`."""
    spaced = _INNER_CAPITAL.sub("-", str(name).strip())
    return spaced.lower().replace("_", "-").replace(" ", "-")


def _known_kind(name: Any) -> str | None:
    return kind_names().get(_plain_name(name).removeprefix("not-"))


def _advice(name: str) -> str:
    """What to use in the place of an assertion of promptfoo's that is no check here."""
    return other_assertions().get(_plain_name(name).removeprefix("not-"), "")


def _kind(given: Any, where: str) -> tuple[CheckKind, bool]:
    if not isinstance(given, str):
        raise CheckError(f"{where}: 'type' is {_shown(given)}; {_expected_kinds()}")
    plain = _plain_name(given)
    if plain.removeprefix("not-").split(":")[0] in EXECUTED:
        raise CheckError(
            f"{where}: {plain!r} would run a program or send the answer away, and nothing of a "
            "record is executed; say it with other checks, or write a metric of your own"
        )
    name = _known_kind(given)
    if advice := _advice(given):
        raise CheckError(f"{where}: {_shown(plain)} is no kind of check here; {advice}")
    if name is None:
        near = get_close_matches(plain.removeprefix("not-"), kind_names(), n=1)
        hint = f"did you mean {near[0]!r}?" if near else _expected_kinds()
        raise CheckError(f"{where}: {_shown(given)} is no kind of check; {hint}")
    return check_kinds()[name], plain.startswith("not-")


def _expected_kinds() -> str:
    return f"expected one of {', '.join(check_kinds())}, also with 'not-' in front"


def _check_keys(table: Mapping[str, Any], kind: CheckKind, where: str) -> None:
    for key in table:
        if key in _EXECUTED_KEYS:
            raise CheckError(f"{where}: {key!r} is not carried out; leave it out")
        is_known = key in (*_COMMON, *kind.keys) or (kind.value == "checks" and key == "assert")
        if not is_known or (key == "threshold" and kind.threshold is None):
            known = [k for k in (*_COMMON, *kind.keys) if k != "threshold" or kind.threshold]
            raise CheckError(f"{where}: it takes no {_shown(key)}; expected {', '.join(known)}")
    if "path" in kind.keys and "path" not in table:
        raise CheckError(f"{where}: it has no 'path'; expected one such as 'items[0].price'")


def _value_and_threshold(
    table: Mapping[str, Any], kind: CheckKind, where: str
) -> tuple[Any, float | None]:
    value, threshold = table.get("value"), table.get("threshold")
    if kind.threshold == "needed" and threshold is None:
        value, threshold = None, value
    if kind.value == "nothing" and value is not None:
        raise CheckError(f"{where}: it takes no 'value'")
    if value is None and not kind.may_lack_value and kind.value not in ("nothing", "checks"):
        raise CheckError(f"{where}: it has no 'value'")
    if threshold is None:
        if kind.threshold == "needed":
            raise CheckError(f"{where}: it has no 'threshold'; expected a number of 0 or more")
        return value, None if isinstance(kind.threshold, str) else kind.threshold
    number = _number(threshold)
    is_amount = kind.threshold == "needed" or isinstance(kind.threshold, int)
    asked = named_rubric(value) if kind.value == "rubric" else None
    low, high = asked.range if asked else (0.0, MAX_WEIGHT if is_amount else 1.0)
    if number is None or not low <= number <= high:
        expected = "0 or more" if is_amount else f"{low:g} to {high:g}"
        raise CheckError(
            f"{where}: 'threshold' is {_shown(threshold)}; expected a number of {expected}"
        )
    return value, number


def _number(given: Any) -> float | None:
    if isinstance(given, str):
        return within(given, MAX_WEIGHT)
    return finite(given)


def _weight(given: Any, where: str) -> float:
    weight = within(given, MAX_WEIGHT)
    if weight is None:
        raise CheckError(f"{where}: 'weight' is {_shown(given)}; expected a number of 0 or more")
    return weight


def _parts(table: Mapping[str, Any], where: str) -> Sequence[Any]:
    parts = table.get("assert", table.get("value"))
    if isinstance(parts, str | Mapping) or not isinstance(parts, Sequence) or not parts:
        raise CheckError(f"{where}: it has no checks; expected a list of them as 'value'")
    return parts


def _path(given: Any, where: str) -> tuple[Step, ...]:
    """The steps of a path; `$.` in front, as in JSONPath, may be there."""
    if not isinstance(given, str):
        raise CheckError(f"{where}: 'path' is {_shown(given)}; expected text")
    plain = given.removeprefix("$").removeprefix(".")
    if given.strip() == "$":
        return ()
    try:
        return parse_path(plain)
    except ValueError as error:
        raise CheckError(f"{where}: 'path' is {_shown(given)}: {error}") from None


def _text(value: Any, where: str) -> str:
    if isinstance(value, bool | int | float) and finite(value) is not None:
        value = jsontext.dumps(value)
    if not isinstance(value, str):
        raise CheckError(f"{where}: 'value' is {_shown(value)}; expected text")
    if not value:
        raise CheckError(f"{where}: 'value' is empty, so that it says nothing of any response")
    return _literal(value, where)


def _literal(value: str, where: str) -> str:
    """Text that stands for itself."""
    if len(value) > MAX_LITERAL:
        raise CheckError(f"{where}: 'value' has more than {MAX_LITERAL:,} characters")
    if _TEMPLATE.search(value):
        raise CheckError(
            f"{where}: 'value' holds a template, {_shown(value)}, and templates are not filled in; "
            "write the text itself"
        )
    if value.startswith("file://") and len(value) > len("file://"):
        raise CheckError(f"{where}: 'value' names a file, and none is read; write its text here")
    return value


def _texts(value: Any, where: str) -> tuple[str, ...]:
    """A list of texts, or one text with commas between them."""
    parts = [part.strip() for part in value.split(",")] if isinstance(value, str) else value
    return _alternatives(parts, where)


def _alternatives(value: Any, where: str) -> tuple[str, ...]:
    items = value if isinstance(value, list | tuple) else [value]
    if not items or len(items) > MAX_TEXTS:
        raise CheckError(f"{where}: 'value' has {len(items)} texts; expected 1 to {MAX_TEXTS:,}")
    return tuple(_text(item, where) for item in items)


def _pattern(value: Any, where: str) -> str:
    pattern = _text(value, where)
    try:
        compiled(pattern)
    except PatternError as error:
        raise CheckError(f"{where}: the pattern {_shown(pattern)}: {error}") from None
    return pattern


def _any(value: Any, where: str) -> Any:
    return _literal(value, where) if isinstance(value, str) else value


def _schema(value: Any, where: str) -> Any:
    if isinstance(value, str):
        try:
            value = jsontext.loads(_literal(value, where))
        except ValueError as error:
            raise CheckError(f"{where}: 'value' is no JSON Schema: {error}") from None
    if not isinstance(value, Mapping | bool):
        raise CheckError(f"{where}: 'value' is {_shown(value)}; expected a JSON Schema")
    return value


def _count(value: Any, where: str) -> int:
    number = _number(value)
    if number is None or not number.is_integer() or not 0 <= number <= MAX_COUNT:
        raise CheckError(
            f"{where}: 'value' is {_shown(value)}; expected a whole number of 0 or more"
        )
    return int(number)


def _range(value: Any, where: str) -> tuple[int, int]:
    """The least and the most; -1 where there is no limit."""
    if not isinstance(value, Mapping):
        count = _count(value, where)
        return count, count
    limits = {key: _count(value[key], where) for key in ("min", "max") if key in value}
    if not limits or len(limits) < len(value):
        raise CheckError(f"{where}: 'value' has other keys than 'min' and 'max'")
    return limits.get("min", -1), limits.get("max", -1)


def _elements(value: Any, where: str) -> tuple[str, ...]:
    """Elements of XML; promptfoo also writes them as an object."""
    if isinstance(value, Mapping) and set(value) == {"requiredElements"}:
        value = value["requiredElements"]
    return _texts(value, where)


def named_rubric(value: Any) -> Rubric | None:
    """The bundled rubric that a check names, such as `judge.tone`; None for any other text."""
    name = value.strip().removeprefix(RUBRIC) if isinstance(value, str) else ""
    is_named = bool(name) and value.strip().startswith(RUBRIC) and name in rubric_names()
    return rubric(name) if is_named else None


def _rubric(value: Any, where: str) -> str:
    """What the judge is asked: a text, or the name of a bundled rubric that can be failed."""
    text = _text(value, where)
    asked = named_rubric(text)
    is_name = text.strip().startswith(RUBRIC) and len(text.split()) == 1
    if (is_name and asked is None) or (asked and asked.threshold is None):
        known = [f"{RUBRIC}{n}" for n in rubric_names() if rubric(n).threshold is not None]
        raise CheckError(
            f"{where}: 'value' is {_shown(text)}; expected what the response must do, or one of "
            f"{', '.join(known)}; a rubric in a file of yours is a metric (--rubric FILE)"
        )
    return text


def _criteria(value: Any, where: str) -> str:
    return "\n".join(_alternatives(value, where))


def _language(value: Any, where: str) -> str:
    table = languages()
    by_letters = {code for own in table.letters.values() for code in own}
    known = sorted({*table.scripts.values(), *table.words, *by_letters})
    code = (
        value.strip().lower().replace("_", "-").partition("-")[0] if isinstance(value, str) else ""
    )
    if code not in known:
        raise CheckError(
            f"{where}: 'value' is {_shown(value)}; expected a language code: {', '.join(known)}"
        )
    return code


def _call(value: Any, where: str) -> Any:
    """A name, or an object with name and arguments."""
    is_named = isinstance(value, Mapping) and isinstance(value.get("name"), str) and value["name"]
    if is_named:
        if unknown := [key for key in value if key not in ("name", "arguments", "args")]:
            raise CheckError(f"{where}: a call takes no {_shown(unknown[0])}; only name, arguments")
        return dict(value)
    if not isinstance(value, str) or not value.strip():
        raise CheckError(
            f"{where}: 'value' is {_shown(value)}; expected a tool's name, or an object with name "
            "and arguments"
        )
    return value.strip()


def _nothing(value: Any, where: str) -> None:
    return None


_READERS = {
    "alternatives": _alternatives,
    "any": _any,
    "call": _call,
    "count": _count,
    "criteria": _criteria,
    "elements": _elements,
    "language": _language,
    "nothing": _nothing,
    "pattern": _pattern,
    "range": _range,
    "rubric": _rubric,
    "schema": _schema,
    "text": _text,
    "texts": _texts,
}


def _shown(value: Any) -> str:
    """A value as a message shows it: short, and lists and objects by their kind only."""
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, int) and value.bit_length() > 200:
        return "a huge number"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
