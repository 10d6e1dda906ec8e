"""Tool calls: their many forms, what counts as equal, and the best pairs."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.features.tool_calls import (
    Call,
    best_assignment,
    fit,
    is_same,
    made_calls,
    match,
    read_call,
    wrong_arguments,
)

PARIS = {"city": "Paris"}


@pytest.mark.parametrize(
    ("given", "call"),
    [
        ("search", Call("search", None, None)),
        (" search ", Call("search", None, None)),
        ({"name": "w", "arguments": PARIS}, Call("w", PARIS, None)),
        ({"name": "w", "arguments": '{"city": "Paris"}'}, Call("w", PARIS, None)),
        ({"name": "w", "arguments": ""}, Call("w", {}, None)),
        ({"name": "w", "arguments": "Paris"}, Call("w", {"": "Paris"}, None)),
        ({"name": "w", "arguments": [1]}, Call("w", {"": [1]}, None)),
        ({"name": "w", "args": PARIS, "id": "1"}, Call("w", PARIS, None)),
        ({"name": "w", "input_parameters": PARIS, "output": 1}, Call("w", PARIS, None)),
        ({"type": "tool_use", "name": "w", "input": PARIS}, Call("w", PARIS, None)),
        ({"tool": "w", "tool_input": PARIS}, Call("w", PARIS, None)),
        ({"toolName": "w", "inputParameters": PARIS}, Call("w", PARIS, None)),
        ({"functionCall": {"name": "w", "args": PARIS}}, Call("w", PARIS, None)),
        (
            {"id": "1", "type": "function", "function": {"name": "w", "arguments": "{}"}},
            Call("w", {}, None),
        ),
        ({"name": "w", "success": True}, Call("w", None, True)),
        ({"name": "w", "success": False}, Call("w", None, False)),
        ({"name": "w", "is_error": True}, Call("w", None, False)),
        ({"name": "w", "is_error": False}, Call("w", None, True)),
        ({"name": "w", "error": "timeout"}, Call("w", None, False)),
        ({"name": "w", "error": None}, Call("w", None, None)),
        ({"name": "w", "status": "Completed"}, Call("w", None, True)),
        ({"name": "w", "status": "failed"}, Call("w", None, False)),
        ({"name": "w", "status": 200}, Call("w", None, None)),
        ({}, Call("", None, None)),
        (None, Call("", None, None)),
        (3, Call("", None, None)),
        ({"name": 5, "arguments": "["}, Call("", {"": "["}, None)),
    ],
)
def test_calls_are_read_in_their_many_forms(given, call):
    assert read_call(given) == call


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (1, 1.0, True),
        (3, "3", True),
        ("3.0", 3, True),
        (3, "three", False),
        (True, 1, False),
        (True, True, True),
        ("true", True, False),
        (None, None, True),
        (None, "", False),
        (" Paris ", "Paris", True),
        ("paris", "Paris", False),
        ("Cafe\u0301", "Café", True),
        ("٣", 3, True),
        ("القَاهِرة", "القاهرة", True),
        ([1, 2], [1.0, "2"], True),
        ([1, 2], [2, 1], False),
        ([1], [1, 1], False),
        ({"a": [1]}, {"a": ["1"]}, True),
        ({"a": 1}, {"a": 1, "b": None}, False),
        ({"a": 1}, [1], False),
        ("1e999", "1e999", True),
        ("9" * 5000, "9" * 5000, True),
        ("007", 7, False),
    ],
)
def test_what_counts_as_equal(one, other, same):
    assert is_same(one, other) is same
    assert is_same(other, one) is same


def test_deep_values_are_compared_without_recursion():
    one, other = 1, 1
    for _ in range(100_000):
        one, other = [one], [other]
    assert is_same(one, other)


@pytest.mark.parametrize(
    ("made", "expected", "value", "wrong"),
    [
        (Call("w", PARIS, None), Call("w", PARIS, None), 1.0, set()),
        (Call("w", PARIS, True), Call("w", PARIS, None), 1.0, set()),
        (Call("w", PARIS, False), Call("w", PARIS, None), 0.0, set()),
        (Call("v", PARIS, None), Call("w", PARIS, None), 0.0, set()),
        (Call("w", PARIS, None), Call("w", None, None), 1.0, set()),
        (Call("w", None, None), Call("w", {}, None), 1.0, set()),
        (Call("w", None, None), Call("w", PARIS, None), 0.0, {"city"}),
        (Call("w", PARIS, None), Call("w", {}, None), 0.0, {"city"}),
        (Call("w", {"a": 1, "b": 2}, None), Call("w", {"a": 1, "c": 2}, None), 1 / 3, {"b", "c"}),
        (Call("", {}, None), Call("", {}, None), 0.0, set()),
    ],
)
def test_the_fit_of_a_call(made, expected, value, wrong):
    assert fit(made, expected) == pytest.approx(value)
    assert wrong_arguments(made, expected) == wrong


@settings(max_examples=200, deadline=None, derandomize=True)
@given(data=st.data(), rows=st.integers(0, 5), columns=st.integers(0, 5))
def test_the_best_assignment_is_the_best_of_all(data, rows, columns):
    values = st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 1.0])
    fits = [[data.draw(values) for _ in range(columns)] for _ in range(rows)]
    chosen = best_assignment(fits)
    assert len(chosen) == min(rows, columns)
    assert len({row for row, _ in chosen}) == len({column for _, column in chosen}) == len(chosen)
    few, many = sorted((rows, columns))
    best = max(
        sum(
            fits[place][other] if rows <= columns else fits[other][place]
            for place, other in zip(range(few), order, strict=False)
        )
        for order in permutations(range(many), few)
    )
    assert sum(fits[row][column] for row, column in chosen) == pytest.approx(best)


def test_many_calls_of_one_tool_are_paired_in_any_order():
    made = tuple(Call("get", {"n": n}, None) for n in range(2_000))
    pairs = match(made, tuple(reversed(made)))
    assert len(pairs) == 2_000
    assert all(pair.fit == 1 for pair in pairs)


def test_many_calls_that_differ_are_paired_in_their_order():
    made = tuple(Call("get", {"n": n, "x": 1}, None) for n in range(100))
    expected = tuple(Call("get", {"n": -n - 1, "x": 1}, None) for n in range(90))
    pairs = match(made, expected)
    assert len(pairs) == 90
    assert {pair.fit for pair in pairs} == {0.5}


def test_a_failed_call_leaves_its_place_to_one_that_succeeded():
    made = made_calls(({"name": "w", "success": False}, {"name": "w", "success": True}))
    ((place, _, value),) = match(made, (Call("w", None, None),))
    assert (place, value) == (1, 1.0)
