"""Calls metrics that are not ours, which may try to end the program or never return.

They run in a thread of their own, or those of plugins in a process of their own where the run has
one. One that spends more than `SECONDS` on a sample is left behind in its thread and not called
again in this run: its scores are errors, so that gates still decide. One that calls `os._exit` has
an error too.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Mapping, Sequence
from contextvars import copy_context
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any

from assay.core import Metric, Result, Span
from assay.core.jsontext import dumps
from assay.core.leaving import may_not_leave
from assay.core.secrets import redactor
from assay.engine.metric_process import MetricProcess

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
            with may_not_leave():
                self.results[index] = self.score(index)
        self.done.set()


class ForeignCalls:
    """The thread of one run, and the metrics that are not called any more.

    The metrics of plugins, `isolated` by id, are called by `process`.
    """

    def __init__(self, process: MetricProcess | None = None, isolated: Container[str] = ()) -> None:
        self._process = process
        self._isolated = isolated
        self._queue: SimpleQueue[Callable[[], None] | None] | None = None
        self._given_up: set[str] = set()

    def __del__(self) -> None:
        self._leave_thread()

    def close(self) -> None:
        """End the process and the idle thread; both start again where they are needed."""
        self._leave_thread()
        if self._process:
            self._process.close()

    def scores(
        self, metric: Metric, rows: Sequence[tuple[Any, ...]], options: Mapping[str, Any]
    ) -> list[Result]:
        """What a metric gives for the arguments of each sample; errors where it does not end."""
        if self._process and metric.id in self._isolated:
            return self._process.results(metric.id, rows, options, SECONDS)
        return self._in_thread(
            metric.id,
            len(rows),
            lambda place: foreign_result(metric.function, rows[place], options),
        )

    def _in_thread(self, metric: str, size: int, score: Callable[[int], Result]) -> list[Result]:
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


def foreign_result(
    function: Callable[..., Any], row: tuple[Any, ...], options: Mapping[str, Any]
) -> Result:
    """What a metric that is not ours gives; an error for whatever it raises, `SystemExit` too."""
    try:
        return _checked(function(*row, **options))
    except BaseException as error:
        return Result.error(error_text(error))


def error_text(error: BaseException) -> str:
    """An exception in one line, without secrets."""
    words = " ".join(f"{type(error).__name__}: {error}".split())
    return redactor()(words)[:500]


def _checked(outcome: Any) -> Result:
    """What a metric that is not ours gave, in the form that every report can write."""
    if isinstance(outcome, bool | int | float):
        outcome = Result(outcome, f"The value is {outcome}.")
    if not isinstance(outcome, Result):
        raise TypeError(f"the metric gave {type(outcome).__name__}; expected assay.Result")
    dumps(dict(outcome.details))
    return outcome._replace(
        value=None if outcome.value is None else float(outcome.value),
        explanation=" ".join(str(outcome.explanation).split()),
        evidence=tuple(Span(str(s[0]), int(s[1]), int(s[2]), str(s[3])) for s in outcome.evidence),
    )


def _serve(queue: SimpleQueue[Callable[[], None] | None]) -> None:
    while (work := queue.get()) is not None:
        work()
