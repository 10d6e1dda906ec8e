"""What can be set (`settings.toml`): defaults, limits, help, and what each setting changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import inf, isfinite
from typing import Any

from assay.data.bundled_files import read_toml

Value = bool | int | float | str | tuple[str, ...] | Mapping[str, float] | Mapping[str, str]
"""What a setting may be."""
_WORDS: dict[str, bool] = {
    **dict.fromkeys(("true", "yes", "on", "1"), True),
    **dict.fromkeys(("false", "no", "off", "0"), False),
}


@dataclass(frozen=True, slots=True)
class MetricSetting:
    """A metric's threshold or, with a name, one of its options."""

    metric: str
    option: str = ""
    factor: float = 1
    """Turns the setting's scale into the metric's own."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing that can be set."""

    name: str
    group: str
    default: Value
    """Its type is the type of every value."""
    help: str
    low: float = -inf
    high: float = inf
    is_documented: bool = False
    """Whether its name alone is an environment variable too."""
    path_ending: str | None = None
    """The ending that makes a value a path."""
    has_texts: bool = False
    """Whether a table holds texts; otherwise it holds numbers."""
    example: str = "columns by field: response=Model Answer"
    """What a table of texts holds, in words."""
    words: tuple[str, ...] = ()
    """Values that are no path, whatever they end with."""
    sets: tuple[MetricSetting, ...] = ()

    @property
    def variables(self) -> tuple[str, ...]:
        """The environment variables it is read from; the first that is set wins."""
        name = self.name.upper()
        return (f"ASSAY_{name}", name) if self.is_documented else (f"ASSAY_{name}",)

    def parse(self, text: str) -> Value:
        """The value that a text stands for; the text itself when it stands for none."""
        if isinstance(self.default, bool):
            return _WORDS.get(text.lower(), text)
        if isinstance(self.default, tuple):
            return tuple(part.strip() for part in text.split(",") if part.strip())
        if isinstance(self.default, Mapping):
            return _parse_texts(text) if self.has_texts else _parse_table(text)
        try:
            return type(self.default)(text)
        except ValueError:
            return text

    def fits(self, value: Any) -> bool:
        """Whether a value has the right type and lies within the limits."""
        if isinstance(self.default, tuple):
            return isinstance(value, list | tuple) and all(isinstance(v, str) for v in value)
        if isinstance(self.default, Mapping):
            return isinstance(value, Mapping) and all(
                isinstance(key, str)
                and (isinstance(part, str) if self.has_texts else _is_number(part))
                for key, part in value.items()
            )
        if isinstance(self.default, bool | str):
            return isinstance(value, type(self.default))
        kinds = int if isinstance(self.default, int) else int | float
        is_number = isinstance(value, kinds) and _is_number(value)
        return is_number and self.low <= value <= self.high

    @property
    def expected(self) -> str:
        """What a value has to be, in words."""
        if isinstance(self.default, bool):
            return "true or false"
        if isinstance(self.default, str):
            return "text"
        if isinstance(self.default, tuple):
            return "a list of texts"
        if isinstance(self.default, Mapping):
            return self.example if self.has_texts else "numbers by metric id: text.safety=0.9"
        kind = "a whole number" if isinstance(self.default, int) else "a number"
        return f"{kind} {_limits(self.low, self.high)}".strip()


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _parse_table(text: str) -> Mapping[str, float] | str:
    """The numbers of a text such as `a=0.5,b=1`; the text itself when it holds something else."""
    entries = [part.partition("=") for part in text.split(",") if part.strip()]
    try:
        return {name.strip(): float(number) for name, _, number in entries}
    except ValueError:
        return text


def _parse_texts(text: str) -> Mapping[str, str] | str:
    """The texts of a text such as `a=x,b=y`; the text itself when it holds something else."""
    entries = [part.partition("=") for part in text.split(",") if part.strip()]
    is_table = all(name.strip() and sign for name, sign, _ in entries)
    return {name.strip(): value.strip() for name, _, value in entries} if is_table else text


def _limits(low: float, high: float) -> str:
    if isfinite(low) and isfinite(high):
        return f"from {low:g} to {high:g}"
    return f"of {low:g} or more" if isfinite(low) else ""


@cache
def setting_table() -> Mapping[str, Setting]:
    """All settings by name, in the order of the bundled file."""
    text = (files("assay") / "data" / "settings.toml").read_text(encoding="utf-8")
    groups = read_toml(text, "settings.toml")
    return {
        name: _setting(name, group, entry)
        for group, entries in groups.items()
        for name, entry in entries.items()
    }


def _setting(name: str, group: str, entry: dict[str, Any]) -> Setting:
    default = tuple(entry["default"]) if entry["default"] == [] else entry["default"]
    targets = tuple(MetricSetting(**target) for target in entry.get("sets", ()))
    words = tuple(entry.get("words", ()))
    lists = {"default": default, "sets": targets, "words": words}
    return Setting(name=name, group=group, **{**entry, **lists})
