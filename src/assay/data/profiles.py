"""Profiles: which metrics, with which thresholds, options and weights.

The bundled ones are `profiles/*.toml`; a team writes its own file in the same form:

    title = "Our support bot"
    metrics = ["text", "-text.cost"]      # optional; what is scored when the call names nothing
    rubrics = ["friendly.toml"]           # rubrics of your own, from this folder; scored too
    [thresholds]
    "text.safety" = 0.95
    [unsure]                              # between these ends a verdict is unsure
    "rag.faithfulness" = [0.3, 0.7]
    [options."text.safety"]
    blocklist = ["competitor"]
    [weights]                             # how much each metric counts in the overall score
    "text.safety" = 2.0
    [json]                                # how JSON documents are compared: `json_options.py`
    depth = "nested"
    strategies = "fields.json"

In place of `metrics` a profile may choose by the fields that the data has, rule by rule:

    [[choose]]
    fields = ["contexts", "expected"]     # a sample has all of them; empty: always
    metrics = ["rag.context_recall"]
    gates = true                          # optional: these decide passes, or never do (false)

Without `gates`, the evidence for a metric says whether it decides passes.

`policy = "uk_gdpr"` before the tables names the law that governance metrics go by: a bundled pack,
or a `.toml` file whose path starts at the profile's folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from math import isfinite, nan
from pathlib import Path
from typing import Any

from assay.core import Sample
from assay.core.bounds import MAX_WEIGHT, finite
from assay.core.errors import ProfileError
from assay.data.bundled_files import bundled, read_toml
from assay.data.json_options import DOCUMENTED, JsonOptions, read_json_options
from assay.data.policies import Policy
from assay.data.policies import policy as read_policy
from assay.data.rubrics import Rubric
from assay.data.rubrics import rubric as read_rubric_file


@dataclass(frozen=True, slots=True)
class FieldRule:
    """Metrics that are chosen where the data has some fields."""

    fields: tuple[str, ...]
    """All of them, in one sample; none: always."""
    metrics: tuple[str, ...]
    gates: bool | None = None
    """Whether they decide passes: True, False, or as their evidence says."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A team's choices; an empty one leaves every metric at its own defaults."""

    name: str = "defaults"
    title: str = ""
    source: str = ""
    metrics: tuple[str, ...] = ()
    thresholds: Mapping[str, float] = field(default_factory=dict)
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    json_options: JsonOptions = DOCUMENTED
    policy: Policy = field(default_factory=read_policy)
    is_policy_chosen: bool = False
    """Whether the profile's file names the pack; it then wins over settings."""
    rubrics: tuple[Rubric, ...] = ()
    """Rubrics of the team's own; each is scored as `judge.<name>`."""
    rules: tuple[FieldRule, ...] = ()
    """What is chosen by the fields of the data, where `metrics` names nothing."""
    unsure: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Metric → the ends between which its verdict is unsure."""


def profile_names() -> list[str]:
    """The bundled profiles."""
    return [name.removesuffix(".toml") for name in bundled("profiles")]


def profile(name: str) -> Profile:
    """The bundled profile of that name, or the profile in the file of that path.

    A file is read each time: it may have been edited, and its path may start at another folder.
    """
    if f"{name}.toml" in bundled("profiles"):
        return _bundled_profile(name)
    path = Path(name)
    if path.suffix != ".toml":
        known = ", ".join(profile_names())
        raise ProfileError(f"unknown profile {name!r}; expected one of {known}, or a .toml file")
    try:
        return read_profile(name, path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ProfileError(f"profile {name!r} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ProfileError(f"profile {name!r} is not UTF-8 text") from None


@cache
def _bundled_profile(name: str) -> Profile:
    return read_profile(name, bundled("profiles")[f"{name}.toml"].read_text(encoding="utf-8"))


def read_profile(name: str, text: str) -> Profile:
    """Read a profile's text; a mistake is refused with the key and the reason."""
    table = read_toml(text, name)
    kinds: dict[str, type] = {
        "title": str,
        "source": str,
        "metrics": list,
        "thresholds": dict,
        "unsure": dict,
        "options": dict,
        "weights": dict,
        "policy": str,
        "json": dict,
        "rubrics": list,
        "choose": list,
    }
    for key, value in table.items():
        if key not in kinds:
            raise ProfileError(f"{name}: unknown key {key!r}; expected one of {', '.join(kinds)}")
        if not isinstance(value, kinds[key]):
            raise ProfileError(f"{name}: {key!r} is {value!r}; expected a {kinds[key].__name__}")
    for selector in table.get("metrics", ()):
        if not isinstance(selector, str):
            raise ProfileError(f"{name}: 'metrics' names {selector!r}; expected text")
    for metric, options in table.get("options", {}).items():
        if not isinstance(options, dict):
            raise ProfileError(f"{name}: options.{metric!r} is {options!r}; expected a table")
    for key in ("thresholds", "weights"):
        for metric, number in table.get(key, {}).items():
            if finite(number) is None:
                shown = repr(number)[:40]
                raise ProfileError(f"{name}: {key}.{metric!r} is {shown}; expected a number")
            if key == "weights" and not 0 <= number <= MAX_WEIGHT:
                raise ProfileError(
                    f"{name}: the weight of {metric!r} is {number}; "
                    f"expected a number from 0 to {MAX_WEIGHT:,.0f}"
                )
    return Profile(
        name,
        table.get("title", ""),
        table.get("source", ""),
        tuple(table.get("metrics", ())),
        table.get("thresholds", {}),
        table.get("options", {}),
        table.get("weights", {}),
        json_options=read_json_options(table.get("json", {}), f"{name}: json", Path(name).parent),
        policy=_policy(table.get("policy"), name),
        is_policy_chosen="policy" in table,
        rubrics=tuple(_rubric(given, name) for given in table.get("rubrics", ())),
        rules=tuple(_rule(given, name) for given in table.get("choose", ())),
        unsure={
            metric: read_band(ends, metric, f"{name}: ")
            for metric, ends in table.get("unsure", {}).items()
        },
    )


