"""The other commands: demo, metrics, verify, new, dataset, completion."""

import json
import re
import tomllib

import pytest

from assay import registry
from assay.cli import COMMANDS, GROUPS

VECTORS = [
    {
        "metric": "text.relevance",
        "inputs": {"input": "apple apple banana", "output": "apple banana banana"},
        "params": {},
        "expected": 0.8,
        "tolerance": 1e-9,
        "why": "cosine",
    },
    {
        "metric": "text.safety.passed",
        "inputs": {"score": 0.85},
        "params": {"threshold": 0.9},
        "expected": False,
        "tolerance": 0,
        "why": "verdict",
    },
    {
        "metric": "text.score_from_violations",
        "inputs": {"violations": 7},
        "params": {},
        "expected": 0.0,
        "tolerance": 0,
        "why": "rule",
    },
    {
        "metric": "text.overall",
        "inputs": {"scores": [1.0, 0.5]},
        "params": {},
        "expected": 0.75,
        "tolerance": 1e-9,
        "why": "variables",
    },
    {
        "metric": "text.latency",
        "inputs": {"duration": None},
        "params": {},
        "expected": None,
        "tolerance": 0,
        "why": "no value",
    },
    {
        "metric": "text.threshold_preset",
        "inputs": {"level": "lenient"},
        "params": {},
        "expected": {"safety": 0.8},
        "tolerance": 0,
        "why": "table",
    },
]


def test_demo_ends_with_scores_and_a_report(run, tmp_path):
    code, out, err = run("demo")
    assert code == 0
    assert "answer.correctness" in out
    assert err.startswith("auto chose answer.correctness")
    assert "assay-demo/report.html" in out
    assert "<!doctype html>" in (tmp_path / "assay-demo" / "report.html").read_text().lower()


def test_demo_has_scores_and_absent_ones_but_no_error(run):
    found = json.loads(run("demo", "--json")[1])["metrics"].values()
    assert sum(metric["scored"] for metric in found)
    assert sum(metric["missing"] for metric in found)
    assert not sum(metric["errors"] for metric in found)


def test_metrics_lists_all(run):
    code, out, _ = run("metrics")
    assert code == 0
    assert "text.safety" in out


def test_metrics_shows_a_page(run):
    code, out, _ = run("metrics", "text.safety")
    assert code == 0
    assert "Blind spots" in out


def test_metrics_as_json(run):
    (safety,) = json.loads(run("metrics", "text.safety", "--json")[1])
    assert safety["threshold"] == 0.9
    assert safety["options"]["count_mode"] == "category"


def test_metrics_suggests(run):
    code, _, err = run("metrics", "text.relevanse")
    assert code == 2
    assert "did you mean 'text.relevance'?" in err


def test_verify_passes_vectors_that_hold(run, tmp_path):
    (tmp_path / "v.json").write_text(json.dumps(VECTORS))
    assert run("verify", "v.json") == (0, "6 passed, 0 failed\n", "")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"expected": 0.7}, "text.relevance: expected 0.7, got 0.8"),
        ({"expected": None}, "expected None, got 0.8"),
        ({"metric": "chat.nothing"}, "chat.nothing: unknown metric 'chat.nothing'"),
        ({"params": {"k": 3}}, "'text.relevance' has no option 'k'; expected none"),
        ({"metric": "text.threshold_preset"}, "do not fit the rule"),
    ],
)
def test_verify_says_each_failure_in_a_line(run, tmp_path, change, said):
    (tmp_path / "v.json").write_text(json.dumps([VECTORS[0] | change, VECTORS[1]]))
    code, out, _ = run("verify", "v.json")
    first, last = out.splitlines()
    assert code == 1
    assert said in first
    assert last == "1 passed, 1 failed"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not a JSON file"),
        ("{}", "expected a list of vectors"),
        ("[1]", "v.json, vector 1: expected an object with 'metric'"),
        ('[{"metric": "a.b", "inputs": 3}]', "'inputs' is 3; expected an object"),
    ],
)
def test_verify_refuses_broken_files(run, tmp_path, text, said):
    (tmp_path / "v.json").write_text(text)
    code, _, err = run("verify", "v.json")
    assert code == 2
    assert said in err


def test_verify_without_its_file(run):
    code, _, err = run("verify", "none.json")
    assert (code, err) == (2, "Error: no such file: 'none.json'\n")


def test_new_makes_two_files_that_work(run, tmp_path):
    code, out, _ = run("new", "custom.density")
    assert code == 0
    assert "--plugin metrics/custom/density.py" in out
    cases = tomllib.loads((tmp_path / "metrics/custom/density.cases.toml").read_text())["case"]
    assert len(cases) == 3
    plugin = ("--plugin", "metrics/custom/density.py")
    assert json.loads(run("metrics", "custom.density", "--json", *plugin)[1])[0]["threshold"] == 0.5


def test_new_never_overwrites(run):
    run("new", "custom.density")
    code, _, err = run("new", "custom.density")
    assert code == 2
    assert "exists; choose another id" in err


