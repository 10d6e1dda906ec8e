"""Trajectories against plain definitions, and hostile calls."""

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core import Sample, SampleError
from assay.core.trajectory_rules import read_trajectory_rules
from assay.engine import make_plan, score_batch
from assay.features.tool_calls import read_call
from assay.features.trajectory import Step, call_key
from assay.registry import select
from assay.report.evidence_text import text_of
from assay.scoring.repetition import ROUNDS, cycles
from assay.scoring.trajectory import match_trajectory, too_early
from assay.textproc.linear_regex import found

CALLS = st.lists(st.sampled_from("abc"), max_size=6)
small = settings(max_examples=200, deadline=None, derandomize=True)


def steps(names):
    return tuple(Step(n, read_call(name), name) for n, name in enumerate(names))


def matches(made, expected, mode):
    result = match_trajectory(steps(made), tuple(map(read_call, expected)), {}, mode)
    assert (result.right == result.total) == (not result.offences and not result.absent)
    return result.right == result.total


@small
@given(made=CALLS, expected=CALLS)
def test_modes_are_what_sequences_and_counts_say(made, expected):
    """The oracle: equality of lists, and of multisets and their inclusion."""
    one, other = Counter(made), Counter(expected)
    assert matches(made, expected, "strict") == (made == expected)
    assert matches(made, expected, "unordered") == (one == other)
    assert matches(made, expected, "subset") == (one <= other)
    assert matches(made, expected, "superset") == (one >= other)


@small
@given(made=CALLS, expected=CALLS)
def test_the_share_in_order_is_that_of_the_longest_common_row(made, expected):
    def common(a, b):
        if not a or not b:
            return 0
        if a[0] == b[0]:
            return 1 + common(a[1:], b[1:])
        return max(common(a[1:], b), common(a, b[1:]))

    result = match_trajectory(steps(made), tuple(map(read_call, expected)), {}, "strict")
    assert result.right == common(made, expected)


@small
@given(names=st.lists(st.sampled_from("abx"), max_size=7))
def test_too_early_is_what_the_definition_says(names):
    (pair,) = read_trajectory_rules({"before": [["a", "b"]]}).before
    wrong = [n for n, name in enumerate(names) if name == "b" and "a" not in names[:n]]
    assert [offence.step.place for offence in too_early(steps(names), [pair])] == wrong


@small
@given(names=st.lists(st.sampled_from("ab"), max_size=14))
def test_loops_are_rows_that_come_three_times(names):
    places = cycles(steps(names))
    for one in places:
        row = names[one.start : one.start + one.length]
        assert names[one.start : one.end] == row * one.rounds
        assert one.rounds >= ROUNDS
    has_loop = any(
        names[start : start + length] * ROUNDS == names[start : start + ROUNDS * length]
        for length in range(1, 5)
        for start in range(len(names) - ROUNDS * length + 1)
    )
    assert bool(places) == has_loop


def test_equal_arguments_have_equal_keys_in_any_order():
    keys = {
        call_key(read_call({"name": "a", "arguments": dict(order)}))
        for order in permutations([("x", 1), ("y", {"b": 1, "a": [2]}), ("z", "é")])
    }
    assert len(keys) == 1


@pytest.mark.parametrize(("expression", "is_found"), [("(a+)+$", False), ("(?P<x>.*)*", True)])
def test_an_expression_that_others_never_finish_is_answered(expression, is_found):
    assert found(expression, "a" * 200_000 + "!") is is_found


def test_an_expression_that_is_not_linear_is_refused():
    with pytest.raises(SampleError, match="not a linear-time expression"):
        found(r"(a)\1", "aa")
    assert found("^.$", "\ud800")


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
RULES = {
    "match": "unordered",
    "before": [["a", "b"]],
    "required": [{"name": "a", "arguments": {"x": {"matches": "a"}}}],
    "forbidden": [{"name": "*", "arguments": {"x": {"above": 3}}}],
    "arguments": [{"name": "*", "arguments": {"x": {"none_of": [1], "contains": "a"}}}],
    "budget": {"steps": 2},
    "goal": {"state": {"x": 1}, "says": ["a"]},
}
HOSTILE = st.lists(
    JSON
    | st.builds(
        lambda name, arguments: {"name": name, "arguments": arguments},
        st.sampled_from(("a", "b", "\u202ea", "x" * 500)),
        st.dictionaries(st.sampled_from(("x", "y")), JSON) | JSON,
    ),
    min_size=1,
    max_size=5,
)
PLAN = make_plan(select(["agent"]))


@small
@given(calls=HOSTILE, final=JSON)
def test_hostile_calls_give_scores_in_range_and_evidence_inside(calls, final):
    sample = Sample(
        tool_calls=tuple(calls),
        expected_tool_calls=tuple(calls[:1]),
        trajectory_rules=RULES,
        response="a",
        metadata={"final_state": final},
    )
    (scores,) = score_batch(PLAN, [sample])
    for result in scores.results.values():
        assert result.state in ("ok", "missing"), result.explanation
        assert result.explanation.isprintable()
        assert len(result.explanation) < 300
        for span in result.evidence:
            assert 0 <= span.start < span.end <= len(text_of(sample, span.field) or "")
