"""Questions become samples: in order, all accounted for, in bounded memory."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence

import pytest
from tests.runner.recording import Recording, questions

from assay.core import Document, Sample, SampleError
from assay.runner import Job, aevaluate, evaluate
from assay.runner import answer_collector as asking_module
from assay.runner.answer_collector import WINDOW, AnswerCollector, TargetCallOptions
from assay.runner.answer_recorder import QuestionSkippedError
from assay.runner.stream import run_stream
from assay.targets.protocol import Answer, Turn
from assay.wire.call_errors import CallError, Fault


def test_answers_come_in_the_order_of_the_questions_however_they_arrive() -> None:
    async def reply(turns: Sequence[Turn]) -> str:
        for _ in range(int(turns[-1].content) % 7):
            await asyncio.sleep(0)
        return f"{turns[-1].content} Yes."

    target = Recording(lambda turns: reply(turns))
    asker = AnswerCollector(target)
    items = list(asker.items(questions(300)))
    assert [item.response for item in items if isinstance(item, Sample)] == [
        f"{n} Yes." for n in range(300)
    ]
    assert (asker.counts.begun, asker.counts.answered, asker.counts.failed) == (300, 300, 0)
    assert target.is_closed
    assert "asking" not in [thread.name for thread in threading.enumerate()]


def test_what_a_target_does_in_the_background_goes_on_until_it_is_closed() -> None:
    """A browser is ended through a connection that the target's own task reads."""

    class Connected(Recording):
        reading: asyncio.Task[bool] | None = None
        was_reading = False

        async def ask(self, turns: Sequence[Turn]) -> Answer:
            self.reading = self.reading or asyncio.ensure_future(asyncio.Event().wait())
            return await super().ask(turns)

        async def close(self) -> None:
            assert self.reading is not None
            self.was_reading = not self.reading.done()
            await super().close()

    target = Connected()
    list(AnswerCollector(target).items(questions(3)))
    assert target.was_reading
    assert target.reading is not None and target.reading.cancelled()


def test_a_target_that_takes_long_to_close_is_waited_for(monkeypatch) -> None:
    looks = 0
    responds = asking_module._responds

    class Slow(Recording):
        may_close = asyncio.Event()

        async def close(self) -> None:
            await self.may_close.wait()
            await super().close()

    def look(loop: asyncio.AbstractEventLoop) -> bool:
        nonlocal looks
        looks += 1
        if looks == 3:
            loop.call_soon_threadsafe(Slow.may_close.set)
        return responds(loop)

    monkeypatch.setattr(asking_module, "_responds", look)
    target = Slow()
    list(AnswerCollector(target).items(questions(3)))
    assert target.is_closed
    assert looks >= 3


def test_questions_are_read_as_they_are_asked() -> None:
    read = 0

    def source() -> Iterator[Sample]:
        nonlocal read
        for sample in questions(5 * WINDOW):
            read += 1
            yield sample

    items = AnswerCollector(Recording()).items(source())
    next(items)
    assert read <= WINDOW
    items.close()


def test_what_was_measured_is_in_the_sample() -> None:
    reply = Answer(
        "Now.",
        (Document("c", source="s"),),
        ({"name": "clock"},),
        duration=1.5,
        first_token_time=0.5,
        prompt_tokens=7,
        completion_tokens=2,
        model="m-1",
        finish_reason="stop",
        raw={"id": 1},
        metadata={"odd": object, "nan": float("nan"), "usage_problem": "x"},
    )
    given = Sample("q", query="When?", expected="Now.", metadata={"own": 1, "model": "old"})
    (sample,) = AnswerCollector(Recording(lambda turns: reply)).items([given])
    assert isinstance(sample, Sample)
    assert (sample.response, sample.expected) == ("Now.", "Now.")
    assert sample.contexts == (Document("c", source="s"),)
    assert sample.tool_calls == ({"name": "clock"},)
    assert (sample.duration, sample.first_token_time, sample.response_tokens) == (1.5, 0.5, 2)
    assert sample.metadata["model"] == "m-1"
    assert sample.metadata["prompt_tokens"] == 7
    assert sample.metadata["own"] == 1
    assert sample.metadata["target"]["nan"] == "nan"
    assert sample.conversation == ()


def test_every_turn_of_the_user_is_asked_with_the_targets_own_replies() -> None:
    given = Sample(
        "c",
        query="second",
        conversation=(
            {"role": "system", "content": "Be kind."},
            {"role": "user", "content": "first"},
            {"role": "assistant", "content": "an older reply"},
            {"role": "user", "content": "second"},
            {"role": "assistant", "content": "another"},
        ),
    )
    target = Recording()
    (sample,) = AnswerCollector(target).items([given])
    system, first, second = (
        Turn("system", "Be kind."),
        Turn("user", "first"),
        Turn("user", "second"),
    )
    assert target.asked == [
        (system, first),
        (system, first, Turn("assistant", "first Yes."), second),
    ]
    assert isinstance(sample, Sample)
    assert sample.response == "second Yes."
    assert [turn["content"] for turn in sample.conversation] == [
        "Be kind.",
        "first",
        "first Yes.",
        "second",
        "second Yes.",
    ]


