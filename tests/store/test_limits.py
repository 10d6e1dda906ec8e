"""Waits, journals, names and clocks: each has a bound."""

import sqlite3
from contextlib import ExitStack, closing, contextmanager
from itertools import chain, repeat

import pytest
from sqlalchemy import text
from tests.store.scored import RUN_PLAN, make_samples, score

from assay.core.errors import RunBusyError, StoreBusyError, TimeLimitError
from assay.store import connect, lease, open_store, run_writer
from assay.store.run_writer import start_run

ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"


def test_a_query_that_takes_too_long_is_ended(store):
    limited = store.waiting(5.0, 0.05)
    with pytest.raises(TimeLimitError, match=r"longer than 0\.05 seconds"):
        limited.read(lambda connection: connection.execute(text(ENDLESS)).scalar())
    assert limited.read(lambda c: c.execute(text("SELECT 1")).scalar()) == 1
    assert store.read(lambda c: c.execute(text("SELECT 2")).scalar()) == 2


def test_a_pool_without_a_free_connection_is_not_waited_for_for_ever(postgres, monkeypatch):
    monkeypatch.setattr(connect, "WAIT", 0.1)
    store = open_store(postgres.new_store())
    with ExitStack() as stack:
        for _ in range(15):  # 5 of the pool, 10 beyond
            stack.enter_context(store.engine.connect())
        with pytest.raises(StoreBusyError):
            store.read(lambda connection: connection.execute(text("SELECT 1")).scalar())
    assert store.read(lambda c: c.execute(text("SELECT 1")).scalar()) == 1
    store.close()


@pytest.mark.parametrize("mode", ["WAL", "TRUNCATE"])
def test_a_journal_is_cut_when_a_long_reader_has_ended(tmp_path, monkeypatch, mode):
    monkeypatch.setattr(connect, "journal_mode", lambda version, file: mode)
    path = tmp_path / "s.db"
    store = open_store(str(path))
    store.write(lambda c: c.execute(text("CREATE TABLE big (value BLOB)")))
    reader = sqlite3.connect(path, isolation_level=None)
    if mode == "WAL":  # with the other a reader keeps writers waiting, and nothing grows
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM big").fetchone()
    insert = text("INSERT INTO big VALUES (zeroblob(1000000))")
    for _ in range(12):
        store.write(lambda connection: connection.execute(insert))
    reader.close()
    for _ in range(3):
        store.write(lambda connection: connection.execute(insert))
    sizes = [
        other.stat().st_size
        for other in tmp_path.iterdir()
        if other.name.endswith(("-wal", "-journal"))
    ]
    assert max(sizes, default=0) <= connect.MAX_JOURNAL + 2_000_000
    store.close()


def test_runs_without_a_name_never_get_the_same(store, monkeypatch):
    tokens = chain(repeat("aaaaaa", 3), ("bbbbbb", "bbbbbb", "cccccc"))
    monkeypatch.setattr(run_writer.secrets, "token_hex", lambda size: next(tokens))
    names = [start_run(store, None, RUN_PLAN, now=lambda: 0.0).name for _ in range(3)]
    assert names == [f"19700101-000000-{end * 6}" for end in "abc"]


@pytest.mark.parametrize("skew", [-600.0, 600.0])
def test_clocks_of_machines_that_share_a_database_may_differ(postgres, monkeypatch, skew):
    """The lease is by the database's clock, so a wrong one neither takes nor loses a run."""
    store = open_store(postgres.new_store())
    first = start_run(store, "run", RUN_PLAN, lease=True)
    here = lease.time.time
    monkeypatch.setattr(lease.time, "time", lambda: here() + skew)
    monkeypatch.setattr(lease, "_is_gone", lambda owner: False)
    with pytest.raises(RunBusyError):
        start_run(store, "run", RUN_PLAN, resume=True, lease=True)
    batch = make_samples(2)
    first.record(batch, score(batch))
    assert first.places == 2
    first.release()
    store.close()


def test_errors_of_the_database_tell_no_values(tmp_path):
    store = open_store(str(tmp_path / "s.db"))

    def work(connection):
        connection.execute(text("INSERT INTO no_such_table VALUES (:value)"), {"value": "s3cret"})

    with pytest.raises(Exception) as caught:
        store.write(work)
    error = caught.value
    while error is not None:
        assert "s3cret" not in f"{error} {error!r}"
        error = error.__cause__ or error.__context__
    store.close()


@contextmanager
def used_by_another(path, begin):
    """The store while another program is in the middle of a transaction."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute(begin)
        other.execute("SELECT count(*) FROM runs").fetchone()
        yield


@pytest.mark.parametrize(("mode", "begin"), [("WAL", "BEGIN IMMEDIATE"), ("TRUNCATE", "BEGIN")])
def test_a_store_in_use_is_not_compacted_and_the_user_is_told_what_to_do(
    tmp_path, monkeypatch, mode, begin
):
    monkeypatch.setattr(connect, "journal_mode", lambda version, file: mode)
    path = tmp_path / "s.db"
    store = open_store(str(path)).waiting(0.01)
    told = pytest.raises(StoreBusyError, match="run `assay runs compact` when it is free")
    with used_by_another(path, begin), told:
        store.vacuum()
    store.vacuum()
    store.close()
