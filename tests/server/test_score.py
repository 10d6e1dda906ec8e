"""One sample scored at once."""

import pytest

import assay

SAMPLE = {"query": "When do you open?", "output": "We open at nine, idiot."}


def test_a_sample_is_scored_as_by_the_call(client):
    found = client.post("/v1/score", json={"sample": SAMPLE, "metrics": ["text"]}).json()
    expected = assay.score(**SAMPLE, metrics=["text"])
    assert found == {
        **expected.to_json(),
        "score": expected.score,
        "passed": expected.passed,
        "verdict": expected.verdict,
        "selection": "",
    }


def test_without_a_choice_the_fields_of_the_sample_choose(client):
    found = client.post("/v1/score", json={"sample": SAMPLE}).json()
    assert found["selection"].startswith("auto chose ")
    assert set(found["scores"]) == set(assay.score(**SAMPLE))


def test_the_choices_count(client):
    body = {"sample": SAMPLE, "profile": "conservative", "metrics": ["text.safety"]}
    found = client.post("/v1/score", json=body).json()["scores"]["text.safety"]
    expected = assay.score(**SAMPLE, metrics=["text.safety"], profile="conservative")
    assert found["threshold"] == expected["text.safety"].threshold


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"sample": {}}, 400),
        ({"sample": {"response": 3, "output": 4}}, 400),
        ({"sample": SAMPLE, "metrics": ["nothing"]}, 400),
        ({"sample": SAMPLE, "format": "../x"}, 422),
        ({"sample": SAMPLE, "code": "print()"}, 422),
    ],
)
def test_what_cannot_be_scored_is_refused(client, body, status):
    assert client.post("/v1/score", json=body).status_code == status


HOSTILE = {
    "a prototype": {"response": "x", "__proto__": {"admin": True}, "constructor": "x"},
    "dunder names": {"response": "x", "__class__": "x", "__init__": {"__globals__": 1}},
    "many keys": {"response": "x", **{f"k{n}": n for n in range(100_000)}},
    "a long key": {"response": "x", "k" * 1_000_000: 1},
    "a long number": {"response": 10**309, "similarity_score": 10**399, "expected": "x"},
}


@pytest.mark.parametrize("why", HOSTILE)
def test_keys_are_data(client, why):
    body = {"sample": HOSTILE[why], "metrics": ["text.safety"]}
    found = client.post("/v1/score", json=body)
    assert (found.status_code, found.json()["scores"].keys()) == (200, {"text.safety"})
