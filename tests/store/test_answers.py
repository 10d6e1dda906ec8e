"""Answers are kept as they came."""

from pathlib import Path

from sqlalchemy import text
from tests.store.scored import RUN_PLAN, make_samples, score

from assay.core import Sample, SampleError
from assay.store import open_store
from assay.store.answers import CHUNK, StoredAnswer, add_answers, all_answers, read_answers
from assay.store.audit import AuditStamp
from assay.store.run_import import import_run
from assay.store.run_list import delete_run, find_run
from assay.store.run_writer import start_run
from assay.store.transfer import export_run

QUESTION = Sample("q", query="Wann? متى؟", tags=("t",), metadata={"deep": [{"a": None}]})
GOOD = StoredAnswer(0, 0, [{"text": "Jetzt. \0 \ud800 الآن"}], None, None, 2, 7.5, 0.25, QUESTION)
FAILED = StoredAnswer(1, 0, None, "too \0 late", "timeout", 4, 8.0, 9.0, QUESTION)


def test_answers_come_back_as_they_went_in(store):
    run = start_run(store, "run", RUN_PLAN).id
    second = StoredAnswer(0, 1, [{"text": "again"}], asked_at=9.0)
    add_answers(store, run, [FAILED, second, GOOD])
    found = read_answers(store, run, 0, 10)
    assert found[0] == [GOOD, second]
    assert (found[0][0].is_ok, found[1][0].is_ok) == (True, False)
    assert found[1][0].error == "too � late"
    assert read_answers(store, run, 1, 2).keys() == {1}
    assert read_answers(store, run + 1, 0, 10) == {}


def test_an_answer_takes_the_place_of_an_earlier_failure(store):
    run = start_run(store, "run", RUN_PLAN).id
    add_answers(store, run, [FAILED])
    late = StoredAnswer(1, 0, [{"text": "at last"}], question=QUESTION)
    add_answers(store, run, [late])
    add_answers(store, run, [late])  # the reply to the first attempt was lost
    assert read_answers(store, run, 0, 10) == {1: [late]}


def test_all_answers_are_read_a_few_at_a_time(store):
    run = start_run(store, "run", RUN_PLAN).id
    places = [0, 1, CHUNK - 1, CHUNK, 5 * CHUNK + 3]
    add_answers(store, run, [StoredAnswer(place, 0, [{"text": "a"}]) for place in places])
    assert [place for place, _ in all_answers(store, run)] == places


def test_answers_go_with_their_run(store):
    run = start_run(store, "run", RUN_PLAN).id
    add_answers(store, run, [GOOD, FAILED])
    delete_run(store, "run", AuditStamp("test", 0.0))
    count = store.read(lambda c: c.execute(text("SELECT count(*) FROM answers")).scalar_one())
    assert count == 0


def test_an_exported_run_takes_its_answers_along(store, tmp_path: Path):
    writer = start_run(store, "run", RUN_PLAN)
    samples = make_samples(2)
    add_answers(store, writer.id, [GOOD, FAILED])
    items = [samples[0], SampleError("no answer"), samples[1]]
    writer.record(items, score(items))
    file = tmp_path / "run.jsonl"
    lines = export_run(store, find_run(store, "run"))
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    other = open_store(f"sqlite:///{tmp_path / 'other.db'}")
    import_run(other, file)
    stored = read_answers(store, writer.id, 0, 10)
    assert read_answers(other, find_run(other, "run").id, 0, 10) == stored
    other.close()
