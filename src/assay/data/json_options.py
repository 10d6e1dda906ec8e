"""How two JSON documents are compared: a team's choices, in the profile's table `[json]`.

    [json]
    depth = "nested"
    list_alignment = "key"
    list_key = "id"
    strategies = "fields.json"            # a strategy file beside the profile, or a table

A strategy file is a JSON object: field → EXACT, FUZZY, SEMANTIC, IGNORE, or AUTO for what the
value's type says. It may be nested like the ground truth (`{"address": {"city": "FUZZY"}}` is
`address.city`), fields may be path patterns (`items[*].name`), and an object with the key
`strategy`, whose value is text, holds options of that field:

    {"name": {"strategy": "FUZZY", "threshold": 0.9, "ignore_case": true}}

A field that is no path, such as `Price [EUR]`, is a key as it stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from math import isfinite
from pathlib import Path
from typing import Any, Literal, get_args

from assay.core.errors import ProfileError
from assay.core.json_path import Step, child, parse_path, path_text
from assay.core.jsontext import dumps, loads
from assay.data.bundled_files import fingerprint

Strategy = Literal["EXACT", "FUZZY", "SEMANTIC", "IGNORE"]
"""How a field's two values are compared."""
STRATEGIES: tuple[str, ...] = get_args(Strategy)
AUTO = "AUTO"
"""Said of a field whose strategy follows from its type."""
DateOrder = Literal["", "ymd", "dmy", "mdy"]
"""How 01/02/2024 is read; empty: dates are compared as text."""
Alignment = Literal["order", "best", "key"]


@dataclass(frozen=True, slots=True)
class FieldOptions:
    """The choices for one field; what is None is as for the whole document."""

    strategy: Strategy | None = None
    """None: by the type of the ground truth's value."""
    threshold: float | None = None
    """From which similarity on FUZZY or SEMANTIC values match."""
    numeric_tolerance: float | None = None
    date: DateOrder | None = None
    number_without_units: bool | None = None
    ignore_case: bool | None = None
    ignore_whitespace: bool | None = None
    list_alignment: Alignment | None = None
    list_key: str | None = None
    list_order_matters: bool | None = None

    def __post_init__(self) -> None:
        for name in self.__slots__:
            _check(name, getattr(self, name), _FIELD_CHECKS[name], is_optional=True)

    def to_json(self) -> Any:
        """What stands in a strategy file: a strategy, or an object where there is more."""
        chosen = {n: v for n in self.__slots__ if (v := getattr(self, n)) is not None}
        own = {"strategy": self.strategy or AUTO, **chosen}
        return own["strategy"] if len(own) == 1 else own


