import errno
import multiprocessing
import os
import sqlite3
import stat
import time
from pathlib import Path
from threading import get_ident

import pytest
from sqlalchemy import column, select, table, text
from sqlalchemy.exc import IntegrityError

from assay.core import DataError, UsageError
from assay.core.sqlite_journal import journal_mode
from assay.store import open_store, schema
from assay.store.run_list import list_runs

WRITERS, TRANSACTIONS = 8, 100


def add_one_by_one(url, count):
    """Read a number and write it back increased, as often as asked, each in one transaction."""
    opened = open_store(url).waiting(600.0)  # a loaded machine is slow, not wrong

    query = select(column("value")).select_from(table("counter"))
    query = query.with_for_update()  # SQLite ignores it: its writers queue up as a whole

    def work(connection):
        found = connection.execute(query).scalar_one()
        connection.execute(text("UPDATE counter SET value = :next"), {"next": found + 1})

    for _ in range(count):
        opened.write(work)
    opened.close()


def test_no_write_of_many_processes_is_lost_or_refused(url):
    store = open_store(url)
    store.write(lambda c: c.execute(text("CREATE TABLE counter (value INTEGER)")))
    store.write(lambda c: c.execute(text("INSERT INTO counter VALUES (0)")))
    context = multiprocessing.get_context("spawn")
    writers = [
        context.Process(target=add_one_by_one, args=(url, TRANSACTIONS)) for _ in range(WRITERS)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0] * WRITERS
    value = store.read(lambda c: c.execute(text("SELECT value FROM counter")).scalar_one())
    assert value == WRITERS * TRANSACTIONS
    store.close()


@pytest.mark.parametrize(
    ("version", "expected"),
    [((3, 40, 1), "TRUNCATE"), ((3, 51, 2), "TRUNCATE"), ((3, 51, 3), "WAL"), ((4, 0, 0), "WAL")],
)
def test_only_a_sqlite_whose_log_is_safe_uses_it(version, expected):
    assert journal_mode(version, Path("/proc/assay.db")) == expected


def test_every_connection_to_sqlite_is_set_up(tmp_path):
    store = open_store(str(tmp_path / "assay.db"))
    expected = {
        "journal_mode": journal_mode(sqlite3.sqlite_version_info, tmp_path).lower(),
        "busy_timeout": 30000,
        "synchronous": 2,
        "foreign_keys": 1,
    }

    def pragmas(connection):
        return {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in expected
        }

    def both(connection):
        return pragmas(connection), store.read(pragmas)  # the second needs a connection of its own

    assert store.read(both) == (expected, expected)
    store.close()


def test_the_file_is_readable_for_its_owner_alone(tmp_path):
    old = os.umask(0)
    try:
        store = open_store(str(tmp_path / "new" / "assay.db"))
    finally:
        os.umask(old)
    store.close()
    modes = [stat.S_IMODE(path.stat().st_mode) for path in sorted((tmp_path / "new").rglob("*"))]
    assert (stat.S_IMODE((tmp_path / "new").stat().st_mode), set(modes)) == (0o700, {0o600})


@pytest.mark.parametrize(
    ("url", "error", "message"),
    [
        ("mysql://host/name", UsageError, "of an unknown kind; expected sqlite"),
        ("sqlite://", UsageError, "names no file"),
        ("postgresql://host:port/x", UsageError, "is no URL of a store"),
        ("/proc/no/such/assay.db", DataError, "cannot be"),
    ],
)
def test_a_store_that_cannot_be_opened_is_explained(url, error, message):
    with pytest.raises(error, match=message):
        open_store(url)


def test_a_password_is_not_shown(postgres):
    url = postgres.new_store().replace("postgres@", "postgres:secret@")
    store = open_store(url)
    assert "secret" not in store.url
    store.close()


def test_work_is_done_again_when_the_server_cuts_the_connection(postgres):
    store = open_store(postgres.new_store())
    store.write(lambda c: c.execute(text("CREATE TABLE cut (value INTEGER)")))
    attempts = []

    def work(connection):
        attempts.append(1)
        connection.execute(text("INSERT INTO cut VALUES (1)"))
        if len(attempts) < 3:
            connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))

    store.write(work)
    count = store.read(lambda c: c.execute(text("SELECT count(*) FROM cut")).scalar_one())
    assert (len(attempts), count) == (3, 1)
    store.close()


