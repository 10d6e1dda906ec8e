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
from typing import Any, Protocol, cast, runtime_checkable

from assay.backends.judge_questions import JudgeSpending
from assay.core import Sample, SampleError, Scores, Summary
from assay.engine import Plan, Tally
from assay.report.json_file import JsonLines
from assay.runner.escalation import Escalation
from assay.runner.job import Job
from assay.runner.judge_cost import spent, spent_as_json
from assay.runner.redaction import mask_item, mask_scores
from assay.runner.workers import Item as Item
from assay.runner.workers import ScoredBatch, Wanted, Workers, scored_here
from assay.samples.raw_records import RawRecord
from assay.samples.reader import SampleStream

Unscored = list[Item] | list[RawRecord]
"""The records of a batch: samples, or lines that are not parsed yet."""

Scored = Iterator[tuple[Sequence[Item], Sequence[Scores]]]
Pending = Generator[Callable[[], ScoredBatch], None, None]
"""Calls that give the batches of a run in order, once they are scored."""
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

    def write_encoded(self, text: bytes) -> None:
        """Take the text of some samples."""


class CountingSink(Sink, Protocol):
    """Needs to know no more than how many samples have a score, where it says so."""

    @property
    def needs_samples(self) -> bool: ...

    def count(self, scored: int) -> None:
        """Take so many samples with a score of their own."""


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
    source: SampleStream | None = None,
    redact: bool = False,
    on_batch: Callable[[Tally], None] | None = None,
    escalation: Escalation | None = None,
) -> Summary:
    """Score all samples, hand each to the sinks in order, and sum up.

    A `plan` given along stands for the job's own, for metrics that live in this process only. A
    batch counts, and `on_batch` is called, only after the `recorder` has kept it. With `redact`
    personal data is masked once a sample is scored: recorder, sinks and summary never see it.
    An `escalation` settles what is unsure before anything else sees it. `first` is how many records
    of the run stand before, where this is a part of it. `source` is the stream that the items come
    from, where they come from a file: workers then parse what they score.
    """
    plan = plan or job.plan()
    tally = Tally(plan, include_imputed=include_imputed, seed=seed, first=first)
    renderers = None if recorder or redact or escalation else _renderers(sinks)
    is_counted = not any(getattr(s, "needs_samples", not _renderer(s)) for s in sinks)
    wanted = Wanted(renderers, include_imputed if is_counted else None)
    elsewhere = Workers(job, plan, workers, wanted) if workers > 1 else None
    remaining = iter(items)
    if recorder:
        kept = map(mask_item, remaining) if redact else remaining
        for batch, scored in recorder.replay(kept, batch_size):
            _hand_on(ScoredBatch(batch, scored), tally, sinks)
            if on_batch:
                on_batch(tally)
    batches = _batches(remaining, batch_size)
    pending = (
        _sent_out(batches, elsewhere, workers, tally, source)
        if elsewhere
        else _kept_here(batches, plan)
    )
    with closing(pending):
        for result in pending:
            done = result()
            if escalation:
                done = done._replace(scored=escalation.settle(done.items, done.scored))
            if redact:
                done = ScoredBatch([*map(mask_item, done.items)], [*map(mask_scores, done.scored)])
            if recorder:
                recorder.record(done.items, done.scored)
            _hand_on(done, tally, sinks)
            if on_batch:
                on_batch(tally)
    judge = spent(plan) + (elsewhere.spent if elsewhere else JudgeSpending())
    judge += escalation.spent if escalation else JudgeSpending()
    summary = tally.summary()
    return replace(summary, judge=spent_as_json(judge)) if judge != JudgeSpending() else summary


def _needs_reasons(sink: Sink) -> bool:
    """Whether a sink reads more of a score than is summed up of it."""
    return getattr(sink, "needs_reasons", True)


def _renderer(sink: Sink) -> JsonLines | None:
    """What makes the text of a sink in another process."""
    renderer = getattr(sink, "renderer", None)
    return renderer if isinstance(renderer, JsonLines) else None


def _renderers(sinks: Sequence[Sink]) -> tuple[JsonLines, ...] | None:
    """What makes the texts of sinks in other processes; None where one needs reasons as objects."""
    renderers = [_renderer(sink) for sink in sinks if _needs_reasons(sink)]
    known = tuple(one for one in renderers if one is not None)
    return known if len(known) == len(renderers) else None


def _hand_on(batch: ScoredBatch, tally: Tally, sinks: Sequence[Sink]) -> None:
    """Count a batch and give it to the sinks: their texts, or sample by sample."""
    writing = [sink for sink in sinks if _needs_reasons(sink)]
    taking = sinks if batch.texts is None else [s for s in sinks if not _needs_reasons(s)]
    if batch.counts:
        tally.take(batch.counts, batch.rows)
        for sink in taking:
            cast("CountingSink", sink).count(batch.counts.scored)
    else:
        tally.add_batch(batch.items, batch.scored)
        _hand_on_each(batch, taking)
    for sink, text in zip(writing, batch.texts or (), strict=batch.texts is not None):
        cast("TextSink", sink).write_encoded(text)


def _hand_on_each(batch: ScoredBatch, sinks: Sequence[Sink]) -> None:
    results = iter(batch.scored)
    wanting = [sink for sink in sinks if isinstance(sink, UnreadSink)]
    for item in batch.items:
        if isinstance(item, SampleError):
            for unread in wanting:
                unread.write_unread(str(item))
            continue
        scores = next(results)
        for sink in sinks:
            sink.write(item, scores)


def _batches(items: Iterator[Item], size: int) -> Iterator[Unscored]:
    """The items in order, so many at a time, or fewer where they are long."""
    batch: list[Any] = []
    left = BATCH_CHARACTERS
    for item in items:
        if batch and isinstance(item, RawRecord) is not isinstance(batch[0], RawRecord):
            yield batch
            batch, left = [], BATCH_CHARACTERS
        batch.append(item)
        left -= _length(item)
        if len(batch) == size or left <= 0:
            yield batch
            batch, left = [], BATCH_CHARACTERS
    if batch:
        yield batch


def _length(item: Item | RawRecord) -> int:
    """About how many characters are read of an item."""
    if isinstance(item, RawRecord):
        return len(item.value)
    if isinstance(item, SampleError):
        return 0
    texts = (item.query, item.response, item.expected, item.gold_context)
    return sum(len(text) for text in texts if text) + sum(len(d.content) for d in item.contexts)


def _kept_here(batches: Iterator[Unscored], plan: Plan) -> Pending:
    """Batches to score in this process, when their scores are asked for."""
    for batch in batches:
        yield partial(scored_here, plan, cast("list[Item]", batch))


def _sent_out(
    batches: Iterator[Unscored],
    workers: Workers,
    count: int,
    tally: Tally,
    source: SampleStream | None,
) -> Pending:
    """Batches that other processes score, with two a worker on their way."""
    with closing(workers):
        waiting: deque[Callable[[], ScoredBatch]] = deque()
        is_first = True
        for batch in chain(batches, [None] * 2 * count):
            if batch and isinstance(batch[0], RawRecord):
                assert source is not None, "only a source leaves lines unparsed"
                waiting.append(workers.submit_lines(batch, source, tally.cutoff))
            elif batch is not None:
                items = cast("list[Item]", batch)
                waiting.append(workers.submit(items, is_first=is_first, cutoff=tally.cutoff))
                is_first = is_first and not any(isinstance(item, Sample) for item in items)
                if source and workers.wanted.takes_lines and not is_first:
                    source.leave_unparsed()
            if waiting and (batch is None or len(waiting) > 2 * count):
                yield waiting.popleft()
