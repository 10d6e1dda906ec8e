"""The verdict on a value, and on a sample."""

import re
from dataclasses import replace

import pytest

from assay.core import ProfileError, Result, Sample, metric
from assay.core.metric import judge
from assay.core.result import Scores, sample_verdict
from assay.data import Profile
from assay.engine import make_plan, score_batch


@pytest.mark.parametrize(
    ("value", "polarity", "verdict"),
    [
        (0.39, "higher", "fail"),
        (0.4, "higher", "fail"),
        (0.41, "higher", "unsure"),
        (0.59, "higher", "unsure"),
        (0.6, "higher", "pass"),
        (0.4, "lower", "pass"),
        (0.5, "lower", "unsure"),
        (0.6, "lower", "fail"),
    ],
)
def test_values_strictly_between_the_ends_are_unsure(value, polarity, verdict):
    assert judge(value, 0.5, polarity, (0.4, 0.6)) == verdict


def test_without_ends_the_threshold_decides_and_without_it_nothing_does():
    assert [judge(value, 0.5) for value in (0.49, 0.5)] == ["fail", "pass"]
    assert judge(0.5, None) is None


def result(verdict, *, gates=True, state="ok"):
    return Result(0.5, verdict=verdict, gates=gates, state=state)


@pytest.mark.parametrize(
    ("results", "verdict"),
    [
        ([result("pass"), result("unsure"), result("fail")], "fail"),
        ([result("pass"), result("unsure")], "unsure"),
        ([result("pass"), result(None)], "pass"),
        ([result("pass"), result("fail", gates=False)], "pass"),
        ([result("fail", gates=False)], None),
        ([result("fail", state="imputed")], None),
        ([result(None)], None),
        ([], None),
    ],
)
def test_a_sample_is_judged_by_what_gates(results, verdict):
    assert sample_verdict(results) == verdict


def test_an_unsure_sample_neither_passes_nor_fails():
    scores = Scores("", {}, 0.5, None, is_unsure=True)
    assert (scores.status, scores.verdict, scores.passed) == ("unsure", "unsure", None)


def test_the_ends_lie_around_the_threshold():
    with pytest.raises(ValueError, match="expected its threshold there"):
        metric(
            id="own.x", inputs=(), range=(0, 1), polarity="higher", threshold=0.7, unsure=(0.4, 0.6)
        )


@metric(
    id="own.share",
    inputs=(),
    range=(0, 1),
    polarity="higher",
    threshold=0.5,
    unsure=(0.4, 0.6),
)
def share(response):
    """A value that is given, with a threshold and ends of its own where it says so."""
    value, _, own = response.partition(" ")
    return Result(float(value), "", threshold=0.3 if own else None, unsure=None)


@pytest.mark.parametrize(
    ("profile", "verdicts"),
    [
        ({}, ["fail", "unsure", "pass", "pass"]),
        ({"unsure": {"own.share": (0.2, 0.8)}}, ["unsure", "unsure", "unsure", "unsure"]),
        ({"thresholds": {"own.share": 0.65}}, ["fail", "fail", "pass", "fail"]),
        (
            {"thresholds": {"own.share": 0.65}, "unsure": {"own.share": (0.6, 0.72)}},
            ["fail", "fail", "unsure", "fail"],
        ),
    ],
)
def test_chosen_ends_go_before_those_of_metric_and_result(profile, verdicts):
    plan = make_plan([share], Profile(**profile), known={"own.share": share})
    samples = [
        Sample(str(n), response=text) for n, text in enumerate(("0.3", "0.5", "0.7", "0.4 x"))
    ]
    assert [one["own.share"].verdict for one in score_batch(plan, samples)] == verdicts


@pytest.mark.parametrize(
    ("profile", "message"),
    [
        ({"unsure": {"own.share": (0.2, 1.8)}}, "0.2 to 1.8; expected values within 0 to 1"),
        (
            {"thresholds": {"own.share": 0.9}, "unsure": {"own.share": (0.2, 0.8)}},
            "0.2 to 0.8; expected its threshold 0.9 within",
        ),
        ({"unsure": {"own.other": (0.2, 0.8)}}, "unknown metric 'own.other'"),
        ({"unsure": {"own.bare": (0.2, 0.8)}}, "'own.bare' has no threshold"),
    ],
)
def test_ends_that_cannot_be_are_refused(profile, message):
    bare = replace(share, id="own.bare", threshold=None, unsure=None)
    with pytest.raises(ProfileError, match=re.escape(message)):
        make_plan([share], Profile(**profile), known={"own.share": share, "own.bare": bare})
