import pytest

from assay.core import SampleError
from assay.evidence.readings import accepted_calls, json_value, tau_calls, tau_rules


def test_json_text_is_read_and_anything_else_left_alone():
    assert json_value('[{"name": "f"}]') == [{"name": "f"}]
    assert json_value([1]) == [1]
    with pytest.raises(SampleError, match="is no JSON"):
        json_value("[1")


def test_an_empty_text_among_accepted_values_means_that_the_argument_may_be_left_out():
    given = '[{"weather": {"city": ["Paris"], "unit": ["C", ""]}}, {"time": {}}]'
    assert accepted_calls(given) == [
        {
            "name": "weather",
            "arguments": {"city": {"any_of": ["Paris"]}, "unit": {"any_of": ["C", None]}},
        },
        {"name": "time", "arguments": {}},
    ]


def test_what_is_no_list_of_calls_is_refused():
    with pytest.raises(SampleError, match="expected a list of objects"):
        accepted_calls('{"f": {}}')


def test_runs_of_tau_bench_give_calls_and_rules():
    messages = [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"name": "pay", "arguments": {"n": 1}}],
        },
        {"role": "tool", "name": "pay", "content": "Error: no money"},
        "noise",
    ]
    (call,) = tau_calls(messages)
    assert (call["name"], call["arguments"], call["status"]) == ("pay", {"n": 1}, "error")
    rules = tau_rules('[{"name": "pay", "arguments": {"n": 1}}]')
    assert (rules["match"], rules["calls"]) == ("changes", [{"name": "pay", "arguments": {"n": 1}}])
    for read, given in ((tau_calls, "x"), (tau_rules, "{}")):
        with pytest.raises(SampleError, match="expected a list"):
            read(given)
