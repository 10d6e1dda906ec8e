"""The checks that a record carries: what each kind decides, and how they come together."""

import json
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay import registry
from assay.backends import Backends
from assay.core import Sample, SampleError
from assay.data.check_kinds import check_kinds
from assay.engine import make_plan, score_batch
from assay.samples import read_samples

NO_MODELS = Backends(embedder="none", encoder="none")
JUDGED = Backends(embedder="none", encoder="none", judge="fake")


@cache
def plan(backends=NO_MODELS):
    chosen = [registry.metrics()[id] for id in ("check.passed", "text.safety")]
    return make_plan(chosen, backends=backends)


def score(*checks, backends=NO_MODELS, **fields):
    (scores,) = score_batch(plan(backends), [Sample(checks=checks, **fields)])
    return scores


def verdict(check, backends=NO_MODELS, **fields):
    """The verdict on a single check, told by the details."""
    result = score(check, backends=backends, **fields)["check.passed"]
    assert result.state != "error", result.explanation
    return result.details["checks"][0]["verdict"]


TABLE = [
    ({"contains": "Paris"}, "In Paris.", "In paris."),
    ({"icontains": "PARIS"}, "In paris.", "In Rome."),
    ({"icontains": "ÄRGER"}, "kein ärger", "kein arger"),
    ({"contains-any": ["Rome", "Paris"]}, "In Paris.", "In Oslo."),
    ({"contains-all": "Rome, Paris"}, "Paris, Rome", "Paris"),
    ({"icontains-any": ["rome"]}, "ROME", "Oslo"),
    ({"icontains-all": ["rome", "oslo"]}, "ROME OSLO", "OSLO"),
    ({"equals": "yes"}, "yes", "yes."),
    ({"equals": {"a": 1}}, '{"a": 1.0}', '{"a": true}'),
    ({"equals": 5}, "5.0", "6"),
    ({"equals": [1, 2]}, "[1, 2]", "[2, 1]"),
    ({"starts-with": "In"}, "In Paris", "I am in Paris"),
    ({"ends-with": "."}, "Yes.", "Yes"),
    ({"regex": r"\d{3}"}, "call 911", "call 91"),
    ({"regex": "^$"}, "", "a"),
    ({"max-length": 3}, "abc", "abcd"),
    ({"min-length": 3}, "abc", "ab"),
    ({"type": "is-json"}, "[1]", "[1"),
    ({"is-json": {"type": "array"}}, "[1]", "{}"),
    ({"json-schema": '{"type": "array"}'}, "[1]", "{}"),
    ({"type": "contains-json"}, 'Here: {"a": [1]} .', "Here: {a: 1}"),
    ({"contains-json": {"required": ["b"]}}, '{"a": 1} and {"b": 1}', '{"a": 1}'),
    (
        {"type": "json-path", "path": "a[*].b", "value": 2},
        '{"a": [{"b": 1}, {"b": 2}]}',
        '{"a": []}',
    ),
    ({"type": "json-path", "path": "$.a"}, '{"a": null}', '{"b": 1}'),
    ({"type": "json-path", "path": "$.a", "value": None}, '{"a": null}', '{"a": 1}'),
    ({"type": "json-path", "path": '["a.b"]', "value": "x"}, '{"a.b": "x"}', '{"a": {"b": "x"}}'),
    ({"language": "de"}, "Das ist nicht der Weg.", "This is not the way."),
    ({"language": "ar-EG"}, "هذه هي الطريق", "This is not the way."),
    ({"type": "is-refusal"}, "I'm sorry, but I can't help with that.", "Paris is in France."),
    ({"similar": "The library opens at nine."}, "The library opens at nine.", "Cats eat fish."),
    ({"word-count": 3}, "one two three", "one two"),
    ({"word-count": {"min": 2, "max": 3}}, "one two", "one two three four"),
    ({"word-count": {"min": 2}}, "one two three four", "one"),
    ({"levenshtein": "kitten"}, "sitting", "a quite different text"),
    ({"type": "levenshtein", "value": "kitten", "threshold": 2}, "kitty", "sitting"),
    ({"rouge-n": "the library opens at nine"}, "The library opens at nine.", "It is closed."),
    ({"type": "rouge-n", "value": "تفتح المكتبة", "threshold": 0.5}, "تفتح المكتبة غدا", "نعم"),
    ({"bleu": ["x", "a b c d e"]}, "a b c d e", "e d c b a"),
    ({"type": "is-xml"}, "<order><item/></order>", "<order><item></order>"),
    ({"is-xml": ["order.item"]}, "<order><item/></order>", "<order><line/></order>"),
    ({"is-xml": {"requiredElements": ["a"]}}, " <a/>", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'),
    ({"contains-xml": "a.b"}, "Here: <i>x</i> <a><b>1</b></a>.", "1 < 2 and <a>1</a>"),
    ({"any-of": [{"contains": "a"}, {"contains": "b"}]}, "b", "c"),
    ({"all-of": [{"contains": "a"}, {"contains": "b"}]}, "ab", "b"),
    (
        {"type": "assert-set", "threshold": 0.5, "assert": [{"contains": "a"}, {"contains": "b"}]},
        "a",
        "c",
    ),
]


def turned(check):
    if "type" in check:
        return {**check, "type": f"not-{check['type']}"}
    ((kind, value),) = check.items()
    return {f"not-{kind}": value}


@pytest.mark.parametrize(("check", "holds", "fails"), TABLE, ids=lambda part: json.dumps(part)[:40])
def test_a_kind_holds_and_fails_and_turns_round(check, holds, fails):
    assert verdict(check, response=holds) == "pass"
    assert verdict(check, response=fails) == "fail"
    assert verdict(turned(check), response=holds) == "fail"
    assert verdict(turned(check), response=fails) == "pass"


def test_the_table_and_these_tests_know_every_kind():
    elsewhere = {"latency", "cost", "calls-tool", "llm-rubric", "factuality", "g-eval"}
    elsewhere |= {"tool-call-f1", "is-valid-tools-call", "finish-reason"}
    tried = {name for check, *_ in TABLE for name in (check.get("type"), *check) if name}
    assert {*check_kinds()} <= tried | elsewhere


def test_latency_is_in_milliseconds():
    assert verdict({"latency": 1500}, duration=1.5) == "pass"
    assert verdict({"latency": 1499}, duration=1.5) == "fail"
    assert verdict({"latency": 1500}) == "missing"


def test_cost_is_stated_or_made_of_counted_tokens():
    assert verdict({"cost": 0.01}, metadata={"cost": 0.01}) == "pass"
    assert verdict({"cost": 0.01}, metadata={"cost": 0.011}) == "fail"
    assert verdict({"cost": 0.01}, metadata={"cost_usd": 0.011}) == "fail"
    counted = {"model": "gpt-4", "prompt_tokens": 1000, "completion_tokens": 1000}
    assert verdict({"cost": 1.0}, metadata=counted) == "pass"
    assert verdict({"cost": 0.0001}, metadata=counted) == "fail"
    assert verdict({"cost": 1}, metadata={"model": "gpt-4"}, response="a", query="b") == "missing"
    assert verdict({"cost": 1}, metadata={**counted, "model": "unheard of"}) == "missing"


def test_a_tool_was_called():
    calls = ({"name": "book", "arguments": {"seat": "aisle"}},)
    assert verdict({"calls-tool": "book"}, tool_calls=calls) == "pass"
    assert verdict({"calls-tool": "pay"}, tool_calls=calls) == "fail"
    assert verdict({"not-calls-tool": "pay"}, tool_calls=()) == "pass"
    assert verdict({"calls-tool": "pay"}) == "missing"
    aisle, window = ({"name": "book", "arguments": {"seat": seat}} for seat in ("aisle", "window"))
    assert verdict({"calls-tool": aisle}, tool_calls=calls) == "pass"
    assert verdict({"calls-tool": window}, tool_calls=calls) == "fail"
    short = {"type": "calls-tool", "value": "book"}
    for seat, expected in (("aisle", "pass"), ("window", "fail")):
        assert verdict({**short, "arguments": {"seat": seat}}, tool_calls=calls) == expected


def test_the_calls_are_marked_that_a_check_is_about():
    calls = ({"name": "find"}, {"name": "pay", "arguments": {"amount": 900}}, {"name": "pay"})
    five = {"type": "calls-tool", "value": "pay", "arguments": {"amount": 5}}
    tools = [{"name": "find", "parameters": {"type": "object", "properties": {}}}]
    checks = (five, {"calls-tool": "find"}, {"tool-call-f1": "find"}, "is-valid-tools-call")
    result = score(*checks, tool_calls=calls, metadata={"tools": tools})["check.passed"]
    marked = {(span.field, span.label) for span in result.evidence}
    assert marked == {
        *((f"tool_calls[{place}]", "calls-tool fails") for place in (1, 2)),
        ("tool_calls[0]", "calls-tool holds"),
        *((f"tool_calls[{place}]", "tool-call-f1 fails") for place in (1, 2)),
        *((f"tool_calls[{place}]", "is-valid-tools-call fails") for place in (1, 2)),
    }
    whole = next(span for span in result.evidence if span.field == "tool_calls[1]")
    assert (whole.start, whole.end) == (0, len(json.dumps(calls[1])))
    assert "'pay' was called with another 'amount'" in result.explanation


def test_the_names_of_called_tools_are_compared():
    calls = ({"name": "find"}, {"name": "book"})
    assert verdict({"tool-call-f1": ["book", "find"]}, tool_calls=calls) == "pass"
    assert verdict({"tool-call-f1": "book"}, tool_calls=calls) == "fail"
    nearly = {"type": "tool-call-f1", "value": "book", "threshold": 0.6}
    assert verdict(nearly, tool_calls=calls) == "pass"
    assert verdict({"tool-call-f1": "book"}) == "missing"


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ({"name": "book", "arguments": {"seat": "aisle"}}, "pass"),
        ({"name": "book", "arguments": {}}, "fail"),
        ({"name": "book", "arguments": {"seat": "aisle", "mood": "good"}}, "fail"),
        ({"name": "pay", "arguments": {}}, "fail"),
        (None, "fail"),
    ],
)
def test_calls_fit_the_tools_that_are_offered(call, expected):
    seat = {"type": "object", "properties": {"seat": {"type": "string"}}, "required": ["seat"]}
    tools = [{"type": "function", "function": {"name": "book", "parameters": seat}}]
    check = {"type": "is-valid-openai-tools-call"}
    calls = (call,) if call else ()
    assert verdict(check, tool_calls=calls, metadata={"tools": tools}) == expected
    assert verdict(check, tool_calls=calls) == "missing"


