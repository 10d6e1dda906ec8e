"""Processes that die at any moment lose nothing that was safe, and count nothing twice."""

import random
import signal

import pytest
from sqlalchemy import text
from tests.attempts import attempts
from tests.store.killed import MOMENTS
from tests.store.scored import make_samples, stored_run

from assay.store import open_store, run_writer
from assay.store.run_list import find_run, read_run

KILLS = 20
RECORDS = 5_000
BATCHES = 125
LATE = 60
"""Batches before the last kill; the others come early, so that little is replayed."""


@pytest.fixture
def attempt():
    """Works on a run in a process that may kill itself; gives how it ended."""
    with attempts("tests.store.killed") as ended:
        yield lambda url, out, moment, calls=1: ended(
            url, RECORDS, RECORDS // BATCHES, str(out), moment, calls
        )


def test_a_run_that_is_killed_20_times_ends_as_one_that_is_not(url, tmp_path, attempt):
    chance = random.Random(7)  # noqa: S311 -- moments, not secrets
    done = 0
    for kill in range(1, KILLS + 1):
        moment = chance.choice(MOMENTS if done else MOMENTS[:3])
        calls = chance.randint(1, 4)
        if kill == KILLS:
            moment, calls = "record", LATE
        elif moment == "replay":
            calls = min(calls, done * BATCHES // RECORDS)
        ended = attempt(url, tmp_path / "killed.jsonl", moment, calls)
        assert ended == -signal.SIGKILL
        store = open_store(url)
        places = find_run(store, "run").places
        assert places >= done
        done = places
        store.close()
    assert done >= RECORDS * LATE // BATCHES
    assert attempt(url, tmp_path / "killed.jsonl", "never") == 0
    assert attempt(url, tmp_path / "whole.jsonl", "unstored") == 0
    assert (tmp_path / "killed.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    store = open_store(url)
    counts = [
        "SELECT count(*) FROM test_results",
        "SELECT count(*) FROM test_scores",
        "SELECT sum(total) FROM test_rollups WHERE tag = ''",
        "SELECT sum(count) FROM metric_rollups WHERE tag = ''",
    ]
    found = store.read(lambda c: [c.execute(text(count)).scalar_one() for count in counts])
    assert found == [RECORDS] * 4
    assert find_run(store, "run").status == "finished"
    store.close()


def test_a_connection_that_is_cut_20_times_loses_nothing(postgres, monkeypatch):
    store = open_store(postgres.new_store())
    chance = random.Random(11)  # noqa: S311 -- moments, not secrets
    calls = iter(range(1_000_000))
    cut_at = set(chance.sample(range(400), KILLS))
    plain = run_writer.insert_rows

    def cut(connection, table, rows):
        if next(calls) in cut_at:
            connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
        plain(connection, table, rows)

    monkeypatch.setattr(run_writer, "insert_rows", cut)
    monkeypatch.setattr("assay.store.connect.time.sleep", lambda seconds: None)
    samples = make_samples(600)
    stored_run(store, samples, size=10)
    assert [sample for sample, _ in read_run(store, find_run(store, "first"))] == samples
    count = "SELECT sum(total) FROM test_rollups WHERE tag = ''"
    assert store.read(lambda c: c.execute(text(count)).scalar_one()) == 600
    assert next(calls) > 400
    store.close()
