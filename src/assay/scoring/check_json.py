"""Checks on the JSON that a response is, or holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from assay.checks.reading import RecordCheck
from assay.core import DataError
from assay.core.json_path import Step, Wildcard, path_text
from assay.core.jsontext import dumps, embedded_values
from assay.features.schema_validation import (
    ParsedResponse,
    error_place,
    place_of,
    response_parsed,
    schema_verdict,
)
from assay.scoring.check_results import CheckResult, decided
from assay.scoring.check_texts import MOST_SHOWN, clause, quoted

MAX_VALUES = 10_000
"""Values that a path with wildcards may lead to."""
MAX_MARKED = 20
"""Values, and violations of a schema, that are marked."""


class JsonValue(NamedTuple):
    """A value of a document and its place."""

    path: tuple[str | int, ...]
    value: Any


def is_json(check: RecordCheck, response: str) -> CheckResult:
    """Whether the response is JSON that obeys the schema, where there is one."""
    parsed = response_parsed(response)
    if not parsed.is_json:
        place = error_place(parsed.problem, response)
        fact = f"the response is not JSON: {clause(parsed.problem)}"
        return decided(False, fact, [place] if place else ())
    if not check.has_value:
        return decided(True, "the response is JSON")
    return _obeys(check.value, response, parsed, 0)


def contains_json(check: RecordCheck, response: str) -> CheckResult:
    """Whether an object or a list stands in the response, and obeys the schema."""
    values, is_all = embedded_values(response)
    results = [_embedded(check, response[start:end], start) for start, end in values]
    held = next((result for result in results if result.verdict == "pass"), None)
    if held is None and not is_all:
        return CheckResult("error", "the response has too many brackets to look for JSON in it")
    return held or next(iter(results), decided(False, "no JSON object or list is in the response"))


def _embedded(check: RecordCheck, text: str, start: int) -> CheckResult:
    if not check.has_value:
        return decided(True, "JSON is in the response", [(start, start + len(text))])
    return _obeys(check.value, text, response_parsed(text), start)


def _obeys(schema: Any, text: str, parsed: ParsedResponse, offset: int) -> CheckResult:
    try:
        verdict = schema_verdict(text, parsed, schema)
    except DataError as error:
        return CheckResult("error", clause(str(error)))
    if verdict.is_valid:
        return decided(True, "the JSON obeys the schema")
    marked = [(v.start + offset, v.end + offset) for v in verdict.violations[:MAX_MARKED]]
    reason = "the JSON does not obey the schema"
    if verdict.violations:
        first = verdict.violations[0]
        rule = f"{first.keyword!r} of the schema: {clause(first.message)}"
        reason = f"at {quoted(first.path or '/')} the JSON violates {rule}"
    return decided(False, reason, [(start, end) for start, end in marked if start < end])


def equals_json(check: RecordCheck, response: str) -> CheckResult:
    """Whether the response is JSON of the same value."""
    parsed = response_parsed(response)
    if not parsed.is_json:
        return decided(False, "the response is not JSON, which the value is")
    is_held = same_json(parsed.value, check.value)
    return decided(is_held, f"the response {'is' if is_held else 'is not'} the same JSON")


def at_path(check: RecordCheck, response: str) -> CheckResult:
    """Whether a value at the path is the one that is asked for."""
    parsed = response_parsed(response)
    path = quoted(path_text(check.path) or "$")
    if not parsed.is_json:
        return decided(False, f"the response is not JSON, so that nothing is at {path}")
    try:
        values = list(values_at(parsed.value, check.path))
    except DataError as error:
        return CheckResult("error", str(error))
    if not values:
        return decided(False, f"nothing is at {path}")
    if not check.has_value:
        return decided(True, f"a value is at {path}", _marked(response, values))
    equal = [one for one in values if same_json(one.value, check.value)]
    wanted = clause(dumps(check.value, is_compact=True), MOST_SHOWN)
    if equal:
        return decided(True, f"{path} is {wanted}", _marked(response, equal))
    given = clause(dumps(values[0].value, is_compact=True), MOST_SHOWN)
    return decided(False, f"{path} is {given}, not {wanted}", _marked(response, values))


def _marked(response: str, values: Sequence[JsonValue]) -> list[tuple[int, int]]:
    return [place_of(response, one.path) for one in values[:MAX_MARKED]]


def values_at(document: Any, path: Sequence[Step]) -> Iterator[JsonValue]:
    """The values that a path leads to, in the order of the document."""
    level = [JsonValue((), document)]
    for step in path:
        level = [child for one in level for child in _children(one, step)]
        if len(level) > MAX_VALUES:
            raise DataError(f"the path leads to more than {MAX_VALUES:,} values")
    yield from level


def _children(one: JsonValue, step: Step) -> Iterator[JsonValue]:
    path, value = one
    if isinstance(value, Mapping):
        if step is Wildcard.KEY:
            yield from (JsonValue((*path, key), part) for key, part in value.items())
        elif isinstance(step, str) and step in value:
            yield JsonValue((*path, step), value[step])
    elif isinstance(value, list):
        if step is Wildcard.PLACE:
            yield from (JsonValue((*path, place), part) for place, part in enumerate(value))
        elif isinstance(step, int) and step < len(value):
            yield JsonValue((*path, step), value[step])


def same_json(one: Any, other: Any) -> bool:
    """Whether two values are the same JSON: numbers by value, keys in any order."""
    open_pairs = [(one, other)]
    while open_pairs:
        a, b = open_pairs.pop()
        if isinstance(a, Mapping) and isinstance(b, Mapping):
            if a.keys() != b.keys():
                return False
            open_pairs += [(a[key], b[key]) for key in a]
        elif isinstance(a, list | tuple) and isinstance(b, list | tuple):
            if len(a) != len(b):
                return False
            open_pairs += zip(a, b, strict=True)
        elif isinstance(a, bool) != isinstance(b, bool) or a != b:
            return False
    return True
