from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core.jsontext import dumps, loads
from assay.stats.exact_sums import ExactSums

checked = settings(max_examples=200, deadline=None, derandomize=True)
VALUES = st.lists(st.tuples(st.integers(0, 3), st.floats(-1e100, 1e100)), max_size=40)


def sums_of(values):
    sums = ExactSums()
    for start in range(0, len(values), 3):
        groups, numbers = zip(*values[start : start + 3], strict=True)
        sums.add(groups, numbers)
    return sums


@checked
@given(VALUES)
def test_sums_are_those_of_fractions(values):
    exact = [Fraction(0)] * (max((group for group, _ in values), default=-1) + 1)
    for group, value in values:
        exact[group] += Fraction(value)
    assert sums_of(values).rounded() == [float(total) for total in exact]


@checked
@given(VALUES, st.integers(0, 40), st.randoms(use_true_random=False))
def test_neither_split_nor_order_changes_a_sum(values, split, rng):
    parts = [sums_of(values[:split]), sums_of(values[split:])]
    rng.shuffle(parts)
    one, other = (ExactSums.from_json(loads(dumps(part.to_json()))) for part in parts)
    assert one.merge(other).rounded() == sums_of(values).rounded()


def test_values_that_floats_would_lose_are_kept():
    assert sums_of([(0, 1e100), (0, 1.0), (0, -1e100)]).rounded() == [1.0]


def test_counting_adds_one():
    sums = sums_of([(0, 0.5)])
    sums.count([0, 2])
    assert sums.rounded() == [1.5, 0.0, 1.0]
