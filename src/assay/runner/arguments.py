"""Keywords of Python calls: fields of a sample, settings, and nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from assay.backends import Backends
from assay.core import Metric
from assay.core.errors import ArgumentError
from assay.data import Profile
from assay.data.setting_table import setting_table
from assay.samples.field_names import fields as sample_fields
from assay.settings import Settings

SettingsChoice = Settings | str | Path | None
"""`"auto"`: `assay.toml` from the working directory on, and the environment, as for commands.
A path: that file, and the environment. None: the defaults alone. Or settings, as they are."""
Metrics = str | Metric | Iterable[str | Metric] | None
"""Selectors, and metrics of the caller's own."""
UNUSED = ("gates", "min_samples", "flaky", "test_timeout")
"""Settings that say nothing to a call: it has no exit code."""
OF_RUNS = ("workers", "batch_size", "store", "seed", "include_imputed", "map")
"""Settings that say nothing to the scores of a single sample."""


class Keywords(NamedTuple):
    """The keywords of a call, sorted out."""

    fields: dict[str, Any]
    settings: dict[str, Any]


def sort_keywords(
    call: str, given: Mapping[str, Any], own: Iterable[str], *, takes_fields: bool = True
) -> Keywords:
    """Tell fields and settings apart; a keyword that is neither is rejected.

    `own` are the call's further arguments, for the nearest known name. A call that takes fields
    scores a single sample.
    """
    unused = (*UNUSED, *OF_RUNS) if takes_fields else UNUSED
    usable = [name for name in setting_table() if name not in unused]
    settings = {name: value for name, value in given.items() if name in usable}
    rest = {name: value for name, value in given.items() if name not in usable}
    accepted = [name for field in sample_fields() for name in field.accepted]
    accepted = accepted if takes_fields else []
    unknown = next((name for name in rest if name not in accepted), None)
    if unknown is not None:
        known = [*own, *usable, *accepted]
        raise ArgumentError(_message(call, unknown, known, takes_fields=takes_fields))
    return Keywords(rest, settings)


def model_backends(
    call: str, given: Mapping[str, Any], own: Iterable[str], choice: SettingsChoice
) -> Backends | None:
    """The models that the keywords of a call name, over those of its settings.

    None where it names neither. Only settings of models are keywords of such a call.
    """
    usable = [name for name, setting in setting_table().items() if setting.group == "backends"]
    unknown = next((name for name in given if name not in usable), None)
    if unknown is not None:
        raise ArgumentError(_message(call, unknown, [*own, *usable], takes_fields=False))
    if not given and choice is None:
        return None
    return call_settings(choice, given).backends()


def _message(call: str, name: str, known: list[str], *, takes_fields: bool) -> str:
    close = get_close_matches(name.lower(), known, n=1)
    hint = f"did you mean {close[0]!r}?" if close else '"assay settings" lists what can be set.'
    further = " What belongs to no field goes into metadata={…}" if takes_fields else ""
    return f"{call}() has no argument {name!r}; {hint}{further}"


def call_settings(
    choice: SettingsChoice,
    overrides: Mapping[str, Any],
    *,
    metrics: tuple[str, ...] | None = None,
    profile: str | Profile | None = None,
    folder: Path | None = None,
) -> Settings:
    """The settings of a call; what the call itself says goes before all else.

    `metrics` are its selectors, empty where it gives only metrics of its own. The search for
    `assay.toml` starts at `folder`, the working directory unless given.
    """
    named = profile if isinstance(profile, str) else None
    own = {**overrides, "metrics": metrics, "profile": named}
    if isinstance(choice, Settings):
        return choice.override(own)
    if choice is None:
        return Settings.load(overrides=own)
    config = None if choice == "auto" else str(choice)
    return Settings.load(folder or Path.cwd(), os.environ, own, config=config)


def split_metrics(metrics: Metrics) -> tuple[tuple[str, ...] | None, tuple[Metric, ...]]:
    """The selectors, None where nothing was given at all, and the metrics given as such."""
    given = [metrics] if isinstance(metrics, str | Metric) else list(metrics or ())
    selectors = tuple(one for one in given if isinstance(one, str))
    own = tuple(one for one in given if isinstance(one, Metric))
    return (selectors if given else None), own
