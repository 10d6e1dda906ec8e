"""Profiles and strategies keep every version."""

import threading

import pytest
from sqlalchemy import select

from assay.core import NotFoundError, UsageError
from assay.store import open_store, schema
from assay.store.audit import AuditFilter, AuditStamp, list_entries
from assay.store.configuration import (
    ConflictError,
    find_strategies,
    find_version,
    list_newest,
    list_versions,
    remove,
    save_strategies,
    save_version,
)

ANN = AuditStamp("ann", 10.0)


def save(store, body, **given):
    return save_version(store, "profile", "ours", body, ANN, **given)


def test_each_change_is_a_version(store):
    assert [save(store, body).version for body in ("a", "b", "b", "a")] == [1, 2, 2, 3]
    assert find_version(store, "profile", "ours").body == "a"
    assert find_version(store, "profile", "ours", 2).body == "b"
    assert [v.version for v in list_versions(store, "profile", "ours")] == [3, 2, 1]
    assert [e.details for e in list_entries(store, AuditFilter())[0]] == [
        {"version": 3},
        {"version": 2},
        {"version": 1},
    ]


def test_a_removed_thing_keeps_its_history_and_can_come_back(store):
    save(store, "a")
    remove(store, "profile", "ours", ANN)
    assert list_newest(store, "profile") == []
    with pytest.raises(NotFoundError, match="no profile 'ours'"):
        find_version(store, "profile", "ours")
    with pytest.raises(NotFoundError):
        remove(store, "profile", "ours", ANN)
    assert [v.body for v in list_versions(store, "profile", "ours")] == ["", "a"]
    assert save(store, "b").version == 3
    assert [v.body for v in list_newest(store, "profile")] == ["b"]


def test_a_change_on_an_old_version_is_refused(store):
    save(store, "a", expected=0)
    save(store, "b", expected=1)
    with pytest.raises(ConflictError, match="at version 2, not 1"):
        save(store, "c", expected=1)


def test_kinds_and_names_do_not_mix(store):
    save(store, "a")
    save_strategies(store, "ours", lambda old: {"name": "FUZZY"}, ANN)
    assert [v.body for v in list_newest(store, "profile")] == ["a"]
    assert find_strategies(store, "ours") == {"name": "FUZZY"}
    with pytest.raises(NotFoundError, match="no set of field strategies 'other'"):
        find_strategies(store, "other")


def test_strategies_stand_in_their_table_too(store):
    save_strategies(store, "s", lambda old: {"b": "EXACT", "a": "FUZZY"}, ANN)
    save_strategies(store, "s", lambda old: {**old, "a": {"strategy": "AUTO"}}, ANN)
    table = schema.field_strategies
    rows = store.read(lambda c: c.execute(select(table.c.field, table.c.strategy)).all())
    assert sorted(map(tuple, rows)) == [("a", '{"strategy": "AUTO"}'), ("b", '"EXACT"')]
    remove(store, "strategies", "s", ANN)
    assert store.read(lambda c: c.execute(select(table.c.field)).all()) == []
    assert find_strategies(store, "s", 1) == {"a": "FUZZY", "b": "EXACT"}


def test_what_a_database_cannot_hold_is_refused(store):
    for body in ("\0", "\ud800"):
        with pytest.raises(UsageError, match="NUL or half"):
            save(store, body)


def test_changes_at_once_all_become_versions(url):
    stores = [open_store(url) for _ in range(4)]

    def work(number, store):
        for turn in range(5):
            save(store, f"{number}.{turn}")

    threads = [threading.Thread(target=work, args=entry) for entry in enumerate(stores)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    versions = list_versions(stores[0], "profile", "ours")
    assert [v.version for v in versions] == list(range(20, 0, -1))
    for store in stores:
        store.close()
