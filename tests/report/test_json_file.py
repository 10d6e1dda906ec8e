from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from assay.core import Result
from assay.core.result_records import DeclaredMetrics


def read(records: list[Any]) -> list[Any]:
    """The results of records, with all fields of every score."""
    declared = DeclaredMetrics()
    empty = {**Result().to_json(), "verdict": None, "gates": False}
    return [
        {
            id: {name: {**empty, **score}[name] for name in empty}
            for id, score in (declared.results(record) or {}).items()
        }
        for record in records
    ]


def whole(run: Any) -> list[Any]:
    return [json.loads(json.dumps(scores.to_json()["scores"])) for _, scores in run.scored]


def test_lines_are_the_records(hostile: str, make_run: Callable[..., Any], tmp_path: Path) -> None:
    run = make_run(hostile)
    text = run.write(tmp_path / "out.jsonl").decode()
    assert text.endswith("\n")
    records = [json.loads(line) for line in text.removesuffix("\n").split("\n")]
    assert [record["id"] for record in records] == [scores.id for _, scores in run.scored]
    assert read(records) == whole(run)


def test_a_document_holds_samples_and_summary(
    hostile: str, make_run: Callable[..., Any], tmp_path: Path
) -> None:
    run = make_run(hostile)
    document = json.loads(run.write(tmp_path / "out.json"))
    assert list(document) == ["samples", "summary"]
    assert read(document["samples"]) == whole(run)
    assert document["summary"] == json.loads(json.dumps(run.summary.to_json()))


def test_a_document_without_samples_is_valid(run: Any, tmp_path: Path) -> None:
    run.scored.clear()
    assert json.loads(run.write(tmp_path / "out.json"))["samples"] == []