def test_why_the_model_stopped():
    stopped = {"finish_reason": "stop"}
    assert verdict({"finish-reason": "stop"}, metadata=stopped) == "pass"
    assert verdict({"finish-reason": "length"}, metadata=stopped) == "fail"
    assert verdict({"finish-reason": "stop"}) == "missing"


def test_a_schema_that_is_broken_is_said_to_be_broken_by_what():
    schema = {"type": "object", "required": ["price"]}
    result = assay.score(response='{"cost": 5}', checks=[{"is-json": schema}])["check.passed"]
    assert result.explanation.endswith(
        "at '/' the JSON violates 'required' of the schema: \"price\" is a required property."
    )


@pytest.mark.parametrize("kind", ["llm-rubric", "factuality", "g-eval", "model-graded-closedqa"])
def test_a_rubric_is_asked_of_the_judge_or_missing(kind):
    rubric = {kind: "says where Paris is"}
    assert verdict(rubric, response="Paris is in France.") == "missing"
    assert verdict(turned(rubric), response="Paris is in France.") == "missing"
    told = verdict(rubric, JUDGED, response="Paris is in France.")
    assert told in ("pass", "fail")
    assert verdict(turned(rubric), JUDGED, response="Paris is in France.") != told


def test_a_bundled_rubric_decides_by_its_own_threshold_or_that_of_the_check():
    """The judge that counts words gives 2 of 5, and the rubric asks for 4."""
    given = {"query": "Where is Paris?", "response": "Paris is in France."}
    check = {"type": "judged-by", "value": "judge.helpfulness"}
    assert verdict(check, JUDGED, **given) == "fail"
    assert verdict({**check, "threshold": 2}, JUDGED, **given) == "pass"
    assert verdict(check, **given) == "missing"
    grounded = {"type": "judged-by", "value": "judge.groundedness"}
    result = score(grounded, backends=JUDGED, **given)["check.passed"]
    assert result.explanation.endswith("judge.groundedness needs 'response' and 'contexts'.")


