import sys

import pytest

from assay.features.timing import TokenCount, estimated_tokens, finite, milliseconds, token_count


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
