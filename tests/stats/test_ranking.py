"""Ours against definitions by pairs and against scipy, on random input with many ties."""

from itertools import product
from math import isclose

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.stats.ranking import (
    STATISTICS,
    auroc,
    average_precision,
    spearman,
)

checked = settings(max_examples=300, deadline=None, derandomize=True)
tied = st.integers(-3, 3).map(lambda n: n / 2)
binary = st.lists(st.tuples(tied, st.integers(0, 1)), min_size=1, max_size=30)
graded = st.lists(st.tuples(tied, tied), min_size=1, max_size=30)


def by_pairs(scores, labels):
    """The definition: every positive against every negative."""
    positive = [s for s, label in zip(scores, labels, strict=True) if label]
    negative = [s for s, label in zip(scores, labels, strict=True) if not label]
    if not positive or not negative:
        return None
    won = sum((p > n) + 0.5 * (p == n) for p, n in product(positive, negative))
    return won / (len(positive) * len(negative))


def by_thresholds(scores, labels):
    """The definition: precision at each threshold, weighted by the gain in recall."""
    total = sum(labels)
    if not total:
        return None
    value = found = 0
    for threshold in sorted(set(scores), reverse=True):
        chosen = [label for s, label in zip(scores, labels, strict=True) if s >= threshold]
        value += (sum(chosen) - found) / total * sum(chosen) / len(chosen)
        found = sum(chosen)
    return value


@checked
@given(binary)
def test_auroc_counts_pairs(rows):
    scores, labels = zip(*rows, strict=True)
    expected = by_pairs(scores, labels)
    actual = auroc(scores, labels)
    assert actual == expected or isclose(actual, expected, abs_tol=1e-12)


@checked
@given(binary)
def test_average_precision_goes_through_thresholds(rows):
    scores, labels = zip(*rows, strict=True)
    expected = by_thresholds(scores, labels)
    actual = average_precision(scores, labels)
    assert actual == expected or isclose(actual, expected, abs_tol=1e-12)


@checked
@given(graded)
def test_spearman_agrees_with_scipy(rows):
    scores, labels = zip(*rows, strict=True)
    if len(set(scores)) < 2 or len(set(labels)) < 2:
        assert spearman(scores, labels) is None
    else:
        expected = scipy.stats.spearmanr(scores, labels).statistic
        assert spearman(scores, labels) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", STATISTICS)
@checked
@given(
    rows=st.lists(st.tuples(tied, st.integers(0, 1), st.integers(0, 3)), min_size=1, max_size=15)
)
def test_a_whole_weight_stands_for_so_many_copies(name, rows):
    scores, labels, weights = zip(*rows, strict=True)
    copies = [(s, label) for s, label, weight in rows for _ in range(weight)]
    weighted = STATISTICS[name](scores, labels)(np.array([weights], float))[0]
    if not copies:
        assert np.isnan(weighted)
        return
    copied = STATISTICS[name](*zip(*copies, strict=True))(np.ones((1, len(copies))))[0]
    assert weighted == pytest.approx(copied, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize(
    ("scores", "labels", "expected"),
    [
        ([0.1, 0.9], [0, 1], 1.0),
        ([0.9, 0.1], [0, 1], 0.0),
        ([0.5, 0.5], [0, 1], 0.5),
        ([1, 2, 3], [1, 1, 1], None),
        ([], [], None),
    ],
)
def test_auroc_at_its_ends(scores, labels, expected):
    assert auroc(scores, labels) == expected


@pytest.mark.parametrize("name", STATISTICS)
def test_every_weighting_is_a_statistic_of_its_own(name):
    rng = np.random.default_rng(4)
    scores, labels = rng.integers(0, 5, 30), rng.integers(0, 2, 30)
    statistic = STATISTICS[name](scores, labels)
    weights = rng.integers(0, 4, (6, 30)).astype(float)
    expected = [float(statistic(row[None])[0]) for row in weights]
    assert statistic(weights) == pytest.approx(expected)
    copied = [
        float(
            STATISTICS[name](np.repeat(scores, n), np.repeat(labels, n))(np.ones((1, n.sum())))[0]
        )
        for n in weights.astype(int)
    ]
    assert expected == pytest.approx(copied)
