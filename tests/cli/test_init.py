"""`assay init`: the files it makes work as they are."""

import io
import json
import subprocess
import sys
import tomllib

import pytest

from assay.core.result_records import DeclaredMetrics
from assay.settings import Settings

FILES = ["assay.toml", "answers.csv", "tests/test_quality.py", ".github/workflows/quality.yml"]


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_all_files_are_made_without_asking(run, tmp_path):
    code, out, _ = run("init", "--yes")
    assert code == 0
    for name in FILES:
        assert (tmp_path / name).is_file()
        assert name in out
    workflow = (tmp_path / ".github/workflows/quality.yml").read_text(encoding="utf-8")
    assert "assay run answers.csv --fail-under 'pass_rate>=0.8'" in workflow
    assert "pytest tests" in workflow


@pytest.mark.parametrize(("kind", "bad"), [("answers", "line-4"), ("rag", "line-4")])
def test_the_sample_file_has_one_bad_answer_and_it_is_found(run, tmp_path, monkeypatch, kind, bad):
    monkeypatch.setattr(sys, "stdin", Terminal(f"{kind}\ny\nn\n"))
    run("init")
    assert not (tmp_path / ".github").exists()
    code, out, _ = run("run", f"{kind}.csv", "-o", "o.jsonl", "--json")
    assert code == 0
    summary = json.loads(out)
    lines = (tmp_path / "o.jsonl").read_text(encoding="utf-8").splitlines()
    records, declared = [*map(json.loads, lines)], DeclaredMetrics()
    failed = [
        record["id"]
        for record in records
        if any(
            score["gates"] and score.get("verdict") == "fail"
            for score in declared.results(record).values()
        )
    ]
    assert failed == [bad]
    assert (summary["passed"], summary["samples"]) == (4, 5)


def test_the_first_test_passes(run, tmp_path):
    run("init", "--yes")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "tests"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_settings_hold_with_all_lines_in_force(run, tmp_path):
    run("init", "--yes")
    text = (tmp_path / "assay.toml").read_text(encoding="utf-8")
    lines = text.splitlines()[2:]
    active = "\n".join(line.removeprefix("# ") for line in lines)
    assert set(tomllib.loads(active)) == {"metrics", "store", "gates", "map", "thresholds"}
    (tmp_path / "assay.toml").write_text(active, encoding="utf-8")
    assert Settings.load(tmp_path).map["response"] == "Model Answer"


def test_files_that_exist_are_kept(run, tmp_path):
    (tmp_path / "assay.toml").write_text("workers = 2\n", encoding="utf-8")
    _, out, _ = run("init", "--yes")
    assert "Kept:     assay.toml (it exists)" in out
    assert (tmp_path / "assay.toml").read_text(encoding="utf-8") == "workers = 2\n"


def test_where_nobody_can_be_asked_it_says_so(run, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    code, _, err = run("init")
    assert (code, err) == (
        2,
        "Error: cannot ask without a terminal; add --yes to create all files\n",
    )
    assert not list(tmp_path.iterdir())