def test_a_missing_check_never_passes_the_sample():
    """The other metrics pass, and yet the sample does not."""
    alone = score({"contains": "Hello"}, response="Hello, dear friend.")
    assert (alone["text.safety"].verdict, alone.verdict) == ("pass", "pass")
    scores = score({"contains": "Hello"}, {"llm-rubric": "is kind"}, response="Hello, dear friend.")
    result = scores["check.passed"]
    assert (result.state, result.value, result.passed) == ("missing", None, None)
    assert (scores["text.safety"].verdict, scores.verdict) == ("pass", "unsure")
    assert (
        "check 2 (llm-rubric) could not be evaluated: no judge is configured" in result.explanation
    )


def test_a_check_that_fails_decides_whatever_is_missing():
    scores = score({"contains": "Bye"}, {"latency": 5}, {"contains": "He"}, response="Hello.")
    result = scores["check.passed"]
    assert (result.value, result.verdict, scores.verdict) == (1 / 3, "fail", "fail")
    assert result.explanation == (
        "1 of 3 checks holds; check 1 (contains) fails: the response does not contain 'Bye'."
    )


def test_a_schema_that_cannot_be_used_is_an_error_that_passes_nothing():
    scores = score({"is-json": {"type": 5}}, response="[1]")
    result = scores["check.passed"]
    assert (result.state, result.value, scores.verdict) == ("error", None, "unsure")
    assert "check 1 (is-json) is invalid" in result.explanation


