"""Decides, once a run, which features are computed, in which order, and how metrics are called."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from graphlib import CycleError, TopologicalSorter
from math import inf
from typing import Any, Literal, get_args, get_origin, get_type_hints

from assay import registry
from assay.backends import Backends
from assay.core import BACKENDS, CHOICES, RESOURCES, Feature, Metric, ProfileError, Sample
from assay.data import Profile, file_fingerprint, fingerprint, lexicon
from assay.data.gating import gates
from assay.engine.foreign import ForeignCalls
from assay.features.policy_hits import require_sound
from assay.safety.pii_masking import masked
from assay.textproc.patterns import matcher
from assay.version import __version__

SAMPLE_FIELDS = tuple(f.name for f in fields(Sample))


@dataclass(frozen=True, slots=True)
class PlanStep:
    """A metric with the options, threshold and signature that it has in this run."""

    metric: Metric
    options: Mapping[str, Any]
    threshold: float | None
    is_threshold_chosen: bool
    """Whether the profile set it; it then holds for every sample."""
    weight: float
    low: float
    high: float
    signature: str
    is_shown: bool
    """False for a metric that only a composite asked for."""
    is_own: bool
    """Whether it is one of ours, whose results our tests have checked."""
    gates: bool
    """Whether it decides passes; otherwise it is for information."""
    unsure: tuple[float, float] | None
    """Between which values nothing is decided; None where a threshold alone was chosen."""
    is_unsure_chosen: bool = False
    """Whether the profile set these ends; they then hold for every sample."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run computes: features in order, then metrics in order, composites last."""

    steps: tuple[PlanStep, ...]
    features: tuple[Feature, ...]
    fields: tuple[str, ...]
    """Sample fields that features or metrics read."""
    resources: Mapping[str, Any]
    """What features get besides texts: the pattern matcher, models, the team's choices."""
    selection: str = ""
    """What was chosen by the data at hand, and why, in one line; empty where people chose."""
    foreign: ForeignCalls = field(default_factory=ForeignCalls, compare=False, repr=False)
    """How metrics that are not ours are called."""

    @property
    def shown(self) -> tuple[PlanStep, ...]:
        """The metrics that the caller asked for."""
        return tuple(step for step in self.steps if step.is_shown)

    @property
    def gating(self) -> tuple[str, ...]:
        """The metrics that decide passes and the overall score."""
        return tuple(step.metric.id for step in self.shown if step.gates)


def make_plan(
    chosen: Iterable[Metric],
    profile: Profile | None = None,
    known: Mapping[str, Metric] | None = None,
    given: Iterable[str] = (),
    backends: Backends | None = None,
    *,
    gating: Container[str] | None = None,
    informational: Container[str] = (),
    selection: str = "",
    foreign: ForeignCalls | None = None,
) -> Plan:
    """Plan a run of the chosen metrics under a profile.

    `given` names features whose values the caller brings along; they are not computed. `backends`
    are the models that features may ask; the default ones unless given. `gating` are the metrics
    that a person chose, so that they decide passes: all unless given. Those that are
    `informational` do not, unless a threshold was set for them. `foreign` says how metrics that
    are not ours are called: in a thread unless given.
    """
    backends = backends or Backends()
    profile = profile or Profile()
    known = registry.metrics() if known is None else known
    chosen = list(chosen)
    _check(profile, known)
    shown = {metric.id: metric for metric in chosen}
    parts = {} if "scores" in given else _all_parts(shown, known, profile)
    steps: dict[str, PlanStep] = {}
    for metric in _in_order({**known, **shown}, sorted({*shown, *parts}), parts):
        combined = [steps[id].signature for id in sorted(parts.get(metric.id, ()))]
        step = _step(metric, profile, backends, combined, metric.id in shown)
        is_chosen = step.is_threshold_chosen or gating is None or metric.id in gating
        is_left_out = metric.id in informational and not step.is_threshold_chosen
        steps[metric.id] = replace(
            step, gates=step.is_shown and not is_left_out and gates(metric, is_chosen=is_chosen)
        )
    features, sample_fields = _order(steps.values(), frozenset(given))
    names = frozenset(
        name
        for step in steps.values()
        if any(parameter.endswith("_hits") for parameter in step.metric.parameters)
        for name in step.metric.lexicons
    )
    read = [feature.parameters for feature in features]
    read += [step.metric.parameters for step in steps.values()]
    needed = {name for parameters in read for name in parameters if name in RESOURCES}
    resources = backends.open(sorted(needed.intersection(BACKENDS)), masked)
    resources |= {name: getattr(profile, name) for name in needed.intersection(CHOICES)}
    if "policy" in needed:
        require_sound(profile.policy)
    if "rubrics" in needed:
        rubrics = (step.metric.rubric for step in steps.values())
        resources["rubrics"] = tuple(rubric for rubric in rubrics if rubric is not None)
    if "matcher" in needed:
        resources["matcher"] = matcher(names)
    return Plan(
        tuple(steps.values()),
        features,
        sample_fields,
        resources,
        selection,
        foreign or ForeignCalls(),
    )


