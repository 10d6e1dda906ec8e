"""Settings: one frozen object, put together from several places.

From strong to weak: the command line or the call, environment variables, the chosen
`[environments.NAME]` of the configuration file, its top level, and the defaults in
`data/settings.toml`.

    # assay.toml
    profile = "profiles/support.toml"
    workers = 4
    [environments.ci]
    workers = 16
    semantic_similarity_threshold = 0.75
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

from assay.backends import Backends, JudgeSettings
from assay.backends.choice import encoder_spec
from assay.backends.destinations import check_destination
from assay.backends.judge_settings import NAMES as JUDGING_NAMES
from assay.backends.providers import JUDGED
from assay.core.errors import ProfileError
from assay.data import Policy, Profile
from assay.data import policy as read_policy
from assay.data import profile as read_profile
from assay.data.bundled_files import read_toml
from assay.data.profiles import read_band
from assay.data.setting_table import MetricSetting, Setting, Value, setting_table

FILE_NAME = "assay.toml"
CONFIG_VARIABLE = "ASSAY_CONFIG"
"""Names the configuration file, instead of looking for one."""
ENVIRONMENT_VARIABLE = "ASSAY_ENV"
"""Chooses one of the file's environments."""
DEFAULT, COMMAND_LINE = "default", "command line"
"""The two sources that are neither a file nor a variable."""


class ExplainedSetting(NamedTuple):
    """A setting's value and where it came from."""

    setting: Setting
    value: Value
    source: str


