"""Processes that score batches, and go on when a sample ends one of them.

A sample can end the process that scores it: a metric in native code crashes, memory runs out. All
processes of the pool go with it, and which sample it was is unknown. So each batch that was on
its way is scored again in a process of its own; where that one ends too, sample by sample. A
sample that ends two processes alone, after its batch has done so, is given up: its scores are
errors. A process that is stuck is killed (`assay.runner.heartbeats`), and so has ended too.

Where the system refuses a process, a thread or a file, the run ends with that as its reason. The
pool may have lost the thread by which it notices anything: nothing more is awaited from it then.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from multiprocessing import active_children, get_context, parent_process
from threading import ExceptHookArgs, Thread
from typing import NamedTuple, TypeVar, cast

from assay.backends.judge_questions import JudgeSpending
from assay.backends.judge_settings import JudgeSettings
from assay.core import AssayError, Sample, SampleError, Scores
from assay.core.resource_limits import limit_message
from assay.core.score_digest import MetricGate, ScoreDigest
from assay.engine import Plan, Tally, failed_scores, score_batch
from assay.engine.aggregate import Row
from assay.engine.batch_counts import BatchCounts, worst_places
from assay.report.json_file import JsonLines
from assay.report.output_files import encoded
from assay.runner.heartbeats import Heart, Heartbeats
from assay.runner.job import Job
from assay.runner.judge_cost import spent
from assay.runner.worker_messages import (
    read_row,
    read_samples,
    read_scores,
    sample_texts,
    score_texts,
)
from assay.samples.ids import id_mark
from assay.samples.raw_records import RawRecord
from assay.samples.reader import RecordReading, SampleStream

T = TypeVar("T")

ENDED = "The worker process ended while scoring this sample."
LOOK = 1.0
"""Seconds between two looks whether the pool can still give a result."""
MAX_IN_A_ROW = 50
"""So many samples one after the other that end their process are no accident of the data."""


Item = Sample | SampleError
"""A sample, or why a record is none."""


class Wanted(NamedTuple):
    """What a run wants of its batches beside whole scores."""

    renderers: tuple[JsonLines, ...] | None = None
    """They make the text of each file; None where scores have to come back whole."""
    include_imputed: bool | None = None
    """What counts, where counts are enough; None where scores of each sample are needed."""

    @property
    def takes_lines(self) -> bool:
        """Whether nothing of the samples is needed but their texts and counts."""
        return self.renderers is not None and self.include_imputed is not None


class WorkerResult(NamedTuple):
    """What a worker gives back."""

    worker: int
    spent: JudgeSpending
    """What its judge took since it began."""
    scored: Sequence[str] = ()
    """One text for each sample: its scores, or a digest where they are only summed up."""
    texts: tuple[bytes, ...] | None = None
    """What each file gets, where the worker made that."""
    counts: BatchCounts | None = None
    """What is summed up, where that is enough."""
    rows: Mapping[int, tuple[str, str]] = {}
    """The samples that may be among the worst, and their scores."""
    marks: Sequence[int] = ()
    """Of the samples' ids, where the worker parsed them."""


class ScoredBatch(NamedTuple):
    """Some records, and the scores of those that are samples."""

    items: Sequence[Item]
    scored: Sequence[Scores]
    texts: tuple[bytes, ...] | None = None
    """What each file gets of them; None where that is still to be made, of whole scores."""
    counts: BatchCounts | None = None
    """What is summed up of them; they come without items and scores then."""
    rows: Mapping[int, Row] = {}
    """The samples that may be among the worst, with counts."""


def scored_here(plan: Plan, items: Sequence[Item]) -> ScoredBatch:
    """Some records, scored in this process."""
    return ScoredBatch(items, score_batch(plan, samples_of(items)))


def samples_of(items: Sequence[Item]) -> list[Sample]:
    """Those of the records that are samples."""
    return [item for item in items if isinstance(item, Sample)]