@dataclass(frozen=True)
class JsonOptions:
    """The choices of a comparison; the defaults are the documented rule."""

    strategies: Mapping[str, FieldOptions] = field(default_factory=dict)
    """Field or path pattern → how it is compared; a field that is not listed goes by its type.
    Given as in a strategy file."""
    typed: bool = True
    """Whether, without a judge, a field that is not listed is compared by what its value is: yes or
    no, number with unit, date, identifier, name, free text. False: as the source document says,
    text by similarity and all else by its text."""
    fuzzy_threshold: float = 0.85
    semantic_threshold: float = 0.80
    text_threshold: float = 0.74
    """For free text of a field that nobody chose a strategy for. Of the pairs of captions of STS-B
    whose words do not tell (520 of the development half) 0.74 accepts 88 % of those that people
    call equivalent (4.5 of 5 and more) and 11 % of the others; 0.80 accepts 59 % and 5 %."""
    depth: Literal["top", "nested"] = "top"
    """Whether fields are top-level keys, or all values inside objects and lists."""
    ignore_scope: Literal["accuracy", "all"] = "accuracy"
    """Whether IGNORE leaves a field out of accuracy alone, or out of every score."""
    vacuous_accuracy: Literal["one", "zero", "none"] = "one"
    """Accuracy when there is no field to compare."""
    count_null_extras: bool = True
    """Whether an extra key counts as hallucination though its value is null."""
    list_alignment: Alignment = "order"
    """Which items of two lists are compared: those at the same place, those that are most alike
    together, or those with the same `list_key`."""
    list_key: str = ""
    list_order_matters: bool | None = None
    """None: it does where items are aligned by place."""
    max_alignment: int = 250_000
    """Pairs of items beyond which `best` falls back to a cheaper method, and says so."""
    numeric_tolerance: float | None = None
    """Numbers that differ by no more are equal in EXACT fields; None: they are compared as text."""
    date: DateOrder = ""
    number_without_units: bool = False
    """Whether "1,000 kg" is 1000 in EXACT fields."""
    ignore_case: bool = True
    """For FUZZY; EXACT never minds the case, and SEMANTIC is asked about the texts as they are."""
    ignore_whitespace: bool = False
    repair: bool = False
    """Whether damaged JSON text of an output is read as well as it can be, and said to be so; else
    it is no answer."""
    w_accuracy: float = 0.45
    w_completeness: float = 0.25
    w_hallucination: float = 0.15
    w_safety: float = 0.15

    def __post_init__(self) -> None:
        object.__setattr__(self, "strategies", parse_strategies(self.strategies, "strategies"))
        for name, kind in _CHECKS.items():
            is_optional = name in ("list_order_matters", "numeric_tolerance")
            _check(name, getattr(self, name), kind, is_optional=is_optional)
        if self.list_alignment == "key" and not self.list_key and not self._has_keys():
            raise ProfileError("'list_alignment' is 'key'; expected 'list_key' too")

    def _has_keys(self) -> bool:
        return any(options.list_key for options in self.strategies.values())

    def __hash__(self) -> int:
        """Of a few choices, so that what is worked out from all of them can be kept."""
        return hash((self.depth, self.list_alignment, self.fuzzy_threshold, len(self.strategies)))

    @property
    def identity(self) -> str:
        """What a signature says of the choices: six digits that change when one does."""
        own = {f.name: getattr(self, f.name) for f in fields(self)}
        own["strategies"] = sorted((name, repr(o)) for name, o in self.strategies.items())
        return fingerprint(repr(own))


_Kind = type | tuple[str, ...] | Literal["share", "amount"]
_FIELD_CHECKS: dict[str, _Kind] = {
    "strategy": STRATEGIES,
    "threshold": "share",
    "numeric_tolerance": "amount",
    "date": get_args(DateOrder),
    "number_without_units": bool,
    "ignore_case": bool,
    "ignore_whitespace": bool,
    "list_alignment": get_args(Alignment),
    "list_key": str,
    "list_order_matters": bool,
}
_CHECKS: dict[str, _Kind] = {
    **{name: kind for name, kind in _FIELD_CHECKS.items() if name not in ("strategy", "threshold")},
    "fuzzy_threshold": "share",
    "semantic_threshold": "share",
    "text_threshold": "share",
    "depth": ("top", "nested"),
    "ignore_scope": ("accuracy", "all"),
    "vacuous_accuracy": ("one", "zero", "none"),
    "count_null_extras": bool,
    "typed": bool,
    "max_alignment": int,
    "repair": bool,
    "w_accuracy": "amount",
    "w_completeness": "amount",
    "w_hallucination": "amount",
    "w_safety": "amount",
}


def _check(name: str, value: Any, kind: _Kind, *, is_optional: bool) -> None:
    """Refuse a value that does not fit its option."""
    if value is None and is_optional:
        return
    if isinstance(kind, tuple):
        fits, expected = value in kind, f"one of {', '.join(map(repr, kind))}"
    elif kind is bool:
        fits, expected = isinstance(value, bool), "true or false"
    elif kind is str:
        fits, expected = isinstance(value, str), "text"
    else:
        is_number = isinstance(value, int if kind is int else int | float)
        fits = is_number and not isinstance(value, bool) and isfinite(value) and value >= 0
        expected = "a whole number of 0 or more" if kind is int else "a number of 0 or more"
        if kind == "share":
            fits, expected = fits and value <= 1, "a number from 0 to 1"
    if not fits:
        raise ProfileError(f"{name!r} is {value!r}; expected {expected}")


