"""What a report says before anything else."""

from types import SimpleNamespace

import pytest

from assay.core import Interval
from assay.report.first_screen import MIN_GROUP, NextStep, next_step, worst_group

PLAIN = {
    "unread": 0,
    "judged": 10,
    "failed": 0,
    "unsure": 0,
    "causes": {},
    "pass_rate": 0.8,
    "pass_rate_interval": None,
}


def summary(**fields):
    return SimpleNamespace(**{**PLAIN, **fields})


def group(name, passed, failed, unsure=0):
    return {"name": name, "passed": passed, "failed": failed, "unsure": unsure}


def test_the_worst_group_has_the_lowest_pass_rate():
    groups = {"tag": [group("fees", 9, 1), group("hours", 2, 6)], "language": [group("en", 11, 7)]}
    found = worst_group(summary(pass_rate=0.6), groups)
    assert found[:4] == ("tag", "hours", 2, 8)
    assert found.interval.low < 0.25 < found.interval.high


def test_unsure_samples_count_as_judged():
    found = worst_group(summary(), {"tag": [group("a", 4, 0, 6)], "language": []})
    assert (found.passed, found.judged) == (4, 10)


@pytest.mark.parametrize(
    "groups",
    [
        {"tag": [], "language": []},
        {"tag": [group("few", 0, MIN_GROUP - 1)]},
        {"language": [group("all of them", 8, 2)]},
    ],
    ids=["none", "too small", "no worse than the run"],
)
def test_there_need_not_be_a_worst_group(groups):
    assert worst_group(summary(), groups) is None


@pytest.mark.parametrize(
    ("fields", "step"),
    [
        ({"unread": 2, "failed": 3}, NextStep("unread", 2)),
        ({"judged": 0, "pass_rate": None}, NextStep("unjudged", 0)),
        ({"failed": 3, "causes": {"own.b": 2, "own.a": 1}}, NextStep("cause", 3, "own.b")),
        ({"failed": 3, "unsure": 2}, NextStep("failing", 3)),
        ({"unsure": 1}, NextStep("unsure", 1)),
        ({"pass_rate_interval": Interval(0.724, 1.0)}, NextStep("gate", 10, least=0.724)),
        ({}, NextStep("gate", 10, least=0.0)),
    ],
    ids=["unread", "unjudged", "cause", "failing", "unsure", "gate", "gate without interval"],
)
def test_the_next_step_is_what_helps_most(fields, step):
    assert next_step(summary(**fields)) == step
