"""What people say of answers, over HTTP."""

import pytest
from tests.server.test_governance import evaluate


@pytest.mark.parametrize("path", ["/v1/feedback", "/agent-eval/feedback"])
def test_feedback_is_given_listed_and_answered(any_client, path):
    client = any_client
    judged = evaluate(client, session_id="s-1")
    ratings = {"accuracy": 5, "completeness": 4, "citation": 3, "clarity": 2}
    given = client.post("/v1/feedback/s-1", json={"ratings": ratings, "comment": "Good."})
    assert given.status_code == 201
    entry = given.json()
    assert (entry["test_id"], entry["ratings"]) == (judged["test_id"], ratings)
    client.now += 1
    by_test = {"id": judged["test_id"], "comment": "=HYPERLINK()"}
    assert client.post(path, json=by_test).status_code == 201
    answered = client.post(f"{path}/{entry['id']}/respond", json={"response": "Thanks."})
    assert answered.json() == {**entry, "response": "Thanks."}
    found = client.get(path, params={"id": "s-1"}).json()
    assert [item["comment"] for item in found["items"]] == ["=HYPERLINK()", "Good."]
    assert client.get(path).json()["total"] == 2
    session = client.get("/v1/sessions/s-1").json()
    assert [item["comment"] for item in session["feedback"]] == ["=HYPERLINK()", "Good."]
    actions = client.trail("feedback.")
    assert [item["action"] for item in actions] == [
        "feedback.answered",
        "feedback.given",
        "feedback.given",
    ]
    assert actions[0]["actor"] == "write-key"


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/v1/feedback/s-1", {}, 400),
        ("/v1/feedback/s-1", {"comment": "  "}, 400),
        ("/v1/feedback/s-1", {"ratings": {"accuracy": 6}}, 422),
        ("/v1/feedback/s-1", {"ratings": {"beauty": 3}}, 422),
        ("/v1/feedback/s-1", {"ratings": {"accuracy": 2.5}}, 422),
        ("/v1/feedback/s-2", {"comment": "x"}, 404),
        ("/v1/feedback/00000000deadbeef", {"comment": "x"}, 404),
        ("/v1/feedback/9/respond", {"response": "x"}, 404),
        ("/v1/feedback/0/respond", {"response": "x"}, 422),
        ("/v1/feedback/9/respond", {"response": ""}, 422),
    ],
)
def test_what_makes_no_sense_is_refused(client, path, body, status):
    evaluate(client, session_id="s-1")
    assert client.post(path, json=body).status_code == status
