"""A store that another program holds delays requests a little, and health not at all."""

import fcntl
import os
from contextlib import contextmanager

import pytest
from sqlalchemy import text

from assay.core.errors import StoreBusyError
from assay.runner import record
from assay.store import open_store

WAIT = 0.05


@contextmanager
def held(store):
    """The store while another program writes and does not end."""
    if not store.is_postgres:
        path = store.url.removeprefix("sqlite:///") + ".lock"
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            os.close(file)
        return
    with store.engine.begin() as connection:
        for table in ("runs", "api_keys", "audit_log"):
            connection.execute(text(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE"))
        yield


@pytest.fixture
def impatient(any_client):
    any_client.key("write")
    any_client.key("read")
    any_client.app.state.store = any_client.store.waiting(WAIT)
    return any_client


def test_a_post_is_told_to_come_back(impatient):
    with held(impatient.store):
        found = impatient.post(
            "/v1/collect?run=held&metrics=text.safety", json={"response": "Fine."}
        )
    assert found.status_code == 503, found.text
    assert found.headers["retry-after"] == "5"
    assert "held by another program" in found.json()["error"]
    assert found.json()["code"] == "busy"
    assert found.headers["x-content-type-options"] == "nosniff"


def test_a_post_behind_one_that_waits_is_told_to_come_back(client, monkeypatch):
    monkeypatch.setattr(record, "TURN_SECONDS", WAIT)
    with record._ADDING:
        found = client.post("/v1/collect?run=held&metrics=text.safety", json={"response": "Fine."})
    assert (found.status_code, found.headers["retry-after"]) == (503, "5")


@pytest.mark.parametrize("headers", [{}, {"x-api-key": "junk"}])
def test_health_does_not_ask_the_store(impatient, headers):
    with held(impatient.store):
        found = impatient.call("GET", "/v1/health", headers=headers)
    assert (found.status_code, found.json()) == (200, {"status": "ok"})


def test_health_does_not_need_the_store_at_all(client):
    client.app.state.store = None
    assert client.call("GET", "/health").status_code == 200


def test_a_write_waits_no_longer_than_it_may(tmp_path):
    store = open_store(str(tmp_path / "s.db"))
    impatient = store.waiting(WAIT)
    with held(store), pytest.raises(StoreBusyError, match="is held by another program"):
        impatient.write(lambda connection: None)
    assert impatient.write(lambda connection: 1) == 1
    with store.engine.connect() as other:
        other.execution_options(is_write=True)
        with other.begin(), pytest.raises(StoreBusyError, match="is held by another program"):
            impatient.write(lambda connection: connection.execute(text("DELETE FROM runs")))
    store.close()
