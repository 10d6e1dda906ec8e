"""One sample through every entry point, under one `assay.toml`: the same numbers everywhere."""

import asyncio
import json
import os
import sys

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("sqlalchemy")
from tests.server.client import Client
from tests.server.test_jobs import finished, start

import assay
from assay.cli import main
from assay.core.plain import sample_json
from assay.data.setting_table import setting_table
from assay.runner.governance import OVERALL
from assay.runner.redaction import mask
from assay.settings import Settings
from assay.store.run_list import find_run, read_run

MAIL, PHONE = "jane.doe@example.org", "555-123-4567"
SAMPLE = {
    "query": "Who repairs the lights?",
    "response": f"The service desk does. Write to {MAIL} or call {PHONE}.",
    "expected": "The service desk repairs the lights.",
}
CONFIG = """
profile = "team.toml"
redact = true
embedder = "none"
[thresholds]
"text.safety" = 0.77
"chat.accuracy" = 0.66
"""
TEAM = """
metrics = ["text.safety", "text.relevance", "text.factuality", "chat.accuracy", "governance"]
[thresholds]
"text.safety" = 0.99
"text.relevance" = 0.11
[options."text.safety"]
blocklist = ["desk"]
"""
SUITE = f"""
    def test_answer(assay, monkeypatch, tmp_path):
        monkeypatch.chdir(tmp_path)  # settings are those of where pytest was called
        assay.assert_quality(**{SAMPLE!r})
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with settings, and nothing of the environment."""
    for setting in setting_table().values():
        for variable in (*setting.variables, "ASSAY_CONFIG", "ASSAY_ENV"):
            monkeypatch.delenv(variable, raising=False)
    monkeypatch.chdir(tmp_path)
    write(tmp_path)
    return tmp_path


def write(folder):
    (folder / "assay.toml").write_text(CONFIG)
    (folder / "team.toml").write_text(TEAM)


def served(folder):
    """A server that was started in the folder, and its client."""
    settings = Settings.load(folder, os.environ, {"store": f"sqlite:///{folder / 'server.db'}"})
    return Client(settings.store, folder, settings=settings)


def stored(client, run):
    """The only sample of a stored run, as plain data."""
    ((sample, scores),) = read_run(client.store, find_run(client.store, run))
    return {"sample": sample_json(sample), **scores.to_json()}


def from_file(folder):
    (line,) = (folder / "out.jsonl").read_text().splitlines()
    return json.loads(line)


def command(folder, monkeypatch):
    (folder / "data.jsonl").write_text(json.dumps(SAMPLE))
    monkeypatch.setattr(sys, "argv", ["assay", "run", "data.jsonl", "--out", "out.jsonl", "-q"])
    with pytest.raises(SystemExit):
        main()
    return from_file(folder)


def evaluated(folder, monkeypatch):
    report = assay.evaluate([SAMPLE])
    return {"sample": sample_json(report.samples[0]), **report.scores[0].to_json()}


def scored(folder, monkeypatch):
    return assay.score(**SAMPLE).to_json()


def job(folder, monkeypatch):
    with served(folder) as client:
        assert finished(client, start(client, samples=[SAMPLE], metrics=[], run="r"))["done"] == 1
        return stored(client, "r")


def score_route(folder, monkeypatch):
    with served(folder) as client:
        return client.post("/v1/score", json={"sample": SAMPLE}).json()


def collected(folder, monkeypatch):
    with served(folder) as client:
        assert client.post("/v1/collect", json=SAMPLE).status_code == 201
        return stored(client, "collected")


def tool(folder, monkeypatch):
    pytest.importorskip("mcp")
    from mcp.client import Client as McpClient

    from assay.mcp_server import make_server

    async def call():
        async with McpClient(make_server(Settings.load(folder, os.environ))) as client:
            return await client.call_tool("score", {"sample": SAMPLE})

    return asyncio.run(call()).structured_content


ENTRIES = (command, evaluated, scored, job, score_route, collected, tool)


def figures(record):
    """What has to be the same everywhere; a metric's state is in it."""
    return record["scores"]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.__name__)
def test_every_entry_gives_the_same_scores_thresholds_and_redaction(entry, folder, monkeypatch):
    found = entry(folder, monkeypatch)
    expected = json.loads(json.dumps(assay.score(**SAMPLE).to_json()))
    assert json.loads(json.dumps(figures(found))) == figures(expected)
    assert_set(figures(found))
    assert_redacted(found)


def assert_set(scores):
    """What `assay.toml` and its profile say holds: thresholds, options, models, metrics."""
    assert len(scores) > 40
    assert scores["text.safety"]["threshold"] == 0.77  # by id, before the profile's own
    assert scores["text.relevance"]["threshold"] == 0.11
    assert scores["chat.accuracy"]["threshold"] == 0.66
    assert "blocklist:('desk',)" in scores["text.safety"]["signature"]
    assert "embedder:none" in scores["chat.accuracy"]["signature"]


def assert_redacted(found):
    text = json.dumps(found)
    assert MAIL not in text
    assert PHONE not in text
    if "sample" in found:
        assert found["sample"]["response"] == mask(SAMPLE["response"])


AUDITED = {"session_id": "s-1", "timestamp": "2026-01-02T03:04:05Z"}
"""What the server adds by itself where a request does not say it."""


def test_the_live_endpoint_agrees_too(folder):
    sample = {"query": SAMPLE["query"], "response": SAMPLE["response"]}
    with served(folder) as client:
        judged = client.post("/v1/evaluate", json={**sample, "metadata": AUDITED})
        assert judged.status_code == 200, judged.text
        (run,) = client.get("/v1/runs").json()["items"]
        found = stored(client, run["name"])
    expected = assay.score(**sample, metadata=AUDITED, metrics="governance").to_json()
    assert json.loads(json.dumps(figures(found))) == json.loads(json.dumps(figures(expected)))
    card = assay.governance(**sample, metadata=AUDITED)
    assert judged.json()["overall_score"] == card.overall_score == found["scores"][OVERALL]["value"]
    assert_redacted(found)
    assert_redacted(judged.json())
    assert_redacted(card.to_json())


def test_pytest_agrees_too(pytester, folder, monkeypatch):
    write(pytester.path)
    monkeypatch.setenv(
        "PYTEST_ADDOPTS",
        "-p no:asyncio -p no:cacheprovider -p no:hypothesispytest -p no:schemathesis",
    )
    pytester.makepyfile(SUITE)
    monkeypatch.chdir(pytester.path)
    result = pytester.runpytest_subprocess(
        "--assay-report=out.jsonl", "--assay-report=out.json", "--assay-run=mine", "--tb=short"
    )
    assert result.ret == 1  # what was asserted does not hold
    found = from_file(pytester.path)
    assert figures(found) == json.loads(json.dumps(figures(assay.score(**SAMPLE).to_json())))
    written = [result.stdout.str().replace(repr(SAMPLE), "")]
    written += [(pytester.path / name).read_text() for name in ("out.jsonl", "out.json")]
    written.append((pytester.path / ".assay/assay.db").read_bytes().decode(errors="replace"))
    for text in written:
        assert MAIL not in text
        assert PHONE not in text
