"""The table of promises is whole, and names tests that exist."""

from collections import Counter

from tests import reliability
from tests.reliability import PARTS, RESULTS, missing_tests, page, rows

SIZES = {"A": 20, "B": 18, "C": 19, "D": 21, "E": 7, "F": 12}


def test_every_row_is_there_once_and_in_order():
    assert [row["id"] for row in rows()] == [
        f"{letter}{number}" for letter in PARTS for number in range(1, SIZES[letter] + 1)
    ]


def test_every_named_test_exists():
    assert missing_tests() == []


def test_a_test_that_does_not_exist_is_named(monkeypatch):
    wrong = [{"tests": ["tests/test_reliability.py::test_nothing", "tests/no.py::test_x"]}]
    monkeypatch.setattr(reliability, "rows", lambda: wrong)
    assert missing_tests() == wrong[0]["tests"]


def test_every_row_says_what_was_tried_or_why_not():
    for row in rows():
        assert row["result"] in RESULTS, row["id"]
        is_built = row["result"] != "not built"
        assert (bool(row.get("tests")), bool(row.get("trials"))) == (is_built, is_built), row["id"]
        assert row["result"] == "holds" or row.get("note"), row["id"]
        assert row["priority"] in ("P0", "P1", "P2")


def test_no_row_of_the_highest_priority_is_missing():
    assert Counter(row["result"] for row in rows() if row["priority"] == "P0")["not built"] == 0


def test_the_page_is_up_to_date():
    assert reliability.PAGE.read_text(encoding="utf-8") == page()