@pytest.mark.parametrize("id", ["density", "Custom.density", "a.b.c", "../x.y", "a.b;c"])
def test_new_refuses_what_is_no_id(run, id):
    code, _, err = run("new", id)
    assert code == 2
    assert "is no id; expected 'family.name'" in err


def golden(path, *examples):
    path.write_text(json.dumps({"name": "g", "version": "1.0.0", "examples": examples}))
    return path


ONE = {"input": "Capital of France?", "expectedOutput": "Paris", "tags": ["geo"]}
TWO = {"input": "Capital of Spain?", "expectedOutput": "Madrid", "tags": ["es"]}


def test_dataset_summary(run, tmp_path):
    file = golden(tmp_path / "g.json", ONE, TWO)
    assert json.loads(run("dataset", "summary", file, "--json")[1])["count"] == 2
    assert "tags: es (1), geo (1)" in run("dataset", "summary", file)[1]


def test_dataset_validate(run, tmp_path):
    assert run("dataset", "validate", golden(tmp_path / "g.json", ONE))[0] == 0
    code, out, _ = run("dataset", "validate", golden(tmp_path / "g.json", ONE, ONE))
    assert code == 1
    assert "the query is the same" in out


def test_dataset_diff(run, tmp_path):
    before = golden(tmp_path / "a.json", ONE, TWO)
    after = golden(tmp_path / "b.json", ONE | {"expectedOutput": "Paris!"}, {"input": "New?"})
    code, out, _ = run("dataset", "diff", before, after)
    assert code == 1
    assert out.splitlines() == [
        "+ New?",
        "- Capital of Spain?",
        "~ Capital of France?: expected",
    ]
    assert run("dataset", "diff", before, before)[0] == 0


def test_dataset_convert_merges_selects_and_writes(run, tmp_path):
    a, b = golden(tmp_path / "a.json", ONE), golden(tmp_path / "b.json", ONE, TWO)
    code, out, _ = run("dataset", "convert", a, b, "--out", "c.csv")
    assert code == 0
    assert "2 examples" in out
    assert run("dataset", "convert", b, "--tag", "geo", "--out", "d.jsonl")[0] == 0
    assert len((tmp_path / "d.jsonl").read_text().splitlines()) == 1


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(run, shell):
    code, out, _ = run("completion", shell)
    assert code == 0
    assert "_ASSAY_COMPLETE" in out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(run, command):
    code, out, _ = run(command, "--help")
    assert code == 0
    assert "Usage:" in out


def test_unknown_commands_and_interruption(run, monkeypatch):
    assert run("fly")[0] == 2
    assert "No such command 'rnu'. Did you mean 'run'?" in run("rnu")[2]

    def interrupt(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("assay.runner.read_vectors", interrupt)
    code, _, err = run("verify", "v.json")
    assert (code, err.strip()) == (130, "Interrupted.")


def test_the_list_of_metrics_has_one_line_each_at_80_columns(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    code, out, _ = run("metrics")
    lines = [line for line in out.splitlines() if re.match(r"  [● ] [a-z]", line)]
    assert code == 0
    assert sorted(line[4:].split()[0] for line in lines) == list(registry.metrics())
    assert max(map(len, out.splitlines())) <= 80
    assert "  ● rag.faithfulness" in out


def test_in_a_pipe_the_list_of_metrics_is_whole(run, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    assert registry.metrics()["rag.faithfulness"].summary in run("metrics", "rag")[1]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("faith", "rag.faithfulness"),
        ("halluc", "text.hallucination"),
        ("jailbreak", "safety.injection"),
        ("Answer Relevancy", "answer.relevance"),
    ],
)
def test_a_word_finds_metrics(run, word, expected):
    code, out, _ = run("metrics", word)
    assert code == 0
    assert f" {expected} " in out


def test_another_name_of_a_metric_shows_its_page(run):
    assert "Blind spots" in run("metrics", "faithfulness")[1]
    code, _, err = run("metrics", "zzzz")
    assert (code, err) == (2, "Error: unknown metric 'zzzz'; \"assay metrics\" lists all\n")


def test_the_commands_stand_in_groups(run):
    _, out, _ = run("--help")
    titles = re.findall(r"^(\w+):$", out, re.MULTILINE)
    assert titles == ["Options", *GROUPS]
    for name in COMMANDS:
        assert re.search(rf"^  {name} ", out, re.MULTILINE), name
    assert max(map(len, out.splitlines())) <= 80


def test_the_help_of_a_run_shows_what_people_need(run):
    _, short, _ = run("run", "--help")
    _, whole, _ = run("run", "--help-all")
    options = re.compile(r"^ {2}(?:-\w, )?(--[\w-]+)", re.MULTILINE)
    assert options.findall(short) == [
        *("--metrics", "--profile", "--map", "--out", "--run"),
        *("--target", "--fail-under", "--baseline", "--limit", "--json"),
        *("--help-all", "--help"),
    ]
    rest = len(options.findall(whole)) - len(options.findall(short))
    assert f"{rest} more options: see --help-all." in short
    assert "--judge-repeats" in whole
