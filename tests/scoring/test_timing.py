import sys

import pytest

from assay.scoring.timing import (
    TokenCount,
    by_tokens,
    estimated_tokens,
    finite,
    milliseconds,
    token_count,
)


@pytest.mark.parametrize(
    ("length", "tokens"), [(0, 1), (1, 1), (3, 1), (6, 1), (7, 2), (13, 3), (35, 10), (70, 20)]
)
def test_tokens_are_estimated_by_length(length, tokens):
    assert estimated_tokens("x" * length) == tokens


def test_a_given_number_of_tokens_is_no_estimate():
    assert token_count(7, "x" * 70) == TokenCount(7, False)
    assert token_count(0, "x" * 70) == TokenCount(0, False)
    assert token_count(None, "x" * 70) == TokenCount(20, True)
    assert token_count(None, None) is None


def test_times_stay_numbers():
    assert milliseconds(1.5) == 1500.0
    assert milliseconds(1e308) == sys.float_info.max
    assert finite(float("inf")) == sys.float_info.max


def test_a_rate_needs_time_and_tokens():
    seconds = {"rule": lambda duration, number: duration / number}
    assert by_tokens(**seconds, duration=2.0, tokens=TokenCount(4, False)) == 0.5
    for duration, tokens in (
        (None, TokenCount(4, False)),
        (0.0, TokenCount(4, False)),
        (2.0, None),
    ):
        assert by_tokens(**seconds, duration=duration, tokens=tokens) is None
    assert by_tokens(**seconds, duration=2.0, tokens=TokenCount(0, False)) is None
