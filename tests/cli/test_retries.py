"""`assay run --target`: samples with a retry are compared with the others."""

import json
from collections import Counter
from html import unescape
from threading import Lock

import pytest
from tests.judge.chat import LoopbackServer

QUESTIONS = 60
HARD = range(0, QUESTIONS, 5)


class Unsteady(LoopbackServer):
    """A chat endpoint that refuses some questions at first, and answers some of them wrongly."""

    def __init__(self, refused, wrong):
        self.refused, self.wrong = set(refused), set(wrong)
        self.calls, self._lock = Counter(), Lock()
        super().__init__()

    def respond(self, path, headers, body):
        number = int(body["messages"][-1]["content"].removeprefix("Question ").rstrip("?"))
        with self._lock:
            self.calls[number] += 1
            if number in self.refused and self.calls[number] == 1:
                return 503, "busy"
        text = "Rome" if number in self.wrong else "Paris"
        return 200, json.dumps({"choices": [{"message": {"content": text}}]})


@pytest.fixture
def asked(tmp_path, run, monkeypatch):
    """Runs 60 questions against such an endpoint; gives its output and its JSON."""
    pytest.importorskip("httpx2")
    monkeypatch.setattr("assay.wire.retries.FIRST_WAIT", 0.0)
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path / "cache"))
    data = tmp_path / "questions.jsonl"
    lines = [
        {"id": f"q{n}", "query": f"Question {n}?", "checks": [{"contains": "Paris"}]}
        for n in range(QUESTIONS)
    ]
    data.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    servers = []

    def ask(refused, wrong, *more):
        servers.append(Unsteady(refused, wrong))
        target = tmp_path / "target.toml"
        address = f'kind = "openai"\nurl = "{servers[-1].url}"\nmodel = "m"\nstream = false\n'
        target.write_text(address, encoding="utf-8")
        words = ("run", data, "-m", "check.passed", "--target", target)
        code, out, err = run(*words, "--concurrency", "2", *more)
        assert code == 0, err
        return " ".join(out.replace("\xa0", " ").split()), servers[-1]

    yield ask
    for server in servers:
        server.close()


def hard_ones():
    """Questions that are refused first and mostly answered wrongly, as are a few others."""
    return HARD, [n for n in HARD if n % 20] + [1, 11, 21, 31, 41, 51]


def test_failures_that_hit_hard_questions_are_reported(asked, tmp_path):
    out, server = asked(*hard_ones(), "--store", "none", "--out", "s.md", "--out", "s.html")
    assert sum(server.calls.values()) == QUESTIONS + len(HARD)
    sentence = (
        "12 samples were answered only after a retry; 25.0 % of them pass, 87.5 % of the others "
        "(p < 0.0001). Failures of the target may be hiding its worst answers."
    )
    assert sentence in out
    assert sentence in unescape((tmp_path / "s.md").read_text()).replace("\xa0", " ")
    page = (tmp_path / "s.html").read_text()
    data = page.partition('id="report-data">')[2].partition("</script>")[0]
    retries = json.loads(data)["run"]["retries"]
    assert retries["differs"] is True
    assert (retries["retried"]["passed"], retries["others"]["judged"]) == (3, 48)


def test_the_comparison_is_in_json_and_the_same_when_scored_again(asked, run):
    out, _ = asked(*hard_ones(), "--run", "hard", "--json")
    retries = json.loads(out)["retries"]
    assert retries.pop("p_value") == pytest.approx(5.292e-5, rel=1e-3)
    expected = {"passed": 3, "judged": 12, "pass_rate": 0.25, "mean_quality": 0.25}
    assert retries["retried"] == expected
    assert retries["others"] == pytest.approx(
        {"passed": 42, "judged": 48, "pass_rate": 0.875, "mean_quality": 0.875}
    )
    assert (retries["samples"], retries["differs"]) == (12, True)
    code, again, _ = run("rescore", "hard", "-m", "check.passed", "--json")
    assert code == 0
    assert json.loads(again)["retries"] == json.loads(out)["retries"]


def test_failures_that_hit_any_question_are_no_difference(asked):
    out, _ = asked(HARD, range(0, QUESTIONS, 4), "--store", "none")
    compared = (
        "12 samples were answered only after a retry; 75.0 % of them pass, 75.0 % of the others"
    )
    assert f"{compared} (p = 1). " in out
    assert "Failures of the target" not in out


def test_nothing_is_said_without_retries(asked):
    out, _ = asked((), range(0, QUESTIONS, 4), "--store", "none")
    assert "retry" not in out
    out, _ = asked((), range(0, QUESTIONS, 4), "--store", "none", "--json")
    assert "retries" not in json.loads(out)


def test_several_answers_to_a_question_are_not_tested_as_if_they_were_independent(asked):
    words = ("--store", "none", "--json", "--repeat", "2", "--score-repeats")
    out, _ = asked(*hard_ones(), *words)
    retries = json.loads(out)["retries"]
    assert (retries["samples"], retries["p_value"], retries["differs"]) == (12, None, False)
