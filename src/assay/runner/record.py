"""Keeps a run in a store, and takes a stored one out again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from threading import Lock
from time import time
from typing import Any

from assay.core import DataError, Sample, SampleError, Scores, Summary, UsageError
from assay.core.errors import StoreBusyError
from assay.core.secrets import redactor
from assay.engine import WORST, Plan
from assay.store import Store
from assay.store.row_codec import Outcome
from assay.store.run_list import Run, find_run
from assay.store.run_writer import RunPlan, RunWriter, start_run
from assay.store.schema import test_id
from assay.store.tests import worst_tests

RunName = str | Callable[[RunPlan], str] | None
"""A run's name, or what makes it of the plan; without one the store makes it of the time."""
ATTEMPTS = 20
"""How often a batch is added to an open run to which other programs add too."""
_ADDING = Lock()
"""Batches of this process are added to open runs one after the other."""
TURN_SECONDS = 5.0
"""How long a batch waits for its turn; only a store that is held makes it as long."""


def record_run(
    store: Store,
    name: RunName,
    plan: Plan,
    *,
    resume: bool = False,
    source: str = "",
    total: int | None = None,
    tags: Iterable[str] = (),
    settings: Mapping[str, Any],
    lease: bool = False,
    now: Callable[[], float] = time,
) -> RunWriter:
    """Begin, or go on with, a stored run of that plan; `settings` decide the outcome too.

    With a `lease` no other program can write the run until the writer is released.
    """
    metrics = {step.metric.id: (step.signature, step.threshold) for step in plan.shown}
    weights = {step.metric.id: step.weight for step in plan.shown if step.weight != 1.0}
    ids = [step.metric.id for step in plan.shown if not (step.gates or step.metric.is_composite)]
    informational = {"informational": ids} if ids else {}
    bands = {step.metric.id: step.unsure for step in plan.shown if step.is_unsure_chosen}
    chosen_bands = {"unsure": {id: list(ends) for id, ends in bands.items() if ends}}
    decided = RunPlan(
        metrics,
        {**settings, "weights": weights, **informational, **(chosen_bands if bands else {})},
    )
    chosen = name(decided) if callable(name) else name
    if chosen and redactor().holds(chosen):
        raise UsageError("the run's name holds a key or a password; give it another one")
    return start_run(
        store,
        chosen,
        decided,
        resume=resume,
        source=source,
        total=total,
        tags=tags,
        lease=lease,
        now=now,
    )


class OpenRunRecorder:
    """Adds batches to a run that stays open, to which other programs may add at the same time."""

    def __init__(self, start: Callable[[], RunWriter], outcomes: Sequence[Outcome] = ()) -> None:
        self.test_ids: list[int] = []
        """The tests that were added."""
        self._start = start
        self._outcomes = iter(outcomes)

    def replay(
        self, items: Iterator[Sample | SampleError], size: int
    ) -> Iterator[tuple[list[Sample | SampleError], list[Scores]]]:
        """Nothing: every item is new."""
        return iter(())

    def record(self, batch: Sequence[Sample | SampleError], scored: Sequence[Scores]) -> None:
        """Add a batch behind what the run holds by now."""
        outcomes = list(islice(self._outcomes, len(batch)))
        with _turn():
            for attempt in range(1, ATTEMPTS + 1):
                writer = self._start()
                if find_run(writer.store, writer.name).status == "finished":
                    raise UsageError(f"run {writer.name!r} is finished; name another one")
                place = writer.places
                try:
                    writer.record(batch, scored, outcomes)
                except StoreBusyError:
                    raise
                except DataError:  # another program was quicker: its batch has our place
                    if attempt == ATTEMPTS:
                        raise
                else:
                    self.test_ids += [test_id(writer.id, place + n) for n in range(len(batch))]
                    return


@contextmanager
def _turn() -> Iterator[None]:
    """The turn of one batch to be added."""
    if not _ADDING.acquire(timeout=TURN_SECONDS):
        raise StoreBusyError("too many results wait to be stored; try again later")
    try:
        yield
    finally:
        _ADDING.release()


def stored_summary(store: Store, run: Run) -> Summary | None:
    """The summary of a run with its worst samples; None while it is running."""
    if run.summary is None:
        return None
    return Summary.from_json(run.summary, worst_tests(store, run.id, WORST))
