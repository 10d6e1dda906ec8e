import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core import Document, Sample, SampleError, UsageError
from assay.samples import formats, mapping, to_sample
from assay.samples.convert import KINDS
from assay.samples.field_names import fields


@pytest.mark.parametrize(
    ("field", "name"), [(field.name, name) for field in fields() for name in field.accepted]
)
def test_every_accepted_name_gives_its_field(field: str, name: str) -> None:
    expected = "contexts" if name == "context" else field
    assert mapping((name,)) == {name: expected}


@pytest.mark.parametrize(
    "name", ["actual_output", "actualOutput", "Actual-Output", "ACTUAL OUTPUT", "actualoutput"]
)
def test_names_are_compared_without_case_and_separators(name: str) -> None:
    assert to_sample({name: "yes"}, "x").response == "yes"


def test_the_table_of_fields_covers_the_sample() -> None:
    assert {field.name for field in fields()} == set(Sample.__dataclass_fields__)
    assert {field.kind for field in fields()} <= set(KINDS)


DOCUMENT = Document("a")


@pytest.mark.parametrize(
    ("record", "field", "value"),
    [
        ({"expected": 42}, "expected", "42"),
        ({"expected": 1.5}, "expected", "1.5"),
        ({"expected": True}, "expected", "true"),
        ({"target": ["a"]}, "expected", "a"),
        ({"query": None, "question": "q"}, "query", "q"),
        ({"query": "q", "question": "q"}, "query", "q"),
        ({"context": "a"}, "contexts", (DOCUMENT,)),
        ({"context": ["a"], "retrieval_context": ["b"]}, "gold_context", "a"),
        ({"context": ["a"], "retrieval_context": None}, "gold_context", "a"),
        ({"context": ["a"], "gold_context": "g"}, "contexts", (DOCUMENT,)),
        ({"reference_contexts": ["a", "b"]}, "gold_context", "a\nb"),
        ({"reference_contexts": '["a", "b"]'}, "gold_context", "a\nb"),
        ({"contexts": "a"}, "contexts", (DOCUMENT,)),
        ({"contexts": '["a", "b"]'}, "contexts", (DOCUMENT, Document("b"))),
        ({"contexts": '[{"content": "a", "id": 7}]'}, "contexts", (Document("a", "7"),)),
        ({"contexts": '{"text": "a"}'}, "contexts", (DOCUMENT,)),
        ({"contexts": "[1]"}, "contexts", (Document("[1]"),)),
        ({"contexts": "[see below"}, "contexts", (Document("[see below"),)),
        ({"contexts": {"text": "a"}}, "contexts", (DOCUMENT,)),
        ({"contexts": ("a",)}, "contexts", (DOCUMENT,)),
        (
            {"documents": [{"pageContent": "a", "metadata": {"source": "s.pdf", "page": 3}}]},
            "contexts",
            (Document("a", source="s.pdf", page=3),),
        ),
        (
            {"contexts": [{"id": "d1", "content": "a", "score": "-0.5", "page": "4"}]},
            "contexts",
            (Document("a", "d1", page=4, similarity_score=-0.5),),
        ),
        ({"query": "q", "tags": "a; b,c;"}, "tags", ("a", "b", "c")),
        ({"query": "q", "tags": ["a;b"]}, "tags", ("a;b",)),
        ({"query": "q", "tags": '["a;b"]'}, "tags", ("a;b",)),
        ({"query": "q", "tags": {"topic": "geo", "level": 1}}, "tags", ("topic:geo", "level:1")),
        ({"query": "q", "tags": {"hard": True, "by": None}}, "tags", ("hard:true",)),
        ({"query": "q", "tags": {"of": ["a", "b"]}}, "tags", ("of:a", "of:b")),
        ({"query": "q", "tags": '{"topic": "جغرافيا"}'}, "tags", ("topic:جغرافيا",)),
        ({"query": "q", "tags": {}}, "tags", ()),
        ({"query": "q", "known_facts": "one"}, "known_facts", ("one",)),
        ({"query": "q", "tools_used": []}, "tools_used", ()),
        ({"query": "q", "duration": "2.5"}, "duration", 2.5),
        ({"query": "q", "latencyMs": 250}, "duration", 0.25),
        ({"query": "q", "latency_ms": 250, "duration": 0.25}, "duration", 0.25),
        ({"query": "q", "completion_time": 3}, "duration", 3.0),
        ({"query": "q", "response_tokens": "12"}, "response_tokens", 12),
        ({"query": "q", "steps_taken": 3.0}, "steps_taken", 3),
        ({"query": "q", "task_completed": "Yes"}, "task_completed", True),
        ({"query": "q", "task_completed": 0}, "task_completed", False),
        ({"gt": {"a": 1}}, "expected_json", {"a": 1}),
        ({"aio": '{"a": 1}'}, "response_json", '{"a": 1}'),
        ({"query": "q", "schema": '{"type": "object"}'}, "schema", {"type": "object"}),
        ({"translations": '{"fr": "oui"}'}, "translations", {"fr": "oui"}),
        ({"tools_called": [{"name": "f"}]}, "tool_calls", ({"name": "f"},)),
        ({"tool_calls": '[{"name": "f"}]'}, "tool_calls", ({"name": "f"},)),
        ({"query": "q", "tools": [{"name": "f"}]}, "tools", ({"name": "f"},)),
        ({"query": "q", "tool_definitions": '[{"name": "f"}]'}, "tools", ({"name": "f"},)),
        ({"query": "q", "availableTools": []}, "tools", ()),
        ({"query": "q", "expected_tools": ["f"]}, "expected_tool_calls", ("f",)),
        ({"response": ""}, "response", ""),
        ({"response": "r", "id": 7}, "id", "7"),
        ({"response": "r", "id": ""}, "id", "line-1"),
        ({"response": "r", "model": "m"}, "metadata", {"model": "m"}),
        ({"response": "r", "Model Name": "m"}, "metadata", {"Model Name": "m"}),
        ({"response": "r", "__prefix": "Say: "}, "metadata", {"__prefix": "Say: "}),
        ({"response": "r", "model": None, "heat": math.nan}, "metadata", {}),
        (
            {"response": "r", "model": "m", "metadata": {"run": 1}},
            "metadata",
            {"model": "m", "run": 1},
        ),
        ({"response": "r", "metadata": '{"run": 1}'}, "metadata", {"run": 1}),
    ],
)
def test_reads(record: dict[str, object], field: str, value: object) -> None:
    assert getattr(to_sample(record, "line-1"), field) == value


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"response": ["a"]}, "'response' is a list; expected text"),
        ({"answer": {"a": 1}}, "'answer' is an object; expected text"),
        ({"expected": math.nan}, "'expected' is nan; expected text"),
        ({"expected": []}, "'expected' is an empty list; expected text or a list of texts"),
        ({"expected": [None]}, "'expected[0]' is null; expected text"),
        ({"query": "q", "duration": -3}, "'duration' is -3; expected a number of 0 or more"),
        ({"query": "q", "duration": "x"}, "'duration' is 'x'; expected a number of 0 or more"),
        ({"query": "q", "duration": True}, "'duration' is True; expected a number of 0 or more"),
        ({"query": "q", "duration": "nan"}, "'duration' is 'nan'; expected a number of 0 or more"),
        ({"query": "q", "duration": math.inf}, "'duration' is inf; expected a number of 0 or more"),
        (
            {"query": "q", "duration": 10**5000},
            "'duration' is a huge number; expected a number of 0 or more",
        ),
        (
            {"query": "q", "latency_ms": [3]},
            "'latency_ms' is a list; expected a number of 0 or more",
        ),
        (
            {"query": "q", "response_tokens": 1.5},
            "'response_tokens' is 1.5; expected a whole number of 0 or more",
        ),
        (
            {"query": "q", "steps_taken": 2**63},
            "'steps_taken' is 9223372036854775808; expected a whole number of 0 or more",
        ),
        (
            {"query": "q", "task_completed": "maybe"},
            "'task_completed' is 'maybe'; expected true or false",
        ),
        (
            {"query": "q", "metadata": {"weight": "heavy"}},
            "'metadata.weight' is 'heavy'; expected a number of 0 or more",
        ),
        ({"query": "q", "metadata": "text"}, "'metadata' is 'text'; expected an object"),
        ({"query": "q", "heat": math.inf}, "'heat' is inf; expected a finite number"),
        ({"query": [1, 2]}, "'query' is a list; expected text or a list of messages"),
        (
            {"input": [{"role": "system", "content": "s"}]},
            "'input' has no message of the role 'user'; expected at least one",
        ),
        (
            {"contexts": [{"id": "a"}]},
            "'contexts[0]' has no 'content'; expected text under that name or as 'text'",
        ),
        ({"contexts": ["a", None]}, "'contexts[1]' is null; expected text"),
        (
            {"contexts": [{"text": "a", "page": "iv"}]},
            "'contexts[0].page' is 'iv'; expected a whole number of 0 or more",
        ),
        ({"query": "q", "known_facts": [["a"]]}, "'known_facts[0]' is a list; expected text"),
        (
            {"query": "q", "schema": "x"},
            "'schema' is 'x'; expected a JSON Schema: an object, or JSON text of one",
        ),
        ({"translations": {"fr": []}}, "'translations.fr' is a list; expected text"),
        (
            {"input": "a", "question": "b"},
            "'input' and 'question' both give the 'query' but differ; "
            "keep one of them, or name the format",
        ),
        (
            {"actualOutput": "a", "actual_output": "b"},
            "'actualOutput' and 'actual_output' both give the 'response' but differ; "
            "keep one of them, or name the format",
        ),
        (
            {"response": "r", "model": "a", "metadata": {"model": "b"}},
            "'model' and 'metadata.model' differ; keep one of them",
        ),
        ({1: "a"}, "the name 1 is no text; expected every name to be text"),
    ],
)
def test_refuses(record: dict[str, object], message: str) -> None:
    with pytest.raises(SampleError) as caught:
        to_sample(record, "line-1")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "record", [{}, {"foo": "a"}, {"response": None}, {"contexts": []}, {"duration": 3, "id": "a"}]
)
def test_says_what_was_found_when_there_is_nothing_to_score(record: dict[str, object]) -> None:
    with pytest.raises(
        SampleError, match=r"nothing to score: found .*query \(also input"
    ) as caught:
        to_sample(record, "line-1")
    assert all(repr(name) in str(caught.value) for name in record)