def read_band(given: Any, metric: str, where: str = "") -> tuple[float, float]:
    """The two ends of an unsure zone: `[0.3, 0.7]` or `0.3:0.7`."""
    parts = given.split(":") if isinstance(given, str) else given
    try:
        low, high = (float(part) for part in parts)
    except (TypeError, ValueError, OverflowError):
        low = high = nan
    if isinstance(given, str | list) and isfinite(low) and isfinite(high) and low < high:
        return low, high
    raise ProfileError(
        f"{where}the unsure zone of {metric!r} is {given!r}; expected its two ends, the lower one "
        "first: 0.3:0.7, or [0.3, 0.7] in a profile"
    )


_FIELDS = {part.name for part in fields(Sample)}


def _rule(given: Any, profile: str) -> FieldRule:
    """One `[[choose]]` of a profile."""
    if not isinstance(given, dict):
        raise ProfileError(f"{profile}: 'choose' holds {given!r}; expected [[choose]] tables")
    if unknown := given.keys() - {"fields", "metrics", "gates"}:
        raise ProfileError(
            f"{profile}: [[choose]] has {sorted(unknown)[0]!r}; expected fields, metrics, gates"
        )
    for key in ("fields", "metrics"):
        named = given.get(key, [])
        if not isinstance(named, list) or not all(isinstance(one, str) for one in named):
            raise ProfileError(
                f"{profile}: [[choose]] {key} is {named!r}; expected a list of texts"
            )
    if strange := [one for one in given.get("fields", ()) if one not in _FIELDS]:
        raise ProfileError(
            f"{profile}: [[choose]] names {strange[0]!r}, which is no field of a sample; "
            f"expected some of {', '.join(sorted(_FIELDS))}"
        )
    if not given.get("metrics"):
        raise ProfileError(f"{profile}: a [[choose]] names no metrics")
    if not isinstance(given.get("gates", True), bool):
        raise ProfileError(
            f"{profile}: [[choose]] gates is {given['gates']!r}; expected true or false"
        )
    return FieldRule(tuple(given.get("fields", ())), tuple(given["metrics"]), given.get("gates"))


def _rubric(given: Any, profile: str) -> Rubric:
    """A rubric that a profile names; its path starts at the profile's folder."""
    if not isinstance(given, str) or not given.endswith(".toml"):
        raise ProfileError(f"{profile}: 'rubrics' names {given!r}; expected a .toml file")
    return read_rubric_file(str(Path(profile).parent / given))


def _policy(named: str | None, profile: str) -> Policy:
    """The pack that a profile names, or the default one."""
    if named is None:
        return read_policy()
    is_path = named.endswith(".toml")
    return read_policy(str(Path(profile).parent / named) if is_path else named)
