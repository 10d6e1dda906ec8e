from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import norm

from assay.stats import wilson
from assay.stats.agreement import Confusion
from assay.stats.corrected_rates import Stratum, rogan_gladen, stratified_rate, stratum_edges

strata = st.lists(
    st.tuples(st.integers(0, 30), st.integers(0, 30), st.integers(0, 200)), min_size=1, max_size=5
).map(lambda rows: [Stratum(a + b + rest, a + b, a) for a, b, rest in rows])


@settings(deadline=None)
@given(strata)
def test_a_stratified_rate_lies_in_its_interval(rows):
    for these_only in (False, True):
        found = stratified_rate(rows, these_only=these_only)
        if any(row.labelled for row in rows):
            low, high = found.interval
            assert 0 <= low <= found.value + 1e-12
            assert found.value - 1e-12 <= high <= 1
        else:
            assert found == (None, None)


def test_one_stratum_is_nearly_wilson():
    found = stratified_rate([Stratum(10**9, 100, 30)])
    assert found.value == 0.3
    assert found.interval == pytest.approx(wilson(30, 100), abs=0.002)


def test_all_records_labelled_leave_no_doubt_about_them():
    assert stratified_rate([Stratum(40, 40, 10)], these_only=True) == (0.25, (0.25, 0.25))


def test_the_exact_coverage_of_two_strata():
    """Over all outcomes of 20 labels a stratum, in strata of 30 and 70 % of many records."""
    rates, covered = (0.85, 0.1), 0.0
    truth = 0.3 * rates[0] + 0.7 * rates[1]
    chance = [[comb(20, k) * rate**k * (1 - rate) ** (20 - k) for k in range(21)] for rate in rates]
    for one, other in product(range(21), range(21)):
        rows = [Stratum(300_000, 20, one), Stratum(700_000, 20, other)]
        low, high = stratified_rate(rows).interval
        covered += chance[0][one] * chance[1][other] * (low <= truth <= high)
    assert 0.93 <= covered <= 0.97


def test_strata_are_even_and_hold_labels():
    assert stratum_edges(range(1000), range(0, 1000, 10)) == [200, 400, 600, 800]
    assert stratum_edges([0] * 90 + [1] * 10, [0] * 45 + [1] * 6) == [1]
    assert stratum_edges([0] * 90 + [1] * 10, [0] * 46 + [1] * 4) == []
    assert stratum_edges([1, 2, 3], [1, 2]) == []


@settings(deadline=None)
@given(st.lists(st.integers(0, 9), min_size=1, max_size=200), st.integers(1, 200))
def test_no_stratum_is_short_of_labels(scores, labelled):
    edges = stratum_edges(scores, scores[:labelled])
    assert edges == sorted(set(edges))
    counts = np.bincount(np.searchsorted(edges, scores[:labelled], "right"))
    assert not edges or min(counts) >= 5
    assert len(edges) < 5


@pytest.mark.parametrize(("recall", "specificity"), [(0.9, 0.8), (0.7, 0.95)])
@pytest.mark.parametrize("rate", [0.1, 0.5, 0.9])
def test_rogan_gladen_inverts_the_errors(recall, specificity, rate):
    called = round(100_000 * (rate * recall + (1 - rate) * (1 - specificity)))
    found = Confusion(
        round(1000 * recall),
        round(1000 * (1 - specificity)),
        round(1000 * (1 - recall)),
        round(1000 * specificity),
    )
    estimate = rogan_gladen(called, 100_000, found)
    assert estimate.value == pytest.approx(rate, abs=1e-4)
    assert estimate.interval.low < rate < estimate.interval.high


def test_lang_and_reiczigel_against_their_equation():
    """The ends, before the shift, solve (p' − p)² = z² · variance at the drawn shares."""
    found = Confusion(45, 8, 5, 42)
    z = norm.ppf(0.975)
    size, share = 500 + z * z, (200 + z * z / 2) / (500 + z * z)
    recall, specificity = 46 / 52, 43 / 52
    middle = (share + specificity - 1) / (recall + specificity - 1)
    one, other = recall * (1 - recall) / 52, specificity * (1 - specificity) / 52
    variance = (share * (1 - share) / size + middle**2 * one + (1 - middle) ** 2 * other) / (
        recall + specificity - 1
    ) ** 2
    half = brentq(lambda width: width**2 - z * z * variance, 0, 1)
    moved = middle + 2 * z * z * (middle * one - (1 - middle) * other)
    interval = rogan_gladen(200, 500, found).interval
    assert interval == pytest.approx((moved - half, moved + half))


def test_verdicts_no_better_than_chance_correct_nothing():
    assert rogan_gladen(50, 100, Confusion(5, 5, 5, 5)) == (None, (0.0, 1.0))
    assert rogan_gladen(50, 100, Confusion(5, 0, 5, 0)) == (None, None)


def test_records_of_which_none_has_a_score_are_one_stratum():
    assert stratum_edges([], [0.1 * place for place in range(40)]) == []


def test_verdicts_that_are_barely_better_than_chance_say_nothing_of_the_rate():
    found = rogan_gladen(95, 100, Confusion(1, 8, 0, 1))
    assert found.value is not None
    assert found.interval == (0.0, 1.0)


def test_strata_that_differ_add_the_chance_of_their_sizes():
    """By the formula of the docstring, over two strata of 50 records with 10 labels each."""
    rows = [Stratum(50, 10, 9), Stratum(50, 10, 1)]
    high, low = 9.5 / 11, 1.5 / 11
    within = (0.25 * high * (1 - high) + 0.25 * low * (1 - low)) / 11
    between = ((high**2 + low**2) / 2 - 0.25) / 100
    size = 0.25 / (within + between)
    assert stratified_rate(rows) == (0.5, pytest.approx(wilson(0.5 * size, size)))
    left = 0.8 * within
    assert stratified_rate(rows, these_only=True).interval == pytest.approx(
        wilson(0.5 * 0.25 / left, 0.25 / left)
    )


def test_five_labels_are_enough_for_the_last_stratum():
    assert stratum_edges([0] * 90 + [1] * 10, [0] * 45 + [1] * 5) == [1]
