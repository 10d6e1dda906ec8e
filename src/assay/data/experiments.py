"""Experiments: how metrics are measured against labelled data.

The bundled ones are `experiments/*.toml`; a team writes its own file in the same form:

    title = "Is the answer supported by its sources?"
    statistic = "auroc"               # or "spearman", for labels that are numbers
    positive = [1]                    # labels that count as positive; every other one is negative
    about = "Replies of dialogue systems."   # what the page of evidence says of it
    [fields]                          # sample field = field of the record; a dot leads inside
    response = "response"
    contexts = "contexts"
    [readings]                        # how a field is read that is not as samples have it, by name
    tool_calls = "json"
    [metrics]                         # is the value higher or lower on positive records?
    "governance.groundedness" = "higher"
    [baselines]                       # baselines beside them, by name
    token_overlap = "higher"
    [[set]]                           # the records: NAME.jsonl, or NAME.dev.jsonl.gz and alike
    name = "begin"
    label = "1 = fully attributable to the knowledge, 0 = not"
    labelled_by = "people"
    source = "google/BEGIN-dataset"
    licence = "CC BY 4.0"
    people = "two people give the same label in 97 % of cases"   # as far as it is known
    fields = { expected = "reference" }      # beside or instead of those of the experiment
    positive_where = { "meta.prompt_safe" = false }      # other records are negative
    look_alikes = { "meta.source" = ["notinject"] }      # harmless, but like positive ones
    look_alikes_are = "harmless requests with trigger words (NotInject)"
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

from assay.core.errors import ProfileError
from assay.data.bundled_files import bundled, read_toml

Direction = Literal["higher", "lower"]
"""On which side the values of positive records are expected."""
Label = int | float | str | bool


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """Where records come from, and what their labels mean."""

    name: str
    label: str
    """The meaning of each label, in words."""
    labelled_by: str = ""
    source: str = ""
    licence: str = ""
    people: str = ""
    """How far people agree among themselves, in words; empty where nobody counted."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """Sample field → field of the record, beside or instead of those of the experiment."""
    positive_where: Mapping[str, Any] = field(default_factory=dict)
    """Field of the record → the value that a positive record has there besides its label."""
    look_alikes: Mapping[str, list[Any]] = field(default_factory=dict)
    """Field of the record → values of negative records that look like positive ones."""
    look_alikes_are: str = ""


@dataclass(frozen=True, slots=True)
class Experiment:
    """One question that metrics answer and people have answered too."""

    name: str
    title: str
    statistic: Literal["auroc", "spearman"]
    positive: tuple[Label, ...]
    fields: Mapping[str, str]
    metrics: Mapping[str, Direction]
    probes: Mapping[str, Direction]
    baselines: Mapping[str, Direction]
    sets: tuple[LabelledSet, ...]
    readings: Mapping[str, str] = field(default_factory=dict)
    """Sample field → how its value is read, by name."""
    about: str = ""


@cache
def experiments() -> Mapping[str, Experiment]:
    """The bundled experiments by name, in order."""
    return {
        (name := file_name.removesuffix(".toml")): read_experiment(
            name, file.read_text(encoding="utf-8")
        )
        for file_name, file in bundled("experiments").items()
    }


def experiment_file(path: str) -> Experiment:
    """The experiment in a file of your own."""
    try:
        return read_experiment(Path(path).stem, Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ProfileError(f"experiment {path!r} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ProfileError(f"experiment {path!r} is not UTF-8 text") from None


_KINDS: dict[str, type] = {
    "title": str,
    "about": str,
    "statistic": str,
    "positive": list,
    "fields": dict,
    "readings": dict,
    "metrics": dict,
    "probes": dict,
    "baselines": dict,
    "set": list,
}
_SET_KEYS: dict[str, type] = {
    **dict.fromkeys(LabelledSet.__slots__, str),
    **dict.fromkeys(("fields", "positive_where", "look_alikes"), dict),
}


def read_experiment(name: str, text: str) -> Experiment:
    """Read an experiment's text; a mistake is refused with the key and the reason."""
    table = read_toml(text, name)
    for key, value in table.items():
        if key not in _KINDS:
            raise ProfileError(f"{name}: unknown key {key!r}; expected one of {', '.join(_KINDS)}")
        if not isinstance(value, _KINDS[key]):
            raise ProfileError(f"{name}: {key!r} is {value!r}; expected a {_KINDS[key].__name__}")
    for key in ("title", "fields", "set"):
        if not table.get(key):
            raise ProfileError(f"{name}: {key!r} is missing")
    if not table.get("metrics") and not table.get("probes"):
        raise ProfileError(f"{name}: nothing to measure; expected 'metrics' or 'probes'")
    _check_fields(name, table["fields"])
    for key in ("metrics", "probes", "baselines"):
        _check_directions(name, key, table.get(key, {}))
    statistic = table.get("statistic", "auroc")
    return Experiment(
        name=name,
        title=table["title"],
        statistic=statistic,
        positive=_positive(name, statistic, table.get("positive", [])),
        fields=table["fields"],
        metrics=table.get("metrics", {}),
        probes=table.get("probes", {}),
        baselines=table.get("baselines", {}),
        sets=tuple(_set(name, entry) for entry in table["set"]),
        readings=table.get("readings", {}),
        about=table.get("about", ""),
    )


def _positive(name: str, statistic: str, labels: list[Any]) -> tuple[Label, ...]:
    if statistic not in ("auroc", "spearman"):
        raise ProfileError(f"{name}: 'statistic' is {statistic!r}; expected 'auroc' or 'spearman'")
    if (statistic == "auroc") != bool(labels):
        raise ProfileError(
            f"{name}: 'positive' names {len(labels)} labels; expected one or more for 'auroc' "
            "and none for 'spearman'"
        )
    for label in labels:
        if not isinstance(label, Label):
            raise ProfileError(f"{name}: 'positive' names {label!r}; expected texts or numbers")
    return tuple(labels)


def _check_fields(name: str, fields: Mapping[str, Any]) -> None:
    for key, place in fields.items():
        if not isinstance(place, str) or not place:
            raise ProfileError(f"{name}: fields.{key} is {place!r}; expected a record's field")


def _check_directions(name: str, key: str, directions: Mapping[str, Any]) -> None:
    for measured, direction in directions.items():
        if direction not in ("higher", "lower"):
            raise ProfileError(
                f"{name}: {key}.{measured!r} is {direction!r}; expected 'higher' or 'lower'"
            )


def _set(name: str, entry: Any) -> LabelledSet:
    if not isinstance(entry, dict):
        raise ProfileError(f"{name}: a set is {entry!r}; expected a table [[set]]")
    for key, value in entry.items():
        if key not in _SET_KEYS or not isinstance(value, _SET_KEYS[key]):
            expected = ", ".join(key for key, kind in _SET_KEYS.items() if kind is str)
            raise ProfileError(
                f"{name}: set key {key!r} is {value!r}; expected text for {expected}, or a table "
                f"for {', '.join(key for key, kind in _SET_KEYS.items() if kind is dict)}"
            )
    _check_fields(name, entry.get("fields", {}))
    for place, values in entry.get("look_alikes", {}).items():
        if not isinstance(values, list):
            raise ProfileError(f"{name}: look_alikes.{place} is {values!r}; expected a list")
    for key in ("name", "label"):
        if not entry.get(key):
            raise ProfileError(f"{name}: {key!r} of a set is missing")
    return LabelledSet(**entry)
