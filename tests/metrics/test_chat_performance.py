"""Times and speeds, by rule and by metric."""

import pytest

from assay import registry
from assay.core import Sample
from assay.engine import make_plan, score_batch
from assay.runner.verify import Vector, verify

GROUP = registry.select(["chat.performance"])


def score(**fields):
    (scores,) = score_batch(make_plan(GROUP), [Sample(**fields)])
    return scores


@pytest.mark.parametrize(
    ("id", "variables", "expected"),
    [
        ("chat.token_latency", {"duration": 2.0, "response_tokens": 50}, 40.0),
        ("chat.token_latency", {"duration": 2.0, "response_tokens": None, "response": "x" * 35},
         200.0),
        ("chat.token_latency", {"duration": 0, "response_tokens": 50}, None),
        ("chat.token_latency", {"duration": None, "response_tokens": 50}, None),
        ("chat.token_latency", {"duration": 2.0, "response_tokens": 0}, None),
        ("chat.token_latency", {"duration": 2.0}, None),
        ("chat.throughput", {"duration": 2.0, "response_tokens": 50}, 25.0),
        ("chat.throughput", {"duration": 2.0, "response": "x" * 35}, 5.0),
        ("chat.throughput", {"duration": 0.0, "response_tokens": 50}, None),
        ("chat.throughput", {"duration": 2.0, "response": "xxxx", "chars_per_token": 2}, 1.0),
        ("chat.estimate_tokens", {"response": "ab"}, 1),
        ("chat.estimate_tokens", {"response": "x" * 70}, 20),
        ("chat.estimate_tokens", {"response": "مرحبا"}, 1),
        ("chat.estimate_tokens", {"response": None}, None),
        ("chat.estimate_tokens", {"response": "xxxxxxxx", "chars_per_token": 4}, 2),
    ],
)  # fmt: skip
def test_rules(id, variables, expected):
    assert list(verify([Vector(id, variables, {}, expected, 0.0, "")])) == [None]


def test_speed_and_latency_are_two_sides_of_one_figure():
    scores = score(duration=3.0, response_tokens=40)
    product = scores["chat.token_latency"].value * scores["chat.throughput"].value
    assert product == pytest.approx(1000.0)


def test_an_estimate_is_marked():
    scores = score(duration=3.0, response="The office opens at nine.")
    assert scores["chat.token_latency"].state == "imputed"
    assert scores["chat.throughput"].state == "imputed"
    assert scores["chat.ttft"].state == "missing"
    assert "estimated" in scores["chat.throughput"].explanation


@pytest.mark.parametrize("duration", [0.0, 1e-9, 1.0, 1e9])
@pytest.mark.parametrize("tokens", [0, 1, 2**63 - 1, None])
def test_no_time_gives_an_infinite_value(duration, tokens):
    scores = score(
        duration=duration, first_token_time=duration, response_tokens=tokens, response="tea"
    )
    assert all(result.state != "error" for result in scores.results.values())