@dataclass(frozen=True)
class Settings:
    """All that a team can choose without writing a profile; `load` makes it.

    What each means, its default and its variables stand in `data/settings.toml`.
    """

    profile: str
    policy: str
    metrics: tuple[str, ...]
    thresholds: Mapping[str, float]
    unsure: Mapping[str, str]
    map: Mapping[str, str]
    workers: int
    batch_size: int
    plugin_memory: int
    store: str
    redact: bool
    seed: int
    include_imputed: bool
    gates: tuple[str, ...]
    min_samples: int
    min_coverage: float
    flaky: str
    embedder: str
    token_embedder: str
    classifier: str
    encoder: str
    judge: str
    verifier: str
    comparer: str
    judge_format: str
    judge_score: str
    judge_repeats: int
    judge_temperature: float
    judge_seed: int
    judge_answer_tokens: int
    judge_repairs: int
    judge_extra: str
    judge_concurrency: int
    judge_timeout: float
    judge_price: str
    max_judge_calls: int
    max_judge_tokens: int
    max_judge_spend: float
    threads: int
    cache: bool
    downloads: bool
    semantic_similarity_threshold: float
    arabic_semantic_similarity_threshold: float
    hallucination_detection_threshold: float
    hallucination_rate_threshold: float
    consistency_threshold: float
    cross_language_consistency_threshold: float
    top_k_threshold: float
    retrieval_relevance_threshold: float
    context_usage_threshold: float
    min_response_length: int
    max_response_time_seconds: float
    sources: Mapping[str, str]
    """Setting → where its value came from."""

    @classmethod
    def load(
        cls,
        cwd: Path | None = None,
        environ: Mapping[str, str] | None = None,
        overrides: Mapping[str, Any] | None = None,
        *,
        config: str | None = None,
        environment: str | None = None,
    ) -> Settings:
        """Put the settings together from what is given, and from nothing else.

        Args:
            cwd: The folder where the search for `assay.toml` starts; no search without it.
            environ: Environment variables; one that is empty counts as not set.
            overrides: What was said on the command line; None stands for not said.
            config: The configuration file, before `ASSAY_CONFIG` and the search.
            environment: Which of its environments, before `ASSAY_ENV`.

        """
        environ = {name: text for name, text in (environ or {}).items() if text}
        environment = environment or environ.get(ENVIRONMENT_VARIABLE)
        path = _config_file(cwd, config or environ.get(CONFIG_VARIABLE))
        if environment and path is None:
            raise ProfileError(
                f"environment {environment!r} is chosen but there is no {FILE_NAME}; "
                f"write one with a table [environments.{environment}]"
            )
        explained = {name: _SourcedValue(s.default, DEFAULT) for name, s in setting_table().items()}
        for stronger in (
            _from_file(path, environment) if path else {},
            _from_variables(environ),
            _from_command_line(overrides or {}),
        ):
            explained = _over(explained, stronger)
        values: dict[str, Any] = {name: given.value for name, given in explained.items()}
        return cls(**values, sources={name: given.source for name, given in explained.items()})

    def override(self, overrides: Mapping[str, Any]) -> Settings:
        """The settings with what a call says over them; None stands for not said."""
        given = {
            name: _SourcedValue(getattr(self, name), source)
            for name, source in self.sources.items()
        }
        over = _over(given, _from_command_line(overrides))
        values: dict[str, Any] = {name: entry.value for name, entry in over.items()}
        return replace(self, **values, sources={name: g.source for name, g in over.items()})

    def is_explicit(self, name: str) -> bool:
        """Whether the command line or the call said it itself."""
        return self.sources[name] == COMMAND_LINE

    def _is_from_file(self, name: str) -> bool:
        known = (DEFAULT, COMMAND_LINE, *setting_table()[name].variables)
        return self.sources[name] not in known

    def explain(self) -> list[ExplainedSetting]:
        """Every setting with its value and where it came from."""
        return [
            ExplainedSetting(setting, getattr(self, name), self.sources[name])
            for name, setting in setting_table().items()
        ]

    def backends(self) -> Backends:
        """The chosen models; `none` says that there is to be none.

        Raises `ProfileError` where a file names a judge at a host that its key is not meant for.
        """
        for name in JUDGED:
            if self._is_from_file(name):
                check_destination(getattr(self, name), self.sources[name], os.environ)
        names = {field.name for field in fields(Backends)} & self.sources.keys()
        chosen: dict[str, Any] = {
            name: "" if (value := getattr(self, name)) == "none" else value for name in names
        }
        chosen["encoder"] = encoder_spec(self.encoder)
        return Backends(**chosen, judging=self._judging())

    def _judging(self) -> JudgeSettings:
        """How the judge is asked."""
        named = {name: f"judge_{name}" for name in JUDGING_NAMES if name != "redact"}
        named |= {name: name.replace("max_", "max_judge_") for name in named if name[:4] == "max_"}
        values: dict[str, Any] = {name: getattr(self, setting) for name, setting in named.items()}
        return JudgeSettings(**{**values, "price": _price(self.judge_price), "redact": self.redact})

    def chosen_profile(self) -> Profile:
        """The profile that is set, completed by what else is set."""
        return self.apply(read_profile(self.profile) if self.profile else Profile())

    def apply(self, profile: Profile) -> Profile:
        """Complete a profile by what someone has set; what the profile itself says stays.

        Only thresholds that are set by metric id go before the profile's. A setting that nobody
        touched changes nothing: every metric has its own default.
        """
        thresholds: dict[str, float] = {}
        options: dict[str, dict[str, Any]] = {}
        for target, value in self._set_targets():
            if target.option:
                options.setdefault(target.metric, {})[target.option] = value
            else:
                thresholds[target.metric] = value
        for metric, own in profile.options.items():
            options[metric] = {**options.get(metric, {}), **own}
        bands = {metric: read_band(ends, metric) for metric, ends in self.unsure.items()}
        return replace(
            profile,
            unsure={**profile.unsure, **bands},
            thresholds={**thresholds, **profile.thresholds, **self.thresholds},
            options=options,
            policy=self._policy(profile),
        )

    def _policy(self, profile: Profile) -> Policy:
        """The pack of the command line, else the profile's own, else the one that is set."""
        is_own = profile.is_policy_chosen or profile.policy != read_policy()
        if self.is_explicit("policy") or not is_own:
            return read_policy(self.policy)
        return profile.policy

    def _set_targets(self) -> Iterator[tuple[MetricSetting, Any]]:
        for setting, value, source in self.explain():
            if source != DEFAULT:
                for target in setting.sets:
                    yield target, value * target.factor  # type: ignore[operator] # numbers only


def _price(text: str) -> tuple[float, float] | None:
    """The two prices of `judge_price`; None where there are none."""
    if not text:
        return None
    try:
        into, out = (float(part) for part in text.split("/"))
    except ValueError:
        into = out = -1.0
    if not (0 <= into < inf and 0 <= out < inf):
        raise ProfileError(
            f"'judge_price' is {text!r}; expected the USD per million tokens of prompt and of "
            "verdict, such as '0.5/1.5'"
        )
    return into, out


