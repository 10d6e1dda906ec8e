"""Metrics of plugins that misbehave in a process of their own cost their own scores, no more."""

import sys

import pytest

import assay
from assay.engine import metric_process

psutil = pytest.importorskip("psutil")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="caps on memory are Linux's")

PLUGIN = """
import assay
from pathlib import Path

@assay.metric(id="custom.bad", inputs=("response",), range=(0, 1), polarity="higher", threshold=0.5)
def bad(response: str, metadata: dict) -> assay.Result:
    '''Misbehaves at the second sample.'''
    if response == "Answer 1.":
{body}
    evidence = (assay.Span("response", 0, 6, "x"),)
    return assay.Result(1.0, f"{{response}} {{metadata['n']}}", evidence)

@assay.metric(id="custom.good", inputs=("response",), range=(0, 1), polarity="higher")
def good(response: str) -> float:
    '''Behaves.'''
    return 1.0
"""
HANG = "did not end within 300 seconds"
MARK = "Path(__file__).with_name('mark').touch()"
BAD = {
    "exits": ("import sys; sys.exit(0)", "SystemExit"),
    "ends at once": ("import os; os._exit(0)", "ended its process (exit code 0)"),
    "kills itself": ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "SIGKILL"),
    "crashes": ("import ctypes; ctypes.string_at(0)", "SIGSEGV"),
    "aborts": ("import os; os.abort()", "SIGABRT"),
    "hoards memory": ("hoard = bytearray(2_000_000_000)", "MemoryError"),
    "leaks": ("hoard = []\n        while True: hoard.append(bytearray(10_000_000))", "MemoryError"),
    "recurses": ("def again(): again()\n        again()", "RecursionError"),
    "hangs": (f"{MARK}\n        while True: pass", HANG),
    "sleeps": (f"import time; {MARK}; time.sleep(1_000)", HANG),
    "waits for ever": (f"import threading; {MARK}; threading.Event().wait()", HANG),
    "forks and hangs": (f"import os; os.fork(); {MARK}\n        while True: pass", HANG),
    "closes its files": ("import os; os.closerange(3, 100)", "ended its process"),
    "gives no result": ("return 'fine'", "TypeError"),
    "gives a figure of no use": ("return float('nan')", "outside"),
    "raises": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
}
SAMPLES = [{"response": f"Answer {n}.", "metadata": {"n": n}} for n in range(4)]


@pytest.fixture
def scored(tmp_path, monkeypatch):
    """Scores of a plugin whose metric does something at the second sample.

    Time is up for a metric that says that it hangs now, by a mark, and for no other.
    """
    mark = tmp_path / "mark"

    def has_answered(connection, seconds):
        while not connection.poll(0.01):
            if mark.exists():
                mark.unlink()
                return False
        return True

    monkeypatch.setattr(metric_process, "_has_answered", has_answered)

    def score(body, **given):
        path = tmp_path / "mine.py"
        path.write_text(PLUGIN.format(body=f"        {body}"), encoding="utf-8")
        metrics = ["custom.bad", "custom.good", "text.safety"]
        given = {"plugins": [str(path)], "settings": None, "plugin_memory": 700, **given}
        return assay.evaluate(SAMPLES, metrics, **given)

    return score


def own_processes():
    """What we have started, but for the process in which Python counts its semaphores."""
    started = psutil.Process().children(recursive=True)
    return {one for one in started if "resource_tracker" not in " ".join(one.cmdline())}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_metric_costs_its_own_scores(scored, kind):
    body, reason = BAD[kind]
    before = own_processes()
    report = scored(body)
    states = [scores["custom.bad"].state for scores in report.scores]
    assert states == ["ok", "error", "ok", "ok"]
    assert reason in report.scores[1]["custom.bad"].explanation
    for other in ("custom.good", "text.safety"):
        assert [scores[other].state for scores in report.scores] == ["ok"] * 4
    assert own_processes() <= before


def test_results_are_those_of_a_run_without_a_process(scored):
    apart, inside = scored("pass"), scored("pass", plugin_memory=0)
    assert [s.to_json() for s in apart.scores] == [s.to_json() for s in inside.scores]


def test_prints_do_not_mix_with_results(scored, capfd):
    scored("print('mixed up')")
    shown = capfd.readouterr()
    assert "mixed up" not in shown.out


def test_a_metric_that_always_ends_its_process_is_not_called_again(scored, monkeypatch):
    monkeypatch.setattr(metric_process, "MAX_ENDS", 1)
    report = scored("import os; os._exit(1)")
    states = [scores["custom.bad"].state for scores in report.scores]
    assert states == ["ok", "error", "error", "error"]
    assert "not called again" in report.scores[2]["custom.bad"].explanation


def test_a_process_that_hangs_up_and_goes_on_is_killed(scored, monkeypatch):
    monkeypatch.setattr(metric_process, "ENDING_SECONDS", 0.0)
    report = scored("import os, time; os.closerange(3, 256); time.sleep(1_000)")
    explanation = report.scores[1]["custom.bad"].explanation
    assert explanation == "The metric ended its process (it closed its connection)."
    assert report.scores[2]["custom.bad"].state == "ok"


def test_what_a_process_leaves_behind_is_killed(scored, tmp_path):
    scored(
        "import os, time\n"
        "        child = os.fork()\n"
        "        if child:\n"
        "            Path(__file__).with_name('child').write_text(str(child))\n"
        "            os._exit(0)\n"
        "        os.closerange(3, 256)\n"
        "        time.sleep(1_000)"
    )
    child = int((tmp_path / "child").read_text())
    if psutil.pid_exists(child):  # killed, and not waited for yet
        psutil.wait_procs([psutil.Process(child)], timeout=60)
    assert not psutil.pid_exists(child) or psutil.Process(child).status() == psutil.STATUS_ZOMBIE


def test_a_process_that_does_not_start_in_time_is_an_error(monkeypatch):
    monkeypatch.setattr(metric_process, "START_SECONDS", 0.0)
    process = metric_process.MetricProcess((), 700)
    (result,) = process.results("text.safety", [("a",)], {}, 1.0)
    assert result.explanation == "The process of the metric did not start within 0 seconds."


def test_what_cannot_be_sent_is_an_error(tmp_path):
    process = metric_process.MetricProcess((), 700)
    (result,) = process.results("text.safety", [(lambda: 0,)], {}, 1.0)
    assert result.state == "error"
    assert "cannot be sent" in result.explanation