def test_a_record_without_content_may_be_asked_for() -> None:
    assert to_sample({"duration": 3}, "x", needs_content=False) == Sample("x", duration=3.0)


def test_keeps_all_references_when_there_are_several() -> None:
    sample = to_sample({"response": "r", "references": ["a", "b"]}, "x")
    assert sample.expected == "a"
    assert sample.metadata == {"references": ["a", "b"]}


@pytest.mark.parametrize("name", ["input", "turns", "messages"])
def test_takes_the_last_question_of_a_conversation(name: str) -> None:
    messages = [
        {"role": "user", "content": "first"},
        {"role": "assistant", "content": "answer"},
        {"role": "user", "content": [{"type": "text", "text": "second"}, {"type": "image"}]},
        {"role": "assistant", "content": "answer"},
    ]
    sample = to_sample({name: messages}, "x")
    assert sample.query == "second"
    assert sample.metadata == {}
    parts = [{"type": "text", "text": "second"}, {"type": "image"}]
    asked = {"role": "user", "content": "second", "parts": parts}
    assert sample.conversation == (*messages[:2], asked, messages[3])


def test_messages_beside_a_query_are_the_conversation() -> None:
    turns = [{"role": "user", "content": "m"}]
    sample = to_sample({"query": "q", "messages": turns}, "x")
    assert (sample.query, sample.conversation, sample.metadata) == ("q", tuple(turns), {})


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ([{"type": "human", "content": "q"}], [{"role": "user", "content": "q", "type": "human"}]),
        ('[{"role": "user", "content": "q"}]', [{"role": "user", "content": "q"}]),
        (
            [
                {"role": "user", "content": "q"},
                {"role": "assistant", "content": None, "tool_calls": [1]},
            ],
            [
                {"role": "user", "content": "q"},
                {"role": "assistant", "content": "", "tool_calls": [1]},
            ],
        ),
    ],
)
def test_turns_are_read_in_the_forms_of_other_tools(turns: object, expected: list[object]) -> None:
    assert list(to_sample({"conversation": turns}, "x").conversation) == expected


