"""A run over a stream of samples, in bounded memory, over one process or several.

Batches are scored side by side but taken back in order, so that sums, files and reports are the
same for any number of workers and any size of batch.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import replace
from itertools import chain, islice
from typing import Protocol

from assay.backends.questions import Spent
from assay.core import Sample, SampleError, Scores, Summary
from assay.engine import Plan, Tally, score_batch
from assay.runner.job import Job
from assay.runner.judge_cost import spent, spent_as_json
from assay.runner.mask import mask, mask_sample, mask_scores
from assay.runner.workers import Done, Workers

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
    elsewhere = Workers(job, plan, workers) if workers > 1 else None
    score = _score_in(elsewhere, workers) if elsewhere else _score_here(plan)
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
    judge = spent(plan) + (elsewhere.spent if elsewhere else Spent())
    summary = tally.summary()
    return replace(summary, judge=spent_as_json(judge)) if judge != Spent() else summary


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
    return type(item)(mask(str(item))) if isinstance(item, SampleError) else mask_sample(item)


def _batches(items: Iterable[Item], size: int) -> Iterator[Batch]:
    remaining = iter(items)
    while batch := list(islice(remaining, size)):
        yield batch


def _samples(batch: Batch) -> list[Sample]:
    return [item for item in batch if isinstance(item, Sample)]


def _score_here(plan: Plan) -> Callable[[Iterator[Batch]], Scored]:
    return lambda batches: ((batch, score_batch(plan, _samples(batch))) for batch in batches)


def _score_in(workers: Workers, count: int) -> Callable[[Iterator[Batch]], Scored]:
    """Score in other processes, with two batches a worker on their way."""

    def score(batches: Iterator[Batch]) -> Scored:
        with closing(workers):
            waiting: deque[tuple[Batch, Future[Done]]] = deque()
            for batch in chain(batches, [None] * 2 * count):
                if batch is not None:
                    waiting.append((batch, workers.submit(_samples(batch))))
                if waiting and (batch is None or len(waiting) > 2 * count):
                    done, future = waiting.popleft()
                    yield done, workers.result(_samples(done), future)

    return score
