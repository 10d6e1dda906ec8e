import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core import Span
from assay.textproc.overlap import share_ratio, shared, spans_of

WORDS = st.lists(st.sampled_from("abcd"), max_size=12)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("", "", 0),
        ("abc", "", 0),
        ("abc", "cab", 3),
        ("aab", "ab", 2),
        ("aab", "aaab", 3),
        ("aaaa", "bbbb", 0),
    ],
)
def test_items_are_shared_as_often_as_they_stand_in_both(a, b, expected):
    assert shared(a, b) == shared(b, a) == expected


@settings(max_examples=200, deadline=None, derandomize=True)
@given(a=WORDS, b=WORDS)
def test_shared_is_the_sum_of_the_smaller_counts(a, b):
    assert shared(a, b) == sum(min(a.count(item), b.count(item)) for item in set(a))


def test_ratios_without_a_match_are_0():
    assert share_ratio(0, 0, 0) == (0.0, 0.0, 0.0)
    assert share_ratio(1, 2, 1) == (0.5, 1.0, pytest.approx(2 / 3))


def test_each_wanted_word_is_marked_once():
    text = "nothing yes\nno no"
    assert spans_of({"no"}, text, text.split(), "response", "x") == (Span("response", 12, 14, "x"),)
    assert spans_of(set(), text, text.split(), "response", "x") == ()
