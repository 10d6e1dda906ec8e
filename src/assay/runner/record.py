"""Keeps a run in a store, and takes a stored one out again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.core import Summary, UsageError
from assay.core.secrets import redactor
from assay.engine import WORST, Plan
from assay.store import Store
from assay.store.run_list import Run
from assay.store.runs import RunPlan, RunWriter, start_run
from assay.store.tests import worst_tests


def record_run(
    store: Store,
    name: str | None,
    plan: Plan,
    *,
    resume: bool = False,
    source: str = "",
    total: int | None = None,
    settings: Mapping[str, Any],
) -> RunWriter:
    """Begin, or go on with, a stored run of that plan; `settings` decide the outcome too."""
    if name and redactor().holds(name):
        raise UsageError("the run's name holds a key or a password; give it another one")
    metrics = {step.metric.id: (step.signature, step.threshold) for step in plan.shown}
    weights = {step.metric.id: step.weight for step in plan.shown if step.weight != 1.0}
    decided = RunPlan(metrics, {**settings, "weights": weights})
    return start_run(store, name, decided, resume=resume, source=source, total=total)


def stored_summary(store: Store, run: Run) -> Summary | None:
    """What a run came to, with its worst samples; None while it goes on."""
    if run.summary is None:
        return None
    return Summary.from_json(run.summary, worst_tests(store, run.id, WORST))
