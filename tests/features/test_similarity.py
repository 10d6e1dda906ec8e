import pytest

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


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({"similarity_score": 0.8, "similarity_pair": "expected/response"}, (0.8, None)),
        ({"similarity_score": 1, "similarity_pair": "query/response"}, (None, 1.0)),
        ({"similarity_score": 0.8}, (0.8, None)),
        ({"similarity_score": 0.8, "similarity_pair": "query/context"}, (None, None)),
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
