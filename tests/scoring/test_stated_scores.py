import pytest

from assay.scoring.stated_scores import stated_result, stated_score


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        (None, 0.8),
        ({}, 0.8),
        ({"score": None}, 0.8),
        ({"score": 0}, 0.0),
        ({"score": 1}, 1.0),
        ({"score": 0.25}, 0.25),
        ({"score": 1.01}, None),
        ({"score": -0.1}, None),
        ({"score": float("nan")}, None),
        ({"score": "0.5"}, None),
        ({"score": True}, None),
    ],
)
def test_a_stated_score(metadata, expected):
    assert stated_score(metadata, "score", 0.8) == expected


@pytest.mark.parametrize(
    ("metadata", "response", "state"),
    [
        ({"score": 0.5}, None, "ok"),
        ({}, "Tea is hot.", "imputed"),
        ({}, "", "imputed"),
        ({}, None, "missing"),
        ({"score": 5}, "Tea is hot.", "missing"),
    ],
)
def test_the_state_of_its_result(metadata, response, state):
    assert (
        stated_result(stated_score(metadata, "score", 0.8), metadata, response, "score").state
        == state
    )
