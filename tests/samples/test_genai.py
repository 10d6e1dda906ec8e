"""Traces as samples: which spans become one, what is taken from where, and hostile shapes."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.samples.traces import TRACE, attributes, export, span, value

from assay.core import DataError, Sample, SampleError, otel
from assay.samples import count_records, read_samples
from assay.samples.genai import otel_records
from assay.samples.raw_records import RawRecord
from assay.samples.reader import samples_from


def samples(*exports, limit=None):
    """The samples of exports, one a line."""
    found = (RawRecord(f"line {place}", record) for place, record in enumerate(exports, 1))
    return list(samples_from("t.jsonl", otel_records(found), "otel", limit))


def sample(*spans):
    (found,) = samples(export(*spans))
    assert isinstance(found, Sample), found
    return found


def text(role, said):
    return {"role": role, "parts": [{"type": "text", "content": said}]}


CHAT = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "openai",
    "gen_ai.request.model": "gpt-4o",
    "gen_ai.response.model": "gpt-4o-2024-08-06",
    "gen_ai.response.id": "chatcmpl-1",
    "gen_ai.response.finish_reasons": ["stop"],
    "gen_ai.usage.input_tokens": 12,
    "gen_ai.usage.output_tokens": 5,
    "gen_ai.conversation.id": "talk-1",
    "gen_ai.response.time_to_first_chunk": 0.25,
    "gen_ai.system_instructions": json.dumps([{"type": "text", "content": "Be brief."}]),
    "gen_ai.input.messages": json.dumps(
        [text("user", "Hello"), text("assistant", "Hi."), text("user", "Where is Rome?")]
    ),
    "gen_ai.output.messages": json.dumps(
        [{**text("assistant", "In Italy."), "finish_reason": "stop"}]
    ),
}


def test_a_chat_span_is_a_sample():
    found = sample(span("a1", CHAT, start=1, end=3.5, name="chat gpt-4o"))
    assert (found.query, found.response) == ("Where is Rome?", "In Italy.")
    assert (found.duration, found.first_token_time, found.response_tokens) == (2.5, 0.25, 5)
    assert found.id == f"{TRACE}-a1"
    assert (
        found.metadata.items()
        >= {
            "trace_id": TRACE,
            "span_id": "a1",
            "span_name": "chat gpt-4o",
            "span_end": "1700000003500000000",
            "operation": "chat",
            "model": "gpt-4o-2024-08-06",
            "provider": "openai",
            "response_id": "chatcmpl-1",
            "session_id": "talk-1",
            "service": "desk",
            "timestamp": "2023-11-14T22:13:21.000+00:00",
            "prompt_tokens": 12,
        }.items()
    )
    assert found.metadata["finish_reasons"] == ["stop"]


def test_the_turns_before_are_kept():
    found = sample(span("a1", CHAT))
    turns = found.conversation
    assert [turn["content"] for turn in turns] == [
        *("Be brief.", "Hello", "Hi.", "Where is Rome?", "In Italy.")
    ]
    assert [turn["role"] for turn in turns] == ["system", "user", "assistant", "user", "assistant"]


def test_messages_may_be_structured_values_and_stand_in_events():
    event = {
        "name": "gen_ai.client.inference.operation.details",
        "timeUnixNano": 5,
        "attributes": [
            {"key": "gen_ai.input.messages", "value": value([text("user", "Why?")])},
            {"key": "gen_ai.output.messages", "value": value([text("assistant", "So.")])},
        ],
    }
    found = sample(span("a1", {"gen_ai.operation.name": "chat"}, events=[event]))
    assert (found.query, found.response) == ("Why?", "So.")


@pytest.mark.parametrize(
    "attributes",
    [
        {"gen_ai.system": "x", "gen_ai.prompt": "Why?", "gen_ai.completion": "So."},
        {
            "gen_ai.system": "x",
            "gen_ai.prompt.0.role": "system",
            "gen_ai.prompt.0.content": "Be brief.",
            "gen_ai.prompt.1.role": "user",
            "gen_ai.prompt.1.content": "Why?",
            "gen_ai.completion.0.content": "So.",
        },
        {"openinference.span.kind": "LLM", "input.value": "Why?", "output.value": "So."},
        {
            "openinference.span.kind": "chain",
            "input.value": '{"question": "Why?", "k": 3}',
            "output.value": '{"answer": "So.", "sources": []}',
        },
        {
            "openinference.span.kind": "LLM",
            "input.value": "{}",
            "llm.input_messages.10.message.role": "user",
            "llm.input_messages.10.message.content": "Why?",
            "llm.input_messages.2.message.role": "user",
            "llm.input_messages.2.message.content": "Hm.",
            "llm.output_messages.0.message.contents.0.message_content.text": "So.",
        },
    ],
)
def test_other_ways_of_naming(attributes):
    found = sample(span("a1", attributes))
    assert (found.query, found.response) == ("Why?", "So.")


def test_text_that_only_looks_like_json_stays_text():
    found = sample(
        span("a1", {"openinference.span.kind": "LLM", "input.value": "{Why", "output.value": "[So"})
    )
    assert (found.query, found.response) == ("{Why", "[So")


@pytest.mark.parametrize(
    "name", ["gen_ai.completion", "gen_ai.output.messages", "output.value", "llm.output_messages"]
)
@pytest.mark.parametrize(
    "said", ['{"a": 1}', "[1, 2]", '{"answer": {"a": 1}}', '[{"type": "bill", "sum": 3}]']
)
def test_an_answer_in_json_is_an_answer(name, said):
    key = f"{name}.0.message.content" if name.startswith("llm") else name
    assert sample(span("a1", {"gen_ai.operation.name": "chat", key: said})).response == said


def test_messages_without_text_are_no_answer():
    said = json.dumps([{"role": "assistant", "parts": []}])
    (found,) = samples(
        export(span("a1", {"gen_ai.operation.name": "chat", "gen_ai.output.messages": said}))
    )
    assert "none of the 1 spans tells" in str(found)


AGENT = {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "desk",
    "gen_ai.input.messages": json.dumps([text("user", "Weather?")]),
    "gen_ai.output.messages": json.dumps([text("assistant", "Sunny.")]),
}
ASKS = {
    "gen_ai.operation.name": "chat",
    "gen_ai.usage.output_tokens": 7,
    "gen_ai.request.model": "small",
    "gen_ai.output.messages": json.dumps(
        [{"role": "assistant", "parts": [{"type": "tool_call", "name": "sky", "arguments": {}}]}]
    ),
}


def test_an_agent_is_one_sample_with_all_that_lies_within():
    found = sample(
        span("tool", {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "sky",
             "gen_ai.tool.call.arguments": '{"place": "Rome"}', "gen_ai.tool.call.result": "blue"},
             parent="agent", start=3),
        span("bad", {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "sea"},
             parent="tool", start=4, status={"code": 2}),
        span("docs", {"openinference.span.kind": "RETRIEVER",
             "retrieval.documents.1.document.content": "Two",
             "retrieval.documents.0.document.content": "One",
             "retrieval.documents.0.document.id": 7,
             "retrieval.documents.0.document.score": 0.5}, parent="chat2", start=5),
        span("chat1", ASKS, parent="agent", start=2),
        span("chat2", {**ASKS, "gen_ai.output.messages": "Sunny."}, parent="agent", start=6),
        span("agent", AGENT, start=1, end=9, parent="http"),
        span("http", {"http.request.method": "POST"}, start=0, end=10),
    )  # fmt: skip
    assert (found.query, found.response, found.duration) == ("Weather?", "Sunny.", 8.0)
    assert found.response_tokens == 14
    assert [document.content for document in found.contexts] == ["One", "Two"]
    assert (found.contexts[0].id, found.contexts[0].similarity_score) == ("7", 0.5)
    assert found.tool_calls[0] == {
        "name": "sky",
        "arguments": {"place": "Rome"},
        "result": "blue",
        "status": "ok",
    }
    assert (found.tools_used, found.tools_succeeded) == (("sky", "sea"), ("sky",))
    assert (found.steps_taken, found.errors_encountered) == (4, 1)
    assert (found.metadata["agent"], found.metadata["model"]) == ("desk", "small")


def test_what_came_before_an_answer_belongs_to_it():
    docs = {"gen_ai.operation.name": "retrieval"}
    one, two = (
        {
            **docs,
            "gen_ai.retrieval.documents": json.dumps([{"content": said, "id": "d", "score": 1}]),
        }
        for said in ("One", "Two")
    )
    first, second = samples(
        export(
            span("root", start=0, end=9),
            span("r1", one, parent="root", start=1),
            span("c1", CHAT, parent="root", start=2),
            span("r2", two, parent="root", start=3),
            span("c2", CHAT, parent="root", start=4),
        )
    )
    assert [d.content for d in first.contexts] == ["One"]
    assert [d.content for d in second.contexts] == ["Two"]


def test_calls_that_an_answer_asks_for():
    found = sample(span("a1", ASKS))
    assert found.response is None
    assert found.tool_calls == ({"name": "sky", "arguments": {}},)


def test_a_call_without_arguments_has_none():
    calls = [{"type": "tool_call", "name": "now", "arguments": "{}"}]
    said = json.dumps([{"role": "assistant", "parts": calls}])
    asked = sample(span("a1", {**CHAT, "gen_ai.output.messages": said}))
    made = sample(
        span("a1", CHAT),
        span(
            "b2",
            {
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": "now",
                "gen_ai.tool.call.arguments": "{}",
            },
            parent="a1",
        ),
    )
    assert asked.tool_calls[0]["arguments"] == made.tool_calls[0]["arguments"] == {}


def test_several_choices_are_responses():
    both = json.dumps([text("assistant", "Yes."), text("assistant", "No.")])
    found = sample(span("a1", {**CHAT, "gen_ai.output.messages": both}))
    assert (found.response, found.responses) == ("Yes.", ("Yes.", "No."))


def test_the_first_token_may_be_an_event():
    event = {"name": "First Token Stream Event", "timeUnixNano": 1_700_000_001_500_000_000}
    bare = {k: v for k, v in CHAT.items() if "first_chunk" not in k}
    found = sample(span("a1", bare, start=1, end=2, events=[event]))
    assert found.first_token_time == 0.5


def test_a_trace_may_be_in_pieces():
    agent, tool = span("a", AGENT), span("t", {"gen_ai.operation.name": "execute_tool"}, parent="a")
    (found,) = samples(export(tool), export(agent), export(agent))
    assert found.tools_used == ("t",)


def test_traces_are_apart():
    found = samples(export(span("a", CHAT, trace="1" * 32), span("a", CHAT, trace="2" * 32)))
    assert [sample.id for sample in found] == ["1" * 32 + "-a", "2" * 32 + "-a"]
    assert len(samples(export(span("a", CHAT), span("b", CHAT)), limit=1)) == 1


@pytest.mark.parametrize("ending", ["json", "jsonl"])
@pytest.mark.parametrize("format", [None, "otel"])
def test_files_are_known_by_what_they_hold(tmp_path, ending, format):
    path = tmp_path / f"traces.{ending}"
    path.write_text(json.dumps(export(span("a1", CHAT))), encoding="utf-8")
    (found,) = read_samples(path, format=format)
    assert found.response == "In Italy."


def test_lines_of_traces_are_no_count_of_samples(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(export(span("a1", CHAT))) + "\n")
    assert count_records(path) is None
    path.write_text('{"response": "resourceSpans"}\n')
    assert count_records(path) == 1


def test_other_formats_do_not_look_for_spans(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({**export(), "input": "Why?", "output": "So."}))
    (found,) = read_samples(path, format="autoevals")
    assert found.response == "So."


def test_what_is_no_trace_is_said(tmp_path):
    (found,) = samples({"response": "So."})
    assert "holds no spans; expected 'resourceSpans'" in str(found)
    (found,) = samples(export(span("a1", {"http.route": "/"})))
    assert "none of the 1 spans tells what a model, agent or chain has answered" in str(found)
    (found,) = samples(export({"name": "x"}, *[]))
    assert "a span has no trace and span id" in str(found)
    with pytest.raises(DataError, match="is empty"):
        samples(export())


def test_loops_and_lost_parents_do_no_harm():
    found = samples(
        export(
            span("a", CHAT, parent="b"),
            span("b", {}, parent="a"),
            span("c", CHAT, parent="c"),
            span("d", CHAT, parent="gone"),
        )
    )
    assert len(found) == 3


def test_deep_traces_take_linear_time():
    spans = [span(f"s{n}", CHAT if n == 0 else ASKS, parent=f"s{n - 1}") for n in range(5_000)]
    found = sample(*reversed(spans))
    assert found.steps_taken == 4_999


HOSTILE_KEYS = ["__proto__", "constructor", "__class__", "x" * 1_000_000, "", "gen_ai.\ud800"]


def test_hostile_names_are_left_out():
    odd = {**dict.fromkeys(HOSTILE_KEYS, "x"), **{f"k{n}": "v" for n in range(100_000)}}
    found = sample(span("a1", {**CHAT, **odd, "llm.input_messages.999999999999.message.role": "u"}))
    assert found.metadata == sample(span("a1", CHAT)).metadata


@pytest.mark.parametrize(
    "given", [{"doubleValue": 10**400}, {"intValue": 2**63}, {"intValue": "9" * 19}]
)
def test_numbers_beyond_all_bounds_are_absent(given):
    odd = [{"key": otel.OUTPUT_TOKENS, "value": given}, {"key": otel.FIRST_CHUNK, "value": given}]
    found = sample({**span("a1"), "attributes": attributes(CHAT) + odd})
    assert (found.response_tokens, found.first_token_time) == (None, None)


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)
KEYS = st.sampled_from([*CHAT, *AGENT, "input.value", "output.value", "openinference.span.kind",
    "retrieval.documents.0.document.content", "retrieval.documents.0.document.score",
    "gen_ai.retrieval.documents", "gen_ai.tool.name", "gen_ai.tool.call.arguments",
    "llm.output_messages.0.message.content", "gen_ai.completion", "gen_ai.prompt"])  # fmt: skip
VALUES = (
    st.builds(value, st.text(max_size=5) | st.booleans() | st.integers(-5, 5) | st.floats(0, 1))
    | st.builds(lambda v: {"stringValue": json.dumps(v)}, ANY)
    | st.dictionaries(
        st.sampled_from(["stringValue", "intValue", "doubleValue", "arrayValue", "kvlistValue"]),
        ANY,
        max_size=1,
    )
    | ANY
)
IDS = st.sampled_from(["a", "b", "c", "d", "", None, 3])
SPANS = st.fixed_dictionaries(
    {"traceId": st.sampled_from(["t", "u"]), "spanId": IDS},
    optional={
        "parentSpanId": IDS,
        "name": ANY,
        "startTimeUnixNano": ANY | st.integers(0, 10**19),
        "endTimeUnixNano": ANY | st.integers(0, 10**19).map(str),
        "attributes": st.lists(
            st.fixed_dictionaries({"key": KEYS | ANY, "value": VALUES}) | ANY, max_size=6
        )
        | ANY,
        "events": ANY,
        "status": ANY,
    },
)


@settings(max_examples=300)
@given(st.lists(SPANS | ANY, max_size=6))
def test_any_shape_gives_samples_or_reasons(spans):
    record = json.loads(json.dumps(export(*spans)))
    try:
        found = samples(record)
    except DataError:
        return
    assert all(isinstance(item, Sample | SampleError) for item in found)
