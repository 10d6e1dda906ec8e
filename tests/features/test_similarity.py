from itertools import combinations
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.backends import Backends
from assay.backends.fake import FakeModel
from assay.features.similarity import (
    has_arabic,
    percent,
    relevance_similarity,
    similarity,
    similarity_score,
    similarity_threshold,
    wanted_similarity,
)
from assay.textproc.cosine import mean_cosine, plain_cosine


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({"similarity_score": 0.8, "similarity_pair": "expected/response"}, (0.8, None)),
        ({"similarity_score": 1, "similarity_pair": "query/response"}, (None, 1.0)),
        ({"similarity_score": 0.8}, (None, None)),
        ({"similarity_pair": "expected/response"}, (None, None)),
        ({"similarity_score": True, "similarity_pair": "expected/response"}, (None, None)),
        ({"similarity_score": "0.8", "similarity_pair": "expected/response"}, (None, None)),
        ({"similarity_score": float("nan"), "similarity_pair": "query/response"}, (None, None)),
        ({"similarity_score": float("inf"), "similarity_pair": "query/response"}, (None, None)),
        ({"similarity_score": 0.8, "similarity_pair": ["query/response"]}, (None, None)),
        ({}, (None, None)),
    ],
)
def test_a_similarity_counts_for_the_pair_that_it_is_of(metadata, expected):
    (own,) = similarity_score([metadata], Backends().get("comparer"), ["tea"], ["tea"])
    assert (own, relevance_similarity(metadata)) == expected


def test_a_comparer_is_asked_where_no_similarity_is_given():
    given = {"similarity_score": 0.4, "similarity_pair": "expected/response"}
    comparer = Backends(comparer="fake").get("comparer")
    found = similarity_score(
        [given, {}, {}, {}], comparer, ["tea", "hot tea", None, "tea"], ["tea", "tea", "tea", None]
    )
    assert found == [0.4, 0.5, None, None]


def test_a_given_similarity_stands_before_the_vectors():
    (tea,) = FakeModel().embed(["tea"])
    assert similarity(0.4, tea, tea) == 0.4
    assert similarity(None, tea, tea) == pytest.approx(1)
    assert similarity(None, tea, None) is None
    assert similarity(None, None, tea) is None
    assert similarity(1.4, None, None) == 1.0
    assert similarity(-0.1, None, None) == 0.0


def test_percent():
    assert [percent(value) for value in (None, -1.0, 0.0, 0.725, 2.0)] == [None, 0, 0, 72.5, 100]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("القاهرة", True),
        ("tea شاي", True),
        ("ݐ", True),
        ("ﻃﻘﺲ", True),
        ("ﭐ", True),
        ("tea", False),
        ("שלום", False),
        ("\ufefftea", False),
        ("", False),
        (None, False),
    ],
)
def test_arabic(text, expected):
    assert has_arabic(text) is expected


def test_thresholds_that_are_not_the_usual_one():
    assert wanted_similarity("tea", None) == 0.7
    assert wanted_similarity(None, "شاي") == 0.5
    assert wanted_similarity(None, "شاي", own=0.85) == 0.85
    assert wanted_similarity("tea", chosen=0.6, own=0.85) == 0.6
    assert wanted_similarity("شاي", chosen=0.6, chosen_arabic=0.4, own=0.85) == 0.4


def test_an_embedder_may_bring_its_threshold():
    model = FakeModel()
    assert similarity_threshold(["a", "b"], model) == [None, None]
    model.threshold = 0.85
    assert similarity_threshold(["a"], model) == [0.85]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ([1, 0], [2, 0], 1),
        ([1, 0], [0, 1], 0),
        ([1, 0], [-3, 0], -1),
        ([1, 1], [1, 0], 0.5**0.5),
        ([0, 0], [1, 0], 0),
        ([], [], 0),
        ([1e200, 0], [1e200, 0], 1),
    ],
)
def test_cosine_of_any_vectors(one, other, expected):
    assert plain_cosine(one, other) == pytest.approx(expected)


VECTORS = st.lists(st.lists(st.integers(-5, 5), min_size=3, max_size=3), min_size=2, max_size=6)


@given(VECTORS)
def test_the_mean_cosine_is_that_of_all_pairs(vectors):
    expected = mean(plain_cosine(a, b) for a, b in combinations(vectors, 2))
    assert mean_cosine(vectors) == pytest.approx(expected, abs=1e-9)
