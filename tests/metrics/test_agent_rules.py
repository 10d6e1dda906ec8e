"""Rules on an agent's calls: what cannot be told, and how broken rules are worded."""

from __future__ import annotations

from typing import Any

import pytest

import assay

PLAIN = {"query": "Refund order A-17.", "response": "Done."}


@pytest.mark.parametrize(
    ("metric", "rules"),
    [
        ("call_order", {"before": [["log_in", "refund"]]}),
        ("required_calls", {"required": ["refund"]}),
        ("forbidden_calls", {"forbidden": ["delete_*"]}),
        ("call_arguments", {"arguments": [{"name": "refund", "arguments": {"order": "A-17"}}]}),
        ("trajectory_match", {"match": "superset", "calls": ["refund"]}),
        ("budget", {"budget": {"steps": 3}}),
        ("goal_state", {"goal": {"state": {"A-17": "refunded"}}}),
    ],
)
def test_a_rule_that_nobody_can_check_leaves_the_sample_unsure(
    metric: str, rules: dict[str, Any]
) -> None:
    report = assay.evaluate([{**PLAIN, "trajectory_rules": rules}], ["agent", "text.safety"])
    result = report.scores[0][f"agent.{metric}"]
    assert (result.state, result.verdict) == ("missing", "unsure")
    assert (report.summary.passed, report.summary.unsure) == (0, 1)


@pytest.mark.parametrize("match", ["superset", "subset"])
def test_the_way_to_compare_is_the_only_one_that_counts(match: str) -> None:
    few, many = ["find_order"], ["find_order", "refund"]
    made, expected = (many, few) if match == "superset" else (few, many)
    rules = {"match": match}
    record = {**PLAIN, "tool_calls": made, "expected_tool_calls": expected}
    summary = assay.evaluate([{**record, "trajectory_rules": rules}], ["agent"]).summary
    assert (summary.passed, summary.failed) == (1, 0)
    assert assay.evaluate([record], ["agent"]).summary.failed == 1


@pytest.mark.parametrize(
    ("metric", "record", "words"),
    [
        (
            "call_order",
            {
                "tool_calls": [{"name": "log_in", "error": "wrong password"}, "refund"],
                "trajectory_rules": {"before": [["log_in", "refund"]]},
            },
            'call 2 ("refund") came before "log_in" had succeeded.',
        ),
        (
            "trajectory_match",
            {"tool_calls": ["refund", "find"], "expected_tool_calls": ["find", "refund"]},
            'call 1 ("refund") is out of order (and 1 more problem).',
        ),
        (
            "trajectory_match",
            {
                "tool_calls": [{"name": "refund", "arguments": {}}],
                "expected_tool_calls": [{"name": "refund", "arguments": {"order": "A-17"}}],
            },
            "does not fit: 'refund' was called without 'order' (and 1 more problem).",
        ),
        (
            "budget",
            {
                "tool_calls": ["a", "b"],
                "trajectory_rules": {"budget": {"steps": 1, "usd": 1, "tokens": 9}},
            },
            "it used 2 steps (limit 1); the sample does not tell its tokens and usd.",
        ),
        (
            "budget",
            {
                "tool_calls": ["a"],
                "cost": 0.02,
                "trajectory_rules": {"budget": {"steps": 1, "usd": 0.01}},
            },
            "1 of 2 limits are kept; it used 0.02 USD (limit 0.01).",
        ),
        (
            "goal_state",
            {
                "final_state": {"A-17": {"status": "open"}},
                "trajectory_rules": {
                    "goal": {"state": {"A-17": {"status": "refunded"}}, "says": ["14 days"]}
                },
            },
            '"A-17.status" is "open", not "refunded" (and 1 more problem).',
        ),
        (
            "call_arguments",
            {
                "tool_calls": [{"name": "refund", "arguments": {"order": "A-18"}}],
                "trajectory_rules": {
                    "arguments": [{"name": "refund", "arguments": {"order": "A-17"}}]
                },
            },
            '"order" is "A-18", expected "A-17".',
        ),
        (
            "call_arguments",
            {
                "tool_calls": [{"name": "refund", "arguments": {"amount": 900}}],
                "trajectory_rules": {
                    "arguments": [{"name": "refund", "arguments": {"amount": {"at_most": 100}}}]
                },
            },
            '"amount" is 900, expected at most 100.',
        ),
        (
            "required_calls",
            {
                "tool_calls": ["refund", "refund"],
                "trajectory_rules": {"required": [{"name": "refund", "at_most": 1}, "log_in"]},
            },
            '0 of 2 requirements are met; "refund" was called 2 times (at most 1).',
        ),
    ],
)
def test_what_is_wrong_is_said_as_it_was(metric: str, record: dict[str, Any], words: str) -> None:
    (scores,) = assay.evaluate([{**PLAIN, **record}], ["agent"]).scores
    assert scores[f"agent.{metric}"].explanation.endswith(words)
