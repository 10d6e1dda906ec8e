"""Documented endpoints of the JSON evaluation service."""

import pytest


@pytest.mark.parametrize("base", ["/v1/apps", "/agent-eval/apps"])
def test_a_program_gets_a_key_of_its_own(client, base):
    register = base if base == "/v1/apps" else f"{base}/register"
    body = {"name": "ci", "role": "read"}
    made = client.post(register, role="admin", json=body)
    assert made.status_code == 201
    first = {"x-api-key": made.json()["key"]}
    me = client.get("/agent-eval/apps/me", role=None, headers=first)
    own = {"project": "default", "projects": ["default"], "is_server_admin": False, "judge": ""}
    assert me.json() == {"name": "ci", "role": "read", "is_local": False, **own}
    assert client.get("/v1/audit", role=None, headers=first).status_code == 403
    renewed = client.post(f"{base}/ci/rotate-key", role="admin").json()
    assert client.get("/v1/me", role=None, headers=first).status_code == 401
    second = {"x-api-key": renewed["key"]}
    assert client.get("/v1/me", role=None, headers=second).status_code == 200
    assert client.call("DELETE", f"{base}/ci", role="admin").status_code == 204
    assert client.get("/v1/me", role=None, headers=second).status_code == 401
    trail = client.get("/v1/audit", role="admin", params={"subject": "ci"}).json()["items"]
    assert [entry["action"] for entry in trail] == ["key.revoked", "key.rotated", "key.created"]
    assert made.json()["key"] not in str(trail)
    for role in ("read", "write"):
        assert client.post(register, role=role, json=body).status_code == 403


def test_an_unknown_program_is_told(client):
    assert client.post("/v1/apps/x/rotate-key", role="admin").status_code == 404
    assert client.call("DELETE", "/v1/apps/x", role="admin").status_code == 404
    assert client.post("/v1/apps", role="admin", json={"name": "../x"}).status_code == 422


def test_a_program_logs_in_as_a_browser_does(client):
    body = {"key": client.key("read")}
    found = client.post("/agent-eval/apps/login", role=None, json=body)
    assert (found.status_code, "assay_session" in found.headers["set-cookie"]) == (200, True)


@pytest.mark.parametrize("base", ["/v1/prompts", "/agent-eval/prompts"])
def test_prompts_can_be_read(client, base):
    found = client.get(base).json()
    assert {prompt["key"] for prompt in found} >= {"claim_support", "json_likeness", "verdict"}
    for prompt in found:
        assert client.get(f"{base}/{prompt['key']}").json() == prompt
        assert "title = " in prompt["text"]
    for key in ("nothing", "..%2fprices", "json_likeness.toml"):
        assert client.get(f"{base}/{key}").status_code in (404, 422), key