def test_repeated_asking_gives_all_responses() -> None:
    count = 0

    def reply(turns: Sequence[Turn]) -> str:
        nonlocal count
        count += 1
        if count == 2:
            raise CallError("filtered", Fault.REFUSED)
        return f"answer {count}"

    (sample,) = AnswerCollector(Recording(reply), TargetCallOptions(repeat=4)).items(questions(1))
    assert isinstance(sample, Sample)
    assert sample.response == "answer 1"
    assert sample.responses == ("answer 1", "answer 3", "answer 4")
    assert sample.metadata["unanswered_repeats"] == 1


def test_calls_that_were_tried_again_are_counted_beyond_one_a_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("assay.wire.retries.FIRST_WAIT", 0.0)
    failed: set[str] = set()

    def reply(turns: Sequence[Turn]) -> str:
        text = turns[-1].content
        if text.startswith("hard") and text not in failed:
            failed.add(text)
            raise CallError("busy", Fault.SERVER)
        return "Yes."

    def talk(*texts: str) -> Sample:
        turns = tuple({"role": "user", "content": text} for text in texts)
        return Sample(texts[0], conversation=turns, metadata={"target_retries": 7})

    asked = [talk("easy", "simple"), talk("hard 1", "easy"), talk("hard 2", "hard 3")]
    items = list(AnswerCollector(Recording(reply)).items(asked))
    assert [item.metadata.get("target_retries") for item in items] == [None, 1, 2]


def test_a_record_with_nothing_to_ask_is_told_and_not_asked() -> None:
    target = Recording()
    bad = SampleError("line 1: broken")
    turns = ({"role": "assistant", "content": "a"},)
    items = list(
        AnswerCollector(target).items(
            [bad, Sample("x", response="r"), Sample("y", conversation=turns)]
        )
    )
    assert [str(item) for item in items] == [
        "line 1: broken",
        "question 'x': nothing to ask: the record has no 'query' and no 'conversation'",
        "question 'y': nothing to ask: the 'conversation' has no turn of the role 'user'",
    ]
    assert target.asked == []


def test_failures_stand_in_their_places_and_partial_text_is_never_scored() -> None:
    def reply(turns: Sequence[Turn]) -> str:
        number = int(turns[-1].content)
        if number == 3:
            raise CallError("cut off", Fault.TOO_LARGE, partial="half an ans")
        if number == 5:
            raise RuntimeError("a mistake in the target")
        return "Yes."

    items = list(AnswerCollector(Recording(reply)).items(questions(8)))
    assert [isinstance(item, Sample) for item in items].count(False) == 2
    assert str(items[3]) == "question 'q3': no answer (too large): cut off"
    assert "RuntimeError: a mistake in the target" in str(items[5])
    assert not any(isinstance(item, QuestionSkippedError) for item in items)


@pytest.mark.parametrize("repeat", [1, 3])
def test_one_percent_that_never_answers_does_not_keep_the_run_from_ending(repeat: int) -> None:
    async def reply(turns: Sequence[Turn]) -> str:
        if int(turns[-1].content) % 100 == 7:
            raise CallError("no answer within 0.01 s", Fault.TIMEOUT)
        return "Yes."

    options = TargetCallOptions(repeat=repeat, attempts=1, concurrency=32)
    asker = AnswerCollector(Recording(lambda turns: reply(turns)), options)
    job = Job(("text.safety",))
    summary = run_stream(asker.items(questions(600)), job)
    assert summary.samples + summary.unread == 600
    assert summary.unread == 6
    assert asker.counts.answered + asker.counts.failed == 600 * repeat


def test_a_wrong_key_ends_the_asking_and_what_was_answered_is_scored() -> None:
    def reply(turns: Sequence[Turn]) -> str:
        if int(turns[-1].content) >= 40:
            raise CallError("the key is wrong", Fault.ACCESS, status=401)
        return "Yes."

    target = Recording(reply)
    asker = AnswerCollector(target)
    items = list(asker.items(questions(3 * WINDOW)))
    assert len(items) == 3 * WINDOW
    assert sum(isinstance(item, Sample) for item in items) <= 40
    assert all(isinstance(item, Sample | QuestionSkippedError) for item in items)
    assert asker.reason == "the key is wrong"
    assert len(target.asked) <= 48


def test_the_cap_on_calls_holds_exactly() -> None:
    target = Recording()
    items = list(AnswerCollector(target, TargetCallOptions(max_calls=25)).items(questions(100)))
    assert len(target.asked) == 25
    assert sum(isinstance(item, Sample) for item in items) == 25
    assert sum(isinstance(item, QuestionSkippedError) for item in items) == 75


