"""Answers judged live: cards, sessions, services, feedback."""

import threading
from dataclasses import replace

import pytest
from tests.server.client import Client

import assay
from assay.server.live import LiveRequest, judge
from assay.server.schemas.governance import CardAnswer, SessionAnswer
from assay.store.live_sessions import list_sessions

ASKED = {
    "query": "What does the form cost?",
    "response": "The form costs 10 rupees (source: fees.pdf). You may appeal within 30 days.",
    "rag_documents": [
        {"id": "d1", "source": "fees.pdf", "content": "The form costs 10 rupees.", "page": 3},
        "An appeal may be made within 30 days.",
    ],
    "metadata": {"model": "gpt-4", "prompt_tokens": 10, "completion_tokens": 20},
}


def evaluate(client, **given):
    found = client.post("/v1/evaluate", json={**ASKED, **given})
    assert found.status_code == 200, found.text
    return found.json()


def test_a_card_is_that_of_the_call(any_client):
    found = evaluate(any_client, session_id="s-1")
    CardAnswer.model_validate(found)
    stored = {"session_id": "s-1", "timestamp": "2026-02-04T00:00:00.000+00:00"}
    own = {**ASKED, "metadata": {**ASKED["metadata"], **stored}}
    expected = assay.governance(**own).to_json()
    assert found == {
        **expected,
        "id": "s-1",
        "session_id": "s-1",
        "test_id": found["test_id"],
    }
    kept = any_client.get("/v1/sessions/s-1").json()
    SessionAnswer.model_validate(kept)
    assert kept["turns"][0]["card"] == found
    test = any_client.get(f"/v1/tests/{found['test_id']}")
    assert test.status_code == 200


def test_the_audit_trail_has_the_session_and_time_that_the_server_stores(any_client):
    assert _audit_trail(evaluate(any_client)) == pytest.approx(2 / 3)
    named = {"user_id": "u-1", "timestamp": ""}
    assert _audit_trail(evaluate(any_client, metadata=named)) == 1.0


def _audit_trail(card):
    found = {metric["name"]: metric for metric in card["metrics"]["security"]}
    return found["audit_trail_compliance"]["normalized_score"]


@pytest.mark.parametrize(
    "given",
    [
        {"preset": "uk_high_security"},
        {"compliance_mode": "EU_AI_ACT"},
        {"policy": "uk_gdpr"},
        {"weights": {"security": 1}, "weights_mode": "merge", "include_imputed": True},
    ],
)
def test_the_choices_count(client, given):
    expected = dict(given)
    if mode := expected.pop("compliance_mode", None):
        expected["policy"] = mode.lower()
    stored = {"session_id": "s", "timestamp": "2026-02-04"}
    own = {**ASKED, "metadata": {**ASKED["metadata"], **stored}}
    card = assay.governance(**own, **expected)
    found = evaluate(client, **given)
    assert (found["overall_score"], found["policy"], found["weights"]) == (
        card.overall_score,
        card.policy,
        card.weights,
    )
    kept = client.get(f"/v1/sessions/{found['session_id']}").json()
    assert kept["turns"][0]["card"] == found


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({"preset": "x.toml"}, 400),
        ({"preset": "balanced"}, 400),
        ({"policy": "../x.toml"}, 422),
        ({"policy": "rti", "compliance_mode": "RTI"}, 400),
        ({"compliance_mode": "GDPR"}, 422),
        ({"weights": {"security": -1}}, 400),
        ({"weights": {"beauty": 1}}, 400),
        ({"weights": {}}, 400),
        ({"rag_documents": [{"path": "/etc/passwd"}]}, 422),
        ({"rag_documents": [{"content": "x"}] * 1001}, 422),
        ({"session_id": ""}, 422),
    ],
)
def test_what_makes_no_sense_is_refused(client, given, status):
    found = client.post("/v1/evaluate", json={**ASKED, **given})
    assert found.status_code == status, found.text


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"metadata": {"total_claims": 4, "hallucinated_claims": 3}}, True),
        ({"metadata": {"total_claims": 4, "hallucinated_claims": 0}}, False),
        ({"rag_documents": []}, False),
        ({}, True),
    ],
    ids=["stated", "stated as none", "unchecked", "checked"],
)
def test_a_list_of_sessions_knows_unsupported_claims_as_the_cards_do(any_client, given, expected):
    made = evaluate(any_client, session_id="s", **given)
    assert bool(made["hallucinated_claims"]) is expected
    [listed] = any_client.get("/v1/sessions").json()["items"]
    assert listed["has_unsupported_claims"] is expected


