import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from assay.stats.corrections import CORRECTIONS, benjamini_hochberg, holm

checked = settings(max_examples=200, deadline=None, derandomize=True)
p_values = st.lists(st.floats(0, 1), max_size=30)


def plain_holm(values):
    """The textbook's: the smallest p by m, the next by m − 1, …, never less than those before."""
    adjusted, highest = {}, 0.0
    for rank, place in enumerate(sorted(range(len(values)), key=lambda i: values[i])):
        highest = max(highest, (len(values) - rank) * values[place])
        adjusted[place] = min(1.0, highest)
    return [adjusted[place] for place in range(len(values))]


@checked
@given(p_values)
def test_holm_is_the_textbooks(values):
    assert holm(values) == pytest.approx(plain_holm(values), abs=1e-15)


@checked
@given(p_values.filter(bool))
def test_benjamini_hochberg_is_scipys(values):
    assert benjamini_hochberg(values) == pytest.approx(false_discovery_control(values), abs=1e-12)


@checked
@given(p_values, st.sampled_from(["holm", "bh", "none"]))
def test_corrections_keep_the_order_and_never_lower_a_value(values, name):
    adjusted = CORRECTIONS[name](values)
    assert all(0 <= p <= q <= 1 for p, q in zip(values, adjusted, strict=True))
    pairs = sorted(zip(values, adjusted, strict=True))
    assert [q for _, q in pairs] == sorted(adjusted)


@checked
@given(p_values)
def test_holm_is_the_stricter(values):
    both = zip(holm(values), benjamini_hochberg(values), strict=True)
    assert all(strict >= mild - 1e-12 for strict, mild in both)


def test_one_test_needs_no_correction():
    assert holm([0.03]) == benjamini_hochberg([0.03]) == [0.03]
    assert holm([]) == benjamini_hochberg([]) == []
