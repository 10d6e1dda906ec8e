"""What a client may choose for an evaluation: names of things that are bundled or stored.

No choice is a path or a URL: files and models of the machine are named by its operator alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from assay.core import ProfileError, UsageError
from assay.data import Profile, profile, profile_names
from assay.data.bundled_files import read_toml
from assay.data.json_options import parse_strategies
from assay.data.policies import policy_names
from assay.data.profiles import read_profile
from assay.runner import Job, make_job
from assay.settings import Settings
from assay.store import Store
from assay.store.configuration import find_strategies, find_version


@dataclass(frozen=True, slots=True)
class Choices:
    """How an evaluation is done, as plain data that decides it for good."""

    metrics: tuple[str, ...] = ()
    """Selectors; empty: those of the profile or the settings."""
    profile: str | None = None
    """A bundled or a stored profile; None: the one that the server was started with."""
    profile_version: int | None = None
    """Which version of a stored one."""
    policy: str | None = None
    strategies: Mapping[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        """The choices as plain data."""
        return asdict(self)

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Choices:
        """The choices again, from what `to_json` gave."""
        return cls(**{**fields, "metrics": tuple(fields["metrics"])})


def choose(
    store: Store,
    *,
    metrics: tuple[str, ...] = (),
    profile: str | None = None,
    policy: str | None = None,
    strategies: Mapping[str, Any] | str | None = None,
) -> Choices:
    """Pin a client's choices down: a later change of what is stored changes nothing of them."""
    version = None
    if profile is not None and profile not in profile_names():
        version = find_version(store, "profile", profile).version
    if policy is not None and policy not in policy_names():
        raise UsageError(f"unknown policy {policy!r}; expected one of {', '.join(policy_names())}")
    if isinstance(strategies, str):
        strategies = find_strategies(store, strategies)
    elif strategies is not None:
        parsed = parse_strategies(strategies, "strategies")
        strategies = {field: options.to_json() for field, options in parsed.items()}
    return Choices(metrics, profile, version, policy, strategies)


class Chosen(NamedTuple):
    """What an evaluation is done by: the first parts of its request."""

    settings: Settings
    job: Job


def chosen(store: Store, settings: Settings, choices: Choices) -> Chosen:
    """The settings and the job of these choices, on top of what the server was started with."""
    own = settings.override({"metrics": choices.metrics or None, "policy": choices.policy})
    profile = _profile(store, choices)
    return Chosen(own, make_job(own, profile=profile, strategies=choices.strategies))


def _profile(store: Store, choices: Choices) -> Profile | None:
    """The profile that the client names; None for the one of the settings."""
    name = choices.profile
    if name is None:
        return None
    if choices.profile_version is None:
        return profile(name)
    stored = find_version(store, "profile", name, choices.profile_version)
    return safe_profile(name, stored.body)


def safe_profile(name: str, text: str) -> Profile:
    """Read a profile that came over the network; one that names a file is refused unread."""
    try:
        table = read_toml(text, name)
    except RecursionError:
        raise ProfileError(f"{name}: nested too deep") from None
    named = table.get("policy")
    if named is not None and named not in policy_names():
        known = ", ".join(policy_names())
        raise ProfileError(f"{name}: 'policy' is {named!r}; expected one of {known}")
    json = table.get("json")
    if isinstance(json, dict) and isinstance(json.get("strategies"), str):
        raise ProfileError(f"{name}: json.strategies names a file; expected a table of fields")
    if "rubrics" in table:
        raise ProfileError(f"{name}: 'rubrics' names a file, which a stored profile cannot")
    return read_profile(name, text)
