import pytest

from assay.testing.outcomes import MOST_TEXT, Outcomes

NAME = "test_a.py::test_it"


def report(when, outcome="passed", checks=(), longrepr=None, name=NAME):
    made = pytest.TestReport(name, ("test_a.py", 1, "test_it"), {}, outcome, longrepr, when)
    made.duration = {"setup": 1.0, "call": 2.0, "teardown": 4.0}.get(when, 0.0)
    if checks is not None:
        vars(made)["assay"] = list(checks)
    return made


def outcome(*reports, with_lost=True):
    outcomes = Outcomes()
    for one in reports:
        outcomes.add(one)
    return list(outcomes.tests(with_lost=with_lost))


SETUP, CALL, TEARDOWN = report("setup"), report("call", checks=["a"]), report("teardown")


@pytest.mark.parametrize(
    ("reports", "status", "checks", "duration"),
    [
        ([SETUP, CALL, TEARDOWN], "passed", ["a"], 2.0),
        ([SETUP, report("call", "failed", longrepr="no")], "failed", [], 2.0),
        ([report("setup", "failed", longrepr="no"), TEARDOWN], "failed", [], 1.0),
        ([SETUP, CALL, report("teardown", "failed", longrepr="no")], "failed", ["a"], 2.0),
        ([report("setup", "skipped", longrepr=("f", 1, "no")), TEARDOWN], "skipped", [], 1.0),
        ([SETUP, report("call", "skipped", longrepr="no"), TEARDOWN], "skipped", [], 2.0),
        ([SETUP, report("call", "rerun", ["x"], "no"), SETUP, CALL], "passed", ["a"], 2.0),
        ([SETUP, report("???", "failed", None, "died")], "failed", [], 1.0),
        ([SETUP, CALL, report("???", "failed", None, "died")], "failed", ["a"], 2.0),
    ],
)
def test_a_test_has_one_outcome(reports, status, checks, duration):
    (found,) = outcome(*reports)
    assert (found.status, found.checks, found.duration) == (status, checks, duration)
    assert found.message in (None, "no", "died")


def test_a_test_that_the_session_left_behind_has_failed():
    (found,) = outcome(SETUP)
    assert (found.status, found.message) == ("failed", "The session ended before the test did.")


def test_tests_of_others_leave_no_trace():
    others = [report(when, checks=None) for when in ("setup", "call", "teardown")]
    assert outcome(*others) == []
    assert outcome(report("???", "failed", None, "died"), with_lost=False) == []


def test_tests_come_by_name_whatever_the_order_in_which_they_ended():
    names = [f"test_{letter}" for letter in "cab"]
    found = outcome(*(report("call", name=name) for name in names))
    assert [test.name for test in found] == sorted(names)


def test_endless_messages_are_cut():
    (found,) = outcome(report("call", "failed", longrepr="x" * 2 * MOST_TEXT))
    assert len(found.message) == len(found.trace) == MOST_TEXT
