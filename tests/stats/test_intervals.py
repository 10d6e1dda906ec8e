import random
from fractions import Fraction
from functools import reduce
from math import fsum, sqrt
from operator import add

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm, t

from assay.stats import bootstrap_mean, mean_of_equals, wilson
from assay.stats.intervals import REPLICATES, Estimate, _resampled_means

Z = Fraction("1.959963984540054")
checked = settings(max_examples=200, deadline=None, derandomize=True)


def seeded(seed):
    return random.Random(seed)  # noqa: S311 -- the same numbers every time


@pytest.mark.parametrize(
    ("successes", "total", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (5, 10, 0.2366, 0.7634),
        (1, 10, 0.0179, 0.4042),
        (81, 263, 0.2553, 0.3662),  # Newcombe 1998, table I, method 3
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (0, 1, 0.0, 0.7935),
        (1, 1, 0.2065, 1.0),
    ],
)
def test_wilson_agrees_with_published_values(successes, total, low, high):
    assert wilson(successes, total) == pytest.approx((low, high), abs=5e-5)


def test_wilson_of_nothing_is_nothing():
    assert wilson(0, 0) is None


@checked
@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_ends_solve_the_score_equation(counts):
    successes, total = counts
    rate = Fraction(successes, total)
    low, high = wilson(successes, total)
    assert 0 <= low <= successes / total <= high <= 1
    for end in (low, high):
        exact = Fraction(end)
        gap = (exact - rate) ** 2 - Z**2 * exact * (1 - exact) / total
        assert abs(float(gap)) < 1e-12


