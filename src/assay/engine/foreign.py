"""Calls metrics that are not ours, which may try to end the program or never return.

They run in a thread of their own. One that spends more than `SECONDS` on a sample is left behind in
its thread and not called again in this run: its scores are errors, so that gates still decide.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextvars import copy_context
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Event, Thread

from assay.core import Result

SECONDS = 300.0
"""For one sample: far more than a model that is asked several times needs."""


@dataclass(slots=True)
class _Work:
    """The samples of one batch, and how far a thread is with them."""

    score: Callable[[int], Result]
    results: list[Result | None]
    began: float
    done: Event = field(default_factory=Event)

    def run(self) -> None:
        for index in range(len(self.results)):
            self.began = time.monotonic()
            self.results[index] = self.score(index)
        self.done.set()


class ForeignCalls:
    """The thread of one run, and the metrics that are not called any more."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[Callable[[], None] | None] | None = None
        self._given_up: set[str] = set()

    def __del__(self) -> None:
        self._leave_thread()

    def scores(self, metric: str, size: int, score: Callable[[int], Result]) -> list[Result]:
        """What `score` gives for each sample of a batch; errors where it does not end."""
        late = Result.error(f"The metric did not end within {SECONDS:g} seconds for one sample.")
        if metric in self._given_up:
            return [late] * size
        work = _Work(score, [None] * size, time.monotonic())
        context = copy_context()
        self._started().put(lambda: context.run(work.run))
        while not work.done.wait(max(0.0, work.began + SECONDS - time.monotonic())):
            if time.monotonic() >= work.began + SECONDS:
                self._given_up.add(metric)
                self._leave_thread()
                break
        return [result or late for result in list(work.results)]

    def _leave_thread(self) -> None:
        """Let the thread end, should it ever come to it."""
        if self._queue:
            self._queue.put(None)
        self._queue = None

    def _started(self) -> SimpleQueue[Callable[[], None] | None]:
        if self._queue is None:
            self._queue = SimpleQueue()
            Thread(target=_serve, args=(self._queue,), name="metrics", daemon=True).start()
        return self._queue


def _serve(queue: SimpleQueue[Callable[[], None] | None]) -> None:
    while (work := queue.get()) is not None:
        work()
