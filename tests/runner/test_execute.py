"""The one way in which a run happens."""

import ast
import traceback
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

import assay
from assay.cli import main
from assay.core import DataError, SampleError
from assay.runner import Job, RunRequest, execute
from assay.runner.execute import RecordRequest, Rows, execute_one
from assay.settings import Settings
from assay.store import open_store
from assay.store.run_list import find_run, read_run

SOURCE = Path(assay.__file__).parent
MAIL = "jane.doe@example.org"
PLUGIN = """
import assay, sys, threading, traceback

@assay.metric(id="own.depth", inputs=("response",), range=(0, None), polarity="neutral")
def depth(response: str) -> assay.Result:
    \"\"\"Frames.\"\"\"
    main = sys._current_frames()[threading.main_thread().ident]
    found = [frame.name for frame in traceback.extract_stack(main)]
    return assay.Result(float(len(found)), ",".join(found))
"""


def request(*texts, **given):
    samples = [assay.Sample(f"s{n}", response=text) for n, text in enumerate(texts)]
    settings = given.pop("settings", Settings.load())
    return RunRequest(items=samples, job=Job(("text.safety",)), settings=settings, **given)


def callers(name):
    """The modules of the product that import a name."""
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and any(part.name == name for part in node.names):
                yield path.relative_to(SOURCE).as_posix()


def test_nobody_scores_or_masks_past_it():
    assert set(callers("run_stream")) == {"runner/execute.py"}
    assert set(callers("mask_scores")) == {"runner/stream.py", "testing/session_rows.py"}
    engine = {"engine/__init__.py", "runner/workers.py", "runner/verify.py"}
    evidence = {"evidence/probes.py", "evidence/measure.py"}
    pages = {"cli/marked_example.py"}
    ours = {"__init__.py"}  # `assay.score_batch` is another one, which goes through `execute`
    assert set(callers("score_batch")) == engine | evidence | pages | ours


def test_few_frames_lie_between_the_command_and_a_metric(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plugin.py").write_text(PLUGIN)
    (tmp_path / "a.jsonl").write_text('{"response": "x"}')
    given = ["--plugin", "plugin.py", "-m", "own.depth", "--out", "-", "--store", "none"]
    monkeypatch.setattr("sys.argv", ["assay", "run", "a.jsonl", *given])
    before = len(traceback.extract_stack())
    with pytest.raises(SystemExit):
        main()
    frames = assay.core.jsontext.loads(capsys.readouterr().out)["scores"]["own.depth"]
    names = frames["explanation"].split(",")[before:]
    ours = ["wrapped", "command", "execute", "run_stream"]
    ours += ["scored_here", "score_batch", "_score_step", "scores"]
    expected = ["main", "main", "invoke", "invoke", "invoke", *ours]
    assert names[: len(expected)] == expected  # from here on a thread of its own is waited for


def test_a_run_is_recorded_written_and_finished(tmp_path):
    store = open_store(str(tmp_path / "a.db"))
    out = tmp_path / "a.jsonl"
    record = RecordRequest(store=store, name="r", decided_by={"limit": 3})
    result = execute(request("Fine.", f"Write to {MAIL}.", record=record, out=(str(out),)))
    run = find_run(store, "r")
    assert (result.run, run.status, run.tests) == ("r", "finished", 2)
    assert run.plan["settings"]["limit"] == 3
    assert len(out.read_text().splitlines()) == 2
    with pytest.raises(assay.AssayError, match="'limit' was 3 and is now 4"):
        execute(
            request(
                "Fine.",
                record=RecordRequest(store=store, name="r", resume=True, decided_by={"limit": 4}),
            )
        )


def test_nothing_that_leaves_a_redacted_run_holds_personal_data(tmp_path):
    store = open_store(str(tmp_path / "a.db"))
    rows, out = Rows(), tmp_path / "a.json"
    settings = Settings.load(overrides={"redact": True})
    asked = request(
        f"Write to {MAIL}.",
        settings=settings,
        record=RecordRequest(store=store, name="r"),
        out=(str(out),),
        sinks=[rows],
    )
    result = execute(asked)
    ((sample, scores),) = read_run(store, find_run(store, "r"))
    everything = [rows.samples, rows.scores, result.summary, sample, scores, out.read_text()]
    assert MAIL not in repr(everything)
    assert scores["text.safety"].value == 0.85  # scored before it was masked


def test_what_is_wrong_with_a_record_is_masked_too():
    settings = Settings.load(overrides={"redact": True})
    asked = request("yes", settings=settings)
    bad = SampleError(f"line 1: {MAIL!r} is no sample")
    broken = RunRequest(items=[*asked.items, bad], job=asked.job, settings=settings)
    (problem,) = execute(broken).summary.problems
    assert MAIL not in problem
    with pytest.raises(DataError, match="none of the records can be used") as error:
        execute(replace(broken, items=[bad]))
    assert MAIL not in str(error.value)


def test_of_a_long_file_the_first_records_decide_that_none_can_be_used(monkeypatch):
    monkeypatch.setattr(import_module("assay.runner.execute"), "MAX_UNUSABLE", 3)
    bad = [SampleError(f"a.csv, line {line}: broken") for line in range(2, 9)]
    with pytest.raises(DataError, match=r"none of the first 3 records .* a.csv, lines 2, 3 and 4:"):
        execute(replace(request(), items=iter(bad)))


def test_samples_are_added_to_a_run_that_stays_open(tmp_path):
    store = open_store(str(tmp_path / "a.db"))
    record = RecordRequest(store=store, name="r", stays_open=True)
    first = execute_one(request("Fine.", record=record))[1]
    second = execute(request("Fine.", "Good.", record=record))
    run = find_run(store, "r")
    assert (run.tests, run.status) == (3, "running")
    assert len({*first.test_ids, *second.test_ids}) == 3
    execute(request("Fine.", record=RecordRequest(store=store, name="done")))
    with pytest.raises(assay.AssayError, match="'done' is finished"):
        execute(request("Fine.", record=RecordRequest(store=store, name="done", stays_open=True)))
