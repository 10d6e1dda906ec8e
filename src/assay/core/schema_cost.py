"""What it may cost to check a response against a JSON Schema, told from the schema alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_ALTERNATIVES = ("anyOf", "oneOf", "not", "if", "dependentSchemas")
_IN_PLACE = (*_REFERENCES, *_ALTERNATIVES, "allOf", "then", "else")
_EITHER = ("properties", "prefixItems")
"""Keywords with several schemas, of which one at most concerns the same part of a response."""
_APPLIED = (
    *_EITHER,
    *_IN_PLACE,
    "additionalItems",
    "additionalProperties",
    "contains",
    "dependencies",
    "items",
    "patternProperties",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
)
_TABLES = ("dependencies", "dependentSchemas", "patternProperties", "properties")
"""Keywords whose value is an object of schemas, not a schema."""
_ANCHORS = ("$anchor", "$dynamicAnchor", "$id", "id")


def depth(value: Any) -> int:
    """How many lists and objects lie inside each other."""
    levels, level = 0, [value]
    while level := [part for part in level if isinstance(part, dict | list)]:
        levels += 1
        level = [
            child for part in level for child in (part.values() if isinstance(part, dict) else part)
        ]
    return levels


def steps(schema: Any) -> int:
    """How many steps a validator may take without going deeper into the response, at most."""
    if not _holds_reference(schema):
        return 1
    return 1 + sum(key in _IN_PLACE for part in _objects(schema) for key in part)


def branches(schema: Any) -> int:
    """How often the same part of a response may be checked, at most; recursion counts once."""
    return _Branches(schema).of(schema) if isinstance(schema, Mapping) else 1


def without_open_alternatives(schema: Any) -> Any:
    """The schema without the alternatives that hold references."""
    if isinstance(schema, Mapping):
        return {
            key: without_open_alternatives(part)
            for key, part in schema.items()
            if key not in _ALTERNATIVES or not _holds_reference(part)
        }
    if isinstance(schema, list):
        return [without_open_alternatives(part) for part in schema]
    return schema


class _Branches:
    """Counts, for every object of a schema once, how often it has a part of a response checked."""

    def __init__(self, schema: Any) -> None:
        self._root = schema
        self._known: dict[int, int] = {}
        self._anchored = {
            name.rpartition("/")[2].lstrip("#"): part
            for part in _objects(schema)
            for name in (part.get(key) for key in _ANCHORS)
            if isinstance(name, str)
        }

    def of(self, schema: Mapping[str, Any]) -> int:
        """The count of one object, after those of all that it applies."""
        waiting = [schema]
        entered: set[int] = set()
        while waiting:
            part = waiting[-1]
            applied = {key: self._applied(part, key) for key in _APPLIED if key in part}
            if id(part) not in entered:
                entered.add(id(part))
                children = (child for result in applied.values() for child in result)
                waiting.extend(child for child in children if id(child) not in entered)
            else:
                counts = (self._count(key, result) for key, result in applied.items())
                self._known.setdefault(id(part), max(1, sum(counts)))
                waiting.pop()
        return self._known[id(schema)]

    def _applied(self, part: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
        """The objects that a keyword has a response or a part of it checked against."""
        value = part[key]
        if key in _REFERENCES:
            value = [self._target(value)]
        elif isinstance(value, Mapping):
            value = list(value.values()) if key in _TABLES else [value]
        return [child for child in value if isinstance(child, Mapping)] if _is_list(value) else []

    def _count(self, key: str, result: Sequence[Mapping[str, Any]]) -> int:
        """The counts of a keyword's objects together; one without a count is being counted."""
        counts = [self._known.get(id(child), 1) for child in result]
        return max(counts, default=0) if key in _EITHER else sum(counts)

    def _target(self, reference: Any) -> Any:
        """What a reference inside the schema points to; None where it cannot be told."""
        base, _, pointer = str(reference).partition("#")
        if not pointer.startswith("/"):
            name = pointer or base.rpartition("/")[2]
            return self._anchored.get(name) if name else self._root
        result: Any = self._anchored.get(base.rpartition("/")[2]) if base else self._root
        for step in pointer[1:].split("/"):
            step = step.replace("~1", "/").replace("~0", "~")
            if _is_list(result) and step.isdecimal():
                result = result[int(step)] if int(step) < len(result) else None
            else:
                result = result.get(step) if isinstance(result, Mapping) else None
        return result


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _holds_reference(schema: Any) -> bool:
    return any(key in part for part in _objects(schema) for key in _REFERENCES)


def _objects(value: Any) -> Iterator[Mapping[str, Any]]:
    """All objects inside each other, without recursion."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Mapping):
            yield part
            waiting.extend(part.values())
        elif _is_list(part):
            waiting.extend(part)
