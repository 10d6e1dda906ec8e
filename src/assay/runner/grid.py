"""A grid: prompts × targets × models × parameters, read from a file; each combination is a cell."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from assay.core import ProfileError, UsageError
from assay.core.jsontext import dumps
from assay.data.bundled_files import fingerprint, read_toml
from assay.runner.prompt_template import PromptTemplate, read_prompt
from assay.targets.choose import TargetVariant

MAX_CELLS = 64
"""Cells of one grid: each is a run that goes on beside the others."""
AXES = ("prompts", "targets", "models", "parameters")
_KEYS = ("name", "baseline", *AXES)
_NAME = re.compile(r"[\w.-]{1,100}")
_UNFIT = re.compile(r"[^\w.-]+")
SEPARATOR = ":"
"""Between the parts of a cell's name, and before them the experiment's."""


@dataclass(frozen=True)
class GridCell:
    """One combination: what is asked around the questions, and of whom."""

    name: str
    target: str
    prompt: PromptTemplate | None = None
    variant: TargetVariant = field(default_factory=TargetVariant)
    parts: Mapping[str, str] = field(default_factory=dict)
    """Axis → the name of its entry."""

    def definition(self) -> dict[str, Any]:
        """All that decides what is asked, as plain data."""
        prompt = self.prompt
        return {
            "prompt": None if prompt is None else {"system": prompt.system, "user": prompt.user},
            "target": self.target,
            "model": self.variant.model,
            "parameters": dict(self.variant.parameters),
        }

    @property
    def fingerprint(self) -> str:
        """Six hexadecimal digits that change when the definition does."""
        return fingerprint(dumps(self.definition()))


@dataclass(frozen=True)
class Grid:
    """The cells of one experiment, in the order of the file."""

    name: str
    cells: tuple[GridCell, ...]
    baseline: str
    """The cell that the others are compared with."""
    prompt_files: tuple[Path, ...] = ()


def read_grid(path: Path, target: str | None = None) -> Grid:
    """The grid of a file; `target` is asked where the file names no targets."""
    try:
        table = read_toml(path.read_text(encoding="utf-8"), str(path))
    except FileNotFoundError:
        raise UsageError(f"no such file: {str(path)!r}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ProfileError(f"the grid {str(path)!r} cannot be read: {error}") from None
    for key in table:
        if key not in _KEYS:
            raise ProfileError(f"{path}: unknown key {key!r}; expected one of {', '.join(_KEYS)}")
    axes = {axis: _entries(path, axis, table[axis]) for axis in AXES if axis in table}
    if not axes:
        raise ProfileError(f"{path}: there is nothing to vary; expected {', '.join(AXES)}")
    if ("targets" in axes) == (target is not None):
        raise UsageError(
            f"{path} names targets and so does --target; leave one out"
            if target
            else f"{path}: there is no target; add [targets], or name one with --target"
        )
    files = {name: path.parent / str(given) for name, given in axes.get("prompts", {}).items()}
    prompts = {name: read_prompt(name, file) for name, file in files.items()}
    cells = tuple(_cells(axes, prompts, target or ""))
    return Grid(
        _name(path, table.get("name", _fit(path.stem))),
        cells,
        _baseline(path, table.get("baseline", cells[0].name), cells),
        tuple(files.values()),
    )


def _entries(path: Path, axis: str, given: Any) -> dict[str, Any]:
    """The entries of an axis by name; a list names its texts by themselves."""
    if isinstance(given, list) and axis in ("prompts", "models"):
        texts = [part for part in given if isinstance(part, str)]
        named = {_fit(Path(text).stem if axis == "prompts" else text): text for text in texts}
        if len(texts) < len(given) or len(named) < len(texts):
            raise ProfileError(
                f"{path}: {axis!r} is {given!r}; expected texts that give different names, or a "
                "table of names"
            )
        given = named
    if not isinstance(given, Mapping) or not given:
        raise ProfileError(f"{path}: {axis!r} is {given!r}; expected a table with an entry or more")
    kind, words = (Mapping, "a table") if axis == "parameters" else (str, "a text")
    for name, value in given.items():
        _name(path, name)
        if not isinstance(value, kind):
            raise ProfileError(f"{path}: {name!r} of {axis!r} is {value!r}; expected {words}")
        try:
            dumps(value)
        except (TypeError, ValueError) as error:  # TOML has dates and nan
            raise ProfileError(f"{path}: {name!r} of {axis!r} is no JSON: {error}") from None
    return dict(given)


def _cells(
    axes: Mapping[str, Mapping[str, Any]], prompts: Mapping[str, PromptTemplate], target: str
) -> list[GridCell]:
    amount = 1
    for entries in axes.values():
        amount *= len(entries)
    if amount > MAX_CELLS:
        raise UsageError(f"the grid has {amount:,} cells; expected {MAX_CELLS} at most")
    cells = []
    for names in product(*axes.values()):
        parts = dict(zip(axes, names, strict=True))
        chosen = {axis: axes[axis][name] for axis, name in parts.items()}
        variant = TargetVariant(chosen.get("models"), chosen.get("parameters", {}))
        cells.append(
            GridCell(
                SEPARATOR.join(names),
                chosen.get("targets", target),
                prompts[parts["prompts"]] if "prompts" in parts else None,
                variant,
                parts,
            )
        )
    return cells


def _baseline(path: Path, name: Any, cells: tuple[GridCell, ...]) -> str:
    names = [cell.name for cell in cells]
    if name not in names:
        raise ProfileError(f"{path}: 'baseline' is {name!r}; expected a cell: {', '.join(names)}")
    return str(name)


def _name(path: Path, name: Any) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ProfileError(
            f"{path}: the name {name!r} does not fit; expected letters, digits, '.', '_' and '-'"
        )
    return name


def _fit(text: str) -> str:
    """The text as a name."""
    return _UNFIT.sub("-", text).strip("-")[:100] or "grid"
