"""Processes that score batches, and go on when a sample ends one of them.

A sample can end the process that scores it: a metric in native code crashes, memory runs out. All
processes of the pool go with it, and which sample it was is unknown. So each batch that was on
its way is scored again in a process of its own; where that one ends too, sample by sample. A
sample that ends two processes alone, after its batch has done so, is given up: its scores are
errors. A process that is stuck is killed (`assay.runner.heartbeats`), and so has ended too.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from heapq import nsmallest
from multiprocessing import active_children, get_context, parent_process
from threading import Thread
from typing import NamedTuple

from assay.backends.judge_questions import JudgeSpending
from assay.backends.judge_settings import JudgeSettings
from assay.core import AssayError, Sample, Scores
from assay.core.score_digest import MetricGate, ScoreDigest
from assay.engine import WORST, Plan, failed_scores, score_batch
from assay.report.json_file import JsonLines
from assay.runner.heartbeats import Heart, Heartbeats
from assay.runner.job import Job
from assay.runner.judge_cost import spent
from assay.runner.worker_messages import (
    read_samples,
    read_scores,
    sample_texts,
    score_texts,
)

ENDED = "The worker process ended while scoring this sample."
MAX_IN_A_ROW = 50
"""So many samples one after the other that end their process are no accident of the data."""


class WorkerResult(NamedTuple):
    """What a worker gives back."""

    scored: list[str]
    """One text for each sample: its scores, or a digest where they are only summed up."""
    texts: tuple[str, ...] | None
    """What each file gets, where the worker made that."""
    worker: int
    spent: JudgeSpending
    """What its judge took since it began."""


class ScoredBatch(NamedTuple):
    """The scores of some samples."""

    scored: list[Scores]
    texts: tuple[str, ...] | None = None
    """What each file gets of them; None where that is still to be made, of whole scores."""


class Workers:
    """Some processes that score; new ones come for those that end.

    With `renderers` they also make the text of each file, and send back no more than is summed up,
    whole scores only of samples that may be among the worst.
    """

    def __init__(
        self,
        job: Job,
        plan: Plan,
        count: int,
        renderers: tuple[JsonLines, ...] | None = None,
    ) -> None:
        self._renderers = renderers
        self._metrics = [MetricGate(step.metric.id, step.gates) for step in plan.shown]
        self._job = job
        self._plan = plan
        self._count = count
        self._spent: dict[int, JudgeSpending] = {}
        self._ended_in_a_row = 0
        self._heartbeats = Heartbeats()
        self._pool = self._start(count)
        self._alone: ProcessPoolExecutor | None = None

    @property
    def spent(self) -> JudgeSpending:
        """What the judges of all processes took."""
        return sum(self._spent.values(), JudgeSpending())

    def submit(
        self, samples: list[Sample], *, is_first: bool = False, cutoff: float | None = None
    ) -> Future[WorkerResult] | None:
        """Have some samples scored; None where they cannot travel: then `result` scores them here.

        With `is_first` their text stands at the beginning of a file; samples with a score of at
        least `cutoff` are not among the worst.
        """
        texts = sample_texts(samples)
        if texts is None:
            return None
        task = _BatchTask(texts, is_first, cutoff, self._renderers is not None)
        try:
            return _submit(self._pool, task)
        except BrokenProcessPool:
            self._pool = self._start(self._count)
            return _submit(self._pool, task)

    def result(self, samples: list[Sample], future: Future[WorkerResult] | None) -> ScoredBatch:
        """The scores of samples that were submitted, whatever happened to the processes."""
        if future is None:
            return ScoredBatch(score_batch(self._plan, samples))
        try:
            done = future.result()
        except BrokenProcessPool:
            return ScoredBatch(self._again(samples))
        self._record_spending(done)
        return ScoredBatch(self._whole(samples, done.scored), done.texts)

    def _whole(self, samples: list[Sample], texts: Sequence[str]) -> list[Scores]:
        """The scores that came back; those of a digest have no reasons."""
        return [
            one.scores(sample.id, self._metrics) if isinstance(one, ScoreDigest) else one
            for sample, one in zip(samples, read_scores(texts), strict=True)
        ]

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
        finally:
            self._heartbeats.close()

    def _start(self, count: int) -> ProcessPoolExecutor:
        """New processes, which share what is left of the judge's caps."""
        backends = self._job.backends
        left = _left(backends.judging, self.spent).share(self._count)
        job = replace(self._job, backends=replace(backends, judging=left))
        return ProcessPoolExecutor(
            count,
            get_context("spawn"),
            _start_worker,
            (job, self._renderers or (), self._heartbeats.heart),
        )

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
        texts = sample_texts(samples)
        assert texts is not None, "they were submitted, so they can travel"
        try:
            done = _submit(pool, _BatchTask(texts)).result()
            self._record_spending(done)
            return self._whole(samples, done.scored)
        except BrokenProcessPool:
            pool.shutdown()
            self._alone = None
            return None

    def _started_alone(self) -> ProcessPoolExecutor:
        """A process that is known to live, so that it is a sample's doing when it ends."""
        self._alone = self._start(1)
        try:
            with sheltered():
                started = self._alone.submit(os.getpid)
            started.result()
        except BrokenProcessPool:
            raise AssayError(
                "a worker process ended before it scored anything; try --workers 1"
            ) from None
        return self._alone

    def _record_spending(self, done: WorkerResult) -> None:
        before = self._spent.get(done.worker, done.spent)
        self._spent[done.worker] = max(done.spent, before, key=lambda outcome: outcome.calls)


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


class _BatchTask(NamedTuple):
    """What a worker does with some samples."""

    samples: list[str]
    is_first: bool = False
    cutoff: float | None = None
    is_rendered: bool = False


def _submit(pool: ProcessPoolExecutor, task: _BatchTask) -> Future[WorkerResult]:
    with sheltered():
        return pool.submit(_score_batch, task)


@contextmanager
def sheltered() -> Iterator[None]:
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
_renderers: tuple[JsonLines, ...]


def prepare_process() -> None:
    """Leave Ctrl-C to the program that started this process, and end with it."""
    _leave_interrupts()
    Thread(target=_end_with_parent, daemon=True).start()


def _leave_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _start_worker(job: Job, renderers: tuple[JsonLines, ...], heart: Heart) -> None:
    global _plan, _renderers
    _leave_interrupts()
    Thread(target=heart.beat_while_parent_lives, daemon=True).start()
    _plan, _renderers = job.plan(), renderers
    gc.collect()
    gc.freeze()  # what is there now stays; the collector need not walk it after every batch


def _score_batch(task: _BatchTask) -> WorkerResult:
    samples = read_samples(task.samples)
    scored = score_batch(_plan, samples)
    if not task.is_rendered:
        return WorkerResult(score_texts(scored), None, os.getpid(), spent(_plan))
    rows = [*zip(samples, scored, strict=True)]
    texts = tuple([own.text(rows, is_first=task.is_first) for own in _renderers])
    digested = score_texts(_digested(scored, task.cutoff))
    return WorkerResult(digested, texts, os.getpid(), spent(_plan))


def _digested(scored: list[Scores], cutoff: float | None) -> list[Scores | ScoreDigest]:
    """Digests of all scores but those that may be among the worst of the run."""
    below = [
        (scores.score, place)
        for place, scores in enumerate(scored)
        if scores.score is not None and (cutoff is None or scores.score < cutoff)
    ]
    whole = {place for _, place in nsmallest(WORST, below)}
    return [
        scores if place in whole else ScoreDigest.of(scores) for place, scores in enumerate(scored)
    ]
