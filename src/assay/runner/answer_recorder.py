"""Keeps answers as they come, and knows those that an earlier attempt has kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import replace
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING

from assay.core import DataError, Sample, SampleError, Scores
from assay.runner.redaction import mask, mask_sample
from assay.runner.stream import Item, Recorder, Scored
from assay.store.answers import CHUNK, StoredAnswer, add_answers, has_answers, read_answers

if TYPE_CHECKING:
    from assay.store.run_writer import RunWriter

GROUP = 200
"""Answers written in one transaction at most; those that come while one is written wait for it."""


class QuestionSkippedError(SampleError):
    """A question that was not asked, or not to the end, because calling ended before.

    It is reported like any record without scores, and asked when the run is resumed.
    """


class AnswerRecorder:
    """The answers of one stored run. An answer is safe once the future of `keep` is done."""

    def __init__(self, writer: RunWriter, *, redact: bool = False) -> None:
        self.places = writer.places
        """Records that are scored and stored already: what became of them stays."""
        self._store = writer.store
        self._run = writer.id
        self._owner = writer.owner
        self._redact = redact
        self._has_earlier = has_answers(writer.store, writer.id)
        self._chunk: tuple[int, dict[int, list[StoredAnswer]]] = (-1, {})
        self._waiting: SimpleQueue[tuple[StoredAnswer, Future[None]] | None] = SimpleQueue()
        self._thread = Thread(target=self._write, name="answers", daemon=True)
        self._thread.start()

    def keep(self, answer: StoredAnswer) -> Future[None]:
        """Write the answer soon, together with others."""
        done: Future[None] = Future()
        done.set_running_or_notify_cancel()  # a caller that gives up does not take the answer back
        self._waiting.put((self._masked(answer), done))
        return done

    def earlier(self, place: int, question: Sample) -> list[StoredAnswer]:
        """What was kept of a question before; raises `DataError` where it was another question."""
        if not self._has_earlier:
            return []
        start = place - place % CHUNK
        if self._chunk[0] != start:
            self._chunk = start, read_answers(self._store, self._run, start, start + CHUNK)
        answers = self._chunk[1].get(place, [])
        earlier_question = next((answer.question for answer in answers if answer.question), None)
        if earlier_question is None:  # it ended before the first answer was kept
            return []
        if earlier_question != (mask_sample(question) if self._redact else question):
            raise DataError(
                f"record {place + 1} is not the question that was asked before; "
                "--resume needs the same data"
            )
        return answers

    def close(self) -> None:
        """Write what waits, and end."""
        self._waiting.put(None)
        self._thread.join()

    def _masked(self, answer: StoredAnswer) -> StoredAnswer:
        if not self._redact:
            return answer
        question = answer.question and mask_sample(answer.question)
        return replace(
            answer, answer=mask(answer.answer), error=mask(answer.error), question=question
        )

    def _write(self) -> None:
        is_open = True
        while is_open:
            group = [self._waiting.get()]
            while len(group) < GROUP:
                try:
                    group.append(self._waiting.get_nowait())
                except Empty:
                    break
            is_open = None not in group
            self._write_group([entry for entry in group if entry is not None])

    def _write_group(self, group: Sequence[tuple[StoredAnswer, Future[None]]]) -> None:
        try:
            add_answers(self._store, self._run, [answer for answer, _ in group], self._owner)
        except Exception as error:  # the waiting caller gets the error
            for _, done in group:
                done.set_exception(error)
        else:
            for _, done in group:
                done.set_result(None)


class TargetRecorder(Recorder):
    """Records the batches of an asked run up to the first question that was not put.

    What comes after it is scored and reported, and scored again when the run is resumed.
    """

    def __init__(self, writer: RunWriter) -> None:
        self.is_whole = True
        """Whether every question so far was put."""
        self._writer = writer

    def replay(self, items: Iterator[Item], size: int) -> Scored:
        """The batches that are stored already."""
        return self._writer.replay(items, size)

    def record(self, batch: Sequence[Item], scored: Sequence[Scores]) -> None:
        """Keep the batch, or its part before the first question that was not put."""
        if not self.is_whole:
            return
        put = _until_skipped(batch)
        self.is_whole = len(put) == len(batch)
        if put:
            self._writer.record(put, scored[: sum(isinstance(item, Sample) for item in put)])


def _until_skipped(batch: Sequence[Item]) -> list[Item]:
    end = next(
        (n for n, item in enumerate(batch) if isinstance(item, QuestionSkippedError)), len(batch)
    )
    return list(batch[:end])