class Workers:
    """Some processes that score; new ones come for those that end.

    They make the texts and counts that are wanted, and send back no more than is needed: whole
    scores only of samples that may be among the worst.
    """

    def __init__(self, job: Job, plan: Plan, count: int, wanted: Wanted) -> None:
        self.wanted = wanted
        self._metrics = [MetricGate(step.metric.id, step.gates) for step in plan.shown]
        self._job = job
        self._plan = plan
        self._count = count
        self._spent: dict[int, JudgeSpending] = {}
        self._ended_in_a_row = 0
        self._alone: ProcessPoolExecutor | None = None
        self._failures = ThreadFailures()
        try:
            self._heartbeats = Heartbeats()
            self._pool = self._start(count)
        except BaseException:
            self._failures.close()
            raise

    @property
    def spent(self) -> JudgeSpending:
        """What the judges of all processes took."""
        return sum(self._spent.values(), JudgeSpending())

    def submit(
        self, items: Sequence[Item], *, is_first: bool = False, cutoff: float | None = None
    ) -> Callable[[], ScoredBatch]:
        """Have some records scored; the call that comes back gives their scores.

        With `is_first` their text stands at the beginning of a file; samples with a score of at
        least `cutoff` are not among the worst. What cannot travel is scored here.
        """
        texts = sample_texts(samples_of(items))
        if texts is None:
            return partial(scored_here, self._plan, items)
        is_rendered = self.wanted.renderers is not None
        future = self._submit(_BatchTask(texts, None, is_first, cutoff, is_rendered))
        return partial(self._result, items, future)

    def submit_lines(
        self, records: Sequence[RawRecord], source: SampleStream, cutoff: float | None
    ) -> Callable[[], ScoredBatch]:
        """Have lines of a file parsed and scored; none of them stands at a file's beginning."""
        assert source.reading is not None, "the first records were read"
        lines = [(place, line) for place, line in records]
        future = self._submit(_BatchTask(lines, source.reading, False, cutoff, True))
        return partial(self._lines_result, records, source, future)

    def _submit(self, task: _BatchTask) -> Future[WorkerResult]:
        try:
            return self._submit_to(self._pool, task)
        except BrokenProcessPool:
            self._pool = self._start(self._count)
            return self._submit_to(self._pool, task)

    def _submit_to(self, pool: ProcessPoolExecutor, task: _BatchTask) -> Future[WorkerResult]:
        with self._failures.reported(), sheltered():
            return pool.submit(_score_batch, task)

    def _result(self, items: Sequence[Item], future: Future[WorkerResult]) -> ScoredBatch:
        """The scores of records that were submitted, whatever happened to the processes."""
        samples = samples_of(items)
        try:
            done = self._failures.result(future)
        except BrokenProcessPool:
            return ScoredBatch(items, self._again(samples))
        self._record_spending(done)
        if done.counts:
            return _counted(done, done.counts.placed(items))
        return ScoredBatch(items, self._whole(samples, done.scored), done.texts)

    def _lines_result(
        self, records: Sequence[RawRecord], source: SampleStream, future: Future[WorkerResult]
    ) -> ScoredBatch:
        """The same for lines, whose ids have to be new."""
        try:
            done = self._failures.result(future)
        except BrokenProcessPool:
            items = source.checked(records)
            return ScoredBatch(items, self._again(samples_of(items)))
        self._record_spending(done)
        if done.counts and source.are_new(done.marks):
            return _counted(done, done.counts)
        return self.submit(source.checked(records))()

    def _whole(self, samples: Sequence[Sample], texts: Sequence[str]) -> list[Scores]:
        """The scores that came back; those of a digest have no reasons."""
        return [
            one.scores(sample.id, self._metrics) if isinstance(one, ScoreDigest) else one
            for sample, one in zip(samples, read_scores(texts), strict=True)
        ]

    def close(self) -> None:
        """End all processes without beginning more; a second interrupt ends them at once."""
        is_sound = not self._failures.message
        if not is_sound:  # nobody would tell them to end
            _kill_children()
        try:
            for pool in (self._pool, self._alone):
                if pool:
                    pool.shutdown(wait=is_sound, cancel_futures=True)
        except KeyboardInterrupt:
            _kill_children()  # left alone, they would complain that we are gone
            raise
        finally:
            self._failures.close()
            self._heartbeats.close()

    def _start(self, count: int) -> ProcessPoolExecutor:
        """New processes, which share what is left of the judge's caps."""
        backends = self._job.backends
        left = _left(backends.judging, self.spent).share(self._count)
        job = replace(self._job, backends=replace(backends, judging=left))
        with self._failures.reported():
            return ProcessPoolExecutor(
                count,
                get_context("spawn"),
                _start_worker,
                (job, self.wanted, self._heartbeats.heart),
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
            done = self._failures.result(self._submit_to(pool, _BatchTask(texts)))
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
            with self._failures.reported(), sheltered():
                started = self._alone.submit(os.getpid)
            self._failures.result(started)
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
    """What a worker does with some records."""

    records: list[str] | list[tuple[str, bytes]]
    """The texts of samples; or places and lines of a file."""
    reading: RecordReading | None = None
    """How lines are read."""
    is_first: bool = False
    cutoff: float | None = None
    is_rendered: bool = False

    def items(self) -> list[Item]:
        """The records, parsed."""
        if self.reading is None:
            return [*read_samples(cast("list[str]", self.records))]
        return [self.reading.item(RawRecord(*line)) for line in self.records]


def _counted(done: WorkerResult, counts: BatchCounts) -> ScoredBatch:
    rows = {place: partial(read_row, *texts) for place, texts in done.rows.items()}
    return ScoredBatch((), (), done.texts, counts, rows)


class ThreadFailures:
    """Notices that the system refused a thread of this program, or this program, what it needs.

    A pool whose own thread ends so never completes a future, and says nothing. Which pool a thread
    belongs to is not known: all runs of this program that go on then end, and can be resumed.
    """

    def __init__(self) -> None:
        self.message = ""
        """The limit that was reached; empty as long as there is none."""
        self._is_open = True
        self._before = threading.excepthook
        threading.excepthook = self._notice

    def close(self) -> None:
        """Leave other threads alone again."""
        self._is_open = False
        if threading.excepthook == self._notice:  # else a later one leads here, and on
            threading.excepthook = self._before

    def result(self, future: Future[T]) -> T:
        """What the future gives; raises `AssayError` where it never will."""
        while not future.done():
            wait([future], LOOK)
            if self.message and not future.done():
                raise AssayError(self.message)
        return future.result()

    @contextmanager
    def reported(self) -> Iterator[None]:
        """Raise an error that a limit caused as `AssayError`."""
        try:
            yield
        except (OSError, RuntimeError, MemoryError) as error:
            if isinstance(error, BrokenProcessPool) or not (message := limit_message(error)):
                raise
            self.message = message
            raise AssayError(message) from error

    def _notice(self, failure: ExceptHookArgs) -> None:
        error = failure.exc_value
        message = limit_message(error) if error and self._is_open else None
        self.message = message or self.message
        is_followed = isinstance(getattr(self._before, "__self__", None), ThreadFailures)
        if not message or is_followed:
            self._before(failure)


def _kill_children() -> None:
    for process in active_children():
        process.kill()


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
_wanted: Wanted
_tally: Tally


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


def _start_worker(job: Job, wanted: Wanted, heart: Heart) -> None:
    global _plan, _wanted, _tally
    _leave_interrupts()
    Thread(target=heart.beat_while_parent_lives, daemon=True).start()
    _plan, _wanted = job.plan(), wanted
    _tally = Tally(_plan, include_imputed=bool(wanted.include_imputed))
    gc.collect()
    gc.freeze()  # what is there now stays; the collector need not walk it after every batch


def _score_batch(task: _BatchTask) -> WorkerResult:
    items = task.items()
    samples = samples_of(items)
    scored = score_batch(_plan, samples)
    done = WorkerResult(os.getpid(), spent(_plan))
    if not task.is_rendered:
        return done._replace(scored=score_texts(scored))
    rows = [*zip(samples, scored, strict=True)]
    renderers = _wanted.renderers or ()
    texts = tuple([encoded(own.text(rows, is_first=task.is_first)) for own in renderers])
    done = done._replace(texts=texts)
    if not _wanted.takes_lines:
        return done._replace(scored=score_texts(_digested(scored, task.cutoff)))
    counts = _tally.counts(items, scored)
    worst = counts.worst(task.cutoff)
    rendered = sample_texts([samples[place] for place in worst])
    if rendered is None:  # the run parses and scores them itself
        return done
    whole = zip(rendered, score_texts([scored[place] for place in worst]), strict=True)
    return done._replace(
        counts=counts,
        rows=dict(zip(worst, whole, strict=True)),
        marks=[id_mark(sample.id) for sample in samples] if task.reading else (),
    )


def _digested(scored: list[Scores], cutoff: float | None) -> list[Scores | ScoreDigest]:
    """Digests of all scores but those that may be among the worst of the run."""
    whole = {*worst_places([scores.score for scores in scored], cutoff)}
    return [
        scores if place in whole else ScoreDigest.of(scores) for place, scores in enumerate(scored)
    ]
