"""pass@k, pass^k and consistency against exact combinatorics, and their intervals."""

from fractions import Fraction
from itertools import combinations
from math import comb

import pytest
from benchmarks.repeats import HIGH, LOW, SHAPES, coverage
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.stats.intervals import wilson
from assay.stats.repeats import (
    QuestionCount,
    Repeats,
    consistency,
    pass_at_k,
    pass_hat_k,
    repeats_of,
)
from assay.stats.student import student_quantile

CASES = st.integers(1, 12).flatmap(
    lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))
)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(CASES)
def test_they_are_the_shares_of_all_choices_of_k_answers(case):
    answers, passed, k = case
    verdicts = [place < passed for place in range(answers)]
    choices = list(combinations(verdicts, k))
    assert pass_at_k(answers, passed, k) == pytest.approx(sum(map(any, choices)) / len(choices))
    assert pass_hat_k(answers, passed, k) == pytest.approx(sum(map(all, choices)) / len(choices))
    if answers > 1:
        pairs = list(combinations(verdicts, 2))
        alike = sum(one == other for one, other in pairs) / len(pairs)
        assert consistency(answers, passed) == pytest.approx(alike)


@pytest.mark.parametrize(
    ("answers", "passed", "k"),
    [(200, 3, 100), (1000, 1, 10), (100_000, 50_000, 1000), (10, 10, 10)],
)
def test_large_numbers_lose_no_digits(answers, passed, k):
    """Against exact fractions, where factorials as floats overflow."""
    exact = 1 - Fraction(comb(answers - passed, k), comb(answers, k))
    assert pass_at_k(answers, passed, k) == pytest.approx(float(exact), rel=1e-9)
    all_pass = Fraction(comb(passed, k), comb(answers, k))
    assert pass_hat_k(answers, passed, k) == pytest.approx(float(all_pass), rel=1e-9, abs=1e-12)


def test_too_few_answers_have_no_figure():
    assert pass_at_k(2, 1, 3) is None
    assert pass_hat_k(2, 1, 3) is None
    assert pass_at_k(2, 1, 0) is None
    assert consistency(1, 1) is None


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.lists(
        st.integers(1, 9).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))),
        min_size=2,
        max_size=30,
    )
)
def test_a_figure_lies_in_its_interval_and_survives_the_wire(questions):
    repeats = repeats_of(questions)
    if repeats is None:
        assert all(answers < 2 for answers, _ in questions)
        return
    assert Repeats.from_json(repeats.to_json()) == repeats
    for figure in (repeats.pass_at(1), repeats.pass_hat(2), repeats.consistency()):
        if figure.value is not None and figure.interval is not None:
            assert 0 <= figure.interval.low <= figure.value <= figure.interval.high <= 1
    values = [pass_at_k(*own, 2) for own in questions if own[0] >= 2]
    assert repeats.pass_at(2).value == pytest.approx(sum(values) / len(values))
    assert repeats.pass_at(2).questions == len(values)


def test_certainty_is_never_claimed():
    """All answers pass, and yet others may fail."""
    figure = Repeats((QuestionCount(5, 5, 20),)).pass_hat(5)
    assert figure.value == 1.0
    assert 0.7 < figure.interval.low < 0.95
    assert Repeats((QuestionCount(5, 5, 1),)).pass_at(1).interval is None


def test_the_pass_rate_counts_every_answer():
    repeats = repeats_of([(4, 4)] * 30 + [(1, 0)] * 30)
    interval = repeats.pass_rate_interval()
    assert interval.low < 120 / 150 < interval.high


def test_the_interval_is_wilsons_with_the_questions_that_a_rate_would_need():
    """By hand: three questions with 2 of 2 passes, one with none, and one spread evenly."""
    weights = {0: 1 + 1 / 3, 1: 1 / 3, 2: 3 + 1 / 3}
    mean = sum(c / 2 * weight for c, weight in weights.items()) / 5
    spread = sum((c / 2 - mean) ** 2 * weight for c, weight in weights.items()) / 5
    effective = 5 * mean * (1 - mean) / spread
    expected = wilson(mean * effective, effective, student_quantile(0.975, 3))
    found = repeats_of([(2, 2)] * 3 + [(2, 0)]).pass_at(1)
    assert found.value == 0.75
    assert found.interval == pytest.approx(expected)


@pytest.mark.parametrize(
    ("shape", "figure"),
    [
        ("middling, beta(2, 2)", "pass^3"),
        ("mostly right, beta(4, 1.5)", "pass@5"),
        ("right or wrong, beta(0.5, 0.5)", "consistency"),
        ("mostly wrong, beta(1, 4)", "pass^5"),
        ("80 % pass with 0.95, 20 % with 0.3", "pass@5"),
    ],
)
def test_the_intervals_hold_the_truth_as_often_as_they_say(shape, figure):
    """4,000 runs of 50 questions, seed 20261116; the benchmark does more figures and sizes."""
    assert LOW <= coverage(SHAPES[shape], 50, figure) <= HIGH