def test_the_cap_on_time_ends_even_what_blocks_the_event_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asking_module, "ABANDON", 0.05)
    release = threading.Event()

    def reply(turns: Sequence[Turn]) -> str:
        if turns[-1].content == "5":
            release.wait()  # in the event loop itself, where no deadline can reach it
        return "Yes."

    asker = AnswerCollector(Recording(reply), TargetCallOptions(max_time=0.1, concurrency=1))
    items = list(asker.items(questions(20)))
    release.set()
    for thread in threading.enumerate():
        if thread.name == "asking":
            thread.join()
    assert len(items) == 20
    assert all(isinstance(item, QuestionSkippedError) for item in items[5:])


def test_stopping_lets_calls_on_their_way_end_and_reads_no_further() -> None:
    asker: AnswerCollector

    async def reply(turns: Sequence[Turn]) -> str:
        if turns[-1].content == "9":
            asker.stop("it was interrupted")
            for _ in range(20):
                await asyncio.sleep(0)
        return "Yes."

    asker = AnswerCollector(Recording(lambda turns: reply(turns)), TargetCallOptions(concurrency=1))
    items = list(asker.items(questions(10 * WINDOW)))
    assert sum(isinstance(item, Sample) for item in items) == 10
    assert len(items) <= WINDOW + 10
    assert asker.was_stopped


def test_stopping_does_not_wait_for_what_never_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking_module, "GRACE", 0.02)
    asker: AnswerCollector
    is_read = threading.Event()

    def source() -> Iterator[Sample]:
        yield from questions(50)
        is_read.set()

    async def reply(turns: Sequence[Turn]) -> str:
        if turns[-1].content == "9":
            await asyncio.to_thread(is_read.wait)
            asker.stop("it was interrupted")
        if int(turns[-1].content) >= 9:
            await asyncio.Event().wait()
        return "Yes."

    asker = AnswerCollector(Recording(lambda turns: reply(turns)))
    items = list(asker.items(source()))
    assert sum(isinstance(item, Sample) for item in items) == 9
    assert len(items) == 50


def test_python_programs_ask_with_one_argument_more() -> None:
    rows = [{"query": "a"}, {"query": "b"}]
    report = evaluate(rows, ["text.safety"], target=lambda query: query.upper())
    assert [sample.response for sample in report.samples] == ["A", "B"]
    target = Recording()
    report = evaluate(rows, ["text.safety"], target=target, asking=TargetCallOptions(repeat=2))
    assert [sample.responses for sample in report.samples] == [("a Yes.",) * 2, ("b Yes.",) * 2]


def test_a_running_event_loop_is_left_alone() -> None:
    async def main() -> list[str | None]:
        rows = [{"query": "a"}]
        here = evaluate(rows, ["text.safety"], target="python:os.path:basename")
        there = await aevaluate(rows, ["text.safety"], target=Recording())
        return [here.samples[0].response, there.samples[0].response]

    assert asyncio.run(main()) == ["a", "a Yes."]


def test_nothing_of_an_earlier_answer_is_left_in_the_sample() -> None:
    given = Sample(
        "q",
        query="When?",
        response="Never.",
        responses=("Never.", "Seldom."),
        candidates=("Never.",),
        translations={"de": "Nie."},
        response_json={"when": "never"},
        duration=9.0,
        first_token_time=8.0,
        response_tokens=7,
        task_completed=False,
        steps_taken=6,
        errors_encountered=5,
        tools_used=("clock",),
        tools_succeeded=("clock",),
        tool_calls=({"name": "clock"},),
        steps=("looked",),
        expected="Now.",
        contexts=(Document("It is now."),),
        previous_responses=("Never.",),
        metadata={
            "prompt_tokens": 4,
            "completion_tokens": 3,
            "finish_reason": "length",
            "model": "m",
        },
    )
    (sample,) = AnswerCollector(Recording(lambda turns: "Now.")).items([given])
    assert sample == Sample(
        "q",
        query="When?",
        response="Now.",
        expected="Now.",
        contexts=given.contexts,
        previous_responses=("Never.",),
        metadata={"model": "m"},
    )


def test_a_conversation_goes_on_before_others_begin() -> None:
    """A session or a page that waits for its next turn is not kept open for the whole run."""
    turns = ({"role": "user", "content": "one"}, {"role": "user", "content": "two"})
    target = Recording()
    list(AnswerCollector(target).items(Sample(f"c{n}", conversation=turns) for n in range(100)))
    started = most = 0
    for asked in target.asked:
        started += 1 if len(asked) == 1 else -1
        most = max(most, started)
    assert len(target.asked) == 200
    assert most <= 2 * TargetCallOptions().concurrency


def test_repeated_questions_count_in_what_is_read_ahead() -> None:
    read = 0

    def source() -> Iterator[Sample]:
        nonlocal read
        for sample in questions(100):
            read += 1
            yield sample

    items = AnswerCollector(Recording(), TargetCallOptions(repeat=WINDOW // 4)).items(source())
    next(items)
    assert read <= 4
    items.close()
