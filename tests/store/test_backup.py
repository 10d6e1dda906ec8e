"""A copy that is made while others write: whole, and with all that was safe before."""

import os
from threading import Event, Thread

import pytest
from tests.store.scored import RUN_PLAN, make_samples, score

from assay.core import DataError, UsageError
from assay.store import open_store
from assay.store.audit import AuditStamp, check_trail, record_change
from assay.store.backup import back_up
from assay.store.run_list import find_run, read_run
from assay.store.run_writer import start_run

BACKUPS, WRITERS = 8, 3


def test_copies_among_writers_hold_all_that_was_safe_before(tmp_path):
    store = open_store(str(tmp_path / "s.db"))
    batch = make_samples(5)
    scored = score(batch)
    writers = [start_run(store, f"run {number}", RUN_PLAN) for number in range(WRITERS)]
    is_over = Event()

    def write(writer):
        while not is_over.is_set():
            writer.record(batch, scored)

    threads = [Thread(target=write, args=(writer,)) for writer in writers]
    for thread in threads:
        thread.start()
    try:
        for number in range(BACKUPS):
            before = [writer.places for writer in writers]
            path = tmp_path / f"copy {number}.db"
            back_up(store, path)
            copy = open_store(str(path))
            for writer, places in zip(writers, before, strict=True):
                run = find_run(copy, writer.name)
                assert run.places >= places
                assert len(list(read_run(copy, run))) == run.places == run.tests
            copy.close()
    finally:
        is_over.set()
        for thread in threads:
            thread.join()
        store.close()


def test_a_copy_can_be_put_in_the_place_of_the_store(tmp_path):
    store = open_store(str(tmp_path / "s.db"))
    record_change(store, AuditStamp("ann", 1.0), "run.removed", "x")
    state = check_trail(store)
    umask = os.umask(0)
    try:
        back_up(store, tmp_path / "copy.db")
    finally:
        os.umask(umask)
    assert (tmp_path / "copy.db").stat().st_mode & 0o777 == 0o600
    store.close()
    (tmp_path / "copy.db").replace(tmp_path / "s.db")
    store = open_store(str(tmp_path / "s.db"))
    assert check_trail(store) == state
    store.close()


def test_nothing_is_overwritten_and_nothing_left(tmp_path):
    store = open_store(str(tmp_path / "s.db"))
    (tmp_path / "there").write_text("mine")
    with pytest.raises(UsageError, match="exists already"):
        back_up(store, tmp_path / "there")
    with pytest.raises(DataError, match="cannot be written"):
        back_up(store, tmp_path / "no folder" / "copy.db")
    assert (tmp_path / "there").read_text() == "mine"
    assert not list(tmp_path.glob(".assay-*"))
    store.close()


def test_postgresql_has_a_program_of_its_own(postgres, tmp_path):
    store = open_store(postgres.new_store())
    with pytest.raises(UsageError, match="pg_dump"):
        back_up(store, tmp_path / "copy.db")
    store.close()
