"""What metrics that are not ours may give, and what becomes of it."""

import subprocess
import sys
from fractions import Fraction
from threading import Event
from types import SimpleNamespace

import pytest

import assay
from assay.core import UsageError, jsontext
from assay.engine import foreign


def scored(given):
    @assay.metric(id="custom.any", inputs=("response",), range=(0, 1), polarity="higher")
    def any_metric(response):
        return given

    return assay.score(response="Fine.", metrics=[any_metric])["custom.any"]


@pytest.mark.parametrize("given", [1, True, 0.5, assay.Result(Fraction(1, 2), "Half.")])
def test_plain_numbers_are_results_too(given):
    result = scored(given)
    assert result.state == "ok"
    assert type(result.value) is float
    jsontext.dumps(result.to_json())


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (None, "the metric gave NoneType; expected assay.Result"),
        ("0.5", "the metric gave str"),
        (assay.Result(0.5, details={"words": {"a", "b"}}), "TypeError"),
        (assay.Result(0.5, details={"x": float("nan")}), "ValueError"),
        (assay.Result("high"), "ValueError"),
        (assay.Result(0.5, evidence=[("response", "a")]), "Error"),
    ],
)
def test_what_no_report_can_write_is_an_error(given, said):
    result = scored(given)
    assert result.state == "error"
    assert said in result.explanation
    jsontext.dumps(result.to_json())


def test_an_explanation_is_one_line():
    assert scored(assay.Result(0.5, "Two\nlines.")).explanation == "Two lines."


def custom(function, name="any"):
    declared = {"inputs": ("response",), "range": (0, 1), "polarity": "higher"}
    return assay.metric(id=f"custom.{name}", threshold=0.5, **declared)(function)


SAMPLES = [{"response": f"Answer {number}."} for number in range(4)]


@pytest.mark.parametrize("ending", [SystemExit(0), SystemExit("bye"), KeyboardInterrupt()])
def test_a_metric_cannot_end_the_program(ending):
    def leaves(response):
        if response == "Answer 1.":
            raise ending
        return 1.0

    report = assay.evaluate(SAMPLES, metrics=[custom(leaves)], settings=None)
    states = [scores["custom.any"].state for scores in report.scores]
    assert states == ["ok", "error", "ok", "ok"]
    assert type(ending).__name__ in report.scores[1]["custom.any"].explanation


def test_a_metric_that_never_returns_is_left_behind(monkeypatch):
    now, release, calls = [0.0], Event(), []
    monkeypatch.setattr(foreign, "SECONDS", 0.05)
    monkeypatch.setattr(foreign, "time", SimpleNamespace(monotonic=lambda: now[0]))

    def hangs(response):
        calls.append(response)
        if response == "Answer 1.":
            now[0] += 1
            release.wait()
        return 1.0

    metrics = [custom(hangs, "hangs"), custom(lambda response: 1.0, "works")]
    report = assay.evaluate(SAMPLES, metrics=metrics, batch_size=2, settings=None)
    release.set()
    assert calls == ["Answer 0.", "Answer 1."]
    assert [scores["custom.hangs"].state for scores in report.scores] == ["ok", *["error"] * 3]
    assert "did not end within 0.05 seconds" in report.scores[3]["custom.hangs"].explanation
    assert report.metrics["custom.works"].scored == 4


def test_a_plugin_cannot_end_the_program_when_imported(tmp_path):
    path = tmp_path / "leaver.py"
    path.write_text("import sys\nsys.exit(0)\n", encoding="utf-8")
    with pytest.raises(UsageError, match="ends the program when imported: SystemExit"):
        assay.evaluate(SAMPLES, plugins=[str(path)], settings=None)


def test_a_command_ends_with_3_when_a_metric_tries_to_end_it(tmp_path, monkeypatch):
    from assay.cli import main

    plugin, data = tmp_path / "leaver.py", tmp_path / "data.jsonl"
    plugin.write_text(
        "import sys, assay\n"
        "@assay.metric(id='custom.leaver', inputs=('response',), range=(0, 1), polarity='higher')\n"
        "def leaver(response):\n    'Leaves.'\n    sys.exit(0)\n",
        encoding="utf-8",
    )
    data.write_text('{"response": "x"}\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    command = ["assay", "run", str(data), "--plugin", str(plugin), "-m", "custom.leaver", "-q"]
    monkeypatch.setattr(sys, "argv", command)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 3


def test_a_metric_that_leaves_at_once_does_not_pass_its_gates(tmp_path):
    plugin, data = tmp_path / "leaver.py", tmp_path / "data.jsonl"
    plugin.write_text(
        "import os, assay\n"
        "@assay.metric(id='custom.leaver', inputs=('response',), range=(0, 1), polarity='higher')\n"
        "def leaver(response):\n"
        "    'Leaves; a process that it starts may.'\n"
        "    child = os.fork() or os._exit(7)\n"
        "    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7:\n"
        "        os._exit(0)\n"
        "    return 1.0\n",
        encoding="utf-8",
    )
    data.write_text('{"response": "x"}\n', encoding="utf-8")
    words = ["run", str(data), "--plugin", str(plugin), "-m", "custom.leaver", "--store", "none"]
    command = [sys.executable, "-m", "assay", *words, "--fail-under", "custom.leaver>=0.5"]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert ended.returncode == 1
    assert "Gate failed: custom.leaver>=0.5" in ended.stderr
