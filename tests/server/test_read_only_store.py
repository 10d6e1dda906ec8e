"""A store that can only be read is served for reading."""

import errno
import os

from tests.server.client import Client

from assay.store import open_store


def test_runs_are_shown_and_changes_are_refused(tmp_path, monkeypatch):
    url = f"sqlite:///{tmp_path / 'assay.db'}"
    open_store(url).close()
    opened = os.open

    def refuse(name, flags, *rest, **given):
        if str(tmp_path) in str(name) and flags & (os.O_RDWR | os.O_WRONLY):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(name))
        return opened(name, flags, *rest, **given)

    monkeypatch.setattr(os, "open", refuse)
    with Client(url, tmp_path, require_key=False) as client:
        for path in ("/v1/runs", "/v1/overview", "/v1/jobs", "/v1/health"):
            assert client.get(path, role=None).status_code == 200, path
        sample = {"response": "Fine."}
        for path, body in (
            ("/v1/collect?run=r&metrics=text.safety", sample),
            ("/v1/jobs", {"samples": [sample]}),
        ):
            answer = client.post(path, role=None, json=body)
            assert (answer.status_code, answer.json()["error"]) == (
                503,
                "the store can be read, but not written to",
            )
    assert not (tmp_path / "uploads").exists()
