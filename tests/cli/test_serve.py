"""`assay serve` and `assay keys`, as a user starts them."""

import json
import os
import re
import signal
import subprocess
import sys

import pytest

pytest.importorskip("fastapi")
import httpx2

from assay.cli.serve import _bound
from assay.core import UsageError
from assay.store import open_store
from assay.store.audit import AuditFilter, list_entries

KEY = re.compile(r"assay_(read|write|admin)_[A-Za-z0-9_-]{43}\n")


def test_a_key_is_made_listed_rotated_and_revoked(run):
    code, out, err = run("keys", "create", "ci bot", "--role", "write", "--expires", "30d")
    assert (code, bool(KEY.fullmatch(out))) == (0, True)
    assert "cannot be shown again" in err
    assert run("keys", "create", "ci bot")[0] == 2
    second = run("keys", "rotate", "ci bot")[1]
    assert second != out
    _, listed, _ = run("keys", "list", "--json")
    (entry,) = json.loads(listed)
    assert (entry["name"], entry["role"], entry["state"]) == ("ci bot", "write", "valid")
    assert entry["expires"] is None
    assert run("keys", "revoke", "ci bot")[0] == 0
    code, out, _ = run("keys", "list")
    assert "revoked" in out
    assert second.strip() not in out
    assert run("keys", "rotate", "ci bot")[0] == 2
    assert "there is no key named 'other'" in run("keys", "revoke", "other")[2]


def test_what_is_done_to_keys_stands_in_the_audit_trail(run):
    run("keys", "create", "ci", "--role", "write")
    run("keys", "rotate", "ci")
    run("keys", "revoke", "ci")
    run("keys", "revoke", "other")
    store = open_store()
    entries, _ = list_entries(store, AuditFilter())
    store.close()
    assert [(entry.actor, entry.action, entry.subject) for entry in entries] == [
        ("command line", f"key.{done}", "ci") for done in ("revoked", "rotated", "created")
    ]


@pytest.mark.parametrize("name", ["", "x" * 101, "a\nb", "\x1b[31m", "<b>"])
def test_a_key_has_a_plain_name(run, name):
    assert run("keys", "create", name)[0] == 2


def test_no_key_yet(run):
    assert "assay keys create" in run("keys", "list")[1]


@pytest.mark.parametrize(
    "words",
    [
        ("--host", "0.0.0.0"),  # noqa: S104 -- it is refused
        ("--host", "::"),
        ("--host", "0.0.0.0", "--allow-host", "assay.example.org"),  # noqa: S104 -- so is this
        ("--allow-host", "assay.example.org"),
        ("--host", "127.0.0.1", "--allow-host", "assay.example.org:443"),
    ],
)
@pytest.mark.parametrize("key", ["none", "revoked", "expired"])
def test_a_server_that_others_could_reach_needs_a_valid_key(run, words, key):
    if key != "none":
        run("keys", "create", "old", *(("--expires", "0h") if key == "expired" else ()))
    if key == "revoked":
        run("keys", "revoke", "old")
    code, out, err = run("serve", "--port", "0", *words)
    assert code == 2
    assert "there is no valid key" in err
    assert "assay keys create" in err
    assert "Assay is at" not in out + err


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--store", "none"), "needs a store"),
        (("--allow-host", "*"), "no name of a host"),
        (("--allow-host", "http://x"), "no name of a host"),
        (("--host", "no such host"), "no address"),
    ],
)
def test_what_cannot_be_served_is_said(run, words, reason):
    code, _, err = run("serve", "--port", "0", *words)
    assert (code, reason in err) == (2, True)


def test_a_taken_port_is_said():
    taken = _bound("127.0.0.1", 0)
    taken.listen()
    with taken, pytest.raises(UsageError, match="cannot be used"):
        _bound("127.0.0.1", taken.getsockname()[1])


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_the_server_says_where_it_is_and_stops_gracefully(tmp_path, stop):
    environment = {**os.environ, "OPENAI_API_KEY": "canary-of-the-environment"}
    server = subprocess.Popen(
        [sys.executable, "-m", "assay", "serve", "--port", "0"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    try:
        line = server.stderr.readline()
        url = re.fullmatch(r"Assay is at (http://127\.0\.0\.1:\d+/) .*\n", line)[1]
        with httpx2.Client(base_url=url, timeout=30) as client:
            assert client.get("health").json() == {"status": "ok"}
            answer = client.get("v1/me")
            assert answer.json()["is_local"] is True
            assert "server" not in answer.headers
            assert client.get("health", headers={"host": "evil.example"}).status_code == 400
        server.send_signal(stop)
        rest = server.communicate(timeout=60)[1]
        assert (server.returncode, rest) == (0, "Stopped.\n")
    finally:
        server.kill()
    for folder in (tmp_path / ".assay",):
        assert folder.stat().st_mode & 0o077 == 0
        assert (folder / "assay.db").stat().st_mode & 0o077 == 0
