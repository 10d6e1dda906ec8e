from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.stats import wilson
from assay.stats.agreement import (
    Confusion,
    auroc_estimate,
    confusion,
    fleiss_kappa,
    kappa,
    kappa_of,
)

pairs = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=40)


def plain_kappa(one, other, power):
    """The definition by a table of counts, cell by cell."""
    grades = sorted({*one, *other})
    cost = {
        (a, b): (abs(a - b) ** power if power else float(a != b))
        for a, b in product(grades, grades)
    }
    seen = sum(cost[pair] for pair in zip(one, other, strict=True)) / len(one)
    chance = sum(
        cost[a, b] * one.count(a) * other.count(b) / len(one) ** 2
        for a, b in product(grades, grades)
    )
    return 1 - seen / chance if chance else None


def test_confusion_counts_all_four_kinds():
    found = confusion([True, True, False, False, True], [1, 0, 1, 0, 1])
    assert found == Confusion(2, 1, 1, 1)
    assert found.precision.value == pytest.approx(2 / 3)
    assert found.recall.value == pytest.approx(2 / 3)
    assert found.specificity.value == 0.5
    assert found.agreement == (0.6, wilson(3, 5))


def test_a_rate_of_nothing_has_no_value():
    assert Confusion(0, 0, 3, 4).precision == (None, None)


@settings(deadline=None, max_examples=60)
@given(pairs, st.sampled_from([("none", 0), ("linear", 1), ("quadratic", 2)]))
def test_kappa_is_its_definition(rows, weighting):
    one, other = [list(column) for column in zip(*rows, strict=True)]
    wanted = plain_kappa(one, other, weighting[1])
    found = kappa(one, other, weighting[0])
    assert found.value == (None if wanted is None else pytest.approx(wanted, abs=1e-9))


PSYCHIATRISTS = (
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
)
"""Ten samples, fourteen raters, five grades: how many gave each grade; kappa is 0.210."""


def test_fleiss_kappa_of_the_published_table():
    ratings = [
        [grade for grade, count in enumerate(row) for _ in range(count)] for row in PSYCHIATRISTS
    ]
    assert fleiss_kappa(ratings).value == pytest.approx(0.210, abs=0.0005)


def test_fleiss_kappa_of_two_raters_is_scotts_pi():
    # Agreed 1 of 2; of all four grades one is a pass: chance 1/16 + 9/16.
    found = fleiss_kappa([[1, 0], [0, 0]])
    assert found.value == pytest.approx((0.5 - 0.625) / (1 - 0.625))
    assert fleiss_kappa([[1], [0], []]) == (None, None)
    assert fleiss_kappa([[1, 1], [1, 1]]) == (None, None)


def test_an_interval_of_raters_draws_samples_and_not_pairs_of_grades():
    """The two orders of a pair, and the pairs of one sample, are no more samples."""
    ratings = [[1, 1]] * 20 + [[1, 0]] * 5 + [[0, 1]] * 5 + [[0, 0]] * 20
    one, other = zip(*ratings, strict=True)
    ordered, found = kappa(one, other), fleiss_kappa(ratings)
    assert found.value == pytest.approx(ordered.value)
    width, expected = (e.interval.high - e.interval.low for e in (found, ordered))
    assert width == pytest.approx(expected, rel=0.05)
    agreed = fleiss_kappa([[1, 1], [0, 0]] * 10)
    assert agreed.interval.low == pytest.approx(kappa([1, 0] * 10, [1, 0] * 10).interval.low)


def test_kappa_of_a_worked_table():
    # 20 and 15 agreed, 5 and 10 not: (0.7 − 0.5) / (1 − 0.5).
    one = [1] * 25 + [0] * 25
    other = [1] * 20 + [0] * 5 + [1] * 10 + [0] * 15
    found = kappa(one, other)
    assert found.value == pytest.approx(0.4)
    assert found.interval.low < 0.4 < found.interval.high


def test_auroc_without_a_mistake_is_not_certain():
    found = auroc_estimate([0.0] * 20 + [1.0] * 20, [0] * 20 + [1] * 20)
    assert found.value == 1.0
    assert found.interval == wilson(20, 20)
    assert auroc_estimate([1.0, 2.0], [1, 1]).value is None


def test_raters_who_never_disagree_are_not_certain_to():
    # Chance alone would give ½ here, and Wilson allows that 39 % of further pairs differ.
    found = kappa([1, 1, 1, 0, 0, 0], [1, 1, 1, 0, 0, 0])
    assert found.value == 1
    assert found.interval == pytest.approx((1 - (1 - wilson(6, 6).low) / 0.5, 1))
    grades = [1, 2, 3, 4, 5] * 8
    plain, weighted = (kappa(grades, grades, how).interval for how in ("none", "quadratic"))
    assert plain.low < weighted.low < 1


def test_a_grade_that_nobody_gave_keeps_its_place_on_the_scale():
    """1 and 5 are further apart than 1 and 2, also where no rater knows 3 and 4."""
    far, near = (
        kappa([1, 1, 2, 2], [1, 5, 2, 2], "quadratic"),
        kappa([1, 1, 2, 2], [1, 3, 2, 2], "quadratic"),
    )
    assert far.value < near.value
    assert kappa([10, 10, 20, 20], [10, 50, 20, 20], "quadratic") == far
    tens = [grade * 10 for grade in (1, 2, 3, 5) * 8]
    plain = [grade / 10 for grade in tens]
    assert kappa(tens, tens, "quadratic").interval.low == pytest.approx(
        kappa(plain, plain, "quadratic").interval.low
    )


def test_the_interval_of_auroc_comes_from_the_seed():
    scores, labels = [0.1, 0.5, 0.4, 0.9, 0.3, 0.7, 0.2, 0.8] * 3, [0, 1, 0, 1, 1, 0, 0, 1] * 3
    first, second = (auroc_estimate(scores, labels, seed).interval for seed in (0, 1))
    assert auroc_estimate(scores, labels).interval == first != second
    assert kappa(labels, labels[::-1]) == kappa(labels, labels[::-1], seed=0)
    assert kappa(labels, labels[::-1]) != kappa(labels, labels[::-1], seed=1)


def test_one_positive_record_has_an_auroc_without_an_interval():
    found = auroc_estimate([0.9] + [0.1 * n for n in range(20)], [1] + [0] * 20)
    assert found.value is not None
    assert found.interval is None


def test_kappa_does_not_depend_on_the_scale_of_weights():
    one, other = [1, 1, 0, 0, 1], [1, 0, 0, 1, 1]
    statistic = kappa_of(one, other)
    whole, shares = statistic(np.ones((1, 5))), statistic(np.full((1, 5), 0.2))
    assert shares == pytest.approx(whole)
    assert whole == pytest.approx(plain_kappa(one, other, 0))
