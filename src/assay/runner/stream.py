"""A run over a stream of samples, in bounded memory, over one process or several.

Batches are scored side by side but taken back in order, so that sums, files and reports are the
same for any number of workers and any size of batch.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Protocol, cast, runtime_checkable

from assay.backends.judge_questions import JudgeSpending
from assay.core import Sample, SampleError, Scores, Summary
from assay.engine import Plan, Tally, score_batch
from assay.report.json_file import JsonLines
from assay.runner.escalation import Escalation
from assay.runner.job import Job
from assay.runner.judge_cost import spent, spent_as_json
from assay.runner.redaction import mask_item, mask_scores
from assay.runner.workers import ScoredBatch, Workers

Item = Sample | SampleError
"""A sample, or why a record is none."""
Batch = list[Item]
Scored = Iterator[tuple[Batch, list[Scores]]]
Pending = Generator[tuple[Batch, Callable[[], ScoredBatch]], None, None]
"""Batches with a call that gives their scores once they are there."""
BATCH_SIZE = 256
BATCH_CHARACTERS = 1_000_000
"""A batch has no further sample once it has so much text: long ones would fill the memory."""


class Sink(Protocol):
    """Takes scored samples one by one."""

    def write(self, sample: Sample, scores: Scores) -> None: ...


class TextSink(Sink, Protocol):
    """Takes the text of samples, too, which another process may make."""

    @property
    def renderer(self) -> JsonLines | None:
        """What makes the text; None where no other process may."""

    def write_text(self, text: str) -> None:
        """Take the text of some samples."""


@runtime_checkable
class UnreadSink(Protocol):
    """Takes the records, too, that could not be read."""

    def write_unread(self, problem: str) -> None:
        """Take why a record is no sample."""


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
    first: int = 0,
    redact: bool = False,
    on_batch: Callable[[Tally], None] | None = None,
    escalation: Escalation | None = None,
) -> Summary:
    """Score all samples, hand each to the sinks in order, and sum up.

    A `plan` given along stands for the job's own, for metrics that live in this process only. A
    batch counts, and `on_batch` is called, only after the `recorder` has kept it. With `redact`
    personal data is masked once a sample is scored: recorder, sinks and summary never see it.
    An `escalation` settles what is unsure before anything else sees it. `first` is how many records
    of the run stand before, where this is a part of it.
    """
    plan = plan or job.plan()
    tally = Tally(plan, include_imputed=include_imputed, seed=seed, first=first)
    renderers = None if recorder or redact or escalation else _renderers(sinks)
    elsewhere = Workers(job, plan, workers, renderers) if workers > 1 else None
    remaining = iter(items)
    if recorder:
        kept = map(mask_item, remaining) if redact else remaining
        for batch, scored in recorder.replay(kept, batch_size):
            _hand_on(batch, ScoredBatch(scored), tally, sinks)
            if on_batch:
                on_batch(tally)
    batches = _batches(remaining, batch_size)
    pending = (
        _sent_out(batches, elsewhere, workers, tally) if elsewhere else _kept_here(batches, plan)
    )
    with closing(pending):
        for batch, score in pending:
            scored, texts = score()
            if escalation:
                scored = escalation.settle(batch, scored)
            if redact:
                batch, scored = [*map(mask_item, batch)], [*map(mask_scores, scored)]
            if recorder:
                recorder.record(batch, scored)
            _hand_on(batch, ScoredBatch(scored, texts), tally, sinks)
            if on_batch:
                on_batch(tally)
    judge = spent(plan) + (elsewhere.spent if elsewhere else JudgeSpending())
    judge += escalation.spent if escalation else JudgeSpending()
    summary = tally.summary()
    return replace(summary, judge=spent_as_json(judge)) if judge != JudgeSpending() else summary


def _needs_reasons(sink: Sink) -> bool:
    """Whether a sink reads more of a score than is summed up of it."""
    return getattr(sink, "needs_reasons", True)


def _renderers(sinks: Sequence[Sink]) -> tuple[JsonLines, ...] | None:
    """What makes the texts of sinks in other processes; None where one needs reasons as objects."""
    renderers = [getattr(sink, "renderer", None) for sink in sinks if _needs_reasons(sink)]
    known = tuple(one for one in renderers if isinstance(one, JsonLines))
    return known if len(known) == len(renderers) else None


def _hand_on(
    batch: Sequence[Item], scored: ScoredBatch, tally: Tally, sinks: Sequence[Sink]
) -> None:
    """Count a batch and give it to the sinks: their texts, or sample by sample."""
    results = iter(scored.scored)
    wanting = [sink for sink in sinks if isinstance(sink, UnreadSink)]
    writing = [sink for sink in sinks if _needs_reasons(sink)]
    taking = sinks if scored.texts is None else [s for s in sinks if not _needs_reasons(s)]
    for item in batch:
        if isinstance(item, SampleError):
            tally.add_unread(str(item))
            for unread in wanting:
                unread.write_unread(str(item))
            continue
        scores = next(results)
        tally.add(item, scores)
        for sink in taking:
            sink.write(item, scores)
    for sink, text in zip(writing, scored.texts or (), strict=scored.texts is not None):
        cast("TextSink", sink).write_text(text)


def _batches(items: Iterator[Item], size: int) -> Iterator[Batch]:
    """The items in order, so many at a time, or fewer where they are long."""
    batch: Batch = []
    left = BATCH_CHARACTERS
    for item in items:
        batch.append(item)
        left -= _length(item)
        if len(batch) == size or left <= 0:
            yield batch
            batch, left = [], BATCH_CHARACTERS
    if batch:
        yield batch


def _length(item: Item) -> int:
    """About how many characters are read of an item."""
    if isinstance(item, SampleError):
        return 0
    texts = (item.query, item.response, item.expected, item.gold_context)
    return sum(len(text) for text in texts if text) + sum(len(d.content) for d in item.contexts)


def _samples(batch: Batch) -> list[Sample]:
    return [item for item in batch if isinstance(item, Sample)]


def _kept_here(batches: Iterator[Batch], plan: Plan) -> Pending:
    """Batches to score in this process, when their scores are asked for."""
    for batch in batches:
        yield batch, partial(_scored_here, plan, _samples(batch))


def _scored_here(plan: Plan, samples: Sequence[Sample]) -> ScoredBatch:
    return ScoredBatch(score_batch(plan, samples))


def _sent_out(batches: Iterator[Batch], workers: Workers, count: int, tally: Tally) -> Pending:
    """Batches that other processes score, with two a worker on their way."""
    with closing(workers):
        waiting: deque[tuple[Batch, Callable[[], ScoredBatch]]] = deque()
        is_first = True
        for batch in chain(batches, [None] * 2 * count):
            if batch is not None:
                samples = _samples(batch)
                future = workers.submit(samples, is_first=is_first, cutoff=tally.cutoff)
                is_first = is_first and not samples
                waiting.append((batch, partial(workers.result, samples, future)))
            if waiting and (batch is None or len(waiting) > 2 * count):
                yield waiting.popleft()
