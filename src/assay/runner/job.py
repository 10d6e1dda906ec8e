"""What is to be scored, as plain data that can be sent to another process."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from assay import registry
from assay.backends import Backends
from assay.core import Metric
from assay.data import Profile
from assay.engine import Plan, make_plan

DEFAULT_METRICS = ("text",)
"""What is scored when neither the call nor the profile names metrics."""


@dataclass(frozen=True, slots=True)
class Job:
    """Selectors, a profile, the plugins that bring further metrics, and the chosen models."""

    metrics: tuple[str, ...] = ()
    profile: Profile = field(default_factory=Profile)
    plugins: tuple[str, ...] = ()
    backends: Backends = field(default_factory=Backends)

    def plan(self, extra: Iterable[Metric] = ()) -> Plan:
        """Plan the run; `extra` metrics are scored too."""
        extra = tuple(extra)
        known = self._known() | {metric.id: metric for metric in extra}
        selectors = self.metrics or (() if extra else self.profile.metrics or DEFAULT_METRICS)
        chosen = registry.select([*selectors, *(metric.id for metric in extra)], known)
        return make_plan(chosen, self.profile, known, backends=self.backends)

    def _known(self) -> dict[str, Metric]:
        known = dict(registry.metrics())
        for plugin in self.plugins:
            known |= registry.load_plugin(plugin)
        return known
