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
    assert "no question has answers enough" in " ".join(err.split())
