"""Traces that are sent to the server become tests of a run."""

import json

import pytest
from tests.samples.traces import export, span

CHAT = {
    "gen_ai.operation.name": "chat",
    "gen_ai.input.messages": json.dumps([{"role": "user", "content": "Where?"}]),
    "gen_ai.output.messages": json.dumps([{"role": "assistant", "content": "In Rome."}]),
}


def test_spans_become_tests(any_client):
    sent = export(span("a1", CHAT), span("b1", {"http.route": "/"}), span("c1", CHAT))
    for number in (2, 4):
        answer = any_client.post("/v1/traces?metrics=text.safety", json=sent)
        assert (answer.status_code, answer.json()) == (200, {})
        assert any_client.get("/v1/runs/traces").json()["tests"] == number
    (first, *_) = any_client.get("/v1/tests?run=traces").json()["items"]
    detail = any_client.get(f"/v1/tests/{first['test_id']}").json()
    assert "In Rome." in json.dumps(detail)
    assert any_client.post("/v1/traces?metrics=text.cost", json=sent).status_code == 400
    other = any_client.post("/v1/traces?metrics=text.cost&run=other", json=sent)
    assert other.status_code == 200
    assert any_client.get("/v1/runs/other").json()["tests"] == 2


@pytest.mark.parametrize("sent", [{}, export(), {"resourceSpans": 3}, export(span("b", {}))])
def test_spans_without_an_answer_are_taken_and_left_out(client, sent):
    answer = client.post("/v1/traces", json=sent)
    assert (answer.status_code, answer.json()) == (200, {})
    assert client.get("/v1/runs/traces").status_code == 404


def test_spans_that_cannot_be_used_are_counted(client):
    answer = client.post("/v1/traces", json=export(span("a", CHAT), {"name": "x"}, 3))
    assert answer.status_code == 200
    assert answer.json()["partialSuccess"] == {
        "rejectedSpans": "2",
        "errorMessage": "a span has no trace and span id; a span has no trace and span id",
    }
    assert client.get("/v1/runs/traces").json()["tests"] == 1


@pytest.mark.parametrize(
    ("headers", "said"),
    [
        ({"content-type": "application/x-protobuf"}, "PROTOCOL=http/json"),
        ({}, "PROTOCOL=http/json"),
        ({"content-type": "application/json", "content-encoding": "gzip"}, "COMPRESSION=none"),
    ],
)
def test_other_encodings_are_refused_with_the_remedy(client, headers, said):
    answer = client.post("/v1/traces", content=b"\x0a\x00\xff", headers=headers)
    assert answer.status_code == 415
    assert said in answer.json()["error"]


def test_reading_keys_may_not_send(client):
    assert client.post("/v1/traces", role="read", json=export()).status_code == 403
    assert client.post("/v1/traces", role=None, json=export()).status_code == 401
