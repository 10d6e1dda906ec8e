"""Rank measures beside plain implementations of their definitions."""

from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, ndcg_score

from assay.scoring import retrieval

K = st.integers(1, 12)
RELEVANT = st.lists(st.booleans(), min_size=1, max_size=12)


@st.composite
def rankings(draw):
    """Rankings in which every expected source is one document at most."""
    expected = draw(st.integers(1, 8))
    found = draw(st.permutations(range(expected)))[: draw(st.integers(0, expected))]
    others = [None] * draw(st.integers(0, 6))
    order = draw(st.permutations([*found, *others]))
    return [frozenset() if own is None else frozenset((own,)) for own in order], expected


@given(rankings(), K)
def test_formulas_follow_their_definitions(one, k):
    ranking, expected = one
    gains = [int(bool(sources)) for sources in ranking[:k]]
    assert retrieval.hit_rate(ranking, k) == (1.0 if 1 in gains else 0.0)
    assert retrieval.reciprocal_rank(ranking, k) == (
        1 / (gains.index(1) + 1) if 1 in gains else 0.0
    )
    assert retrieval.recall_at(ranking, k, expected) == sum(gains) / expected
    assert retrieval.precision_at(ranking, k) == (sum(gains) / len(gains) if gains else 0.0)
    dcg = sum(gain / log2(rank + 2) for rank, gain in enumerate(gains))
    best = sum(1 / log2(rank + 2) for rank in range(min(k, expected)))
    assert retrieval.ndcg_at(ranking, k, expected) == pytest.approx(dcg / best)


@given(rankings(), K)
def test_ndcg_is_that_of_scikit_learn(one, k):
    ranking, expected = one
    found = len(frozenset().union(*ranking))
    truth = [float(bool(sources)) for sources in ranking] + [1.0] * (expected - found)
    if len(truth) < 2:
        truth.append(0.0)
    behind = [0.0] * max(0, k - len(ranking))  # a source that was not retrieved lies behind rank k
    truth = [*truth[: len(ranking)], *behind, *truth[len(ranking) :]]
    scores = -np.arange(len(truth), dtype=float)
    other = ndcg_score([truth], [scores], k=k)
    assert retrieval.ndcg_at(ranking, k, expected) == pytest.approx(other)


@given(RELEVANT)
def test_average_precision_is_that_of_scikit_learn(relevant):
    value = retrieval.average_precision_at(relevant, len(relevant))
    if not any(relevant):
        assert value == 0.0
    else:
        scores = -np.arange(len(relevant))
        assert value == pytest.approx(average_precision_score(relevant, scores))


@given(rankings(), K, st.data())
def test_a_second_document_of_a_source_adds_to_precision_alone(one, k, data):
    ranking, expected = one
    twice = (
        [*ranking, *data.draw(st.lists(st.sampled_from(ranking), max_size=3))] if ranking else []
    )
    assert 0.0 <= retrieval.ndcg_at(twice, k, expected) <= 1.0
    assert retrieval.recall_at(twice, 100, expected) == retrieval.recall_at(ranking, 100, expected)


def test_k_below_one_is_refused():
    with pytest.raises(ValueError, match="k is 0; expected a whole number of 1 or more"):
        retrieval.hit_rate([frozenset((0,))], 0)