def test_a_server_that_restarts_is_waited_for(postgres, monkeypatch):
    """It stays away for three attempts, the second of which finds nobody to talk to."""
    store = open_store(postgres.new_store())
    store.write(lambda c: c.execute(text("CREATE TABLE kept (value INTEGER)")))
    attempts, pauses = [], []

    def work(connection):
        attempts.append(1)
        connection.execute(text("INSERT INTO kept VALUES (1)"))
        if len(attempts) == 1:
            postgres.stop("fast")

    sleep, here = time.sleep, get_ident()

    def pause(seconds):
        if get_ident() != here:  # another thread of this process, with its own reasons
            sleep(seconds)
            return
        pauses.append(seconds)
        if len(pauses) == 3:
            postgres.start()

    monkeypatch.setattr("assay.store.connect.time.sleep", pause)
    store.write(work)
    count = store.read(lambda c: c.execute(text("SELECT count(*) FROM kept")).scalar_one())
    assert (len(attempts), len(pauses), count) == (2, 3, 1)
    assert all(seconds <= 2 for seconds in pauses)
    store.close()


def test_a_server_that_stays_away_is_not_waited_for_for_ever(postgres, monkeypatch):
    store = open_store(postgres.new_store())
    now = [0.0]

    def pause(seconds):
        now[0] += seconds

    monkeypatch.setattr("assay.store.connect.time.sleep", pause)
    monkeypatch.setattr("assay.store.connect.time.monotonic", lambda: now[0])
    postgres.stop("fast")
    try:
        with pytest.raises(DataError, match="failed"):
            store.read(lambda c: c.execute(text("SELECT 1")))
    finally:
        postgres.start()
    assert 60 <= now[0] <= 65
    store.close()


@pytest.fixture
def read_only(tmp_path, monkeypatch):
    """A store on a file system that refuses to open files for writing."""
    path = tmp_path / "assay.db"
    store = open_store(str(path))
    run = {"name": "r", "status": "finished", "created": 1.0, "updated": 1.0, "plan": "{}"}
    store.write(lambda c: c.execute(schema.runs.insert(), [run]))
    store.close()
    path.with_name("assay.db.lock").unlink()
    opened = os.open

    def refuse(name, flags, *rest, **given):
        if flags & (os.O_RDWR | os.O_WRONLY):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(name))
        return opened(name, flags, *rest, **given)

    monkeypatch.setattr(os, "open", refuse)
    return path


def test_a_store_that_cannot_be_written_to_is_read(read_only):
    before, listed = read_only.read_bytes(), sorted(read_only.parent.iterdir())
    store = open_store(str(read_only))
    assert list_runs(store)[0].name == "r"
    with pytest.raises(DataError, match=r"cannot be written to, only read; copy it"):
        store.write(lambda c: c.execute(text("DELETE FROM runs")))
    with pytest.raises(DataError, match="readonly"):  # SQLite itself would not let us either
        store.read(lambda c: c.execute(text("DELETE FROM runs")))
    store.close()
    assert read_only.read_bytes() == before
    assert sorted(read_only.parent.iterdir()) == listed


def test_an_older_store_that_cannot_be_written_to_is_explained(read_only):
    with sqlite3.connect(read_only) as connection:
        connection.execute("UPDATE assay_version SET version_num = '0001'")
    connection.close()
    with pytest.raises(DataError, match=r"at version '0001' and cannot be brought to"):
        open_store(str(read_only))


def test_a_file_that_is_no_database_is_explained(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("not a database at all, but long enough to be looked at " * 20)
    with pytest.raises(DataError, match=r"notes\.txt' failed: file is not a database"):
        open_store(str(path))


def test_errors_do_not_show_what_was_to_be_stored(store):
    def work(connection):
        connection.execute(
            schema.runs.insert().values(name="said in private", status=None, created=1, updated=1)
        )

    with pytest.raises(IntegrityError) as failed:
        store.write(work)
    assert "hidden" in str(failed.value)
    assert "[parameters" not in str(failed.value)
