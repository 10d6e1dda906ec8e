from collections import Counter
from math import isfinite, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.stats.psi import (
    MIN_PER_BIN,
    band,
    commonest,
    compare,
    contribution,
    cuts,
    number_counts,
    number_labels,
    word_counts,
    word_psi,
)

SHARES = st.floats(min_value=1e-6, max_value=1)
COUNTS = st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 10**6)), min_size=1, max_size=30)
NUMBERS = st.lists(st.floats(-1e6, 1e6) | st.sampled_from([0.0, 0.5, 1.0]), min_size=1)
WORDS = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 50))


@pytest.mark.parametrize(
    ("psi", "expected"),
    [
        (0.0, "stable"),
        (0.0999, "stable"),
        (0.1, "moderate"),
        (0.25, "significant"),
        (9, "significant"),
    ],
)
def test_bands(psi, expected):
    assert band(psi) == expected


@given(p=SHARES, q=SHARES)
def test_a_bin_adds_nothing_or_more_and_the_same_both_ways(p, q):
    assert contribution(p, q) >= 0
    assert contribution(p, p) == 0
    assert contribution(p, q) == pytest.approx(contribution(q, p))


@given(current=WORDS, baseline=WORDS)
def test_the_index_of_two_texts(current, baseline):
    found = word_psi(current, baseline)
    assert found >= 0
    assert isfinite(found)
    assert found == pytest.approx(word_psi(baseline, current))
    assert word_psi(current, current) == 0


@pytest.mark.parametrize(
    ("current", "baseline", "expected"),
    [
        ("alpha beta beta", "beta alpha beta", 0.0),
        ("a b c d e f g h i x", "a b c d e f g h i j", 1.38),
        ("a b", "c d", 17.03),
        ("a", "", (1 - 0.0001) * log(10_000)),
        ("", "", 0.0),
    ],
)
def test_documented_figures_of_single_texts(current, baseline, expected):
    found = word_psi(Counter(current.split()), Counter(baseline.split()))
    assert found == pytest.approx(expected, abs=0.005)


@given(pairs=COUNTS)
def test_the_index_of_two_populations(pairs):
    labels = [str(place) for place in range(len(pairs))]
    baseline, current = ([pair[side] for pair in pairs] for side in (0, 1))
    found = compare(labels, baseline, current)
    assert found.psi >= 0
    assert isfinite(found.psi)
    assert found.chance >= 0
    assert found.psi == pytest.approx(sum(part.contribution for part in found.bins))
    assert found.psi == pytest.approx(compare(labels, current, baseline).psi)
    assert compare(labels, baseline, baseline).psi == 0


def test_by_hand():
    found = compare(["a", "b"], [8, 0], [3, 5])
    p, q = 4 / 10, 9 / 10
    assert found.psi == pytest.approx((p - q) * log(p / q) + (q - p) * log((1 - p) / (1 - q)))
    assert found.band == "significant"
    assert found.chance == pytest.approx(1 / 8 + 1 / 8)


def test_the_commonest_words_get_bins():
    counts = {"b": 2, "a": 2, "c": 3, "d": 1}
    assert commonest(counts, 3) == ["c", "a", "b"]
    assert word_counts(["c", "a", "x"], counts) == [3, 2, 0, 3]


@given(numbers=NUMBERS, bins=st.integers(1, 20), others=NUMBERS)
def test_every_number_has_one_bin(numbers, bins, others):
    begins = cuts(numbers, bins)
    assert begins == sorted(set(begins))
    assert len(begins) <= bins + 1
    counts = number_counts(begins, numbers)
    assert counts[0] == counts[-1] == 0, "nothing of the baseline lies outside itself"
    assert sum(counts) == len(numbers)
    assert sum(number_counts(begins, others)) == len(others)
    assert len(number_labels(begins)) == len(counts)


def test_quantiles_share_the_baseline_equally():
    numbers = range(100)
    assert number_counts(cuts(numbers, 4), numbers) == [0, 25, 25, 25, 25, 0]


def test_few_numbers_make_few_bins():
    assert len(cuts(range(2 * MIN_PER_BIN), 10)) == 3


def test_equal_numbers_are_told_from_lower_and_higher_ones():
    begins = cuts([1.0] * 20, 10)
    assert number_counts(begins, [0.5, 1.0, 1.0, 1.5]) == [1, 2, 1]


def test_no_numbers_no_cuts():
    assert cuts([], 10) == []
    assert number_labels([]) == ["all"]


def test_a_bin_that_begins_and_ends_alike_is_named_by_one_number():
    assert number_labels([1.0, 1.00001, 2.5]) == ["below 1", "1", "1 to 2.5", "above 2.5"]