@checked
@given(st.integers(1, 1000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_is_symmetric(counts):
    successes, total = counts
    low, high = wilson(successes, total)
    assert wilson(total - successes, total) == pytest.approx((1 - high, 1 - low), abs=1e-12)


@pytest.mark.parametrize(
    ("rate", "total"), [(0.05, 50), (0.1, 30), (0.5, 20), (0.5, 200), (0.9, 100), (0.98, 400)]
)
def test_wilson_covers_the_rate_about_as_often_as_it_says(rate, total):
    rng = seeded(11)
    covered = 0
    for _ in range(2000):
        low, high = wilson(sum(rng.random() < rate for _ in range(total)), total)
        covered += low <= rate <= high
    assert 0.92 <= covered / 2000 <= 0.98


@pytest.mark.parametrize("values", [[], [0.5]])
def test_the_bootstrap_needs_two_groups(values):
    assert bootstrap_mean(values, [1.0] * len(values)) is None


def test_equal_values_have_an_interval_without_width():
    assert bootstrap_mean([0.25] * 9, [1.0] * 9) == (0.25, 0.25)
    assert bootstrap_mean([0.5, 1.0], [1.0, 2.0]) == (0.5, 0.5)


@checked
@given(st.lists(st.floats(-100, 100), min_size=2, max_size=60), st.integers(0, 5))
def test_the_bootstrap_is_the_same_for_the_same_seed_and_lies_among_the_values(values, seed):
    weights = [1.0] * len(values)
    interval = bootstrap_mean(values, weights, seed)
    assert interval == bootstrap_mean(values, weights, seed)
    low, high = interval
    assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9


def test_another_seed_gives_another_interval():
    values = [index / 30 for index in range(30)]
    assert bootstrap_mean(values, [1.0] * 30, 1) != bootstrap_mean(values, [1.0] * 30, 2)


def plain_means(sums, weights, seed):
    """The resampled means by the definition, one resample after the other."""
    rng = seeded(seed)
    picks = [rng.choices(range(len(sums)), k=len(sums)) for _ in range(REPLICATES)]
    drawn = [
        (reduce(add, [sums[n] for n in pick]), reduce(add, [weights[n] for n in pick]))
        for pick in picks
    ]
    return sorted(total / weight for total, weight in drawn if weight)


@pytest.mark.parametrize(("size", "seed"), [(2, 0), (3, 7), (40, 1), (333, -5), (1000, 2**70)])
@pytest.mark.parametrize("is_even", [True, False])
def test_resampled_means_are_those_of_the_definition_to_the_last_digit(size, seed, is_even):
    rng = seeded(size)
    weights = [1.0] * size if is_even else [rng.choice([0.0, 1.0, 2.5]) for _ in range(size)]
    sums = [rng.gauss(0.3, 1e3) * weight for weight in weights]
    assert _resampled_means(sums, weights, seed, is_even=is_even) == plain_means(
        sums, weights, seed
    )


@pytest.mark.parametrize("seed", range(5))
def test_the_bootstrap_of_many_values_is_close_to_the_normal_interval(seed):
    rng = seeded(seed)
    values = [rng.gauss(0.7, 0.1) for _ in range(500)]
    mean = fsum(values) / 500
    half = 1.96 * sqrt(fsum((value - mean) ** 2 for value in values) / 499 / 500)
    low, high = bootstrap_mean(values, [1.0] * 500, seed)
    assert low < mean < high
    assert low == pytest.approx(mean - half, abs=0.2 * half)
    assert high == pytest.approx(mean + half, abs=0.2 * half)


def test_the_bootstrap_covers_the_mean_about_as_often_as_it_says():
    rng = seeded(3)
    covered = 0
    for trial in range(200):
        values = [rng.betavariate(2, 1) for _ in range(60)]
        low, high = bootstrap_mean(values, [1.0] * 60, trial % 3)
        covered += low <= 2 / 3 <= high
    assert 0.90 <= covered / 200 <= 0.99


def test_groups_count_by_their_weight():
    sums, weights = [9.0, 0.0, 9.0, 0.0], [9.0, 1.0, 9.0, 1.0]
    low, high = bootstrap_mean(sums, weights)
    assert low <= 18 / 20 <= high
    assert high == 1.0


def test_groups_without_weight_do_not_count():
    assert bootstrap_mean([1.0, 0.0, 0.0], [2.0, 0.0, 0.0]) is None
    assert bootstrap_mean([0.0, 0.0], [0.0, 0.0]) is None
    assert bootstrap_mean([1.0, 1.0, 0.0], [2.0, 2.0, 0.0]) == (0.5, 0.5)


@given(st.floats(0, 1), st.integers(1, 10_000))
def test_equal_samples_leave_room_for_others(value, samples):
    found = mean_of_equals(value, samples, (0.0, 1.0))
    unseen = wilson(0, samples).high
    assert 0 <= found.low <= value <= found.high <= 1
    assert found.low == pytest.approx(value * (1 - unseen))
    assert found.high == pytest.approx(value + (1 - value) * unseen)


def test_perfect_scores_are_as_sure_as_a_perfect_rate():
    assert mean_of_equals(1.0, 20, (0.0, 1.0)) == pytest.approx(wilson(20, 20))
    assert mean_of_equals(0.0, 20, (0.0, 1.0)) == pytest.approx(wilson(0, 20))


@pytest.mark.parametrize("range", [(0.0, None), (None, 1.0), (None, None)])
def test_equal_samples_of_an_open_range_have_no_interval(range):
    assert mean_of_equals(1.0, 20, range) is None


def bca(sums, weights, seed):
    """The interval by its definition (Efron 1987, widened as by Hesterberg 2015), from scipy."""
    rng, size = seeded(seed), len(sums)
    sums, weights = np.asarray(sums), np.asarray(weights)
    picks = [rng.choices(range(size), k=size) for _ in range(1000)]
    means = np.sort([sums[pick].sum() / weights[pick].sum() for pick in picks])
    mean = sums.sum() / weights.sum()
    tied = np.isclose(means, mean, rtol=1e-12, atol=0)
    bias = norm.ppf(((means < mean) & ~tied).mean() + tied.mean() / 2)
    strays = sums - mean * weights
    skew = (strays**3).sum() / (6 * (strays**2).sum() ** 1.5)
    wide = sqrt(size / (size - 1)) * t.ppf(0.975, size - 1)
    ends = [norm.cdf(bias + (bias + z) / (1 - skew * (bias + z))) for z in (-wide, wide)]
    return [means[round(end * 999)] for end in ends]


@pytest.mark.parametrize("turn", [1.0, -1.0])
@pytest.mark.parametrize("seed", range(4))
def test_the_bootstrap_is_corrected_for_bias_and_skewness(seed, turn):
    rng = seeded(100 + seed)
    values = [turn * (0.1 + rng.expovariate(1.0) ** 2) for _ in range(25)]
    assert bootstrap_mean(values, [1.0] * 25, seed) == pytest.approx(bca(values, [1.0] * 25, seed))
    weights = [rng.choice([1.0, 2.0, 5.0]) for _ in range(25)]
    sums = [value * weight for value, weight in zip(values, weights, strict=True)]
    assert bootstrap_mean(sums, weights, seed) == pytest.approx(bca(sums, weights, seed))


@pytest.mark.parametrize("seed", range(4))
def test_resampled_means_that_equal_the_mean_count_half(seed):
    values = [0.0, 0.0, 1.0, 1.0, 2.0, 8.0]
    assert bootstrap_mean(values, [1.0] * 6, seed) == pytest.approx(bca(values, [1.0] * 6, seed))


def test_skewness_can_be_left_alone():
    rng = seeded(7)
    values = [rng.expovariate(1.0) ** 2 for _ in range(25)]
    plain = bootstrap_mean(values, [1.0] * 25, for_skew=False)
    moved = bootstrap_mean(values, [1.0] * 25)
    assert plain.low < moved.low
    assert plain.high < moved.high


def test_the_seed_is_0_unless_given():
    values = [index / 30 for index in range(30)]
    assert bootstrap_mean(values, [1.0] * 30) == bootstrap_mean(values, [1.0] * 30, 0)


def test_an_estimate_is_plain_data():
    found = Estimate(0.5, wilson(1, 2))
    assert found.to_json() == {"value": 0.5, "interval": wilson(1, 2)}
