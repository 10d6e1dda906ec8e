"""Chooses metrics by the fields that the data has, as the rules of a profile say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from assay import registry
from assay.core import Metric, Sample
from assay.data import Profile
from assay.data.profiles import FieldRule

ALWAYS = "always"
"""Why a metric is chosen by a rule that asks for no field."""


class FieldChoice(NamedTuple):
    """What the rules of a profile chose."""

    metrics: tuple[str, ...]
    gating: frozenset[str]
    """Those that the profile has decide passes."""
    informational: frozenset[str]
    """Those that the profile has decide nothing."""
    line: str
    """What was chosen and why, for people."""


def choose(
    profile: Profile,
    samples: Sequence[Sample] | None,
    known: Mapping[str, Metric],
    gated: Iterable[str] = (),
) -> FieldChoice:
    """What a profile's rules choose for data that begins with these samples.

    None stands for data that is not known yet: every rule may apply. A metric with a threshold of
    the user's own that no rule names is chosen too. Metrics that gates name (`gated`) are scored;
    their evidence says whether they decide.
    """
    rule_of: dict[str, FieldRule] = {}
    reasons: dict[str, list[str]] = {}
    for rule in profile.rules:
        if samples is not None and not _applies(rule, samples):
            continue
        chosen = _ids(rule, known)
        rule_of |= {id: rule for id in chosen if id not in rule_of}
        named = {name for names in reasons.values() for name in names}
        new = [name for name in rule.metrics if name not in named]
        if new:
            reasons.setdefault(" + ".join(rule.fields) or ALWAYS, []).extend(new)
    ruled = {id for rule in profile.rules for id in _ids(rule, known)}
    own = tuple(id for id in profile.thresholds if id not in ruled and id in known)
    more = tuple(id for id in dict.fromkeys(gated) if id in known and id not in {*rule_of, *own})
    reasons |= {why: [*ids] for why, ids in (("threshold", own), ("gate", more)) if ids}
    message = "; ".join(f"{', '.join(names)} ({why})" for why, names in reasons.items())
    return FieldChoice(
        (*rule_of, *own, *more),
        frozenset({*own, *(id for id, rule in rule_of.items() if rule.gates)}),
        frozenset(id for id, rule in rule_of.items() if rule.gates is False),
        f"{profile.name} chose {message}" if message else "",
    )


def _ids(rule: FieldRule, known: Mapping[str, Metric]) -> tuple[str, ...]:
    """The metrics of a rule; an unknown one is rejected."""
    return tuple(metric.id for metric in registry.select(rule.metrics, known))


def _applies(rule: FieldRule, samples: Iterable[Sample]) -> bool:
    """Whether some sample has all fields of the rule."""
    return any(all(_has(sample, name) for name in rule.fields) for sample in samples)


def _has(sample: Sample, name: str) -> bool:
    return not sample.lacks(name) and getattr(sample, name) not in ("", {})
