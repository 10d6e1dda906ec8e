"""Sets of field strategies: kept, changed, imported and exported."""

import json

import pytest

from assay.data.json_options import parse_strategies

PATH = "/v1/strategies/invoices"


def put(client, strategies, path=PATH):
    return client.call("PUT", path, role="write", json={"strategies": strategies})


def patch(client, field, strategy):
    body = {"field": field, "strategy": strategy}
    return client.call("PATCH", PATH, role="write", json=body)


def test_fields_are_added_changed_and_removed(any_client):
    client = any_client
    assert client.get(PATH).status_code == 404
    made = put(client, {"name": "fuzzy", "address": {"city": "EXACT"}}).json()
    assert made["strategies"] == {"address.city": "EXACT", "name": "FUZZY"}
    changed = patch(client, "name", {"strategy": "SEMANTIC", "threshold": 0.9}).json()
    assert changed["strategies"]["name"] == {"strategy": "SEMANTIC", "threshold": 0.9}
    assert patch(client, "a/b?c#[*] é", "IGNORE").json()["version"] == 3
    assert len(patch(client, "name", None).json()["strategies"]) == 2
    assert list(patch(client, "a/b?c#[*] é", None).json()["strategies"]) == ["address.city"]
    assert patch(client, "name", None).status_code == 404
    assert client.get(PATH, params={"version": 1}).json() == made
    assert [entry["version"] for entry in client.get(f"{PATH}/history").json()] == [5, 4, 3, 2, 1]
    assert [entry["name"] for entry in client.get("/v1/strategies").json()] == ["invoices"]


def test_an_export_is_a_file_that_an_import_takes(client):
    given = {"name": "FUZZY", "total": {"strategy": "EXACT", "numeric_tolerance": 0.01}}
    put(client, given)
    file = client.get(f"{PATH}/export")
    assert file.headers["content-disposition"] == 'attachment; filename="field_strategies.json"'
    assert parse_strategies(json.loads(file.text), "file") == parse_strategies(given, "given")
    again = put(client, json.loads(file.text), "/v1/strategies/copy").json()
    assert again["strategies"] == client.get(PATH).json()["strategies"]


def test_a_removed_set_is_gone_but_for_its_history(client):
    put(client, {"name": "FUZZY"})
    assert client.call("DELETE", PATH, role="write").status_code == 204
    assert client.get(PATH).status_code == 404
    assert client.call("DELETE", PATH, role="write").status_code == 404
    assert [entry["is_removed"] for entry in client.get(f"{PATH}/history").json()] == [True, False]
    actions = [e["action"] for e in client.trail("strategies.")]
    assert actions == ["strategies.removed", "strategies.saved"]


@pytest.mark.parametrize(
    ("strategies", "status"),
    [
        ({"name": "GUESS"}, 400),
        ({"name": 3}, 400),
        ({"name": {"strategy": "FUZZY", "limit": 1}}, 400),
        ({"name": {"strategy": "FUZZY", "threshold": 7}}, 400),
        (["name"], 422),
    ],
)
def test_what_no_comparison_could_use_is_refused(client, strategies, status):
    assert put(client, strategies).status_code == status
    assert client.get("/v1/strategies").json() == []


def test_a_set_is_never_a_path(client):
    for name in ("..%2fx", "%2fetc", "a%20b", ".hidden", "x" * 65):
        assert put(client, {}, f"/v1/strategies/{name}").status_code in (404, 405, 422), name
