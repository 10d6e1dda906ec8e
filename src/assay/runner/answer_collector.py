"""Asks a system the questions of a run and gives the answered samples, in order, as they come.

The calls run in the event loop of a pool, in a thread of its own, while samples that are answered
already are scored. At most `WINDOW` calls of a pool are under way at any time, so memory does not
grow with the number of questions.
"""

from __future__ import annotations

import asyncio
import time
from asyncio import AbstractEventLoop, Task
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Future, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from threading import Event
from typing import Any, TypeVar

from assay.core import Sample, SampleError
from assay.runner.answer_recorder import AnswerRecorder, QuestionSkippedError
from assay.runner.call_pool import ABANDON, CallPool
from assay.runner.questions import Question, answer_json, answered_sample, question_of
from assay.runner.stream import Item
from assay.store.answers import StoredAnswer
from assay.targets.protocol import Target, Turn
from assay.wire.call_errors import CallError, Fault
from assay.wire.retries import CallOutcome
from assay.wire.safe_messages import safe_message

T = TypeVar("T")

WINDOW = 1024
"""Most calls that are started ahead: a few batches, so that calling and scoring overlap."""
GRACE = 3.0
"""Seconds for calls under way to end once calling is stopped."""
CLOSING = 30.0
"""Seconds for a target to close what it holds, such as a browser, while the loop is not blocked."""
LOOK = 0.2
"""Seconds between two checks of progress."""


@dataclass(frozen=True, slots=True)
class TargetCallOptions:
    """How a system is asked."""

    repeat: int = 1
    """How often each question is asked."""
    concurrency: int = 8
    """Calls at a time, at most."""
    rate: float | None = None
    """Calls a second, at most."""
    attempts: int = 4
    """How often a call is tried that fails for a passing reason."""
    max_calls: int | None = None
    max_time: float | None = None
    """Seconds that all calls together may take."""


@dataclass(slots=True)
class AnswerCounts:
    """Progress in calls: a question that is asked three times counts as three."""

    begun: int = 0
    answered: int = 0
    failed: int = 0
    kept: int = 0
    """Answers that an earlier attempt had stored."""


