"""The gates of a run: what has to hold, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assay.core import Summary, UsageError
from assay.data.suites import CONTROL
from assay.engine import Gate, GatePolicy, GateWatch, Plan, Tally, parse_gate
from assay.runner.sides import is_file
from assay.runner.stream import Sink
from assay.samples.suites import SUITE
from assay.settings import Settings

if TYPE_CHECKING:  # needs NumPy
    from assay.runner.baseline import BaselineGates


CONTROLS_ANSWERED = f"min(suite.behaviour)[tag={CONTROL}]>=1"
"""Every harmless question of a suite is answered."""


@dataclass(frozen=True)
class GateRequest:
    """What has to hold of a run, and against which earlier one."""

    gates: tuple[Gate, ...]
    policy: GatePolicy
    baseline: str | None = None
    """A stored run, or a file of results."""
    fail_if_worse: tuple[str, ...] = ()
    """Which metrics may not be worse than in the baseline; all unless named."""
    allow_lost: int = 0
    """How many samples may lose the pass that they had in the baseline."""


class RunGates:
    """The gates of one run, from its first sample to their verdicts."""

    def __init__(self, request: GateRequest, settings: Settings, plan: Plan) -> None:
        self._policy = request.policy
        self._watch = GateWatch(
            list(request.gates),
            plan,
            request.policy,
            include_imputed=settings.include_imputed,
            seed=settings.seed,
        )
        self._baseline = _open_baseline(request, settings, plan)

    @property
    def sinks(self) -> list[Sink]:
        """What has to see every scored sample."""
        return [self._watch, *([self._baseline.live] if self._baseline else [])]

    def count(self, tally: Tally) -> None:
        """Take a whole run that was counted elsewhere."""
        self._watch.count(tally.scored)

    def judged(self, summary: Summary) -> Summary:
        """The summary with the verdicts."""
        verdicts = self._watch.verdicts(summary)
        if self._baseline:
            verdicts += self._baseline.verdicts(self._policy, summary)
        return replace(summary, gates=verdicts)


def with_controls(request: GateRequest | None, source: str, plan: Plan) -> GateRequest | None:
    """The gates of a run; that of a bundled suite also has to answer the suite's controls."""
    is_scored = any(step.metric.id == "suite.behaviour" for step in plan.shown)
    if not source.startswith(SUITE) or not is_scored:
        return request
    result = request or GateRequest((), GatePolicy())
    return replace(result, gates=(*result.gates, parse_gate(CONTROLS_ANSWERED)))


def _open_baseline(request: GateRequest, settings: Settings, plan: Plan) -> BaselineGates | None:
    if not request.baseline:
        return None
    from assay.runner.baseline import BaselineGates

    store = None
    if not is_file(request.baseline):
        from assay.store import open_store

        if settings.store == "none":
            raise UsageError("no store is set to find the baseline in; name one with --store")
        store = open_store(settings.store)
    return BaselineGates(
        request.baseline, store, plan, request.fail_if_worse, settings.seed, request.allow_lost
    )
