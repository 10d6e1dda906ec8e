"""The effective number of judges: known correlations, and judges of whom nothing can be said."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.stats.effective_judges import effective_judges


def judges(count, shared, records=400, seed=1):
    """Errors of judges whose common part has this share of the variance."""
    generator = np.random.default_rng(seed)
    common = generator.standard_normal(records)
    own = generator.standard_normal((count, records))
    return np.sqrt(shared) * common + np.sqrt(1 - shared) * own


@pytest.mark.parametrize(("shared", "expected"), [(0.0, 4.0), (0.5, 4 / 2.5), (0.9, 4 / 3.7)])
def test_it_is_what_the_shared_part_of_the_errors_says(shared, expected):
    found = effective_judges(judges(4, shared))
    assert found.value == pytest.approx(expected, rel=0.12)
    assert found.interval.low <= expected * 1.02
    assert found.interval.high >= expected * 0.98


def test_copies_of_a_judge_are_one_judge():
    (errors,) = judges(1, 0.0, 50)
    assert effective_judges([errors] * 5).value == pytest.approx(1.0)


def test_judges_who_err_in_opposite_ways_are_no_more_than_there_are():
    (errors,) = judges(1, 0.0, 50)
    assert effective_judges([errors, -errors]).value == 2.0


@pytest.mark.parametrize("errors", [[[1.0, 2.0]], [[0.0] * 9, list(range(9))], [[1.0], [2.0]], []])
def test_what_cannot_be_known_is_not_made_up(errors):
    assert effective_judges(errors) == (None, None)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.integers(2, 5), st.integers(3, 12), st.integers(0, 10**6))
def test_it_is_the_formula_over_all_pairs(count, records, seed):
    errors = judges(count, 0.4, records, seed)
    correlations = np.corrcoef(errors)
    mean = (correlations.sum() - count) / (count * (count - 1))
    expected = count / (1 + (count - 1) * min(1.0, max(0.0, mean)))
    assert effective_judges(errors).value == pytest.approx(expected)
