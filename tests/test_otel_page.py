"""The page on OpenTelemetry: its trace is scored by its command."""

import json
import re
from pathlib import Path

from tests.cli.conftest import run  # noqa: F401 -- a fixture of this test too

PAGE = (Path(__file__).parent.parent / "docs/how-to/opentelemetry.md").read_text(encoding="utf-8")


def test_its_trace_is_scored_and_the_scores_name_the_span(run, tmp_path):  # noqa: F811
    (trace,) = re.findall(r"```json[^\n]*\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "traces.json").write_text(json.dumps(json.loads(trace)), encoding="utf-8")
    (command,) = re.findall(r"^\$ assay (.*)$", PAGE, re.MULTILINE)
    code, _, err = run(*command.split())
    assert code == 0, err
    document = json.loads((tmp_path / "results.otlp.json").read_text(encoding="utf-8"))
    events = document["resourceLogs"][0]["scopeLogs"][0]["logRecords"]
    assert {event["spanId"] for event in events} == {"051581bf3cb55c13"}
    assert {event["timeUnixNano"] for event in events} == {"1700000001500000000"}
    assert len(events) > 3


def test_a_stored_run_writes_the_same_events(run, tmp_path):  # noqa: F811
    (trace,) = re.findall(r"```json[^\n]*\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "traces.json").write_text(trace, encoding="utf-8")
    run("run", "traces.json", "--run", "live", "-o", "a.otlp.json", "-q")
    code, _, err = run("show", "live", "--out", "b.otlp.json")
    assert code == 0, err
    one, other = (json.loads((tmp_path / f"{name}.otlp.json").read_text()) for name in "ab")
    assert one == other
