import pytest

from assay.data.json_options import FieldOptions, JsonOptions
from assay.jsoncompare.values import (
    exact_text,
    field_type,
    fuzzy_similarity,
    is_equal,
    is_null,
    listed,
    resolve_strategy,
    rules_of,
    shown,
    unordered,
)


@pytest.mark.parametrize("value", [None, "", "  ", "\n\t"])
def test_null(value):
    assert is_null(value)


@pytest.mark.parametrize("value", [0, False, [], {}, "null", 0.0])
def test_not_null(value):
    assert not is_null(value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (5, "numeric"),
        (2.5, "numeric"),
        ("-12.5", "numeric"),
        ("1e5", "numeric"),
        (".5", "numeric"),
        ("٣", "numeric"),
        ("1,000", "text"),
        ("12a", "text"),
        (True, "boolean"),
        ("2024-01-02", "date"),
        ("2024-01-02T03:04:05Z", "date"),
        ("2024-01-02 03:04:05.678+02:00", "date"),
        ("2024-01-02T03:04", "date"),
        ("on 2024-01-02", "text"),
        ("02.01.2024", "text"),
        ("john@example.com", "email"),
        ("john@example", "text"),
        ("a b@example.com", "text"),
        ([1], "array"),
        ({}, "object"),
        ("hello", "text"),
        ("القاهرة", "text"),
        (" ", "null"),
        ("1" * 5000, "text"),
        ("a@" + "." * 100_000 + " ", "text"),
        ("1" * 100_000 + "x", "text"),
    ],
)
def test_types(value, expected):
    assert field_type(value) == expected


@pytest.mark.parametrize(
    ("gt", "aio", "expected"),
    [
        (1, 1.0, 0),
        (True, "true", 1),
        (True, 1, 0),
        ("ISTANBUL", "istanbul", 1),
        ("a", " a", 0),
        ({"b": 1, "a": "X"}, {"a": "x", "b": 1}, 1),
        ([1, 2], [2, 1], 0),
        ("القاهرة", "القاهرة", 1),
        (10**300, 10**300, 1),
        ("\ud800", "\ud800", 1),
    ],
)
def test_exact(gt, aio, expected):
    assert (exact_text(gt) == exact_text(aio)) == expected


@pytest.mark.parametrize(
    ("options", "gt", "aio", "expected"),
    [
        ({"numeric_tolerance": 0}, 1, 1.0, True),
        ({"numeric_tolerance": 0.05}, 1.0, 1.05, True),
        ({"numeric_tolerance": 0.05}, "1.0", 1.0501, False),
        ({"numeric_tolerance": 1}, 10**300, 10**300 + 1, True),
        ({"numeric_tolerance": 1}, "1,000", 1000, False),
        ({"numeric_tolerance": 1}, True, 1, False),
        ({"numeric_tolerance": 1}, "a", "b", False),
        ({"number_without_units": True}, "1,000 kg", 1000, True),
        ({"number_without_units": True}, "$1,234.50", "1234.5 USD", True),
        ({"number_without_units": True}, "1 000", 1000, True),
        ({"number_without_units": True}, "-5 °C", -5, True),
        ({"number_without_units": True}, "5 to 6", 5, False),
        ({"number_without_units": True}, "1,00", 100, False),
        ({"date": "ymd"}, "2024-01-02", "2024/1/2", True),
        ({"date": "dmy"}, "2024-01-02", "02.01.2024", True),
        ({"date": "mdy"}, "2024-01-02", "02.01.2024", False),
        ({"date": "ymd"}, "2024-01-02", "02.01.2024", False),
        ({"date": "ymd"}, "2024-01-02", "January 2, 2024", True),
        ({"date": "ymd"}, "2 Jan 2024", "2024-01-02T10:00:00Z", True),
        ({"date": "ymd"}, "2024-01-02T10:00:00Z", "2024-01-02T12:00:00+02:00", True),
        ({"date": "ymd"}, "2024-01-02T10:00:00Z", "2024-01-02T11:00:00Z", False),
        ({"date": "ymd"}, "2024-13-45", "2024-13-45", True),
        ({"ignore_whitespace": True}, "a  b", " A b", True),
        ({"list_order_matters": False}, [1, {"a": [2, 3]}], [{"a": [3, 2]}, 1], True),
        ({"list_order_matters": False}, [1, 1, 2], [1, 2, 2], False),
    ],
)
def test_exact_with_options(options, gt, aio, expected):
    rules = rules_of(FieldOptions(**options), JsonOptions(), "EXACT")
    assert is_equal(gt, aio, rules) is expected
    assert is_equal(aio, gt, rules) is expected


def test_an_option_of_the_document_holds_for_every_field():
    rules = rules_of(None, JsonOptions(numeric_tolerance=1), "EXACT")
    assert is_equal(1, 2, rules)


def test_deep_lists_are_sorted_without_recursion():
    deep = [2, 1]
    for _ in range(400):
        deep = [deep]
    assert unordered(deep) != deep


def test_the_walkthroughs_names_are_alike():
    assert fuzzy_similarity("John Smith", "John Smyth") == pytest.approx(0.90)
    assert fuzzy_similarity("Smith John", "John Smith") == 1.0
    assert fuzzy_similarity("\ud800", "القاهرة") == 0.0


@pytest.mark.parametrize(
    ("field", "value", "chosen", "expected"),
    [
        ("f", "some text", {}, "SEMANTIC"),
        ("f", [1], {}, "EXACT"),
        ("f", "x", {"f": "ignore"}, "IGNORE"),
        ("a.b", 5, {"a": {"b": "FUZZY"}}, "FUZZY"),
        ("items[3].name", 5, {"items[*].name": "FUZZY"}, "FUZZY"),
        ("items[3].name", 5, {"items[*].name": "FUZZY", "items[3].name": "IGNORE"}, "IGNORE"),
        ("x.y", 5, {"*.y": "FUZZY"}, "FUZZY"),
        ("Price [EUR]", 5, {"Price [EUR]": "FUZZY"}, "FUZZY"),
        ("a.b", 5, {"a.b": "FUZZY"}, "FUZZY"),
    ],
)
def test_strategies(field, value, chosen, expected):
    assert resolve_strategy(field, value, chosen) == expected


def test_names_in_sentences_are_short_and_printable():
    assert shown("a. B\n\u202e!") == "'a._B !'"
    assert len(shown("x" * 500)) == 42
    assert listed(list("abcde")) == "'a', 'b', 'c' and 2 more"
