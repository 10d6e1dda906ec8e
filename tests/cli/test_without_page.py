"""An installation whose page of HTML reports was not built says so in time."""

from importlib import import_module

import pytest

from assay.core import UsageError
from assay.report import html


@pytest.fixture(autouse=True)
def _without(monkeypatch):
    def absent():
        raise UsageError("HTML reports are not part of this installation")

    monkeypatch.setattr(html, "page", absent)


def test_a_run_is_refused_before_anything_is_scored(run, tmp_path, monkeypatch):
    execute = import_module("assay.runner.execute")  # the package has the function by that name
    monkeypatch.setattr(execute, "run_stream", lambda *given, **options: pytest.fail("scored"))
    (tmp_path / "a.jsonl").write_text('{"response": "Yes."}\n', encoding="utf-8")
    code, _, err = run("run", "a.jsonl", "-o", "a.jsonl.out.csv", "-o", "a.html")
    assert code == 2
    assert "not part of this installation" in err
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


def test_the_demo_says_so_and_does_the_rest(run, tmp_path):
    code, out, _ = run("demo")
    assert code == 0
    assert "answer.correctness" in out
    assert "not part of this installation" in out
    assert [path.name for path in (tmp_path / "assay-demo").iterdir()] == ["samples.jsonl"]
