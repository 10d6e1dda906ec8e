"""A run is written by one program at a time, and a dead one does not keep it."""

import os
import subprocess
import sys

import pytest
from sqlalchemy import update
from tests.store.scored import RUN_PLAN, make_samples, score

from assay.core import DataError, UsageError
from assay.core.errors import RunBusyError
from assay.store import open_store, run_writer, schema
from assay.store.answers import StoredAnswer, add_answers
from assay.store.lease import SECONDS, new_owner
from assay.store.run_list import find_run
from assay.store.run_writer import start_run

BATCH = make_samples(4)


def held(store):
    row = store.read(lambda c: c.execute(schema.runs.select()).one())
    return row.owner, row.lease


def set_owner(store, **values):
    store.write(lambda c: c.execute(update(schema.runs).values(**values)))


def test_a_second_program_is_refused_and_changes_nothing(store):
    first = start_run(store, "run", RUN_PLAN, lease=True)
    first.record(BATCH, score(BATCH))
    with pytest.raises(RunBusyError, match=rf"process {os.getpid()} on .*; add --wait"):
        start_run(store, "run", RUN_PLAN, resume=True, lease=True)
    assert held(store)[0] == first.owner
    first.record(BATCH, score(BATCH))
    assert find_run(store, "run").places == 8
    first.release()


@pytest.mark.parametrize("ends", ["release", "finish"])
def test_a_program_that_ends_lets_the_next_go_on(store, ends):
    first = start_run(store, "run", RUN_PLAN, lease=True)
    first.record(BATCH, score(BATCH))
    if ends == "release":
        first.release()
        first.release()
    else:
        first.finish({"metrics": {}, "overall": None, "pass_rate": None})
    assert held(store) == (None, None)
    second = start_run(store, "run", RUN_PLAN, resume=True, lease=True)
    assert second.places == 4
    second.release()


def test_a_lease_that_was_not_renewed_ends(store):
    first = start_run(store, "run", RUN_PLAN, lease=True)
    elsewhere = first.owner.replace(first.owner.split("/")[0], "another-machine")
    set_owner(store, owner=elsewhere)
    with pytest.raises(RunBusyError, match="on another-machine"):
        start_run(store, "run", RUN_PLAN, resume=True, lease=True)
    set_owner(store, lease=1.0)
    second = start_run(store, "run", RUN_PLAN, resume=True, lease=True)
    with pytest.raises(DataError, match="is being written by another program"):
        first.record(BATCH, score(BATCH))
    with pytest.raises(DataError, match="is being written by another program"):
        add_answers(store, first.id, [StoredAnswer(0, 0, [{"text": "a"}])], first.owner)
    with pytest.raises(DataError, match="is being written by another program"):
        first.finish({"metrics": {}, "overall": None, "pass_rate": None})
    second.record(BATCH, score(BATCH))
    assert find_run(store, "run").places == 4
    second.release()
    first.release()


def test_a_lease_of_a_dead_process_of_this_machine_ends_at_once(store):
    code = "from assay.store.lease import new_owner; print(new_owner())"
    dead = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()
    start_run(store, "run", RUN_PLAN)
    set_owner(store, owner=dead, lease=1e12)
    start_run(store, "run", RUN_PLAN, resume=True, lease=True).release()


def test_a_number_given_again_is_another_process(store):
    start_run(store, "run", RUN_PLAN)
    machine, pid, started, token = new_owner().split("/")
    if not started:
        pytest.skip("this system does not tell when a process began")
    set_owner(store, owner=f"{machine}/{pid}/1/{token}", lease=1e12)
    start_run(store, "run", RUN_PLAN, resume=True, lease=True).release()


def test_a_run_that_many_add_to_is_not_written_while_one_has_it(store):
    adder = start_run(store, "run", RUN_PLAN)
    owner = start_run(store, "run", RUN_PLAN, resume=True, lease=True)
    with pytest.raises(DataError, match="is being written by another program"):
        adder.record(BATCH, score(BATCH))
    owner.release()
    adder.record(BATCH, score(BATCH))
    set_owner(store, owner="gone/1/1/x", lease=1.0)
    adder.record(BATCH, score(BATCH))
    assert find_run(store, "run").places == 8


def test_every_write_renews(store):
    writer = start_run(store, "run", RUN_PLAN, lease=True)
    set_owner(store, lease=5.0)
    writer.record(BATCH, score(BATCH))
    assert held(store)[1] > SECONDS
    set_owner(store, lease=5.0)
    add_answers(store, writer.id, [StoredAnswer(0, 0, [{"text": "a"}])], writer.owner)
    assert held(store)[1] > SECONDS
    writer.release()


def test_two_stores_on_one_file_take_a_run_once(tmp_path):
    url = str(tmp_path / "s.db")
    one, other = open_store(url), open_store(url)
    first = start_run(one, "run", RUN_PLAN, lease=True)
    with pytest.raises(RunBusyError):
        start_run(other, "run", RUN_PLAN, resume=True, lease=True)
    first.release()
    one.close()
    other.close()


@pytest.mark.parametrize(
    ("resume", "error", "message"),
    [(True, RunBusyError, "is being written"), (False, UsageError, "exists already")],
)
def test_of_two_that_begin_a_run_at_once_one_is_told(postgres, monkeypatch, resume, error, message):
    """The other one's row appears between the look for it and the insertion of ours."""
    url = postgres.new_store()
    store, other = open_store(url), open_store(url)
    plain = run_writer.dumps
    writers = []

    def begin_elsewhere(value):
        monkeypatch.setattr(run_writer, "dumps", plain)
        writers.append(start_run(other, "run", RUN_PLAN, lease=True))
        return plain(value)

    calls = iter([plain, begin_elsewhere])  # tags first, then the plan of the new row
    monkeypatch.setattr(run_writer, "dumps", lambda value: next(calls)(value))
    with pytest.raises(error, match=message):
        start_run(store, "run", RUN_PLAN, resume=resume, lease=True)
    writers[0].release()
    store.close()
    other.close()
