"""How the checks of a record are read, and what is refused."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.checks.reading import (
    MAX_CHECKS,
    MAX_NESTING,
    CheckError,
    named_rubric,
    read_checks,
)
from assay.data.check_kinds import EXECUTED, check_kinds
from assay.data.rubrics import rubric_names
from assay.features.check_models import RUBRICS
from assay.textproc.linear_regex import MAX_PATTERN


def read_one(given):
    (check,) = read_checks([given])
    return check


@pytest.mark.parametrize(
    "given",
    [
        {"type": "icontains", "value": "Paris"},
        {"kind": "icontains", "value": "Paris"},
        {"icontains": "Paris"},
        "icontains: Paris",
        {"type": "ICONTAINS", "value": "Paris"},
    ],
)
def test_the_same_check_in_several_forms(given):
    assert read_one(given) == read_one({"type": "icontains", "value": "Paris"})


@pytest.mark.parametrize("name", ["starts_with", "startsWith", "Starts With", "STARTS-WITH"])
def test_the_name_of_a_kind_in_several_spellings(name):
    assert read_one({"type": name, "value": "a"}) == read_one("starts-with: a")
    assert read_one({"type": f"not-{name}", "value": "a"}) == read_one("not-starts-with: a")
    assert read_one({name: "a"}) == read_one("starts_with: a")


def test_null_is_a_value_of_a_place_in_json_and_of_nothing_else():
    at_path = {"type": "json-path", "path": "a"}
    assert read_one({**at_path, "value": None}).has_value
    assert not read_one(at_path).has_value
    assert not read_one({"type": "is-json", "value": None}).has_value


def test_a_rubric_is_a_text_or_the_name_of_a_bundled_one():
    assert read_one({"type": "judged-by", "value": "judge.tone", "threshold": 5}).threshold == 5
    assert named_rubric("judge.tone").name == "tone"
    assert named_rubric("judge.tone must be kind") is None
    assert read_one("llm-rubric: judge the tone.").value == "judge the tone."
    assert {f"rubrics/{name}.toml" for name in rubric_names()} == {*RUBRICS}


def test_not_turns_any_kind_round():
    for name, kind in check_kinds().items():
        given = {"type": f"not-{name}", **SOUND[name]}
        assert read_one(given).is_negated, kind
        assert read_one(given).type == f"not-{name}"


SOUND = {
    **{key: {"value": "a"} for key in check_kinds()},
    **{key: {"value": 3} for key in ("max-length", "min-length", "word-count")},
    **{key: {} for key in ("is-json", "contains-json")},
    **{key: {"threshold": 3} for key in ("latency", "cost")},
    **{key: {"value": ["is-json"]} for key in ("any-of", "all-of", "assert-set")},
    "is-refusal": {},
    "is-valid-tools-call": {},
    "json-path": {"path": "a.b"},
    "language": {"value": "de"},
}
"""What each kind takes."""


def test_the_words_of_promptfoo_are_read_as_they_are():
    checks = read_checks(
        [
            {"type": "icontains", "value": "paris", "threshold": None, "weight": 2, "metric": "m"},
            {"type": "not-contains-any", "value": "red, green"},
            {"type": "contains-all", "value": ["a", 5]},
            {"type": "similar", "value": "the text, whole", "threshold": 0.8, "provider": "x"},
            {"type": "latency", "threshold": 500},
            {"type": "llm-rubric", "value": "is kind", "provider": "openai:x", "threshold": 0.7},
            {"type": "assert-set", "threshold": 0.5, "assert": [{"type": "is-json"}]},
        ]
    )
    assert [check.type for check in checks[:2]] == ["icontains", "not-contains-any"]
    assert (checks[0].weight, checks[0].name) == (2.0, "m")
    assert checks[1].value == ("red", "green")
    assert checks[2].value == ("a", "5")
    assert (checks[3].value, checks[3].threshold) == (("the text, whole",), 0.8)
    assert checks[4].threshold == 500
    assert checks[5].threshold == 0.7
    assert (checks[6].threshold, checks[6].parts[0].kind) == (0.5, "is-json")


@pytest.mark.parametrize("name", [*EXECUTED, "not-javascript"])
def test_nothing_is_executed(name):
    with pytest.raises(CheckError, match="nothing of a record is executed"):
        read_checks([{"type": name, "value": "output.length > 5"}])


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (5, "a check is an object"),
        ({"value": "a"}, "no 'type'"),
        ({"type": 3}, "'type' is 3"),
        ({"type": "containz", "value": "a"}, "did you mean 'contains'"),
        ({"type": "contains"}, "no 'value'"),
        ({"type": "contains", "value": ""}, "says nothing"),
        ({"type": "contains", "value": {}}, "expected text"),
        ({"type": "icontains", "value": ["a", "b"]}, "use icontains-all or icontains-any"),
        ({"length": 5}, "'length' is no kind of check; did you mean"),
        ({"type": "judged-by", "value": "judge.kindness"}, "expected what the response must do"),
        ({"type": "judged-by", "value": "judge.refusal"}, "one of judge.completeness"),
        ({"type": "judged-by", "value": "judge.tone", "threshold": 0.5}, "a number of 1 to 5"),
        ({"type": "contains", "value": "a", "treshold": 1}, "takes no 'treshold'"),
        ({"type": "contains", "value": "a", "threshold": 1}, "takes no 'threshold'"),
        ({"type": "contains", "value": "a", "weight": -1}, "'weight' is -1"),
        ({"type": "contains", "value": "a", "weight": float("nan")}, "'weight' is nan"),
        ({"type": "contains", "value": "a", "transform": "output.x"}, "not carried out"),
        ({"type": "not-contains", "value": "{{ name }}"}, "template"),
        ({"type": "contains", "value": "file://a.txt"}, "none is read"),
        ({"type": "regex", "value": "("}, "RE2 does not take it"),
        ({"type": "regex", "value": "(?=a)"}, "RE2 does not take it"),
        ({"type": "regex", "value": "a" * (MAX_PATTERN + 1)}, "at most"),
        ({"type": "regex", "value": "((a{100}){100}){100}"}, "RE2 does not take it"),
        ({"type": "similar", "value": "a", "threshold": 80}, "0 to 1"),
        ({"type": "latency"}, "no 'threshold'"),
        ({"type": "latency", "threshold": -1}, "0 or more"),
        ({"type": "max-length", "value": 1.5}, "a whole number"),
        ({"type": "word-count", "value": {"most": 3}}, "other keys than 'min' and 'max'"),
        ({"type": "word-count", "value": {}}, "other keys than 'min' and 'max'"),
        ({"type": "levenshtein", "value": "a", "threshold": -1}, "0 or more"),
        ({"type": "context-faithfulness"}, "choose the metric rag.faithfulness"),
        ({"type": "not-select-best", "value": "a"}, "use assay rank"),
        ("context-faithfulness", "choose the metric rag.faithfulness"),
        ({"type": "json-path", "value": 1}, "no 'path'"),
        ({"type": "json-path", "path": "a..b"}, "'path' is 'a..b'"),
        ({"type": "is-json", "value": "[1"}, "no JSON Schema"),
        ({"type": "is-json", "value": [1]}, "JSON Schema"),
        ({"type": "language", "value": "klingon"}, "language code"),
        ({"type": "calls-tool", "value": {"arguments": {}}}, "tool's name"),
        ({"type": "calls-tool", "value": {"name": "a", "max": 2}}, "takes no 'max'"),
        ({"type": "is-refusal", "value": "x"}, "takes no 'value'"),
        ({"type": "any-of", "value": []}, "no checks"),
        ("no check at all", "expected 'type: value'"),
    ],
)
def test_what_is_no_check_is_refused_by_its_place(given, reason):
    with pytest.raises(CheckError, match=reason) as caught:
        read_checks([{"contains": "a"}, given])
    assert str(caught.value).startswith("checks[1]")


def test_a_check_inside_another_is_named_by_both_places():
    with pytest.raises(CheckError, match=r"checks\[0\] \(any-of\)\[1\] \(regex\)"):
        read_checks([{"any-of": [{"contains": "a"}, {"regex": "("}]}])


def test_checks_inside_each_other_and_in_number_are_bounded():
    nested = {"contains": "a"}
    for _ in range(MAX_NESTING):
        nested = {"any-of": [nested]}
    with pytest.raises(CheckError, match="levels inside"):
        read_checks([nested])
    with pytest.raises(CheckError, match="at most"):
        read_checks([{"contains": "a"}] * (MAX_CHECKS + 1))


_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "value", "weight", "regex", "path"]), inner)
    ),
    max_leaves=6,
)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    st.lists(
        _JSON
        | st.builds(lambda t, v: {"type": t, "value": v}, st.sampled_from([*check_kinds()]), _JSON),
        max_size=3,
    )
)
def test_anything_is_a_check_or_refused(given):
    try:
        assert len(read_checks(given)) == len(given)
    except CheckError as error:
        assert str(error).startswith("checks[")


def test_the_guide_lists_every_kind_in_the_words_of_the_table():
    page = (Path(__file__).parents[2] / "docs/how-to/checks.md").read_text(encoding="utf-8")
    for name, kind in check_kinds().items():
        assert f"| `{name}` | {kind.help} |" in page
