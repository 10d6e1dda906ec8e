"""Answers are kept as they come: asked once, scored as often as wanted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.runner.recording import Recording, questions
from tests.store.new_stores import new_sqlite

from assay.core import DataError, Document, Sample
from assay.runner import Job
from assay.runner.answer_collector import AnswerCollector, TargetCallOptions
from assay.runner.answer_recorder import AnswerRecorder, TargetRecorder
from assay.runner.record import record_run
from assay.runner.rescore import stored_items
from assay.runner.stream import run_stream
from assay.store import Store, open_store
from assay.store.answers import StoredAnswer, add_answers, read_answers
from assay.store.run_list import find_run
from assay.store.run_writer import RunWriter
from assay.targets.protocol import Answer, Turn
from assay.wire.call_errors import CallError, Fault


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(new_sqlite(tmp_path / "assay.db"))
    yield opened
    opened.close()


def writer_of(store: Store, **settings: Any) -> RunWriter:
    plan = Job(("text.safety",)).plan()
    return record_run(store, "run", plan, resume=True, settings=settings)


def ask_stored(
    store: Store, target: Recording, count: int = 60, redact: bool = False, **options: Any
) -> tuple[Any, AnswerCollector, bool]:
    """Ask, keep and score; gives the summary, the asker, and whether all was put."""
    writer = writer_of(store, redact=redact)
    asker = AnswerCollector(
        target, TargetCallOptions(**options), keeper=AnswerRecorder(writer, redact=redact)
    )
    recorder = TargetRecorder(writer)
    summary = run_stream(
        asker.items(questions(count)),
        Job(("text.safety",)),
        recorder=recorder,
        batch_size=8,
        redact=redact,
    )
    if recorder.is_whole and not asker.reason:
        writer.finish(summary.to_json())
    return summary, asker, recorder.is_whole


def test_every_answer_is_stored_before_it_is_scored(store: Store) -> None:
    seen: list[int] = []
    writer = writer_of(store)
    asker = AnswerCollector(Recording(), keeper=AnswerRecorder(writer))
    for place, _ in enumerate(asker.items(questions(40))):
        seen.append(len(read_answers(store, writer.id, place, place + 1)))
    assert seen == [1] * 40


def test_a_resumed_run_asks_only_what_has_no_answer(store: Store) -> None:
    first = Recording()
    summary, asker, is_whole = ask_stored(store, first, max_calls=25)
    assert (summary.samples, summary.unread, is_whole) == (25, 35, False)
    assert find_run(store, "run").status == "running"
    second = Recording()
    summary, asker, is_whole = ask_stored(store, second)
    assert (summary.samples, summary.unread, is_whole) == (60, 0, True)
    assert set(first.counts) | set(second.counts) == {str(n) for n in range(60)}
    assert max((first.counts + second.counts).values()) == 1
    assert asker.counts.kept == 25
    assert find_run(store, "run").status == "finished"


def test_failures_of_scored_records_stay_and_others_are_asked_again(store: Store) -> None:
    def fail(turns: Sequence[Turn]) -> str:
        if turns[-1].content in ("2", "20"):
            raise CallError("filtered", Fault.REFUSED)
        if turns[-1].content == "21":
            raise CallError("no more", Fault.ACCESS, status=401)
        return "Yes."

    ask_stored(store, Recording(fail), concurrency=1)
    places = find_run(store, "run").places
    assert places == 21
    second = Recording()
    summary, _, is_whole = ask_stored(store, second)
    assert (summary.samples, summary.unread, is_whole) == (58, 2, True)
    assert {"2", "20"}.isdisjoint(second.counts)


def test_missing_repeats_are_asked_alone(store: Store) -> None:
    ask_stored(store, Recording(), count=10, repeat=3, max_calls=14, concurrency=1)
    second = Recording()
    summary, _, _ = ask_stored(store, second, count=10, repeat=3)
    assert len(second.asked) == 30 - 14
    assert summary.samples == 10


def test_other_questions_cannot_be_resumed(store: Store) -> None:
    ask_stored(store, Recording(), max_calls=5)
    writer = writer_of(store, redact=False)
    asker = AnswerCollector(Recording(), keeper=AnswerRecorder(writer))
    with pytest.raises(DataError, match="record 1 is not the question that was asked before"):
        list(asker.items([Sample("q0", query="another")]))


def test_redaction_reaches_the_stored_answers(store: Store) -> None:
    target = Recording(lambda turns: Answer("Ask bob@example.com.", raw={"to": "bob@example.com"}))
    ask_stored(store, target, count=3, redact=True)
    stored = read_answers(store, find_run(store, "run").id, 0, 3)
    assert sorted(stored) == [0, 1, 2]
    for answers in stored.values():
        (answer,) = answers
        assert "Ask " in str(answer)
        assert "example.com" not in str(answer)


def test_a_store_that_fails_ends_the_run(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object) -> None:
        raise DataError("the disk is full")

    monkeypatch.setattr("assay.runner.answer_recorder.add_answers", fail)
    with pytest.raises(DataError, match="the disk is full"):
        ask_stored(store, Recording())


def test_stored_answers_give_the_same_samples_again(store: Store) -> None:
    def reply(turns: Sequence[Turn]) -> Answer:
        if turns[-1].content == "4":
            raise CallError("filtered", Fault.REFUSED)
        return Answer(turns[-1].content, (Document("c"),), duration=0.5, metadata={"a": [1, None]})

    writer = writer_of(store)
    asker = AnswerCollector(Recording(reply), keeper=AnswerRecorder(writer))
    asked = list(asker.items(questions(10)))
    again = list(stored_items(store, find_run(store, "run")))
    assert [str(item) for item in again] == [str(item) for item in asked]
    assert again[:4] == asked[:4]


def test_an_answer_that_nobody_waits_for_any_more_is_kept_and_the_next_ones_too(
    store: Store,
) -> None:
    writer = writer_of(store)
    keeper = AnswerRecorder(writer)
    given_up = keeper.keep(StoredAnswer(0, 0, [{"text": "a"}]))
    given_up.cancel()
    for place in range(1, 50):
        keeper.keep(StoredAnswer(place, 0, [{"text": "b"}])).cancel()
    keeper.keep(StoredAnswer(50, 0, [{"text": "c"}])).result(60)
    keeper.close()
    assert len(read_answers(store, writer.id, 0, 51)) == 51


def test_answers_whose_question_is_not_known_are_asked_for_again(store: Store) -> None:
    """The question is kept with its first asking; without it nobody knows what was asked."""
    writer = writer_of(store)
    add_answers(store, writer.id, [StoredAnswer(0, 1, [{"text": "to another question"}])])
    target = Recording()
    asker = AnswerCollector(target, TargetCallOptions(repeat=2), keeper=AnswerRecorder(writer))
    (sample,) = asker.items(questions(1))
    assert isinstance(sample, Sample)
    assert sample.responses == ("0 Yes.", "0 Yes.")
    assert len(target.asked) == 2