def language_field(metric: Metric) -> str:
    """The text field whose language decides whether the metric can read the sample."""
    return next((name for name in ("response", "query") if name in metric.inputs), "response")


def _parts(metric: Metric, profile: Profile) -> tuple[str, ...]:
    """The metrics whose scores a composite combines."""
    if not metric.is_composite:
        return ()
    return tuple(profile.options.get(metric.id, {}).get("metrics", metric.options["metrics"]))


def _all_parts(
    chosen: Mapping[str, Metric], known: Mapping[str, Metric], profile: Profile
) -> dict[str, tuple[str, ...]]:
    """What every chosen metric combines, and what its parts combine; nothing for a plain one."""
    parts: dict[str, tuple[str, ...]] = {}
    pending = list(chosen.values())
    while pending:
        metric = pending.pop()
        parts[metric.id] = _parts(metric, profile)
        for id in parts[metric.id]:
            if id not in known:
                raise ProfileError(f"{metric.id!r} combines {id!r}, which does not exist")
            if id not in parts:
                pending.append(known[id])
    return parts


def _in_order(
    known: Mapping[str, Metric], ids: Iterable[str], parts: Mapping[str, tuple[str, ...]]
) -> list[Metric]:
    """The metrics by id, plain ones first, each composite after all that it combines."""
    sorter = TopologicalSorter({id: parts.get(id, ()) for id in ids})
    try:
        sorter.prepare()
    except CycleError as error:
        raise ProfileError(f"composites combine each other: {' → '.join(error.args[1])}") from None
    ordered: list[Metric] = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        ordered += [known[id] for id in ready]
        sorter.done(*ready)
    return sorted(ordered, key=lambda metric: metric.is_composite)


def _check(profile: Profile, known: Mapping[str, Metric]) -> None:
    """Reject a profile that names metrics or options that do not exist."""
    for part in ("thresholds", "unsure", "options", "weights"):
        for id in getattr(profile, part):
            if id not in known:
                reason = registry.unknown_metric(id, known)
                raise ProfileError(f"profile {profile.name!r}: {part}: {reason}")
    for id, threshold in profile.thresholds.items():
        low, high = _ends(known[id])
        if not low <= threshold <= high:
            raise ProfileError(f"the threshold of {id!r} is {threshold}; expected {low} to {high}")
    for id, ends in profile.unsure.items():
        _check_band(known[id], ends, profile.thresholds.get(id))
    for id, options in profile.options.items():
        for name, value in options.items():
            if name not in known[id].options:
                expected = ", ".join(known[id].options) or "none"
                raise ProfileError(f"{id!r} has no option {name!r}; expected {expected}")
            if expected := _misfit(known[id], name, value):
                raise ProfileError(f"option {name!r} of {id!r} is {value!r}; expected {expected}")


def _check_band(metric: Metric, band: tuple[float, float], chosen: float | None) -> None:
    """Reject an unsure zone that the metric's values and threshold cannot have."""
    low, high = _ends(metric)
    if chosen is None and metric.threshold is None:
        raise ProfileError(f"{metric.id!r} has no threshold, so that nothing is unsure; set one")
    if not low <= band[0] or not band[1] <= high:
        raise ProfileError(
            f"the unsure zone of {metric.id!r} is {band[0]:g} to {band[1]:g}; expected values "
            f"within {low:g} to {high:g}"
        )
    if chosen is not None and not band[0] <= chosen <= band[1]:
        raise ProfileError(
            f"the unsure zone of {metric.id!r} is {band[0]:g} to {band[1]:g}; expected its "
            f"threshold {chosen:g} within"
        )


def _ends(metric: Metric) -> tuple[float, float]:
    """The lowest and the highest value; infinite where the range is open."""
    low, high = metric.range
    return -inf if low is None else low, inf if high is None else high


