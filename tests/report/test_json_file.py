from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any


def test_lines_are_the_records(hostile: str, make_run: Callable[..., Any], tmp_path: Path) -> None:
    run = make_run(hostile)
    text = run.write(tmp_path / "out.jsonl").decode()
    assert text.endswith("\n")
    records = [json.loads(line) for line in text.removesuffix("\n").split("\n")]
    assert records == [scores.to_json() for _, scores in run.scored]


def test_a_document_holds_samples_and_summary(
    hostile: str, make_run: Callable[..., Any], tmp_path: Path
) -> None:
    run = make_run(hostile)
    document = json.loads(run.write(tmp_path / "out.json"))
    assert list(document) == ["samples", "summary"]
    assert document["samples"] == [scores.to_json() for _, scores in run.scored]
    assert document["summary"] == json.loads(json.dumps(run.summary.to_json()))


def test_a_document_without_samples_is_valid(run: Any, tmp_path: Path) -> None:
    run.scored.clear()
    assert json.loads(run.write(tmp_path / "out.json"))["samples"] == []
