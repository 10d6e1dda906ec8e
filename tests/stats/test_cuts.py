import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from assay.stats.agreement import confusion, kappa
from assay.stats.cuts import _choose, _Levels, choose_cut, even_cut


@pytest.mark.parametrize(
    ("aim", "wanted", "score"),
    [
        ("precision", 1.0, 0.65),
        ("precision", 0.75, 0.45),
        ("recall", 1.0, 0.45),
        ("recall", 0.3, 0.85),
        ("agreement", None, 0.65),
    ],
)
def test_the_chosen_cut(aim, wanted, score):
    scores = [0.9, 0.7, 0.6, 0.5, 0.4, 0.3]
    found = choose_cut(scores, [1, 1, 0, 1, 0, 0], aim, wanted)
    assert found.score == pytest.approx(score, abs=0.051)
    assert found.is_reached


def test_a_precision_that_no_cut_reaches():
    found = choose_cut([0.9, 0.8, 0.7, 0.6], [0, 1, 0, 1], "precision", 0.9)
    assert not found.is_reached
    assert found.score == 0.75


def test_no_cut_between_records_of_one_kind():
    assert choose_cut([0.1, 0.2], [1, 1]) is None


@settings(deadline=None, max_examples=30)
@given(
    st.lists(st.tuples(st.floats(-5, 5), st.integers(0, 1)), min_size=4, max_size=30),
    st.sampled_from(["precision", "recall"]),
    st.floats(0.05, 1.0),
)
def test_the_best_cut_of_all(rows, aim, wanted):
    scores, labels = [list(column) for column in zip(*rows, strict=True)]
    found = choose_cut(scores, labels, aim, wanted)
    if found is None:
        return
    both = {
        cut: confusion([score >= cut for score in scores], labels) for cut in sorted(set(scores))
    }
    own = confusion([score >= found.score for score in scores], labels)
    reached = [one for one in both.values() if getattr(one, aim).value >= wanted]
    assert found.is_reached == bool(reached)
    if reached and aim == "precision":
        assert own.recall.value == max(one.recall.value for one in reached)
    for estimate in (found.precision, found.recall, found.agreement):
        assert estimate.interval.low <= estimate.value <= estimate.interval.high


@pytest.mark.parametrize(
    ("scores", "labels", "cut"),
    [
        ([0.9, 0.8, 0.4, 0.1], [0, 0, 1, 1], 0.6),
        ([0.9, 0.8, 0.4, 0.1], [0, 1, 0, 0], 0.85),
        ([1, 1, 0, 0, 0], [1, 1, 1, 1, 0], 0.5),
        ([1, 1, 1], [1, 0, 1], None),
    ],
)
def test_the_even_cut_does_not_ask_which_labels_are_positive(scores, labels, cut):
    assert even_cut(scores, labels) == (None if cut is None else pytest.approx(cut))


def test_choosing_flatters_and_is_corrected():
    errors, plain, held = [], [], 0
    generator = np.random.default_rng(0)
    for seed in range(60):
        labels = (generator.random(100) < 0.4).astype(int)
        scores = generator.normal(size=100) + 1.5 * labels
        cut = choose_cut(scores.tolist(), labels.tolist(), "precision", 0.9, seed)
        hits, others = 0.4 * norm.sf(cut.score - 1.5), 0.6 * norm.sf(cut.score)
        truth = hits / (hits + others)
        errors.append(cut.precision.value - truth)
        plain.append(labels[scores >= cut.score].mean() - truth)
        held += cut.precision.interval.low <= truth <= cut.precision.interval.high
    assert np.mean(plain) > 0.03
    assert abs(np.mean(errors)) < 0.02
    assert held >= 55


def test_kappa_is_lowered_by_what_choosing_adds():
    generator = np.random.default_rng(3)
    labels = (generator.random(60) < 0.4).astype(int).tolist()
    scores = (generator.normal(size=60) + 0.8 * np.array(labels)).tolist()
    found = choose_cut(scores, labels, seed=2)
    shown = kappa([float(score >= found.score) for score in scores], labels, seed=2)
    less = shown.value - found.kappa.value
    assert 0 < less < 0.3
    assert found.kappa.interval.low == pytest.approx(shown.interval.low - less)
    assert found.kappa.interval.high == shown.interval.high


def test_agreement_is_the_aim_unless_another_is_named():
    scores, labels = [0.9, 0.7, 0.6, 0.5, 0.4, 0.3], [1, 1, 0, 1, 0, 0]
    assert choose_cut(scores, labels, wanted=0.5) == choose_cut(scores, labels, "agreement", 0.5)
    assert choose_cut(scores, labels, wanted=0.5).is_reached
    assert not choose_cut(scores, labels, wanted=0.99).is_reached


def test_each_draw_chooses_its_own_cut():
    levels = _Levels([3.0, 2.0, 1.0], [0, 1, 0])
    weights = np.array([[0.0, 1.0, 1.0], [1.0, 1.0, 1.0]])  # the second never reaches it
    both = _choose(levels.counts(weights), "precision", 0.9)
    alone = [int(_choose(levels.counts(row[None]), "precision", 0.9)[0]) for row in weights]
    assert both.tolist() == alone == [1, 1]
