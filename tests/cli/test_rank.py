"""`assay rank` as people see it."""

import json

import pytest
from tests.judge.chat import KEY, Chat
from tests.runner.test_pairwise import longer


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("ASSAY_JUDGE_KEY", KEY)
    words = ["It", "is", "so", "because", "of", "many", "things", "that", "were", "said"]
    for name, most in (("long", 9), ("short", 3)):
        lines = [
            {"id": f"q{n}", "query": f"Why {n}?", "response": " ".join([str(n), *words[:most]])}
            for n in range(12)
        ]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return tmp_path


@pytest.fixture
def chat():
    server = Chat(longer)
    yield server
    server.close()


def test_a_ranking_is_shown_and_kept(run, project, chat):
    asked = ("rank", "short.jsonl", "long.jsonl", "--judge", chat.spec, "--out", "pairs.jsonl")
    code, out, said = run(*asked)
    assert code == 0
    lines = out.splitlines()
    assert "12\u00a0questions, 12\u00a0comparisons, 12 by the judge" in lines[0]
    assert lines[2].split()[0] == "long"
    assert lines[3].split()[0] == "short"
    assert "Note: long won every comparison" in out
    assert "Judge, estimated: about 24 calls" in said
    assert KEY not in out + said
    kept = [json.loads(line) for line in (project / "pairs.jsonl").read_text().splitlines()]
    assert {(one["first"], one["score"], one["is_flip"]) for one in kept} == {("short", 0.0, False)}
    code, out, _ = run(*asked, "--json")
    report = json.loads(out)
    assert report["ranking"]["systems"][0]["system"] == "long"
    assert report["judge"]["cached"] == 24
    assert len(chat.asked) == 24


def test_stored_runs_can_be_ranked(run, project, chat):
    for name in ("long", "short"):
        run("run", f"{name}.jsonl", "--run", name, "-m", "text.safety", "--store", "runs.db")
    code, out, _ = run(
        *("rank", "long", "brief=short", "--judge", chat.spec, "--store", "runs.db", "--json"),
    )
    assert (code, json.loads(out)["systems"]) == (0, ["long", "brief"])


def test_pairs_without_a_verdict_are_reported_by_the_exit_code(run, project, chat):
    capped = ("rank", "short.jsonl", "long.jsonl", "--judge", chat.spec, "--max-judge-calls", "4")
    code, out, _ = run(*capped)
    assert code == 3
    assert "Without a usable verdict: 10\u00a0comparisons." in out
    chat.answer = lambda asked: "nothing"
    code, _, _ = run("rank", "short.jsonl", "long.jsonl", "--judge", chat.spec, "--rubric", "tone")
    assert code == 2


def test_what_cannot_be_ranked_is_refused(run, project, chat):
    assert (
        "found 1 system; expected two or more"
        in run(*("rank", "long.jsonl", "--judge", chat.spec))[2]
    )
    misspelt = run("rank", "long.jsonl", "shrot.jsonl", "--judge", chat.spec)
    assert (misspelt[0], "'shrot.jsonl' is no file, and there is no run" in misspelt[2]) == (
        2,
        True,
    )
    assert "no judge is set" in run("rank", "long.jsonl", "short.jsonl")[2]
    two = ("--rubric", "tone", "--rubric", "helpfulness")
    assert "by one question" in run("rank", "long.jsonl", "short.jsonl", *two)[2]