class _SourcedValue(NamedTuple):
    value: Value
    source: str


def _over(
    weaker: Mapping[str, _SourcedValue], stronger: Mapping[str, _SourcedValue]
) -> dict[str, _SourcedValue]:
    """What the stronger place says, else the weaker; tables are united entry by entry."""
    result = {**weaker, **stronger}
    for name in weaker.keys() & stronger.keys():
        value, below = stronger[name].value, weaker[name].value
        if isinstance(value, Mapping) and isinstance(below, Mapping):
            united: Any = {**below, **value}
            result[name] = _SourcedValue(united, stronger[name].source)
    return result


def _config_file(cwd: Path | None, named: str | None) -> Path | None:
    """The file that is named, else the first on the way from the folder to its repository's root.

    Outside of a repository only the folder itself is looked at, so that no stranger's file counts.
    """
    if named:
        return (cwd or Path()) / named
    if cwd is None:
        return None
    folders = [cwd, *cwd.parents]
    roots = [place for place, folder in enumerate(folders) if (folder / ".git").exists()]
    searched = folders[: roots[0] + 1] if roots else [cwd]
    return next((f / FILE_NAME for f in searched if (f / FILE_NAME).is_file()), None)


def _from_file(path: Path, environment: str | None) -> dict[str, _SourcedValue]:
    """What the file says at its top level and, over it, in the chosen environment.

    The other environments are checked all the same: a mistake shows before the day it matters.
    """
    table = _read(path)
    environments = table.pop("environments", {})
    if not isinstance(environments, dict):
        raise ProfileError(f"{path}: 'environments' is {environments!r}; expected tables")
    given = {"": _checked(table, str(path), path.parent)}
    for name, entries in environments.items():
        if not isinstance(entries, dict):
            raise ProfileError(f"{path}: environments.{name} is {entries!r}; expected a table")
        given[name] = _checked(entries, f"{path} [environments.{name}]", path.parent)
    if environment and environment not in environments:
        known = ", ".join(environments) or "none"
        raise ProfileError(f"{path}: no environment {environment!r}; there is {known}")
    return _over(given[""], given[environment or ""])


def _read(path: Path) -> dict[str, Any]:
    try:
        return read_toml(path.read_text(encoding="utf-8"), str(path))
    except OSError as error:
        raise ProfileError(f"settings {str(path)!r} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ProfileError(f"settings {str(path)!r} are not UTF-8 text") from None


def _from_variables(environ: Mapping[str, str]) -> dict[str, _SourcedValue]:
    values: dict[str, _SourcedValue] = {}
    for name, setting in setting_table().items():
        variable = next((v for v in setting.variables if v in environ), None)
        if variable:
            values |= _checked({name: setting.parse(environ[variable])}, variable)
    return values


def _from_command_line(overrides: Mapping[str, Any]) -> dict[str, _SourcedValue]:
    given = {name: value for name, value in overrides.items() if value is not None}
    return _checked(given, COMMAND_LINE)


def _checked(
    entries: Mapping[str, Any], source: str, folder: Path | None = None
) -> dict[str, _SourcedValue]:
    """Values of known settings, of the right type; paths start at the folder."""
    known = setting_table()
    values: dict[str, _SourcedValue] = {}
    for name, value in entries.items():
        if name not in known:
            raise ProfileError(f"{source}: unknown key {name!r};{_hint(name)}")
        setting = known[name]
        if not setting.fits(value):
            raise ProfileError(f"{source}: {name!r} is {value!r}; expected {setting.expected}")
        values[name] = _SourcedValue(_located(setting, value, folder), source)
    return values


def _located(setting: Setting, value: Any, folder: Path | None) -> Value:
    """The value in the setting's type; a path of a file starts at the file's folder."""
    ending = setting.path_ending
    is_path = ending is not None and value not in setting.words and value.endswith(ending)
    if folder and value and is_path:
        return str(folder / value)
    kind: Any = type(setting.default)
    kept: Value = kind(value)
    return kept


def _hint(name: str) -> str:
    close = difflib.get_close_matches(name.lower(), [*setting_table(), "environments"], n=1)
    hint = f" did you mean {close[0]!r}?" if close else ""
    return f'{hint} "assay settings" lists all'
