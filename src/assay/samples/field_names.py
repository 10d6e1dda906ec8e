"""Which names of a record give which fields of a sample.

The tables are data: `fields.toml` holds the names that are accepted in general, `formats.toml` how
single tools use theirs.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from assay.core import SampleError, UsageError
from assay.samples.promptfoo_columns import is_assertion

ChosenColumns = tuple[tuple[str, str], ...]
"""Field and the name in the record that gives it, before all accepted names."""


@dataclass(frozen=True, slots=True)
class SampleField:
    """One row of `fields.toml`, its names normalised."""

    name: str
    kind: str
    names: tuple[str, ...]
    alone: tuple[str, ...]
    milliseconds: frozenset[str]
    scores: bool
    accepted: tuple[str, ...]
    """The names as people write them."""


@dataclass(frozen=True, slots=True)
class FieldSource:
    """The names of a record that give one field; the first that is not null counts."""

    field: SampleField
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FieldReading:
    """How the names of one record are read."""

    sources: tuple[FieldSource, ...]
    unknown: tuple[str, ...]
    """Names that belong to no field, in the record's order."""


def normalise(name: str) -> str:
    """The name without case, `_`, `-` and blanks; a leading `_` stays: it marks private names."""
    bare = name.lstrip("_")
    plain = bare.replace("_", "").replace("-", "").replace(" ", "").casefold()
    return name[: len(name) - len(bare)] + plain


@cache
def fields() -> tuple[SampleField, ...]:
    """All fields, in the order in which they take their names."""
    return tuple(_field(name, row) for name, row in _table("fields.toml").items())


def formats() -> tuple[str, ...]:
    """The names of the tools whose way of naming fields is known, sorted."""
    return tuple(sorted(_table("formats.toml")))


def check_format(name: str | None) -> None:
    """Raise `UsageError` for a format that is not known."""
    if name is None or name in _table("formats.toml"):
        return
    near = get_close_matches(name.lower(), formats(), n=1)
    guess = f"; did you mean {near[0]!r}?" if near else ";"
    raise UsageError(f"unknown format {name!r}{guess} expected one of {', '.join(formats())}")


def mapping(
    names: tuple[str, ...], format: str | None = None, chosen: ChosenColumns = ()
) -> dict[str, str]:
    """Which field each of a record's names gives; names that go to the metadata are left out."""
    checks = {key: "checks" for key in names if is_assertion(key)}
    sources = reading(names, format, chosen).sources
    return {key: s.field.name for s in sources for key in s.keys} | checks


@lru_cache(maxsize=1024)
def reading(keys: tuple[str, ...], format: str | None, chosen: ChosenColumns = ()) -> FieldReading:
    """How a record with these names is read. Records of one file share few sets of names."""
    by_name: dict[str, list[str]] = {}
    for key in keys:
        if not isinstance(key, str):
            raise SampleError(f"the name {key!r} is no text; expected every name to be text")
        by_name.setdefault(normalise(key), []).append(key)
    fixed = _fixed_names(format, chosen)
    reserved = {name for names in fixed.values() for name in names}
    sources = []
    for field in fields():
        first = next((name for name in fixed.get(field.name, ()) if name in by_name), None)
        general = ([n for n in names if n not in reserved] for names in (field.names, field.alone))
        for names in ([first] if first else [], *general):
            if taken := tuple(key for name in names for key in by_name.pop(name, ())):
                sources.append(FieldSource(field, taken))
                break
    unknown = {key for left in by_name.values() for key in left}
    return FieldReading(tuple(sources), tuple(key for key in keys if key in unknown))


def lift(
    record: Mapping[str, Any], format: str | None, chosen: ChosenColumns = ()
) -> Mapping[str, Any]:
    """The record with the inner values that the format or a choice names brought to the top.

    `{"output": {"completion": "Yes.", "model": "m"}}` becomes
    `{"output.completion": "Yes.", "output": {"model": "m"}}`.
    """
    paths = _inner_names(format, chosen)
    if not paths:
        return record
    lifted: dict[str, Any] = {}
    for key, value in record.items():
        wanted = paths.get(normalise(key), set())
        inner = _inner(value) if wanted else {}
        inner_fields = {k: v for k, v in inner.items() if normalise(k) in wanted and v is not None}
        lifted.update({f"{key}.{name}": part for name, part in inner_fields.items()})
        rest = {k: v for k, v in inner.items() if k not in inner_fields}
        if not inner_fields or rest:
            lifted[key] = rest if inner_fields else value
    return lifted


def _inner(value: Any) -> Mapping[str, Any]:
    if isinstance(value, list):
        return {str(place): part for place, part in enumerate(value)}
    return value if isinstance(value, Mapping) else {}


@cache
def _table(name: str) -> dict[str, dict[str, Any]]:
    return tomllib.loads(files(__package__).joinpath(name).read_text(encoding="utf-8"))


def _field(name: str, row: dict[str, Any]) -> SampleField:
    milliseconds = row.get("milliseconds", [])
    names = [*row["names"], *milliseconds]
    return SampleField(
        name=name,
        kind=row["kind"],
        names=tuple(map(normalise, names)),
        alone=tuple(map(normalise, row.get("alone", ()))),
        milliseconds=frozenset(map(normalise, milliseconds)),
        scores=row.get("scores", True),
        accepted=(*names, *row.get("alone", ())),
    )


@lru_cache(maxsize=256)
def _fixed_names(format: str | None, chosen: ChosenColumns = ()) -> dict[str, tuple[str, ...]]:
    """The names that a format or a choice fixes, by field."""
    own: dict[str, tuple[str, ...]] = {field: (normalise(name),) for field, name in chosen}
    if format is None:
        return own
    check_format(format)
    by_format = {
        field: tuple(map(normalise, names))
        for field, names in _table("formats.toml")[format].items()
    }
    return by_format | own


@lru_cache(maxsize=256)
def _inner_names(format: str | None, chosen: ChosenColumns = ()) -> dict[str, set[str]]:
    """The inner names that a format or a choice looks for, by outer name."""
    paths: dict[str, set[str]] = {}
    for names in _fixed_names(format, chosen).values():
        for outer, dot, inner in (name.partition(".") for name in names):
            if dot:
                paths.setdefault(outer, set()).add(inner)
    return paths
