"""Tasks, steps and tools."""

import pytest

from assay import registry
from assay.core import Sample, jsontext
from assay.engine import make_plan, score_batch
from assay.samples import to_sample

CALLS = "chat.tool_usage_accuracy_calls"


def score(id, **fields):
    (scores,) = score_batch(make_plan(registry.select([id])), [Sample(**fields)])
    return scores[id]


def test_the_details_name_what_is_wrong():
    result = score(
        CALLS,
        tool_calls=(
            {"name": "weather", "arguments": {"city": "Rome", "days": 3}},
            {"name": "delete"},
            {"name": "pay", "success": False},
        ),
        expected_tool_calls=(
            {"name": "weather", "arguments": {"city": "Paris", "days": 3}},
            {"name": "search"},
            {"name": "pay"},
        ),
    )
    assert result.value == pytest.approx(100 * 0.5 / 3)
    assert result.explanation == "0 of 3 expected calls were made as expected, in 3 calls."
    assert result.details == {
        "missing": ["search"],
        "unexpected": ["delete"],
        "differing": [
            {"call": 0, "name": "weather", "failed": False, "arguments": ["city"]},
            {"call": 2, "name": "pay", "failed": True, "arguments": []},
        ],
    }


def test_calls_that_failed_are_named():
    result = score(CALLS, tool_calls=({"name": "a", "status": "ok"}, {"name": "b", "error": "x"}))
    assert (result.value, result.details) == (50.0, {"failed": ["b"]})


@pytest.mark.parametrize(
    ("fields", "state", "value"),
    [
        ({"tool_calls": (), "expected_tool_calls": ()}, "ok", 100.0),
        ({"tool_calls": (), "expected_tool_calls": ("a",)}, "ok", 0.0),
        ({"tool_calls": ("a",), "expected_tool_calls": ()}, "ok", 0.0),
        ({"tool_calls": ()}, "missing", None),
        ({"expected_tool_calls": ("a",)}, "missing", None),
    ],
)
def test_no_calls_are_not_unknown_calls(fields, state, value):
    result = score(CALLS, **fields)
    assert (result.state, result.value) == (state, value)


def test_calls_of_files_are_read():
    sample = to_sample(
        {
            "tools_called": [{"name": "w", "input_parameters": {"n": 1}}],
            "expected_tools": '[{"name": "w", "arguments": "{\\"n\\": 1}"}]',
        },
        "file",
    )
    (scores,) = score_batch(make_plan(registry.select([CALLS])), [sample])
    assert scores[CALLS].value == 100.0


@pytest.mark.parametrize(
    "call",
    [
        None,
        3,
        "",
        "\ud800",
        [],
        {},
        {"name": None},
        {"name": "x" * 10_000, "arguments": {"y" * 10_000: 1}},
        {"name": "a", "arguments": "[" * 100_000},
        {"name": "a", "arguments": {"": {"": [None, True, 1e308, "\ud800"]}}},
        {"function": {"function": {}}, "status": [], "error": {}, "success": "yes"},
    ],
)
def test_hostile_calls_do_no_harm(call):
    for expected in (None, (), (call,), ("a", call, call)):
        result = score(CALLS, tool_calls=(call, call), expected_tool_calls=expected)
        assert result.state in ("ok", "missing"), result.explanation
        assert len(jsontext.dumps(dict(result.details))) < 10_000
        assert result.value is None or 0 <= result.value <= 100


@pytest.mark.parametrize(
    ("used", "succeeded", "state", "value"),
    [
        (("a", "a", "b"), ("a", "b"), "ok", 200 / 3),
        (("a",), ("a", "z"), "ok", 100.0),
        ((), ("a",), "imputed", 0.0),
        (None, ("a",), "missing", None),
        (("a",), None, "missing", None),
        (("", "a"), (), "ok", 0.0),
    ],
)
def test_tools_used(used, succeeded, state, value):
    result = score("chat.tool_usage_accuracy", tools_used=used, tools_succeeded=succeeded)
    assert result.state == state
    assert result.value == (None if value is None else pytest.approx(value))


def test_huge_counts_are_numbers():
    result = score("chat.step_efficiency", expected_steps=2**63 - 1, steps_taken=1)
    assert result.value == 100.0
    result = score("chat.error_recovery", errors_encountered=2**63 - 1, task_completed=False)
    assert result.value == 0.0