def test_sessions_and_services_are_listed(any_client):
    client = any_client
    evaluate(client, metadata={"session_id": "a", "service_id": "bot"})
    client.now += 60
    evaluate(client, session_id="b", service_id="bot", response="No.")
    evaluate(client, session_id="b", service_id="bot", preset="uk_govt_standard")
    client.now += 48 * 3600
    made = evaluate(client, session_id="c", service_id="other / é")
    page = client.get("/v1/sessions").json()
    newest = page["items"][0]
    assert (newest["session_id"], newest["service_id"], page["total"]) == ("c", "other / é", 4)
    assert client.get("/v1/sessions", params={"service": "bot"}).json()["total"] == 3
    assert client.get("/v1/sessions", params={"hours": 24}).json()["total"] == 1
    assert len(client.get("/v1/sessions/b").json()["turns"]) == 2
    assert client.get("/v1/sessions/nobody").status_code == 404
    services = client.get("/v1/services").json()
    assert [(s["id"], s["sessions"]) for s in services] == [("bot", 3), ("other / é", 1)]
    stats = client.get("/v1/services/bot/stats").json()
    assert (stats["sessions"], stats["overall"]["count"]) == (3, 3)
    assert (len(stats["dimensions"]), len(stats["metrics"])) == (9, 39)
    assert stats["dimensions"]["security"]["count"] == 3
    summary = client.get("/v1/metrics/summary", params={"hours": 24}).json()
    assert (summary["sessions"], summary["service_id"]) == (1, None)
    assert summary["overall"]["mean"] == pytest.approx(made["overall_score"])
    assert client.get("/v1/services/nobody/stats").json()["sessions"] == 0


def test_a_dimension_without_a_score_says_why_as_the_newest_answer_does(client):
    evaluate(client, metadata={}, service_id="bot")
    for path in ("/v1/metrics/summary", "/v1/services/bot/stats"):
        dimensions = client.get(path).json()["dimensions"]
        assert dimensions["security"]["reason"] is None
        assert dimensions["environmental_cost"]["mean"] is None
        assert dimensions["environmental_cost"]["reason"] == (
            "None of its 4 metrics has a score of its own. The metadata name no 'model'."
        )
    empty = client.get("/v1/services/nobody/stats").json()["dimensions"]["security"]
    assert empty["reason"].startswith("Not scored in this period; it is made of injection_")


def test_presets_and_modes_are_listed(client):
    presets = {entry["name"]: entry for entry in client.get("/v1/presets").json()}
    assert len(presets) == 9
    assert presets["defense_ministry"]["weights"]["security"] == 0.25
    modes = {entry["mode"]: entry["policy"] for entry in client.get("/v1/compliance-modes").json()}
    assert modes == {"RTI": "rti", "UK_GDPR": "uk_gdpr", "EU_AI_ACT": "eu_ai_act"}


def test_marks_of_persons_are_not_kept_when_so_set(tmp_path):
    with Client(f"sqlite:///{tmp_path / 'assay.db'}", tmp_path) as client:
        settings = replace(client.config.settings, redact=True)
        client.app.state.config = replace(client.config, settings=settings)
        found = evaluate(client, response="Write to bob@example.com.", session_id="bob@example.com")
        assert "bob@example.com" not in client.get("/v1/sessions").text
        assert "bob@example.com" not in str(found)
        kept = client.get(f"/v1/tests/{found['test_id']}")
        assert kept.status_code == 200
        assert "bob@example.com" not in kept.text


def test_many_at_once_are_all_kept(any_client):
    store, settings = any_client.store, any_client.config.settings
    found = []

    def work():
        asked = LiveRequest(query="Q?", response="A.")
        found.extend(judge(store, settings, asked, 10.0).test_id for _ in range(5))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 20
    assert list_sessions(store, "governance.overall_score")[1] == 20


def test_a_policy_pack_shows_its_rules_with_their_examples(client):
    page = client.get("/v1/compliance-modes/rti").json()
    assert (page["mode"], page["is_default"]) == ("RTI", True)
    sections = {entry["section"]: entry for entry in page["sections"]}
    assert sections["exemption"]["looked_for_in"] == "query"
    assert sections["identifier"]["looked_for_in"] == "response"
    clause = sections["exemption"]["rules"][0]
    assert clause["name"].startswith("8(1)")
    assert clause["words"] and clause["matches"] and clause["rejects"]
    assert all(rule["weight"] > 0 for rule in sections["identifier"]["rules"])
    assert client.get("/v1/compliance-modes/none").status_code == 404
    assert client.get("/v1/compliance-modes/..%2Fx.toml").status_code == 404
