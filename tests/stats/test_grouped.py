import numpy as np
import pytest

from assay.stats import wilson
from assay.stats.grouped import (
    REPLICATES,
    draws,
    grouped_interval,
    grouped_rate,
    replicates,
)
from assay.stats.ranking import auroc_of


def data(seed, groups=40, size=5, shift=1.0, common=1.0):
    """Scores that share a part within their group, and so do labels."""
    generator = np.random.default_rng(seed)
    of_group = np.repeat(np.arange(groups), size)
    labels = np.repeat(generator.integers(0, 2, groups), size)
    shared = np.repeat(generator.normal(size=groups), size) * common
    scores = shift * labels + shared + generator.normal(size=groups * size)
    return scores, labels, of_group


def test_draws_take_as_many_groups_as_there_are():
    weights = np.concatenate(list(draws(["a", "a", "b", "c"], seed=1)))
    assert weights.shape == (REPLICATES, 4)
    assert (weights[:, 0] == weights[:, 1]).all()
    assert (weights[:, 1:].sum(axis=1) == 3).all()
    assert weights.mean() == pytest.approx(1.0, abs=0.02)


def test_the_same_seed_gives_the_same_interval_and_another_one_another():
    scores, labels, groups = data(0)
    statistic = auroc_of(scores, labels)
    first = grouped_interval(statistic, groups, seed=3)
    assert first == grouped_interval(statistic, groups, seed=3)
    assert first != grouped_interval(statistic, groups, seed=4)


def test_groups_widen_an_interval():
    scores, labels, groups = data(0)
    statistic = auroc_of(scores, labels)
    together = grouped_interval(statistic, groups)
    singly = grouped_interval(statistic, range(len(scores)))
    assert together.high - together.low > 1.3 * (singly.high - singly.low)


def test_95_per_cent_of_intervals_hold_the_truth():
    # The truth for a shift of 1 and a spread of √2 in both classes: Φ(1 / 2).
    truth = 0.6914624612740131
    held = 0
    for seed in range(100):
        scores, labels, groups = data(seed)
        low, high = grouped_interval(auroc_of(scores, labels), groups, seed)
        held += low <= truth <= high
    assert 88 <= held <= 99


def test_without_groups_the_interval_is_that_of_the_known_standard_error():
    scores, labels, _ = data(5, groups=600, size=1)
    low, high = grouped_interval(auroc_of(scores, labels), range(600))
    assert high - low == pytest.approx(2 * 1.96 * _delong_error(scores, labels), rel=0.08)


def _delong_error(scores, labels):
    """The standard error of an AUROC by the placements of each record (DeLong 1988)."""
    positive, negative = scores[labels == 1], scores[labels == 0]
    wins = (positive[:, None] > negative[None, :]).astype(float)
    by_positive, by_negative = wins.mean(axis=1), wins.mean(axis=0)
    return np.sqrt(
        by_positive.var(ddof=1) / len(positive) + by_negative.var(ddof=1) / len(negative)
    )


def test_a_paired_difference_is_narrower_than_its_parts():
    scores, labels, groups = data(2)
    generator = np.random.default_rng(9)
    others = scores + generator.normal(size=len(scores)) * 0.3
    one, other = auroc_of(scores, labels), auroc_of(others, labels)
    between = grouped_interval(lambda weights: one(weights) - other(weights), groups)
    alone = grouped_interval(one, groups)
    assert between.high - between.low < 0.5 * (alone.high - alone.low)


def test_one_group_has_no_interval():
    assert grouped_interval(auroc_of([1, 2], [0, 1]), ["a", "a"]) is None


def test_a_label_that_most_draws_lack_leaves_no_interval():
    scores, labels = [1.0] * 30, [1] + [0] * 29
    assert grouped_interval(auroc_of(scores, labels), range(30)) is None


def test_a_rate_of_none_or_all_has_the_interval_of_its_groups():
    groups = [0, 0, 1, 1, 2]
    assert grouped_rate([True] * 5, groups) == wilson(3, 3)
    assert grouped_rate([False] * 5, groups) == wilson(0, 3)
    low, high = grouped_rate([True, True, False, False, True], groups)
    assert 0 <= low < 0.6 < high <= 1


def test_two_groups_are_drawn_and_one_is_not():
    scores, labels = [0.1, 0.9, 0.4, 0.6], [0, 1, 0, 1]
    assert len(replicates(auroc_of(scores, labels), [0, 0, 1, 1])) == REPLICATES
    assert len(replicates(auroc_of(scores, labels), [0, 0, 0, 0])) == 0


def test_draws_come_from_the_seed_which_is_0_unless_given():
    scores, labels, groups = data(2)
    usual = replicates(auroc_of(scores, labels), groups)
    assert (usual == replicates(auroc_of(scores, labels), groups, 0)).all()
    assert (usual != replicates(auroc_of(scores, labels), groups, 1)).any()
