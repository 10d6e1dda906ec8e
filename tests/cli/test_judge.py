"""A judge on the command line."""

import json

import pytest
from tests.judge.chat import KEY, Chat, graded

RUBRIC = (
    'title = "How friendly it is."\nquestion = "Is it friendly?"\ninputs = ["response"]\n'
    "threshold = 3\n[scale]\nmin = 1\nmax = 5\n"
)


@pytest.fixture
def chat():
    server = Chat(graded(4))
    yield server
    server.close()


@pytest.fixture
def project(run, tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("ASSAY_JUDGE_KEY", KEY)
    (tmp_path / "friendly.toml").write_text(RUBRIC)
    lines = [json.dumps({"query": f"What is {n}?", "response": f"It is {n}."}) for n in range(4)]
    (tmp_path / "answers.jsonl").write_text("\n".join(lines))
    return tmp_path


def test_the_estimate_goes_no_further_than_the_run(run, project, chat):
    _, _, said = run(
        "run", "answers.jsonl", "--judge", chat.spec, "-m", "judge.tone", "--limit", "2"
    )
    assert "Judge, estimated: about 2 calls and" in said


def test_a_run_with_a_judge(run, project, chat):
    asked = ("run", "answers.jsonl", "--judge", chat.spec, "--rubric", "friendly.toml")
    code, out, said = run(*asked)
    assert (code, "judge.friendly" in out) == (0, True)
    assert f"texts go to openai:small@{chat.url.removeprefix('http://')}." in said
    assert "Judge, estimated: about 4 calls and" in said
    assert "unknown price" in said
    assert "Judge: 4 calls, 0 verdicts of earlier runs, 400 + 80 tokens." in said
    assert KEY not in out + said
    assert len(chat.asked) == 4
    _, _, said = run(*asked)
    assert "Judge: 0 calls, 4 verdicts of earlier runs" in said
    assert len(chat.asked) == 4


def test_caps_and_the_summary_as_json(run, project, chat, monkeypatch):
    monkeypatch.setenv("ASSAY_JUDGE_PRICE", "1/2")
    code, out, _ = run(
        *("run", "answers.jsonl", "--judge", chat.spec, "--metrics", "judge.tone"),
        *("--max-judge-calls", "2", "--max-judge-spend", "1", "--json"),
    )
    summary = json.loads(out)
    assert code == 3  # two scores failed
    assert summary["judge"]["calls"] == 2
    assert summary["judge"]["usd"] == pytest.approx(2 * (100 + 2 * 20) / 1e6)
    assert summary["metrics"]["judge.tone"]["errors"] == 2
    assert "the cap of 2 calls" in next(iter(summary["metrics"]["judge.tone"]["reasons"]))


def test_repeats(run, project, chat):
    code, _, _ = run(
        *("run", "answers.jsonl", "--judge", chat.spec, "--rubric", "friendly.toml"),
        *("--judge-repeats", "3", "--out", "out.jsonl", "--quiet"),
    )
    assert code == 0
    record = json.loads((project / "out.jsonl").read_text().splitlines()[0])
    assert len(record["scores"]["judge.friendly"]["details"]["verdicts"]) == 3
    assert len(chat.asked) == 12


def test_a_metrics_page_shows_the_rubric(run, project):
    _, out, _ = run("metrics", "judge.friendly", "--rubric", "friendly.toml")
    assert "Is it friendly?" in out
    _, out, _ = run("metrics", "judge.helpfulness")
    assert "How far does the response help" in " ".join(out.split())
    _, out, _ = run("metrics", "judge", "--json")
    assert len(json.loads(out)) >= 5


def test_a_new_rubric_can_be_used_at_once(run, project, chat):
    _, out, _ = run("new", "judge.clarity")
    assert "Written: rubrics/clarity.toml" in out
    assert "--rubric rubrics/clarity.toml" in out
    code, _, said = run(
        "run", "answers.jsonl", "--judge", chat.spec, "--rubric", "rubrics/clarity.toml"
    )
    assert code == 0, said
    assert run("new", "judge.clarity")[0] == 2


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--rubric", "none.toml"], "cannot be read"),
        (["--rubric", "friendly.toml", "--judge", "openai:small"], "openai:URL#MODEL"),
        (["--judge", "gpt:x", "--metrics", "judge.tone"], "unknown judge 'gpt:x'"),
        (["--judge", "http://host/v1#m", "--metrics", "judge.tone"], "unknown judge 'http://host"),
    ],
)
def test_mistakes_are_named_before_anything_is_scored(run, project, args, message):
    code, out, said = run("run", "answers.jsonl", *args)
    assert (code, out) == (2, "")
    assert message in said