def test_checks_of_a_sample_that_no_reader_saw_are_an_error():
    scores = score({"type": "containz", "value": "a"}, response="a")
    assert scores["check.passed"].state == "error"
    assert "did you mean 'contains'" in scores["check.passed"].explanation


def test_open_parts_of_a_set_decide_only_where_they_matter():
    slow, there, absent = {"latency": 5}, {"contains": "a"}, {"contains": "b"}
    assert verdict({"any-of": [slow, there]}, response="a") == "pass"
    assert verdict({"any-of": [slow, absent]}, response="a") == "missing"
    assert verdict({"all-of": [slow, absent]}, response="a") == "fail"
    assert verdict({"not-any-of": [slow, there]}, response="a") == "fail"


def test_weights_decide_the_share_and_weight_0_nothing():
    result = score(
        {"type": "contains", "value": "a", "weight": 3},
        {"type": "contains", "value": "b", "weight": 1},
        {"type": "contains", "value": "c", "weight": 0},
        response="a",
    )["check.passed"]
    assert (result.value, result.verdict) == (0.75, "fail")
    only = score({"type": "contains", "value": "b", "weight": 0}, response="a")["check.passed"]
    assert (only.state, only.explanation) == ("missing", "No check has a weight.")


def test_the_words_are_marked_those_of_failed_checks_first():
    text = "A damn good day."
    result = score({"contains": "good"}, {"not-contains": "damn"}, response=text)["check.passed"]
    marked = [(text[s.start : s.end], s.label) for s in result.evidence]
    assert marked == [("damn", "not-contains fails"), ("good", "contains holds")]


