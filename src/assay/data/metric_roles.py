"""Which metrics play a part in the figures that the store keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from assay.data.bundled_files import read_bundled_toml

Alternatives = tuple[str, ...]
"""Metrics that stand for one part; the first that has values counts."""


@dataclass(frozen=True, slots=True)
class HealthRoles:
    """The metrics behind health."""

    reliability: tuple[Alternatives, ...]

    @property
    def metrics(self) -> tuple[str, ...]:
        """All metrics that health may be made of."""
        return tuple(id for part in self.reliability for id in part)


@dataclass(frozen=True, slots=True)
class SafetyRoles:
    """The metrics behind safety."""

    compliance: str
    violation: str
    leakage: Alternatives
    harms: tuple[Alternatives, ...]
    literal: tuple[str, ...]

    @property
    def metrics(self) -> tuple[str, ...]:
        """All metrics that safety may be made of."""
        harms = (id for part in self.harms for id in part)
        return (self.compliance, self.violation, *self.leakage, *harms)


@dataclass(frozen=True, slots=True)
class MetricRoles:
    """The metrics that the store knows by name."""

    scales: Mapping[str, float]
    """Family → the value that stands for a share of 1, where it is not 1."""
    health: HealthRoles
    safety: SafetyRoles
    attacks: tuple[str, ...]
    """Security metrics whose tests are counted."""
    similarity: tuple[str, ...]
    """The metrics whose value is a test's similarity, the first choice first."""
    quality_checks: str
    """The metric whose details are a test's quality checks."""

    def scale(self, metric: str) -> float:
        """The value of a metric that stands for a share of 1."""
        return self.scales.get(metric.partition(".")[0], 1.0)


@cache
def metric_roles() -> MetricRoles:
    """The roles as the bundled file gives them."""
    table = read_bundled_toml("metric_roles.toml")
    safety, test = table["safety"], table["test"]
    return MetricRoles(
        scales=table["scale"],
        health=HealthRoles(tuple(map(tuple, table["health"]["reliability"]))),
        safety=SafetyRoles(
            compliance=safety["compliance"],
            violation=safety["violation"],
            leakage=tuple(safety["leakage"]),
            harms=tuple(map(tuple, safety["harms"])),
            literal=tuple(safety["literal"]),
        ),
        attacks=tuple(table["security"]["attacks"]),
        similarity=tuple(test["similarity"]),
        quality_checks=test["quality_checks"],
    )
