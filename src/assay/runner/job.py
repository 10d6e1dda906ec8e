"""What is to be scored, as plain data that can be sent to another process."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from assay import registry
from assay.backends import Backends
from assay.core import Metric, ProfileError
from assay.data import Profile
from assay.engine import Plan, make_plan
from assay.metrics.judge.rubric import rubric_metric
from assay.runner.judge_cost import priced

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
        """Plan the run; `extra` metrics are scored too, and so are the profile's rubrics."""
        rubrics = [rubric_metric(rubric) for rubric in self.profile.rubrics]
        own = {metric.id: metric for metric in (*extra, *rubrics)}
        known = self._known(rubrics) | own
        selectors = self.metrics or self.profile.metrics if rubrics else self.metrics
        selectors = selectors or (() if own else self.profile.metrics or DEFAULT_METRICS)
        unasked = () if self.backends.judge else {m.id for m in known.values() if m.rubric}
        chosen = registry.select([*selectors, *own], known, unasked=unasked)
        return make_plan(chosen, self.profile, known, backends=priced(self.backends))

    def _known(self, rubrics: Iterable[Metric]) -> dict[str, Metric]:
        known = dict(registry.metrics())
        for plugin in self.plugins:
            known |= registry.load_plugin(plugin)
        for metric in rubrics:
            if metric.id in known:
                raise ProfileError(f"there is a rubric {metric.name!r} already; rename the file")
        return known