@pytest.mark.parametrize(
    ("turns", "message"),
    [
        ("What", "'conversation' is 'What'; expected a list of turns"),
        ([{"content": "q"}], r"'conversation\[0\]' has no 'role'; expected user"),
        ([{"role": "assistant", "content": "a"}], "has no message of the role 'user'"),
    ],
)
def test_refuses_what_is_no_conversation(turns: object, message: str) -> None:
    with pytest.raises(SampleError, match=message):
        to_sample({"conversation": turns}, "x")


@pytest.mark.parametrize(
    ("format", "record", "expected"),
    [
        ("phoenix", {"output": "r", "reference": "c"}, {"contexts": (Document("c"),)}),
        ("ragas", {"response": "r", "reference": "e"}, {"expected": "e"}),
        ("deepeval", {"input": "q", "context": ["c"]}, {"gold_context": "c", "contexts": ()}),
        ("azure", {"query": "q", "context": "c"}, {"contexts": (Document("c"),)}),
        ("opik", {"input": {"question": "q"}, "output": {"output": "r"}}, {"query": "q"}),
        (
            "inspect",
            {"input": "q", "output": {"completion": "r", "model": "m"}, "choices": ["a", "b"]},
            {"response": "r", "candidates": ("a", "b"), "metadata": {"output": {"model": "m"}}},
        ),
        ("inspect", {"input": "q", "output": "r"}, {"response": "r"}),
        ("openai-evals", {"sampled": ["r"], "ideal": ["a", "b"]}, {"response": "r"}),
        ("lm-eval", {"doc": {"question": "q"}, "filtered_resps": ["r"]}, {"response": "r"}),
        (
            "mlflow",
            {"inputs": {"question": "q"}, "expectations": {"expected_facts": ["f"]}, "tags": {}},
            {"query": "q", "known_facts": ("f",), "tags": ()},
        ),
        (
            "promptfoo",
            {"vars": {"question": "q"}, "response": {"output": "r"}, "latencyMs": 1000},
            {"query": "q", "response": "r", "duration": 1.0, "metadata": {}},
        ),
        ("trulens", {"query_id": "7", "input": "q", "latency": 2}, {"id": "7", "duration": 2.0}),
        ("pydantic-evals", {"name": "n", "inputs": "q"}, {"id": "n", "query": "q"}),
        (
            "ragas",
            {"user_input": "q", "question": "other"},
            {"query": "q", "metadata": {"question": "other"}},
        ),
        ("ragas", {"question": "q"}, {"query": "q"}),
    ],
)
def test_a_format_fixes_the_reading(
    format: str, record: dict[str, object], expected: dict[str, object]
) -> None:
    sample = to_sample(record, "line-1", format)
    assert {name: getattr(sample, name) for name in expected} == expected


