import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, norm, permutation_test, t

from assay.stats.paired import (
    difference_interval,
    mcnemar,
    mcnemar_worse,
    odds_ratio,
    rate_difference_interval,
    rate_spread,
    sign_flips,
    standardised,
)

checked = settings(max_examples=100, deadline=None, derandomize=True)
counts = st.integers(0, 400)
scores = st.floats(-100, 100).map(lambda value: round(value, 3))
few = st.lists(scores, min_size=2, max_size=9)
many = st.lists(scores, min_size=1, max_size=60)


@checked
@given(counts, counts)
def test_mcnemar_is_the_binomial_test(lost, gained):
    expected = binomtest(lost, lost + gained).pvalue if lost + gained else 1.0
    assert mcnemar(lost, gained) == pytest.approx(expected, rel=1e-9)
    assert mcnemar(lost, gained) == mcnemar(gained, lost)
    assert 0 <= mcnemar(lost, gained) <= 1


@checked
@given(counts, counts)
def test_the_one_sided_test_is_the_binomial_test(lost, gained):
    total = lost + gained
    expected = binomtest(lost, total, alternative="greater").pvalue if total else 1.0
    assert mcnemar_worse(lost, gained) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("lost", "gained"), [(50_000, 49_000), (300_000, 298_000), (0, 5000)])
def test_mcnemar_of_many_pairs(lost, gained):
    expected = binomtest(lost, lost + gained).pvalue
    assert mcnemar(lost, gained) == pytest.approx(expected, rel=1e-6, abs=1e-300)


def sign_flip(differences, seed=0):
    """The p-value of one metric alone."""
    return sign_flips([np.asarray(differences, float)], seed)[0]


@checked
@given(few)
def test_few_differences_are_tested_exactly(differences):
    expected = permutation_test(
        (np.array(differences), np.zeros(len(differences))),
        lambda a, b: np.sum(a) - np.sum(b),
        permutation_type="samples",
        n_resamples=np.inf,
    )
    assert sign_flip(differences) == pytest.approx(min(1.0, expected.pvalue), abs=1e-12)


@checked
@given(many, st.integers(0, 3))
def test_p_is_a_share_and_the_same_when_the_runs_are_exchanged(differences, seed):
    p = sign_flip(differences, seed)
    assert 0 < p <= 1
    assert p == sign_flip([-difference for difference in differences], seed)
    assert p == sign_flip([*differences, 0.0, 0.0], seed)


def test_many_differences_agree_with_the_exact_test():
    differences = np.random.default_rng(2).normal(0.4, 1, 16)
    signs = 1.0 - 2.0 * (np.arange(2**16)[:, None] >> np.arange(16) & 1)
    exact = np.mean(np.abs(signs @ differences) >= abs(differences.sum()) - 1e-9)
    assert sign_flip(differences) == pytest.approx(exact, abs=0.01)


def test_groups_of_many_differences_agree_with_the_normal_test():
    rng = np.random.default_rng(3)
    differences = rng.normal(0.02, 1, 20_000)
    z = differences.mean() / differences.std() * np.sqrt(len(differences))
    assert sign_flip(differences) == pytest.approx(2 * norm.sf(abs(z)), abs=0.01)


def test_several_metrics_at_once_are_tested_as_if_alone():
    rng = np.random.default_rng(4)
    columns = [rng.normal(0.1, 1, size) for size in (5, 40, 40, 1500)] + [np.zeros(4)]
    together = sign_flips(columns)
    assert together[0] == sign_flip(columns[0])
    assert together[-1] == 1.0
    alone = [sign_flip(column) for column in columns]
    assert together == pytest.approx(alone, abs=0.02)
    assert sign_flips([]) == []


@pytest.mark.parametrize("size", [10, 40, 1200])
def test_equal_runs_raise_an_alarm_about_one_time_in_twenty(size):
    rng = np.random.default_rng(size)
    columns = [rng.beta(5, 1, size) - rng.beta(5, 1, size) for _ in range(400)]
    alarms = np.mean(np.array(sign_flips(columns)) <= 0.05)
    assert 0.025 <= alarms <= 0.08


def test_mcnemar_raises_no_more_alarms_than_it_says():
    rng = np.random.default_rng(6)
    changed = rng.multinomial(400, [0.2, 0.2, 0.6], 400)
    alarms = np.mean([mcnemar(lost, gained) <= 0.05 for lost, gained, _ in changed.tolist()])
    assert 0.02 <= alarms <= 0.06


@checked
@given(many.filter(lambda d: len(d) > 1))
def test_the_interval_of_a_difference_turns_with_the_runs(differences):
    low, high = difference_interval(np.array(differences))
    middle, error = np.mean(differences), np.std(differences, ddof=1) / np.sqrt(len(differences))
    half = t.ppf(0.975, len(differences) - 1) * error
    assert low <= middle - 0.998 * half + 1e-9
    assert high >= middle + 0.998 * half - 1e-9
    turned = difference_interval(-np.array(differences))
    width = max(differences) - min(differences)
    assert turned == pytest.approx((-high, -low), abs=0.02 * width + 1e-9)


def test_the_interval_of_many_differences_is_close_to_the_normal_one():
    differences = np.random.default_rng(8).normal(0.1, 0.5, 5001)
    low, high = difference_interval(differences)
    half = 1.96 * differences.std() / np.sqrt(5001)
    assert (low, high) == pytest.approx(
        (differences.mean() - half, differences.mean() + half), abs=0.15 * half
    )
    assert difference_interval(np.array([0.5])) is None


def test_the_interval_of_rates_agrees_with_the_published_rule():
    # Bonett and Price 2012: (f12 + 1, f21 + 1 of n + 2), here 5 and 15 of 100.
    down, up, total = 6 / 102, 16 / 102, 102
    half = 1.959964 * np.sqrt((up + down - (up - down) ** 2) / total)
    assert rate_difference_interval(5, 15, 100) == pytest.approx(
        (up - down - half, up - down + half), abs=1e-6
    )
    assert rate_difference_interval(0, 0, 0) is None


@checked
@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_the_interval_of_rates_turns_with_the_runs(lost, gained, same):
    pairs = lost + gained + same
    if pairs:
        low, high = rate_difference_interval(lost, gained, pairs)
        assert -1 <= low < high <= 1
        assert rate_difference_interval(gained, lost, pairs) == pytest.approx((-high, -low))
        assert rate_spread(lost, gained, pairs) > 0


def test_effect_sizes():
    assert standardised(np.array([1.0, 2.0, 3.0])) == pytest.approx(2.0)
    assert standardised(np.array([0.5, 0.5])) is None
    assert standardised(np.array([0.5])) is None
    assert standardised(np.array([])) is None
    assert odds_ratio(0, 0) == 1.0
    assert odds_ratio(2, 7) == 3.0


def test_small_chances_keep_their_digits():
    expected = binomtest(60, 62, alternative="greater").pvalue
    assert expected < 1e-13
    assert mcnemar_worse(60, 2) == pytest.approx(expected, rel=1e-9, abs=0)


def test_twelve_differences_are_still_tested_exactly():
    assert sign_flip([1.0] * 12) == 2 / 2**12
    assert sign_flip([1.0] * 13) == pytest.approx(1 / 10_000, abs=5e-4)
