"""The audit trail keeps who did what, once."""

from assay.store.audit import AuditFilter, AuditStamp, list_entries, record_change

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
