"""What a report says before anything else."""

from types import SimpleNamespace

import pytest

from assay.core import Interval
from assay.report.first_screen import MIN_GROUP, next_step, worst_group

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
    ("fields", "words"),
    [
        ({"unread": 2, "failed": 3}, "See why 2\xa0records could not be used"),
        ({"judged": 0, "pass_rate": None}, "none of these decides passes"),
        ({"failed": 3, "causes": {"answer.correctness": 3}}, "most fail answer.correctness."),
        ({"failed": 3}, "Read the samples that fail, the worst first."),
        ({"unsure": 1}, "label the 1\xa0unsure sample;"),
        ({"pass_rate_interval": Interval(0.724, 1.0)}, "'pass_rate>=0.72': 10\xa0samples prove"),
    ],
    ids=lambda value: "" if isinstance(value, dict) else value[:20],
)
def test_the_next_step_is_what_helps_most(fields, words):
    assert words in next_step(summary(**fields))
