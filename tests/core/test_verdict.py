"""The verdict on a value, and on a sample."""

import pytest

from assay.core import Result, metric
from assay.core.metric import judge
from assay.core.result import Scores, sample_verdict


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