class AnswerCollector:
    """Puts questions to one system."""

    def __init__(
        self,
        target: Target,
        options: TargetCallOptions | None = None,
        *,
        keeper: AnswerRecorder | None = None,
        pool: CallPool | None = None,
        question_of: Callable[[Sample], Question] = question_of,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.counts = AnswerCounts()
        self.on_wait: Callable[[AnswerCounts], None] = lambda counts: None
        """Called now and then while an answer is waited for."""
        self.reason = ""
        """Why calling ended early, where it did."""
        self.was_stopped = False
        """Whether the user stopped it; questions that were not read by then stay unread."""
        self._target = target
        self._options = options or TargetCallOptions()
        self._keeper = keeper
        self._now = now
        self._question_of = question_of
        self._owns_pool = pool is None
        self._pool = pool or CallPool(self._options)
        self._pacer = self._pool.policy(target.name)
        self._tasks: set[Task[Any]] = set()
        """The questions that are being asked."""
        self._loop: AbstractEventLoop | None = None
        self._abandon_at = float("inf")
        self._trouble = ""

    def items(self, questions: Iterable[Item]) -> Generator[Item, None, None]:
        """The samples with their answers; what is wrong with a question stands in its place."""
        with self._asking() as loop:
            source = enumerate(questions)
            waiting: deque[tuple[Item, Item | Future[Item]]] = deque()
            window = max(1, WINDOW // (self._options.repeat * self._pool.runs))
            while True:
                while len(waiting) < window and not self.was_stopped:
                    place, item = next(source, (0, None))
                    if item is None:
                        break
                    waiting.append((item, self._begin(loop, place, item)))
                if not waiting:
                    return
                yield self._finished(*waiting.popleft())

    def stop(self, reason: str) -> None:
        """Ask nothing more; calls on their way have a moment to end. Safe to call from anywhere."""
        self.was_stopped = True
        self._end(reason, GRACE)

    def _end(self, reason: str, grace: float) -> None:
        self.reason = self.reason or reason
        self._abandon_at = min(self._abandon_at, time.monotonic() + grace + ABANDON)
        if self._loop is not None and not self._loop.is_closed():
            error = CallError(reason, Fault.BUDGET)
            self._loop.call_soon_threadsafe(self._pacer.finish, error)
            self._loop.call_soon_threadsafe(self._later, grace, error)

    def _later(self, seconds: float, error: CallError) -> None:
        asyncio.get_running_loop().call_later(seconds, self._pacer.stop, error)

    @contextmanager
    def _asking(self) -> Iterator[AbstractEventLoop]:
        """The event loop, while questions are asked."""
        if self._owns_pool:
            self._pool.start()
        loop = self._loop = self._pool.loop
        if (seconds := self._pool.seconds_left()) is not None:
            self._abandon_at = time.monotonic() + seconds + ABANDON
            reason = f"the cap of {self._options.max_time:g} seconds is reached"
            loop.call_soon_threadsafe(loop.call_later, seconds, self._end, reason, 0.0)
        try:
            yield loop
        finally:
            self._close(loop)

    def _close(self, loop: AbstractEventLoop) -> None:
        tidied = asyncio.run_coroutine_threadsafe(self._tidy(), loop)
        deadline = time.monotonic() + CLOSING
        while not tidied.done() and time.monotonic() < deadline and _responds(loop):
            wait([tidied], LOOK)
        if self._owns_pool:  # a target that blocks the loop is left behind
            self._pool.close(ABANDON if tidied.done() else 0.0)
        if self._keeper:
            self._keeper.close()

    async def _tidy(self) -> None:
        """End the calls, then the target, which may need tasks of its own for that."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._target.close()

    def _begin(self, loop: AbstractEventLoop, place: int, item: Item) -> Item | Future[Item]:
        """Start with a question; one that needs no call is returned at once."""
        if isinstance(item, SampleError):
            return item
        try:
            question = self._question_of(item)
        except SampleError as error:
            return SampleError(f"question {item.id!r}: {error}")
        known = self._keeper.earlier(place, item) if self._keeper else []
        is_settled = self._keeper is not None and place < self._keeper.places
        kept = [answer for answer in known if answer.is_ok or is_settled]
        self.counts.kept += sum(answer.is_ok for answer in kept)
        missing = [n for n in range(self._options.repeat) if n not in {a.repeat for a in kept}]
        if not missing:
            return answered_sample(item, kept)
        if self.reason:
            return _skipped_error(item, self.reason)
        asking = self._listed(self._ask(place, item, question, missing, kept))
        return asyncio.run_coroutine_threadsafe(asking, loop)

    def _finished(self, question: Item, entry: Item | Future[Item]) -> Item:
        """The item, once it is there."""
        if not isinstance(entry, Future):
            return entry
        assert isinstance(question, Sample)
        while not entry.done():
            self.on_wait(self.counts)
            if time.monotonic() > self._abandon_at:
                entry.cancel()
                self.reason = self.reason or "the system blocks everything"
                return _skipped_error(question, self.reason)
            with suppress(TimeoutError, CancelledError):
                entry.exception(LOOK)
        self.on_wait(self.counts)
        try:
            return entry.result()
        except CancelledError:
            return _skipped_error(question, self.reason)

    async def _listed(self, asking: Coroutine[Any, Any, Item]) -> Item:
        """Ask, as one of the tasks that end with the run."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            return await asking
        finally:
            self._tasks.discard(task)

    async def _ask(
        self,
        place: int,
        sample: Sample,
        question: Question,
        repeats: Sequence[int],
        kept: Sequence[StoredAnswer],
    ) -> Item:
        """Ask the question as often as is still missing, all at once."""
        outcomes = await asyncio.gather(
            *(self._once(place, repeat, sample, question) for repeat in repeats)
        )
        if any(answer is None for answer in outcomes):
            return _skipped_error(sample, self.reason or self._trouble)
        answers = sorted((*kept, *filter(None, outcomes)), key=lambda answer: answer.repeat)
        return answered_sample(sample, answers)

    async def _once(
        self, place: int, repeat: int, sample: Sample, question: Question
    ) -> StoredAnswer | None:
        """Ask once and keep the outcome; None where the target was not called."""
        first = sample if repeat == 0 else None
        begun = StoredAnswer(place, repeat, attempts=0, asked_at=self._now(), question=first)
        began = time.monotonic()
        try:
            answer = await self._converse(question, begun, began)
        except CallError as error:
            if self._is_end(error):
                return None
            self.counts.failed += 1
            failed = replace(
                begun, error=str(error), fault=str(error.fault), attempts=error.attempts
            )
            return await self._keep(failed, began)
        self.counts.answered += 1
        return answer

    async def _converse(
        self, question: Question, begun: StoredAnswer, began: float
    ) -> StoredAnswer:
        """What the system says to each turn of the user, kept.

        The last call counts as on its way until all is safe: so no more answers than there are
        calls at a time can be lost with the program.
        """
        turns = list(question.system)
        replies: list[dict[str, Any]] = []
        attempts = 0

        async def call() -> dict[str, Any]:
            nonlocal attempts
            self.counts.begun += attempts == 0
            attempts += 1
            reply = await self._call(turns)
            if question.tells_contexts:
                reply.pop("contexts", None)
            return reply

        async def last_call() -> StoredAnswer:
            said_last = await call()
            answer = replace(begun, answer=[*replies, said_last], attempts=attempts)
            return await self._keep(answer, began)

        for turn in question.user[:-1]:
            turns.append(turn)
            replies.append((await self._call_in_turn(call, begun, replies)).value)
            turns.append(Turn("assistant", replies[-1]["text"]))
        turns.append(question.user[-1])
        return (await self._call_in_turn(last_call, begun, replies)).value

    async def _call_in_turn(
        self, call: Callable[[], Awaitable[T]], begun: StoredAnswer, replies: Sequence[object]
    ) -> CallOutcome[T]:
        """Runs that share a pool ask side by side: the same question first everywhere."""
        order = begun.place if self._pool.runs > 1 else 0
        return await self._pacer.call(call, goes_on=bool(replies), order=order)

    async def _keep(self, answer: StoredAnswer, began: float) -> StoredAnswer:
        answer = replace(answer, duration=time.monotonic() - began)
        if self._keeper:
            await asyncio.wrap_future(self._keeper.keep(answer))
        return answer

    async def _call(self, turns: Sequence[Turn]) -> dict[str, Any]:
        """One call; a mistake in the target is a failed call and not the end of the run."""
        try:
            return answer_json(await self._target.ask(tuple(turns)))
        except (CallError, asyncio.CancelledError):
            raise
        except Exception as error:
            message = (
                f"{self._target.name} failed: {type(error).__name__}: "
                f"{safe_message(str(error), ())}"
            )
            raise CallError(message, Fault.UNUSABLE) from error

    def _is_end(self, error: CallError) -> bool:
        """Whether the question was not really asked, so that asking it later makes sense."""
        if self._pacer.ended is not None:
            self.reason = self.reason or str(self._pacer.ended)
            return error.fault.concerns_all
        is_dead = error.fault.is_passing and not self.counts.answered
        self._trouble = str(error)
        return error.attempts == 0 or is_dead


def _responds(loop: AbstractEventLoop) -> bool:
    """Whether the loop still does what it is asked, so that waiting for it makes sense."""
    turned = Event()
    try:
        loop.call_soon_threadsafe(turned.set)
    except RuntimeError:  # it has ended meanwhile
        return False
    return turned.wait(ABANDON)


def _skipped_error(sample: Sample, reason: str) -> QuestionSkippedError:
    return QuestionSkippedError(f"question {sample.id!r}: not asked: {reason}")
