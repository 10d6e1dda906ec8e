"""Runs of agents as samples: chat messages, LangGraph, τ-bench, spans; and hostile shapes."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.samples.traces import export, span

from assay.core import Sample, SampleError
from assay.samples import read_samples, to_sample
from assay.samples.transcripts import calls_of, is_message

OPENAI = [
    {"role": "system", "content": "You are a clerk."},
    {"role": "user", "content": "Refund order A-17."},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": "c1",
                "type": "function",
                "function": {"name": "find_order", "arguments": '{"order": "A-17"}'},
            },
            {"id": "c2", "type": "function", "function": {"name": "get_policy", "arguments": "{}"}},
        ],
    },
    {"role": "tool", "tool_call_id": "c2", "content": "14 days"},
    {"role": "tool", "tool_call_id": "c1", "content": '{"total": 20}'},
    {"role": "assistant", "content": "Refunded."},
]
CALLS = [
    {"name": "find_order", "arguments": {"order": "A-17"}, "id": "c1", "result": '{"total": 20}'},
    {"name": "get_policy", "arguments": {}, "id": "c2", "result": "14 days"},
]
RESPONSES = [
    {"role": "user", "content": "Refund order A-17."},
    {"type": "reasoning", "id": "r1", "summary": []},
    {
        "type": "function_call",
        "call_id": "c1",
        "name": "find_order",
        "arguments": '{"order": "A-17"}',
    },
    {"type": "function_call", "call_id": "c2", "name": "get_policy", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "c2", "output": "14 days"},
    {"type": "function_call_output", "call_id": "c1", "output": '{"total": 20}'},
    {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "Refunded.", "annotations": []}],
    },
]
LANGGRAPH = [
    {"type": "human", "content": "Refund order A-17.", "id": "m1"},
    {
        "type": "ai",
        "content": "",
        "tool_calls": [
            {"name": "find_order", "args": {"order": "A-17"}, "id": "c1", "type": "tool_call"}
        ],
        "usage_metadata": {"input_tokens": 30, "output_tokens": 7, "total_tokens": 37},
        "response_metadata": {"model_name": "small-1"},
    },
    {
        "type": "tool",
        "name": "find_order",
        "tool_call_id": "c1",
        "content": "no",
        "status": "error",
    },
    {
        "type": "ai",
        "content": "I cannot find it.",
        "usage_metadata": {"input_tokens": 40, "output_tokens": 5},
    },
]
TAU = {
    "task_id": 3,
    "trial": 1,
    "reward": 1.0,
    "info": {
        "task": {
            "user_id": "kim_1",
            "instruction": "You are kim_1. Cancel A-17.",
            "actions": [{"name": "cancel", "kwargs": {"order": "A-17"}}],
            "outputs": ["20"],
        }
    },
    "traj": [
        {"role": "system", "content": "policy"},
        {"role": "user", "content": "Cancel it."},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "x", "function": {"name": "cancel", "arguments": '{"order": "A-1"}'}}
            ],
        },
        {"role": "tool", "tool_call_id": "x", "name": "cancel", "content": "Error: no such order"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "x", "function": {"name": "cancel", "arguments": '{"order": "A-17"}'}}
            ],
        },
        {"role": "tool", "tool_call_id": "x", "name": "cancel", "content": "ok"},
        {"role": "assistant", "content": "Done, you get 20 back."},
        {"role": "user", "content": "###STOP###"},
    ],
}


def read(tmp_path, data, name="trace.json"):
    path = tmp_path / name
    path.write_text(json.dumps(data), encoding="utf-8")
    return list(read_samples(path))


@pytest.mark.parametrize("given", [OPENAI, [OPENAI], {"messages": OPENAI}, [{"messages": OPENAI}]])
def test_chat_messages_are_one_sample(tmp_path, given):
    (sample,) = read(tmp_path, given)
    assert isinstance(sample, Sample), sample
    assert (sample.query, sample.response) == ("Refund order A-17.", "Refunded.")
    assert list(sample.tool_calls) == CALLS
    assert [turn["role"] for turn in sample.conversation] == [m["role"] for m in OPENAI]


@pytest.mark.parametrize("given", [RESPONSES, [RESPONSES], {"messages": RESPONSES}])
def test_items_of_responses_are_one_sample(tmp_path, given):
    (sample,) = read(tmp_path, given)
    assert (sample.query, sample.response) == ("Refund order A-17.", "Refunded.")
    assert list(sample.tool_calls) == CALLS


def test_a_line_may_be_a_list_of_messages(tmp_path):
    path = tmp_path / "runs.jsonl"
    path.write_text("\n".join([json.dumps(OPENAI)] * 2), encoding="utf-8")
    assert [sample.response for sample in read_samples(path)] == ["Refunded.", "Refunded."]


def packed(message):
    kinds = {"human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage"}
    id = ["langchain", "schema", "messages", kinds[message["type"]]]
    return {"lc": 1, "type": "constructor", "id": id, "kwargs": message}


@pytest.mark.parametrize(
    "given",
    [
        LANGGRAPH,
        {"messages": LANGGRAPH},
        {"values": {"messages": LANGGRAPH}, "next": []},
        {"messages": [packed(message) for message in LANGGRAPH]},
        {"messages": [{"type": m["type"], "data": m} for m in LANGGRAPH]},
    ],
)
def test_langgraph_states_are_samples(tmp_path, given):
    (sample,) = read(tmp_path, given)
    assert isinstance(sample, Sample), sample
    assert (sample.query, sample.response) == ("Refund order A-17.", "I cannot find it.")
    (call,) = sample.tool_calls
    assert (call["name"], call["arguments"], call["status"]) == (
        "find_order",
        {"order": "A-17"},
        "error",
    )
    known = {key: sample.metadata[key] for key in ("model", "prompt_tokens", "completion_tokens")}
    assert known == {"model": "small-1", "prompt_tokens": 70, "completion_tokens": 12}
    assert [turn["role"] for turn in sample.conversation] == [
        "user",
        "assistant",
        "tool",
        "assistant",
    ]


def test_runs_of_tau_bench_are_samples_with_their_rules(tmp_path):
    (sample,) = read(tmp_path, [TAU])
    assert isinstance(sample, Sample), sample
    assert (sample.id, sample.task_completed) == ("task-3-trial-1", True)
    assert sample.query == "You are kim_1. Cancel A-17."
    assert sample.response == "Done, you get 20 back."
    assert [(c["arguments"]["order"], c.get("status")) for c in sample.tool_calls] == [
        ("A-1", "error"),
        ("A-17", None),
    ]
    assert sample.trajectory_rules == {
        "match": "changes",
        "calls": [{"name": "cancel", "kwargs": {"order": "A-17"}}],
        "aside": ["think", "transfer_to_human_agents"],
        "goal": {"says": ["20"]},
    }
    assert sample.metadata["reward"] == 1.0


def test_parts_of_a_content_tell_calls_too():
    turns = [
        {"role": "user", "content": "Look it up."},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "I look."},
                {"type": "tool_use", "id": "t1", "name": "search", "input": {"q": "tea"}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "t1", "is_error": True, "content": "x"}
            ],
        },
        {"role": "assistant", "content": "It failed."},
    ]
    sample = to_sample({"messages": turns}, "x")
    assert (sample.query, sample.response) == ("Look it up.", "It failed.")
    roles = [turn["role"] for turn in sample.conversation]
    assert roles == ["user", "assistant", "tool", "assistant"]
    assert list(sample.tool_calls) == [
        {"name": "search", "arguments": {"q": "tea"}, "id": "t1", "result": "x", "status": "error"}
    ]


GEMINI = [
    {"role": "user", "parts": [{"text": "Refund order A-17."}]},
    {
        "role": "model",
        "parts": [
            {"text": "I look."},
            {"functionCall": {"name": "find_order", "args": {"order": "A-17"}}},
            {"functionCall": {"name": "get_policy", "args": {}}},
        ],
    },
    {
        "role": "user",
        "parts": [
            {"functionResponse": {"name": "find_order", "response": {"total": 20}}},
            {"functionResponse": {"name": "get_policy", "response": "14 days"}},
        ],
    },
    {"role": "model", "parts": [{"text": "Refunded."}]},
]
SEMANTIC_CONVENTIONS = [
    {"role": "user", "parts": [{"type": "text", "content": "Refund order A-17."}]},
    {
        "role": "assistant",
        "parts": [
            {"type": "tool_call", "id": "c1", "name": "find_order", "arguments": {"order": "A-17"}},
            {"type": "tool_call", "id": "c2", "name": "get_policy", "arguments": {}},
        ],
    },
    {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c2", "result": "14 days"}]},
    {
        "role": "tool",
        "parts": [{"type": "tool_call_response", "id": "c1", "response": {"total": 20}}],
    },
    {"role": "assistant", "parts": [{"type": "text", "content": "Refunded."}]},
]


@pytest.mark.parametrize("given", [GEMINI, SEMANTIC_CONVENTIONS, [GEMINI], {"messages": GEMINI}])
def test_messages_of_parts_are_one_sample(tmp_path, given):
    file = tmp_path / "run.json"
    file.write_text(json.dumps(given), encoding="utf-8")
    (sample,) = read_samples(str(file))
    assert (sample.query, sample.response) == ("Refund order A-17.", "Refunded.")
    without_ids = [{k: v for k, v in call.items() if k != "id"} for call in CALLS]
    assert [{k: v for k, v in c.items() if k != "id"} for c in sample.tool_calls] == without_ids


def test_a_result_of_several_parts_is_their_text():
    parts = [{"type": "text", "text": "no"}, {"type": "text", "text": "such order"}]
    asked = {"type": "tool_use", "id": "t1", "name": "find", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": parts}
    calls = calls_of(
        [{"role": "assistant", "content": [asked]}, {"role": "user", "content": [result]}]
    )
    assert calls[0]["result"] == "no\nsuch order"


def test_calls_of_the_older_form_find_their_results_by_name():
    turns = [
        {"role": "assistant", "function_call": {"name": "a", "arguments": "{"}},
        {"role": "function", "name": "a", "content": "1"},
        {"role": "assistant", "function_call": {"name": "a", "arguments": ""}},
        {"role": "function", "name": "b", "content": "2"},
    ]
    assert calls_of(turns) == [
        {"name": "a", "arguments": "{", "result": "1"},
        {"name": "a", "arguments": ""},
    ]


@pytest.mark.parametrize(
    ("record", "response", "calls"),
    [
        ({"response": "r", "tool_calls": [], "messages": OPENAI}, "r", ()),
        ({"messages": OPENAI[:2]}, None, None),
        ({"messages": OPENAI[:-1]}, None, tuple(CALLS)),
    ],
)
def test_what_a_record_says_itself_counts_before_its_messages(record, response, calls):
    sample = to_sample(record, "x")
    assert (sample.response, sample.tool_calls) == (response, calls)


def test_spans_of_an_agent_keep_the_order_and_the_errors_of_its_calls(tmp_path):
    agent = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.input.messages": json.dumps([{"role": "user", "content": "Pay."}]),
        "gen_ai.output.messages": json.dumps([{"role": "assistant", "content": "Paid."}]),
    }
    tool = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "pay"}
    spans = [
        span("a", agent, start=0, end=9),
        span(
            "c", {**tool, "gen_ai.tool.call.arguments": '{"card": 2}'}, parent="a", start=3, end=4
        ),
        span(
            "b",
            {
                **tool,
            },
            parent="a",
            start=1,
            end=2,
            status={"code": 2},
        ),
    ]
    (sample,) = read(tmp_path, export(*spans))
    assert [call.get("status") for call in sample.tool_calls] == ["error", "ok"]
    assert sample.tool_calls[1]["arguments"] == {"card": 2}
    spans[2] = span("b", {**tool, "error.type": "timeout"}, parent="a", start=1, end=2)
    (sample,) = read(tmp_path, export(*spans))
    assert [call.get("status") for call in sample.tool_calls] == ["error", "ok"]


def test_a_list_with_something_else_is_read_record_by_record(tmp_path):
    found = read(tmp_path, [OPENAI[1], {"response": "x"}])
    assert [type(one) for one in found] == [SampleError, Sample]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
KEYS = st.sampled_from(
    [
        *("role", "type", "content", "tool_calls", "function_call", "tool_call_id", "id", "name"),
        *("data", "kwargs", "usage_metadata", "parts", "status", "function", "arguments"),
    ]
)
MESSAGES = st.lists(
    JSON
    | st.dictionaries(
        KEYS,
        JSON
        | st.sampled_from(("assistant", "ai", "tool", "user"))
        | st.lists(st.dictionaries(KEYS, JSON), max_size=2),
        max_size=6,
    ),
    max_size=5,
)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(messages=MESSAGES, info=JSON)
def test_hostile_messages_give_a_sample_or_a_reason(messages, info):
    for record in (
        {"messages": messages},
        {"traj": messages, "info": info},
        {"values": {"messages": messages}},
    ):
        try:
            sample = to_sample(record, "x")
        except SampleError:
            continue
        assert all(isinstance(call, dict) and call["name"] for call in sample.tool_calls or ())
    assert not any(is_message(message) for message in messages if not isinstance(message, dict))


def test_many_calls_take_linear_time():
    """Each result is looked up once: a hundred thousand take seconds, not hours."""
    calls = [{"role": "assistant", "function_call": {"name": "a", "arguments": "{}"}}] * 50_000
    results = [{"role": "tool", "name": "a", "content": "1"}] * 50_000
    assert all(call["result"] == "1" for call in calls_of([*calls, *results]))
