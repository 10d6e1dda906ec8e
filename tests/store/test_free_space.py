"""A migration gives back the space that it leaves free, where the disk has room for that."""

import shutil
import sqlite3
from collections import namedtuple

import pytest
from alembic import command
from sqlalchemy.exc import OperationalError
from tests.store.scored import make_samples, stored_run
from tests.store.test_migrate import configured

from assay.store import connect, open_store
from assay.store.connect import Store
from assay.store.migrate import HEAD, revision, revisions
from assay.store.run_list import find_run, read_run

DiskUsage = namedtuple("DiskUsage", "total used free")


@pytest.fixture
def old(tmp_path):
    """An older store: one small run, and the space of a large one that is gone."""
    path = tmp_path / "s.db"
    store = open_store(str(path))
    stored_run(store, make_samples(20), "kept")
    stored_run(store, make_samples(600), "gone", size=100)
    store.write(lambda c: c.exec_driver_sql("DELETE FROM runs WHERE name = 'gone'"))
    store.alter(lambda c: command.downgrade(configured(c), revisions()[-2]))
    store.close()
    return path


def opened(path):
    """The size of the file after it was migrated; what it keeps is looked at."""
    store = open_store(str(path))
    assert store.read(revision) == HEAD
    samples = [sample for sample, _ in read_run(store, find_run(store, "kept"))]
    assert samples == make_samples(20)
    store.close()
    return path.stat().st_size


def test_the_file_shrinks_after_a_migration(old):
    before = old.stat().st_size
    assert opened(old) < 0.7 * before


@pytest.mark.parametrize("copies", [0.5, 1.9])
def test_it_is_left_as_it_is_without_room_for_two_copies(old, monkeypatch, copies):
    before = old.stat().st_size
    usage = DiskUsage(0, 0, int(copies * before))
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage)
    assert opened(old) >= before


def test_a_store_that_cannot_be_compacted_is_opened_all_the_same(old, monkeypatch):
    before = old.stat().st_size

    def full(connection, milliseconds):
        raise OperationalError("VACUUM", None, sqlite3.OperationalError("disk is full"))

    monkeypatch.setattr(connect, "_vacuum_sqlite", full)
    assert opened(old) >= before


def test_a_store_that_needs_no_migration_is_never_compacted(tmp_path, monkeypatch):
    path = str(tmp_path / "s.db")
    open_store(path).close()
    monkeypatch.setattr(Store, "vacuum", lambda store: pytest.fail("it was compacted"))
    open_store(path).close()