@pytest.mark.parametrize("format", formats())
def test_formats_name_fields_that_exist(format: str) -> None:
    assert to_sample({"response": "r"}, "x", format).response == "r"


def test_an_unknown_format_is_refused_with_a_suggestion() -> None:
    with pytest.raises(UsageError, match="unknown format 'deepevall'; did you mean 'deepeval'"):
        to_sample({"response": "r"}, "x", "deepevall")


LONG = st.integers(300, 5000).map(lambda digits: 10**digits) | st.just(-(10**309))
"""Whole numbers beyond all floats, and some that Python refuses to spell."""
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | LONG | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
NAMES = st.sampled_from([name for field in fields() for name in field.accepted]) | st.text()


@given(
    st.dictionaries(NAMES, JSON, max_size=6),
    st.none() | st.sampled_from(formats()),
)
def test_any_record_gives_a_sample_or_a_sample_error(
    record: dict[str, object], format: str | None
) -> None:
    try:
        sample = to_sample(record, "line-1", format)
    except SampleError as error:
        assert str(error)
    else:
        assert sample.id


@pytest.mark.parametrize(
    ("response", "expected", "is_truth"),
    [
        ('{"a": 1}', ' {"a": 2}', True),
        ("[1]", "[2]", True),
        ('{"a": 1}', "one", False),
        ("one", '{"a": 1}', False),
        ('{"a": 1', '{"a": 1}', False),
        ("[see below]", "[see above]", False),
        ("1", "1", False),
    ],
)
def test_an_expected_answer_in_json_is_the_ground_truth(
    response: str, expected: str, is_truth: bool
) -> None:
    sample = to_sample({"response": response, "expected": expected}, "x")
    assert sample.expected == expected
    assert sample.expected_json == (expected if is_truth else None)


def test_a_ground_truth_of_its_own_goes_before_the_expected_answer() -> None:
    record = {"response": "{}", "expected": "{}", "expected_json": '{"a": 1}'}
    assert to_sample(record, "x").expected_json == '{"a": 1}'
