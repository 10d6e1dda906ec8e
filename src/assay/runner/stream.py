"""A run over a stream of samples, in bounded memory, over one process or several.

Batches are scored side by side but taken back in order, so that sums, files and reports are the
same for any number of workers and any size of batch.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack
from itertools import chain, islice
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Protocol

from assay.core import AssayError, Sample, SampleError, Scores, Summary
from assay.engine import Plan, Tally, score_batch
from assay.runner.job import Job
from assay.runner.mask import mask, mask_sample, mask_scores

Item = Sample | SampleError
"""A sample, or why a record is none."""
Batch = list[Item]
Scored = Iterator[tuple[Batch, list[Scores]]]
BATCH_SIZE = 256


class Sink(Protocol):
    """Takes scored samples one by one."""

    def write(self, sample: Sample, scores: Scores) -> None: ...


class Recorder(Protocol):
    """Keeps the batches of a run, and knows those that an earlier attempt has kept."""

    def replay(self, items: Iterator[Item], size: int) -> Scored:
        """The batches that are kept already; takes their records from the items."""

    def record(self, batch: Sequence[Item], scored: Sequence[Scores]) -> None:
        """Keep a batch; it is safe when this returns."""


def run_stream(
    items: Iterable[Item],
    job: Job,
    *,
    plan: Plan | None = None,
    sinks: Sequence[Sink] = (),
    recorder: Recorder | None = None,
    workers: int = 1,
    batch_size: int = BATCH_SIZE,
    include_imputed: bool = False,
    seed: int = 0,
    redact: bool = False,
    on_batch: Callable[[Tally], None] | None = None,
) -> Summary:
    """Score all samples, hand each to the sinks in order, and sum up.

    A `plan` given along stands for the job's own, for metrics that live in this process only. A
    batch counts, and `on_batch` is called, only after the `recorder` has kept it. With `redact`
    marks of persons are blacked out once a sample is scored: recorder and sinks never see them.
    """
    plan = plan or job.plan()
    tally = Tally(plan, include_imputed=include_imputed, seed=seed)
    score = _score_here(plan) if workers <= 1 else _score_in(job, workers)
    remaining = iter(items)
    kept = map(_masked_item, remaining) if redact else remaining
    done = recorder.replay(kept, batch_size) if recorder else iter(())
    scored_batches = score(_batches(remaining, batch_size))
    fresh = _recorded(map(_masked, scored_batches) if redact else scored_batches, recorder)
    for batch, scored in chain(done, fresh):
        results = iter(scored)
        for item in batch:
            if isinstance(item, SampleError):
                tally.add_unread(str(item))
                continue
            scores = next(results)
            tally.add(item, scores)
            for sink in sinks:
                sink.write(item, scores)
        if on_batch:
            on_batch(tally)
    return tally.summary()


def _recorded(scored: Scored, recorder: Recorder | None) -> Scored:
    """The batches as they come, each kept before it is handed on."""
    for batch, scores in scored:
        if recorder:
            recorder.record(batch, scores)
        yield batch, scores


def _masked(scored: tuple[Batch, list[Scores]]) -> tuple[Batch, list[Scores]]:
    batch, scores = scored
    return list(map(_masked_item, batch)), list(map(mask_scores, scores))


def _masked_item(item: Item) -> Item:
    return SampleError(mask(str(item))) if isinstance(item, SampleError) else mask_sample(item)


def _batches(items: Iterable[Item], size: int) -> Iterator[Batch]:
    remaining = iter(items)
    while batch := list(islice(remaining, size)):
        yield batch


def _samples(batch: Batch) -> list[Sample]:
    return [item for item in batch if isinstance(item, Sample)]


def _score_here(plan: Plan) -> Callable[[Iterator[Batch]], Scored]:
    return lambda batches: ((batch, score_batch(plan, _samples(batch))) for batch in batches)


def _score_in(job: Job, workers: int) -> Callable[[Iterator[Batch]], Scored]:
    """Score in other processes, with two batches a worker on their way."""

    def score(batches: Iterator[Batch]) -> Scored:
        with ExitStack() as stack:
            pool = stack.enter_context(
                ProcessPoolExecutor(workers, get_context("spawn"), _start_worker, (job,))
            )
            stack.callback(pool.shutdown, wait=True, cancel_futures=True)
            waiting: deque[tuple[Batch, Future[list[Scores]]]] = deque()
            for batch in chain(batches, [None] * 2 * workers):
                if batch is not None:
                    waiting.append((batch, pool.submit(_score_batch, _samples(batch))))
                if waiting and (batch is None or len(waiting) > 2 * workers):
                    done, future = waiting.popleft()
                    yield done, _result(future)

    return score


def _result(future: Future[list[Scores]]) -> list[Scores]:
    from concurrent.futures.process import BrokenProcessPool

    try:
        return future.result()
    except BrokenProcessPool:
        raise AssayError(
            "a worker process died, perhaps for want of memory; try --workers 1 or a smaller batch"
        ) from None


_plan: Plan
"""A worker's plan, made once when the process starts."""


def _start_worker(job: Job) -> None:
    global _plan
    Thread(target=_end_with_parent, daemon=True).start()
    _plan = job.plan()


def _end_with_parent() -> None:
    """End this worker when its parent is gone, however it went: nobody would ask for more."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _score_batch(samples: list[Sample]) -> list[Scores]:
    return score_batch(_plan, samples)
