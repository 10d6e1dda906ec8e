"""Which metrics play a part in the figures that the store keeps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from assay.data.bundled_files import read_bundled_toml


@dataclass(frozen=True, slots=True)
class HealthRoles:
    """The metrics behind health."""

    scale: float
    """The value that stands for a share of 1."""
    reliability: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SafetyRoles:
    """The metrics behind safety."""

    scale: float
    """The value that stands for a share of 1."""
    compliance: str
    violation: str
    leakage: str
    harms: tuple[str, ...]
    literal: tuple[str, ...]

    @property
    def metrics(self) -> tuple[str, ...]:
        """All metrics that safety is made of."""
        return (self.compliance, self.violation, self.leakage, *self.harms)


@dataclass(frozen=True, slots=True)
class MetricRoles:
    """The metrics that the store knows by name."""

    health: HealthRoles
    safety: SafetyRoles
    attacks: tuple[str, ...]
    """Security metrics whose tests are counted."""
    similarity: tuple[str, ...]
    """The metrics whose value is a test's similarity, the first choice first."""
    quality_checks: str
    """The metric whose details are a test's quality checks."""


@cache
def metric_roles() -> MetricRoles:
    """The roles as the bundled file gives them."""
    table = read_bundled_toml("metric_roles.toml")
    health, safety, test = table["health"], table["safety"], table["test"]
    return MetricRoles(
        health=HealthRoles(health["scale"], tuple(health["reliability"])),
        safety=SafetyRoles(
            **{**safety, "harms": tuple(safety["harms"]), "literal": tuple(safety["literal"])}
        ),
        attacks=tuple(table["security"]["attacks"]),
        similarity=tuple(test["similarity"]),
        quality_checks=test["quality_checks"],
    )
