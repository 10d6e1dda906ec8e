"""The audit trail keeps who did what, once."""

from threading import Thread

import pytest
from alembic import command
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from tests.store.test_migrate import configured

from assay.core import DataError
from assay.store.audit import AuditFilter, AuditStamp, check_trail, list_entries, record_change
from assay.store.migrate import migrate

ANN = AuditStamp("ann", 10.0)


def test_entries_are_listed_newest_first(store):
    record_change(store, ANN, "profile.saved", "ours", {"version": 1})
    record_change(store, AuditStamp("bob", 20.0), "run.removed", "old")
    found, total = list_entries(store, AuditFilter())
    assert total == 2
    assert [(e.created, e.actor, e.action, e.subject) for e in found] == [
        (20.0, "bob", "run.removed", "old"),
        (10.0, "ann", "profile.saved", "ours"),
    ]
    assert found[1].details == {"version": 1}


def test_the_same_entry_again_adds_nothing(store):
    for _ in range(2):  # as after a lost answer to the first attempt
        record_change(store, ANN, "profile.saved", "ours")
    assert list_entries(store, AuditFilter())[1] == 1


def test_filters_leave_out_the_rest(store):
    for number, action in enumerate(("profile.saved", "profile.removed", "profile_x", "key.made")):
        record_change(
            store, AuditStamp("ann" if number else "bob", float(number)), action, str(number)
        )
    cases = {
        "by actor": (AuditFilter(actor="bob"), ["0"]),
        "by beginning, where _ is no sign of its own": (
            AuditFilter(action="profile."),
            ["1", "0"],
        ),
        "by subject": (AuditFilter(subject="3"), ["3"]),
        "by time": (AuditFilter(since=1.0, until=3.0), ["2", "1"]),
    }
    for why, (chosen, expected) in cases.items():
        assert [e.subject for e in list_entries(store, chosen)[0]] == expected, why
    page, total = list_entries(store, AuditFilter(), limit=1, offset=1)
    assert ([e.subject for e in page], total) == (["2"], 4)


def test_text_that_a_database_cannot_hold_is_kept_with_stand_ins(store):
    record_change(store, AuditStamp("a\0nn", 1.0), "run.removed", "\ud800", {"x": "\0\ud800"})
    (found,), _ = list_entries(store, AuditFilter())
    assert (found.actor, found.details) == ("a\ufffdnn", {"x": "\0\ud800"})


def three(store):
    for number in range(3):
        record_change(store, AuditStamp("ann", float(number)), "run.removed", str(number), {"n": 1})


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit_log SET actor = 'bob'",
        "UPDATE audit_log SET digest = ''",
        "DELETE FROM audit_log",
        "DELETE FROM audit_log WHERE id = 2",
    ],
)
def test_no_entry_can_be_changed_or_removed(store, statement):
    three(store)
    with pytest.raises(DBAPIError, match="append-only"):
        store.write(lambda connection: connection.execute(text(statement)))
    assert check_trail(store).entries == 3


def test_the_trail_cannot_be_emptied(store):
    three(store)
    if store.is_postgres:
        with pytest.raises(DBAPIError, match="append-only"):
            store.write(lambda connection: connection.execute(text("TRUNCATE audit_log")))
    assert check_trail(store).entries == 3


def behind(store, statement):
    """Change the trail as somebody can who may change tables."""
    triggers = (
        ["ALTER TABLE audit_log DISABLE TRIGGER ALL"]
        if store.is_postgres
        else ["DROP TRIGGER audit_log_no_update", "DROP TRIGGER audit_log_no_delete"]
    )
    for line in (*triggers, statement):
        store.write(lambda connection, line=line: connection.execute(text(line)))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit_log SET actor = 'bob' WHERE id = 2",
        "UPDATE audit_log SET details = '{}' WHERE id = 1",
        "UPDATE audit_log SET created = 99 WHERE id = 3",
        "DELETE FROM audit_log WHERE id = 1",
        "DELETE FROM audit_log WHERE id = 2",
    ],
)
def test_a_trail_that_was_changed_behind_the_back_is_told(store, statement):
    three(store)
    assert check_trail(store).entries == 3
    behind(store, statement)
    with pytest.raises(DataError, match="broken at entry"):
        check_trail(store)


def test_a_trail_whose_end_was_cut_off_is_told_to_those_who_kept_its_digest(store):
    three(store)
    kept = check_trail(store).digest
    record_change(store, AuditStamp("ann", 9.0), "run.removed", "9")
    assert check_trail(store, kept).entries == 4
    behind(store, "DELETE FROM audit_log WHERE id > 2")
    assert check_trail(store).entries == 2
    with pytest.raises(DataError, match="its end was removed"):
        check_trail(store, kept)


def test_writers_at_once_keep_one_chain(store):
    def write(number):
        for step in range(10):
            record_change(store, AuditStamp(f"writer {number}", float(step)), "run.removed")

    threads = [Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert check_trail(store).entries == 40


def test_a_store_of_an_older_version_gets_a_chain(store):
    three(store)
    kept = check_trail(store)
    store.alter(lambda connection: command.downgrade(configured(connection), "0008"))
    migrate(store)
    assert check_trail(store) == kept
