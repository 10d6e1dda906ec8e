"""`assay run --score-repeats`: pass@k, pass^k and consistency as gates."""

import json

import pytest

CHECKS = [{"contains": "Paris"}]


def write(path, records):
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("gate", "code"),
    [
        ("pass@3>=90%", 0),
        ("pass^3>=0.9", 1),
        ("consistency>=0.95", 1),
        ("pass@9>=1%", 1),
        ("pass^1>=50% n>=100", 1),
    ],
)
def test_they_gate(tmp_path, run, gate, code):
    records = [
        {"query": f"Q{n}?", "responses": ["Paris", "Paris", "Rome"], "checks": CHECKS}
        for n in range(40)
    ]
    file = write(tmp_path / "tries.jsonl", records)
    words = ("run", file, "-m", "check.passed", "--score-repeats", "--store", "none")
    outcome, out, err = run(*words, "--fail-under", gate)
    assert outcome == code, err
    assert "120 answers to 40 questions: pass@1 66.7 %" in " ".join(
        out.replace("\xa0", " ").split()
    )


def test_a_gate_on_repeats_without_any_is_undecided(tmp_path, run):
    file = write(tmp_path / "one.jsonl", [{"response": "Paris", "checks": CHECKS}])
    words = ("run", file, "-m", "check.passed", "--store", "none")
    code, _, err = run(*words, "--fail-under", "pass@2>=1%")
    assert code == 1
    assert "no question has enough answers" in " ".join(err.split())


@pytest.fixture
def files(tmp_path, run):
    """Scores five questions, each answered ten times; the answers to some are wrong."""

    def make(name, *wrong):
        answers = [["Rome" if n in wrong else "Paris"] * 10 for n in range(5)]
        records = [
            {"id": f"q{n}", "query": f"Q{n}?", "responses": texts, "checks": CHECKS}
            for n, texts in enumerate(answers)
        ]
        return write(tmp_path / f"{name}-answers.jsonl", records)

    def score(name, *wrong, baseline=()):
        out = str(tmp_path / f"{name}.jsonl")
        words = ("run", make(name, *wrong), "-m", "check.passed", "--score-repeats")
        return out, run(*words, "--store", "none", "--out", out, *baseline)

    return score


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_file_names_the_question_of_each_answer(tmp_path, run, workers):
    records = [{"id": "q", "query": "Q?", "responses": ["Paris", "Rome"], "checks": CHECKS}]
    file, out = write(tmp_path / "in.jsonl", records), tmp_path / "out.jsonl"
    words = ("-m", "check.passed", "--score-repeats", "--store", "none", "--workers", workers)
    run("run", file, *words, "--out", str(out))
    written = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [(line["id"], line["repeat_of"]) for line in written] == [("q#1", "q"), ("q#2", "q")]


def test_ten_answers_to_a_question_are_one_pair_of_a_comparison(files, run):
    """Of fifty independent pairs ten lost passes would be worse beyond doubt."""
    before, after = files("before")[0], files("after", 0)[0]
    code, out, err = run("compare", before, after, "--fail-if-worse", "--json")
    assert code == 0, err
    comparison = json.loads(out)
    assert (comparison["pairs"], comparison["repeated"]) == (5, 0)
    assert {change["verdict"] for change in comparison["metrics"]} == {"too few samples"}
    assert run("compare", before, files("all", *range(5))[0], "--fail-if-worse")[0] == 1


def test_a_gate_against_a_baseline_counts_questions(files):
    before, _ = files("before")
    gate = ("--baseline", before, "--fail-under", "pass_rate>=1%", "--flaky", "pass")
    assert files("after", 0, baseline=gate)[1][0] == 0
    code, _, err = files("all", *range(5), baseline=gate)[1]
    assert code == 1
    assert "lost 5 passes and gained 0, of 5 pairs" in " ".join(err.split())
