"""The rules of a sample for an agent's calls: what is read, and what is refused."""

import pytest

from assay.core import SampleError
from assay.core.trajectory_rules import CallBudget, CallPattern, Goal, read_trajectory_rules
from assay.samples.fields import to_sample


def test_every_rule_is_read():
    rules = read_trajectory_rules(
        {
            "match": "subset",
            "before": [["log_in", {"name": "pay", "arguments": {"amount": {"above": 5}}}]],
            "required": ["search", {"name": "pay", "at_least": 0, "at_most": 1}],
            "forbidden": ["delete_*"],
            "arguments": [{"name": "pay", "arguments": {"to": "Kim"}}],
            "budget": {"steps": 3, "usd": 0.5},
            "goal": {"state": {"paid": True}, "says": ["paid"]},
        }
    )
    assert rules.match == "subset"
    assert rules.before == ((CallPattern("log_in"), CallPattern("pay", {"amount": {"above": 5}})),)
    assert rules.required == (CallPattern("search"), CallPattern("pay", {}, 0, 1))
    assert rules.forbidden == (CallPattern("delete_*"),)
    assert rules.arguments == (CallPattern("pay", {"to": {"equals": "Kim"}}),)
    assert rules.budget == CallBudget(steps=3, usd=0.5)
    assert rules.goal == Goal({"paid": True}, ("paid",))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], r"'trajectory_rules' is \[\]; expected an object"),
        ({"earlier": []}, "unknown key 'earlier'; expected match, calls, aside, before"),
        ({"match": "exact"}, "'trajectory_rules.match' is 'exact'; expected one of strict"),
        ({"before": [["a"]]}, r"'trajectory_rules.before\[0\]' is \['a'\]; expected two calls"),
        ({"required": "a"}, "expected a list of at most 1000 entries"),
        ({"required": [{"name": ""}]}, r"'trajectory_rules.required\[0\].name' is ''"),
        ({"required": [{"name": "a", "at_least": 2, "at_most": 1}]}, "expected at least 2"),
        ({"forbidden": [{"name": "a", "at_most": 1}]}, "unknown key 'at_most'"),
        ({"arguments": ["a"]}, "expected an object with 'name' and 'arguments'"),
        (
            {"arguments": [{"name": "a", "arguments": {"x": {"above": "5"}}}]},
            r"arguments.x.above' is '5'; expected a number",
        ),
        (
            {"arguments": [{"name": "a", "arguments": {"x": {"above": 5, "more": 6}}}]},
            "unknown key 'more'",
        ),
        ({"budget": {"steps": -1}}, "'trajectory_rules.budget.steps' is -1"),
        ({"budget": {"time": 1}}, "unknown key 'time'; expected steps, tokens, seconds, usd"),
        ({"goal": {"state": []}}, r"'trajectory_rules.goal.state' is \[\]"),
        ({"goal": {"says": "x"}}, "expected a list of texts"),
    ],
)
def test_a_rule_with_a_slip_is_refused_when_the_record_is_read(given, message):
    with pytest.raises(SampleError, match=message):
        read_trajectory_rules(given)
    with pytest.raises(SampleError):
        to_sample({"response": "x", "trajectory_rules": given}, "x")


def test_an_object_without_words_of_conditions_is_a_value():
    (pattern,) = read_trajectory_rules(
        {"arguments": [{"name": "a", "arguments": {"x": {"room": 4}}}]}
    ).arguments
    assert pattern.conditions == {"x": {"equals": {"room": 4}}}


def test_rules_may_be_json_text():
    sample = to_sample({"response": "x", "trajectory_rules": '{"required": ["a"]}'}, "x")
    assert sample.trajectory_rules == {"required": ["a"]}
