"""The audit trail over HTTP."""


def test_only_administrators_read_the_trail_and_nobody_writes_it(client):
    client.call("PUT", "/v1/strategies/s", role="write", json={"strategies": {"a": "FUZZY"}})
    for role, status in (("read", 403), ("write", 403), ("admin", 200)):
        assert client.get("/v1/audit", role=role).status_code == status, role
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        found = client.call(method, "/v1/audit", role="admin", json={})
        assert found.status_code == 405, method


def test_the_trail_can_be_searched(client):
    for name in ("one", "two"):
        client.call("PUT", f"/v1/strategies/{name}", role="write", json={"strategies": {}})
        client.now += 7200

    def subjects(**params):
        params = {"action": "strategies.", **params}
        found = client.get("/v1/audit", role="admin", params=params).json()
        return [entry["subject"] for entry in found["items"]]

    assert subjects() == ["two", "one"]
    assert subjects(subject="one") == ["one"]
    assert subjects(hours=3) == ["two"]
    assert subjects(limit=1, offset=1) == ["one"]
    assert subjects(action="strategies.saved", actor="write-key") == ["two", "one"]
    assert subjects(actor="nobody") == []
    assert subjects(action="key.") == ["admin-key", "write-key"]
