"""Processes that score batches, and go on when a sample ends one of them.

A sample can end the process that scores it: a metric in native code crashes, memory runs out. All
processes of the pool go with it, and which sample it was is unknown. So each batch that was on
its way is scored again in a process of its own; where that one ends too, sample by sample. A
sample that ends two processes alone, after its batch has done so, is given up: its scores are
errors.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import active_children, get_context, parent_process
from threading import Thread
from typing import NamedTuple

from assay.backends.judge_questions import JudgeSpending
from assay.backends.judge_settings import JudgeSettings
from assay.core import AssayError, Sample, Scores
from assay.engine import Plan, failed_scores, score_batch
from assay.runner.job import Job
from assay.runner.judge_cost import spent

ENDED = "The worker process ended while scoring this sample."
MAX_IN_A_ROW = 50
"""So many samples one after the other that end their process are no accident of the data."""


class WorkerResult(NamedTuple):
    """What a worker gives back."""

    scored: list[Scores]
    worker: int
    spent: JudgeSpending
    """What its judge took since it began."""


class Workers:
    """Some processes that score; new ones come for those that end."""

    def __init__(self, job: Job, plan: Plan, count: int) -> None:
        self._job = job
        self._plan = plan
        self._count = count
        self._spent: dict[int, JudgeSpending] = {}
        self._ended_in_a_row = 0
        self._pool = self._start(count)
        self._alone: ProcessPoolExecutor | None = None

    @property
    def spent(self) -> JudgeSpending:
        """What the judges of all processes took."""
        return sum(self._spent.values(), JudgeSpending())

    def submit(self, samples: list[Sample]) -> Future[WorkerResult]:
        """Have some samples scored."""
        try:
            return _submit(self._pool, samples)
        except BrokenProcessPool:
            self._pool = self._start(self._count)
            return _submit(self._pool, samples)

    def result(self, samples: list[Sample], future: Future[WorkerResult]) -> list[Scores]:
        """The scores of samples that were submitted, whatever happened to the processes."""
        try:
            return self._record_spending(future.result())
        except BrokenProcessPool:
            return self._again(samples)

    def close(self) -> None:
        """End all processes without beginning more; a second interrupt ends them at once."""
        try:
            for pool in (self._pool, self._alone):
                if pool:
                    pool.shutdown(wait=True, cancel_futures=True)
        except KeyboardInterrupt:
            for process in active_children():  # left alone, they would complain that we are gone
                process.kill()
            raise

    def _start(self, count: int) -> ProcessPoolExecutor:
        """New processes, which share what is left of the judge's caps."""
        backends = self._job.backends
        left = _left(backends.judging, self.spent).share(self._count)
        job = replace(self._job, backends=replace(backends, judging=left))
        return ProcessPoolExecutor(count, get_context("spawn"), _start_worker, (job,))

    def _again(self, samples: list[Sample]) -> list[Scores]:
        """Score a batch once more, by itself; sample by sample where it ends the process again."""
        whole = self._scored_alone(samples)
        if whole is not None:
            return whole
        return [scores for sample in samples for scores in self._one(sample)]

    def _one(self, sample: Sample) -> list[Scores]:
        """Score a sample by itself; given up when that ends two processes.

        One end proves nothing: it may be the first that this sample had a part in, such as by a
        fault that does not come again, where others ended its batch before.
        """
        for _ in range(2):
            scored = self._scored_alone([sample])
            if scored is not None:
                self._ended_in_a_row = 0
                return scored
        self._ended_in_a_row += 1
        if self._ended_in_a_row >= MAX_IN_A_ROW:
            raise AssayError(
                f"a worker process ended for each of {MAX_IN_A_ROW} samples in a row, "
                "perhaps for want of memory; see what a single one does with --workers 1 --limit 1"
            )
        return [failed_scores(self._plan, sample, ENDED)]

    def _scored_alone(self, samples: list[Sample]) -> list[Scores] | None:
        """The scores by a process that has nothing else to do; None when it ended."""
        pool = self._alone or self._started_alone()
        try:
            return self._record_spending(_submit(pool, samples).result())
        except BrokenProcessPool:
            pool.shutdown()
            self._alone = None
            return None

    def _started_alone(self) -> ProcessPoolExecutor:
        """A process that is known to live, so that it is a sample's doing when it ends."""
        self._alone = self._start(1)
        try:
            with _sheltered():
                started = self._alone.submit(os.getpid)
            started.result()
        except BrokenProcessPool:
            raise AssayError(
                "a worker process ended before it scored anything; try --workers 1"
            ) from None
        return self._alone

    def _record_spending(self, done: WorkerResult) -> list[Scores]:
        before = self._spent.get(done.worker, done.spent)
        self._spent[done.worker] = max(done.spent, before, key=lambda outcome: outcome.calls)
        return done.scored


def _left(judging: JudgeSettings, spent: JudgeSpending) -> JudgeSettings:
    """The judge's caps less what was spent; 0 stands for no cap, so a little is always left."""
    if spent == JudgeSpending():
        return judging
    tokens = spent.usage.prompt_tokens + spent.usage.completion_tokens
    return replace(
        judging,
        max_calls=judging.max_calls and max(1, judging.max_calls - spent.calls),
        max_tokens=judging.max_tokens and max(1, judging.max_tokens - tokens),
        max_spend=judging.max_spend and max(1e-9, judging.max_spend - (spent.usd or 0.0)),
    )


def _submit(pool: ProcessPoolExecutor, samples: list[Sample]) -> Future[WorkerResult]:
    with _sheltered():
        return pool.submit(_score_batch, samples)


@contextmanager
def _sheltered() -> Iterator[None]:
    """Hold Ctrl-C back while processes are started: it is for this program, which gets it after.

    They inherit that, and so are not interrupted before they can say that they ignore it.
    """
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_plan: Plan
"""A worker's plan, made once when the process starts."""


def _start_worker(job: Job) -> None:
    global _plan
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the program that started us
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    Thread(target=_end_with_parent, daemon=True).start()
    _plan = job.plan()


def _end_with_parent() -> None:
    """End this worker when its parent is gone, for whatever reason: no more work can come."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _score_batch(samples: list[Sample]) -> WorkerResult:
    return WorkerResult(score_batch(_plan, samples), os.getpid(), spent(_plan))