def read_json_options(table: Mapping[str, Any], place: str, folder: Path) -> JsonOptions:
    """The table `[json]` of a profile; a strategy file lies relative to the folder."""
    known = [f.name for f in fields(JsonOptions)]
    for key in table:
        if key not in known:
            raise ProfileError(f"{place}: unknown key {key!r}; expected one of {', '.join(known)}")
    chosen = dict(table)
    if isinstance(strategies := chosen.get("strategies"), str):
        chosen["strategies"] = read_strategies(folder / strategies)
    elif strategies is not None:
        chosen["strategies"] = parse_strategies(strategies, f"{place}: strategies")
    try:
        return JsonOptions(**chosen)
    except ProfileError as error:
        raise ProfileError(f"{place}: {error}") from None


def read_strategies(path: str | Path) -> dict[str, FieldOptions]:
    """Read a strategy file; a mistake is refused with the file, the field and the reason."""
    try:
        value = loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ProfileError(f"{str(path)!r} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise ProfileError(f"{str(path)!r} is not a JSON file: {error}") from None
    return parse_strategies(value, str(path))


def parse_strategies(value: Any, place: str) -> dict[str, FieldOptions]:
    """The strategies of an object, flat or nested, by their path patterns."""
    if not isinstance(value, Mapping):
        raise ProfileError(f"{place}: found {value!r}; expected an object of fields")
    strategies: dict[str, FieldOptions] = {}
    waiting = [("", value)]
    while waiting:
        path, entries = waiting.pop()
        for key, entry in entries.items():
            if not isinstance(key, str):
                raise ProfileError(f"{place}: the field {key!r} is not text")
            name = _join(path, key)
            if isinstance(entry, Mapping) and not isinstance(entry.get("strategy"), str):
                waiting.append((name, entry))
            elif name in strategies:
                raise ProfileError(f"{place}: the field {name!r} stands twice")
            else:
                strategies[name] = _field_options(entry, f"{place}: field {name!r}")
    return strategies


def _join(path: str, key: str) -> str:
    """The path of a field that stands inside another one's entry."""
    try:
        steps: tuple[Step, ...] = parse_path(key)
    except ValueError:
        return child(path, key)
    text = path_text(steps)
    return text if not path else path + text if text[0] == "[" else f"{path}.{text}"


def _field_options(entry: Any, place: str) -> FieldOptions:
    if isinstance(entry, FieldOptions):
        return entry
    options = dict(entry) if isinstance(entry, Mapping) else {"strategy": entry}
    strategy = options["strategy"]
    if not isinstance(strategy, str) or strategy.upper() not in (*STRATEGIES, AUTO):
        expected = ", ".join((*STRATEGIES, AUTO))
        raise ProfileError(f"{place}: the strategy is {strategy!r}; expected one of {expected}")
    options["strategy"] = None if strategy.upper() == AUTO else strategy.upper()
    for key in options:
        if key not in FieldOptions.__slots__:
            expected = ", ".join(FieldOptions.__slots__)
            raise ProfileError(f"{place}: unknown option {key!r}; expected one of {expected}")
    try:
        return FieldOptions(**options)
    except ProfileError as error:
        raise ProfileError(f"{place}: {error}") from None


def export_strategies(strategies: Mapping[str, Any]) -> str:
    """The strategies as the text of a strategy file, flat; it reads back to the same ones."""
    parsed = parse_strategies(strategies, "strategies")
    return dumps({name: options.to_json() for name, options in parsed.items()}, indent=2) + "\n"


DOCUMENTED = JsonOptions()
"""The comparison as documented, when nothing was chosen."""
