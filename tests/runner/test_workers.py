"""A sample that ends the process that scores it."""

import json
import threading
from concurrent.futures import Future
from dataclasses import replace

import pytest
from tests.poison import PLUGIN

from assay.backends import Backends
from assay.backends.judge_questions import JudgeSpending, VerdictUsage
from assay.backends.judge_settings import JudgeSettings
from assay.core import AssayError, Sample, SampleError
from assay.engine import GatePolicy, GateWatch, parse_gate
from assay.report import open_writer
from assay.runner import Job, stream, workers
from assay.runner.execute import RunRequest, declarations, execute
from assay.runner.gating import GateRequest
from assay.runner.stream import run_stream
from assay.runner.workers import ENDED, ThreadFailures
from assay.settings import Settings

METRICS = ("custom.length", "text.safety")


class Kept(list):
    """A sink that keeps what it is given."""

    def write(self, sample, scores):
        self.append(scores.to_json())


@pytest.fixture
def plugin(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(PLUGIN)
    return str(path)


def samples(count, *poison):
    texts = (f"Answer {n}" + (" with poison." if n in poison else ".") for n in range(count))
    return [Sample(id=str(n), response=text) for n, text in enumerate(texts)]


def scored(plugin, count, *poison, workers=2, size=8):
    kept = Kept()
    job = Job(METRICS, plugins=(plugin,))
    summary = run_stream(
        samples(count, *poison), job, sinks=[kept], workers=workers, batch_size=size
    )
    return summary, kept


def test_a_run_goes_on_without_the_samples_that_end_a_process(plugin):
    poison = (0, 5, 43)
    summary, found = scored(plugin, 60, *poison)
    _, plain = scored(plugin, 60, workers=1)
    assert summary.samples == 60
    assert [one["id"] for one in found] == [str(n) for n in range(60)]
    for n, (one, harmless) in enumerate(zip(found, plain, strict=True)):
        if n not in poison:
            assert one == harmless
            continue
        for id in METRICS:
            assert one["scores"][id]["state"] == "error"
            assert one["scores"][id]["explanation"] == ENDED
            assert one["scores"][id]["signature"] == harmless["scores"][id]["signature"]


def test_a_run_ends_when_no_sample_can_be_scored(plugin, monkeypatch):
    monkeypatch.setattr(workers, "MAX_IN_A_ROW", 3)
    with pytest.raises(AssayError, match="for each of 3 samples in a row"):
        scored(plugin, 8, *range(8))


def test_a_run_ends_when_workers_cannot_start(tmp_path):
    plugin = tmp_path / "late.py"
    plugin.write_text(
        "import multiprocessing, os\n"
        "if multiprocessing.parent_process():\n    os._exit(1)\n" + PLUGIN
    )
    with pytest.raises(AssayError, match="before it scored anything"):
        scored(str(plugin), 8)


def test_processes_that_come_later_get_what_is_left_of_the_judges_caps(plugin):
    caps = JudgeSettings(max_calls=10, max_tokens=100, max_spend=1.0)
    spent = JudgeSpending(calls=4, usage=VerdictUsage(30, 20), usd=0.25)
    left = workers._left(caps, spent)
    assert (left.max_calls, left.max_tokens, left.max_spend) == (6, 50, 0.75)
    assert workers._left(caps, JudgeSpending()) == caps
    used_up = workers._left(caps, JudgeSpending(20, 0, VerdictUsage(300, 0), 2.0))
    assert (used_up.max_calls, used_up.max_tokens) == (1, 1)
    assert 0 < used_up.max_spend < 0.01
    assert workers._left(JudgeSettings(), spent) == JudgeSettings() == Backends().judging


def written(path, found, count, *, detail="full", plugin=None, gates=None):
    """The bytes of a file of results, and the sums, by so many processes in small batches."""
    overrides = {"workers": count, "batch_size": 7}
    request = RunRequest(
        items=found,
        job=Job(METRICS if plugin else ("text",), plugins=(plugin,) if plugin else ()),
        settings=Settings.load(environ={}, overrides=overrides),
        out=(str(path),),
        detail=detail,
        gates=gates,
    )
    summary = execute(request).summary
    return path.read_bytes(), summary.to_json(), summary.worst


def varied(count):
    """Samples of different scores, some of which cannot be read."""
    texts = ("The store is open.", "Damn, mail bob@example.com.", "I cannot say. ", "متجر مفتوح")
    found = [
        Sample(id=str(n), query="Where is it?", response=texts[n % 4] * (n % 5), duration=n / 9)
        for n in range(count)
    ]
    return [SampleError("line 1: broken"), *found[:20], SampleError("line 22: broken"), *found[20:]]


@pytest.mark.parametrize("detail", ["full", "failing", "values"])
def test_files_and_sums_are_the_same_for_any_number_of_workers(tmp_path, detail):
    alone, *others = (
        written(tmp_path / f"{count}.jsonl", varied(75), count, detail=detail)
        for count in (1, 2, 3)
    )
    assert alone[0].count(b"\n") == 75
    assert others == [alone, alone]


def test_gates_are_the_same_for_any_number_of_workers(tmp_path):
    wanted = ("text.safety>=0.5", "text.safety[tag=odd]>=0.9", "samples>=70")
    gates = GateRequest(tuple(map(parse_gate, wanted)), GatePolicy())
    tagged = [
        item
        if isinstance(item, SampleError) or int(item.id) % 2 == 0
        else replace(item, tags=("odd",))
        for item in varied(75)
    ]
    alone, shared = (
        written(tmp_path / f"{count}.jsonl", tagged, count, gates=gates) for count in (1, 2)
    )
    assert shared == alone
    assert [gate["gate"] for gate in alone[1]["gates"]] == [*wanted]


def test_a_watch_over_gates_leaves_lines_to_the_workers(tmp_path):
    plan = Job(("text",)).plan()
    watch = GateWatch([parse_gate("text.safety>=0.5")], plan)
    writer = open_writer(str(tmp_path / "a.jsonl"), declared=declarations(plan))
    assert stream._renderers([writer, watch]) == (writer.renderer,)
    assert stream._renderers([writer, Kept()]) is None
    writer.abort()


def test_a_file_is_whole_when_a_sample_ends_its_process(tmp_path, plugin):
    text, summary, _ = written(tmp_path / "a.jsonl", samples(30, 0, 16), 2, plugin=plugin)
    records = [json.loads(line) for line in text.splitlines()]
    assert [record["id"] for record in records] == [str(n) for n in range(30)]
    assert ["metrics" in record for record in records] == [True] + [False] * 29
    assert [r["id"] for r in records if r["scores"]["text.safety"].get("state") == "error"] == [
        "0",
        "16",
    ]
    assert summary["metrics"]["text.safety"]["errors"] == 2


def test_long_samples_make_small_batches():
    found = [Sample(id=str(n), response="long " * 50_000) for n in range(10)]
    batches = list(stream._batches(iter(found), 256))
    assert [len(batch) for batch in batches] == [4, 4, 2]
    assert [one for batch in batches for one in batch] == found


def test_two_runs_of_one_program_notice_a_refused_thread_and_leave_no_hook(monkeypatch):
    def end(message):
        """Have a thread end with an error."""
        thread = threading.Thread(target=fail, args=(message,))
        thread.start()
        thread.join()

    def fail(message):
        raise RuntimeError(message)

    others = []
    monkeypatch.setattr(threading, "excepthook", others.append)
    first, second = ThreadFailures(), ThreadFailures()
    end("a mistake")
    assert (first.message, second.message, len(others)) == ("", "", 1)
    end("can't start new thread")
    assert "refuses another process" in first.message
    assert first.message == second.message
    with pytest.raises(AssayError, match="refuses another process"):
        first.result(Future())
    first.close()
    second.close()
    third = ThreadFailures()
    third.close()
    end("can't start new thread")
    assert (third.message, len(others)) == ("", 2)
