"""What is deleted is gone from the bytes of the files too, on both databases."""

import os
import signal
import sqlite3
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import make_url
from tests.attempts import attempt
from tests.canaries import forms
from tests.store.scored import NOON, RUN_PLAN, make_samples, score
from tests.store.test_run_writer import ANN, summary_of

from assay.core.errors import StoreBusyError
from assay.store import connect, open_store, run_list
from assay.store.run_list import delete_run, list_runs, prune
from assay.store.run_writer import RunPlan, start_run

CANARY = "Cnry4f1c+/77aa=z"
RUNS = 3


def files_of(url: str, postgres) -> list[Path]:
    """All files that hold rows of the store; the log of PostgreSQL is its own."""
    if not postgres:
        path = Path(make_url(url).database)
        return list(path.parent.glob(f"{path.name}*"))
    store = open_store(url)
    number = "SELECT oid FROM pg_database WHERE datname = current_database()"
    folder = store.read(lambda connection: connection.exec_driver_sql(number).scalar_one())
    store.close()
    return [path for path in (postgres.folder / f"data/base/{folder}").iterdir() if path.is_file()]


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:  # PostgreSQL has removed it meanwhile
        return b""


def canaries(url: str, postgres) -> set[str]:
    """The forms in which the canary stands in the files, once all is written out."""
    if postgres:
        store = open_store(url)
        store.read(lambda connection: connection.exec_driver_sql("CHECKPOINT"))
        store.close()
    data = [_bytes_of(path) for path in files_of(url, postgres)]
    return {name for name, form in forms(CANARY).items() if any(form in one for one in data)}


@pytest.fixture
def postgres_of(url, request):
    return request.getfixturevalue("postgres") if url.startswith("postgresql") else None


def _record(store, name, words, at):
    """Store a run with some words in records, plan and tags; names stay in the audit trail."""
    samples = make_samples(20, expected=f"{words} expected", metadata={words: f"{words} value"})
    plan = RunPlan(RUN_PLAN.metrics, {"note": f"{words} plan"})
    writer = start_run(store, name, plan, now=lambda: NOON + at, tags=(f"{words} tag",))
    writer.record(samples, score(samples))
    writer.finish(summary_of(samples))


@pytest.fixture
def filled(url):
    """Runs with the canary; the planner of PostgreSQL has looked at their values."""
    store = open_store(url)
    for number in range(RUNS):
        _record(store, f"run-{number}", CANARY, number)
    if store.is_postgres:  # as it does by itself now and then
        store.write(lambda connection: connection.exec_driver_sql("ANALYZE"))
    yield store
    store.close()


def compact(store):
    """Give the space of deleted runs back, while another run is there."""
    _record(store, "another", "harmless", RUNS)
    store.vacuum()


def test_deleted_runs_leave_no_byte_behind(url, filled, postgres_of):
    assert canaries(url, postgres_of)
    for run in list_runs(filled):
        delete_run(filled, run.name, ANN)
    if postgres_of:
        assert canaries(url, postgres_of), "it is compacting that removes them"
        compact(filled)
    assert canaries(url, postgres_of) == set()


def test_compacting_waits_no_longer_than_the_store(postgres):
    store = open_store(postgres.new_store())
    with store.engine.connect() as reader:
        reader.exec_driver_sql("SELECT count(*) FROM runs")
        with pytest.raises(StoreBusyError):
            store.waiting(0.2).vacuum()
    with ExitStack() as stack:
        pooled = [stack.enter_context(store.engine.connect()) for _ in range(3)]
        assert {one.exec_driver_sql("SHOW lock_timeout").scalar_one() for one in pooled} == {"0"}
    store.close()


def _prune_and_die(url, calls):
    """Delete all runs, but die in one of the deletions, before or after it is committed."""
    left = [calls]
    delete = run_list.delete_run

    def dying(*args):
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        delete(*args)

    run_list.delete_run = dying
    prune(open_store(url), ANN, keep=0)


@pytest.mark.parametrize("calls", range(1, RUNS + 1))
def test_a_killed_deletion_can_be_repeated(url, filled, postgres_of, calls):
    filled.close()
    assert attempt(_prune_and_die, (url, calls)) == -signal.SIGKILL
    store = open_store(url)
    assert len(list_runs(store)) == RUNS - calls + 1
    assert len(prune(store, ANN, keep=0)) == RUNS - calls + 1
    compact(store)
    store.close()
    assert canaries(url, postgres_of) == set()


def test_removed_bytes_are_overwritten_whatever_sqlite_does_by_itself():
    connection = sqlite3.connect(":memory:")
    connection.execute("PRAGMA secure_delete = OFF")
    connect._set_up_sqlite(connection, None)
    assert connection.execute("PRAGMA secure_delete").fetchone() == (1,)
