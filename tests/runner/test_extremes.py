"""Figures of any size are refused, or summed to something finite."""

import math

import pytest

from assay.core import Result, Sample, SampleError, metric
from assay.core.bounds import MAX_VALUE
from assay.runner import evaluate
from assay.samples import to_sample
from assay.targets.protocol import Answer
from assay.targets.replies import read_reply
from assay.wire.call_errors import CallError


@pytest.mark.parametrize(
    "record",
    [
        {"duration": 1e200},
        {"latency_ms": 1e13},
        {"first_token_time": 1e308},
        {"weight": 1e10},
        {"metadata": {"weight": "1e300"}},
    ],
)
def test_readers_refuse_what_cannot_be_summed(record):
    with pytest.raises(SampleError, match=r"expected a number of at most 1,000,000,000"):
        to_sample({"response": "x", **record}, "line-1")


@pytest.mark.parametrize(
    "reply",
    [
        {"response": "x", "first_token_time": 1e200},
        {"response": "x", "first_token_time": 10**400},
        {"response": "x", "prompt_tokens": 10**5000},
        Answer("x", duration=math.inf),
        Answer("x", first_token_time=math.nan),
    ],
)
def test_a_reply_with_such_a_figure_is_not_used(reply):
    with pytest.raises(CallError, match="expected"):
        read_reply(reply, 1.0)


@pytest.mark.parametrize("value", [1e101, 1e308, -1e200])
def test_a_metric_with_such_a_value_is_an_error_and_the_run_ends_well(tmp_path, value):
    @metric(id="own.huge", inputs=("response",), range=(None, None), polarity="higher")
    def huge(response):
        """Huge."""
        return Result(value)

    report = evaluate(
        [Sample(str(number), response="x") for number in range(3)],
        metrics=[huge],
        run="r",
        store=str(tmp_path / "s.db"),
        settings=None,
    )
    assert report.metrics["own.huge"].errors == 3
    assert "too large" in report.scores[0]["own.huge"].explanation


def test_the_largest_values_and_weights_have_finite_sums(tmp_path):
    @metric(id="own.large", inputs=("response",), range=(None, None), polarity="higher")
    def large(response):
        """Large."""
        return Result(MAX_VALUE if response == "up" else -MAX_VALUE)

    report = evaluate(
        [
            Sample(str(n), response="up" if n % 2 else "down", metadata={"weight": 1e9})
            for n in range(40)
        ],
        metrics=[large],
        run="r",
        store=str(tmp_path / "s.db"),
        settings=None,
    )
    found = report.metrics["own.large"]
    assert all(map(math.isfinite, (found.mean, found.weighted_mean, *found.mean_interval)))
