from itertools import combinations
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.textproc.cosine import cosine, mean_cosine

VECTORS = st.lists(st.lists(st.integers(-5, 5), min_size=3, max_size=3), min_size=2, max_size=6)


def signed(one, other):
    """The cosine by its definition, from −1 to 1."""
    length = np.linalg.norm(one) * np.linalg.norm(other)
    return float(np.dot(one, other) / length) if length else 0.0


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ([1, 0], [3, 0], 1.0),
        ([3, 4], [4, 3], 0.96),
        ([1, 0], [0, 2], 0.0),
        ([1, 0], [-1, 0], 0.0),
        ([0, 0], [1, 0], 0.0),
        ([], [], 0.0),
        ([1e200, 0], [1e200, 0], 1.0),
        ((1, 1), [1, 1], 1.0),
        (np.array([0.6, 0.8]), np.array([1.0, 0.0]), 0.6),
        (np.array([0.6, 0.8]), np.array([-1.0, 0.0]), 0.0),
        (np.array([0.6, 0.8]), [2, 0], 0.6),
    ],
)
def test_cosine_of_lists_and_of_embeddings(one, other, expected):
    assert cosine(one, other) == pytest.approx(expected)


@given(VECTORS)
def test_lists_and_unit_vectors_give_the_same_cosine(vectors):
    one, other = vectors[:2]
    units = [np.array(v) / (np.linalg.norm(v) or 1.0) for v in (one, other)]
    assert cosine(one, other) == pytest.approx(cosine(*units), abs=1e-9)


@given(VECTORS)
def test_the_mean_cosine_is_that_of_all_pairs(vectors):
    expected = fmean(signed(a, b) for a, b in combinations(vectors, 2))
    assert mean_cosine(vectors) == pytest.approx(expected, abs=1e-9)