def test_the_details_list_every_check_and_what_is_inside():
    inside = [{"contains": "a"}, {"type": "contains", "value": "b", "name": "bee"}]
    result = score({"any-of": inside}, {"is-json": {"type": "array"}}, response="a")["check.passed"]
    rows = result.details["checks"]
    assert [row["check"] for row in rows] == ["1", "1.1", "1.2", "2"]
    assert rows[2]["name"] == "bee"
    assert rows[3]["value"] == '{"type":"array"}'


_TEXT = st.text(st.sampled_from("ab\u0130é \n\ud800"), max_size=12)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(response=_TEXT, wanted=_TEXT.filter(bool))
def test_texts_are_compared_as_python_does(response, wanted):
    expected = {
        "contains": wanted in response,
        "starts-with": response.startswith(wanted),
        "ends-with": response.endswith(wanted),
        "equals": response == wanted,
    }
    for kind, holds in expected.items():
        assert verdict({"type": kind, "value": wanted}, response=response) == (
            "pass" if holds else "fail"
        )


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    response=st.text(st.characters(exclude_categories=()), max_size=30),
    chosen=st.lists(st.sampled_from([check for check, *_ in TABLE]), min_size=1, max_size=4),
)
def test_any_response_has_a_result_whose_places_lie_in_it(response, chosen):
    result = score(*chosen, response=response)["check.passed"]
    assert result.state in ("ok", "missing"), result.explanation
    assert all(0 <= s.start < s.end <= len(response) for s in result.evidence)
    assert result.explanation.isprintable()
    assert len(result.explanation) < 300


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 50_000, "[1," * 50_000, '"' * 100_000])
def test_brackets_without_end_take_no_time(text):
    assert verdict({"type": "is-json"}, response=text) == "fail"
    result = score({"type": "contains-json"}, response=text)["check.passed"]
    assert result.verdict in ("fail", "unsure")


def test_a_record_with_a_check_that_is_none_is_not_scored(tmp_path):
    """It is counted as unread, so that it raises no pass rate."""
    file = tmp_path / "records.jsonl"
    records = [
        {"response": "Paris", "checks": [{"contains": "Paris"}]},
        {"response": "Paris", "checks": [{"contains": "Paris"}, {"type": "regex", "value": "("}]},
    ]
    file.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    report = assay.evaluate(file, ["check.passed"], embedder="none", encoder="none")
    assert (report.summary.samples, report.summary.unread, report.pass_rate) == (1, 1, 1.0)
    assert "line 2: checks[1] (regex)" in report.summary.problems[0]


def test_auto_chooses_it_where_records_have_checks():
    scores = assay.score(response="Paris", checks=["contains: Paris"], encoder="none")
    assert (scores["check.passed"].verdict, scores["check.passed"].gates) == ("pass", True)
    assert "check.passed" not in assay.score(response="Paris", encoder="none")


def test_a_sample_of_a_program_with_a_wrong_check_is_refused():
    sample = Sample(response="a", checks=({"type": "containz"},))
    with pytest.raises(SampleError, match="did you mean 'contains'"):
        assay.evaluate([sample], ["check.passed"])


def test_a_test_of_promptfoo_with_a_threshold_needs_that_share(tmp_path):
    file = tmp_path / "results.json"
    test = {"assert": [{"type": "equals", "value": "Paris"}, {"type": "contains", "value": "Rome"}]}
    outputs = [{**test, "threshold": 0.5}, {**test, "threshold": 0.6}, test]
    records = [{"response": {"output": "Paris"}, "testCase": own} for own in outputs]
    file.write_text(json.dumps(records), encoding="utf-8")
    samples = list(read_samples(str(file), format="promptfoo"))
    report = assay.evaluate(samples, ["check.passed"], embedder="none", encoder="none")
    assert [scores.verdict for scores in report.scores] == ["pass", "fail", "fail"]