def _misfit(metric: Metric, name: str, value: Any) -> str:
    """What an option should be, when the value is something else; the annotation decides."""
    try:
        kind = get_type_hints(metric.function).get(name)
    except NameError:  # a user's annotation that only a type checker can resolve
        return ""
    if get_origin(kind) is Literal:
        choices = get_args(kind)
        return "" if value in choices else f"one of {', '.join(map(repr, choices))}"
    if kind in (int, float):
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return "" if is_number and 0 <= value < inf else "a number of 0 or more"
    if get_origin(kind) is tuple:
        is_list = isinstance(value, list | tuple) and all(isinstance(v, str) for v in value)
        return "" if is_list or get_args(kind)[:1] != (str,) else "a list of texts"
    return ""


def _step(
    metric: Metric,
    profile: Profile,
    backends: Backends,
    parts: Sequence[str],
    is_shown: bool,
) -> PlanStep:
    """The metric under a profile; `parts` are the signatures of the scores that it combines."""
    options = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in profile.options.get(metric.id, {}).items()
    }
    low, high = _ends(metric)
    return PlanStep(
        metric=metric,
        options=options,
        threshold=profile.thresholds.get(metric.id, metric.threshold),
        is_threshold_chosen=metric.id in profile.thresholds,
        weight=profile.weights.get(metric.id, 1.0),
        low=low,
        high=high,
        signature=_signature(metric, options, profile, backends, parts),
        is_shown=is_shown,
        is_own=metric.module.startswith("assay.metrics."),
        gates=False,
        unsure=profile.unsure.get(
            metric.id, None if metric.id in profile.thresholds else metric.unsure
        ),
        is_unsure_chosen=metric.id in profile.unsure,
    )


def _signature(
    metric: Metric,
    options: Mapping[str, Any],
    profile: Profile,
    backends: Backends,
    combined: Sequence[str],
) -> str:
    """All that decides the score: definition, data, features, options that differ, our version."""
    parts = [metric.id, f"v:{metric.version}"]
    parts += [f"lex:{name}@{lexicon(name).fingerprint}" for name in metric.lexicons]
    if metric.rubric is not None:
        parts.append(f"rubric:{metric.rubric.fingerprint}")
    if features := _features_of(metric.parameters):
        parts.append(f"feat:{fingerprint(' '.join(sorted(features)))}")
    if combined:
        parts.append(f"parts:{fingerprint(' '.join(combined))}")
    resources = _resources_of(metric.parameters)
    parts += [f"{name}:{backends.identity(name)}" for name in sorted(resources & {*BACKENDS})]
    chosen = sorted(resources & {*CHOICES})
    parts += [f"{name}:{getattr(profile, name).identity}" for name in chosen]
    parts += [
        f"{name}:{value!r}"
        for name, value in sorted(options.items())
        if value != metric.options[name]
    ]
    return "|".join([*parts, f"assay:{__version__}"])


def _features_of(parameters: Iterable[str]) -> set[str]:
    """Version and data files of every feature behind some parameters."""
    known = registry.features()
    names: set[str] = set()
    for feature in (known[name] for name in parameters if name in known):
        data = (f"{path}@{file_fingerprint(path)}" for path in feature.data)
        names |= {f"{feature.function.__name__}:{feature.version}", *data}
        names |= _features_of(feature.parameters)
    return names


def _resources_of(parameters: Iterable[str]) -> set[str]:
    """The back-ends and choices behind some parameters."""
    known = registry.features()
    names = {name for name in parameters if name in RESOURCES and name != "matcher"}
    for name in parameters:
        if name in known:
            names |= _resources_of(known[name].parameters)
    return names


def _order(
    steps: Iterable[PlanStep], given: frozenset[str]
) -> tuple[tuple[Feature, ...], tuple[str, ...]]:
    """The features that the metrics need, each after what it needs itself, and the fields."""
    known = registry.features()
    ordered: dict[str, Feature] = {}
    sample_fields: dict[str, None] = {}

    def need(name: str, reader: str) -> None:
        if name in given or name in ordered or name == "scores" or name in RESOURCES:
            return
        if name in SAMPLE_FIELDS:
            sample_fields[name] = None
        elif name in known:
            for parameter in known[name].parameters:
                need(parameter, name)
            ordered[name] = known[name]
        else:
            raise ProfileError(
                f"{reader!r} reads {name!r}, which is neither a sample field nor a feature"
            )

    for step in steps:
        metric = step.metric
        language = (f"{language_field(metric)}_language",) if metric.languages else ()
        for name in (*metric.inputs, *metric.parameters, *language):
            need(name, metric.id)
    return tuple(ordered.values()), tuple(sample_fields)
