from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.core import DataError, MissingExtraError
from assay.core.parquet_columns import DETAILS, LEADING
from assay.core.result_records import Declaration
from assay.report import open_writer, parquet
from assay.report.safe_text import storable

pq = pytest.importorskip("pyarrow.parquet")


def test_one_row_for_each_sample(
    hostile: str, make_run: Callable[..., Any], tmp_path: Path
) -> None:
    run = make_run(hostile)
    run.write(tmp_path / "out.parquet")
    table = pq.read_table(tmp_path / "out.parquet")
    metrics = list(run.scored[0][1].results)
    assert table.column_names == [
        *LEADING,
        *(name for metric in metrics for name in (metric, f"{metric}.verdict")),
    ]
    rows = table.to_pylist()
    for row, (_, scores) in zip(rows, run.scored, strict=True):
        assert row["id"] == storable(scores.id)
        assert (row["score"], row["verdict"]) == (scores.score, scores.verdict)
        assert row["imputed"] == ["text.factuality"]
        for metric, result in scores.results.items():
            assert row[metric] == result.value
            assert row[f"{metric}.verdict"] == result.verdict
    assert rows[0]["errors"] == ["custom.charm"]
    assert rows[1]["errors"] is None


def test_details_have_a_row_for_each_sample_and_metric(
    hostile: str, make_run: Callable[..., Any], tmp_path: Path
) -> None:
    run = make_run(hostile)
    run.write(tmp_path / "out.parquet")
    table = pq.read_table(tmp_path / "out.details.parquet")
    assert table.column_names == list(DETAILS)
    results = [(s, metric, r) for _, s in run.scored for metric, r in s.results.items()]
    for row, (scores, metric, result) in zip(table.to_pylist(), results, strict=True):
        assert (row["sample"], row["metric"]) == (storable(scores.id), metric)
        assert row["value"] == result.value
        assert row["passed"] is result.passed
        assert row["state"] == result.state
        assert row["explanation"] == storable(result.explanation)
        assert json.loads(row["evidence"]) == [span._asdict() for span in result.evidence]
        assert json.loads(row["details"]) == result.details


@pytest.mark.parametrize(
    ("detail", "kept"),
    [
        ("values", None),
        ("failing", [("text.safety", "fail"), ("custom.charm", None)]),
    ],
)
def test_reasons_are_kept_as_asked_for(detail: Any, kept: Any, run: Any, tmp_path: Path) -> None:
    writer = open_writer(str(tmp_path / "out.parquet"), detail=detail)
    for sample, scores in run.scored:
        writer.write(sample, scores)
    writer.close(run.summary)
    details = tmp_path / "out.details.parquet"
    assert details.exists() == (kept is not None)
    if kept:
        rows = pq.read_table(details).to_pylist()
        assert [(row["metric"], row["verdict"]) for row in rows] == kept


def test_metadata_say_what_holds_for_a_metric(run: Any, tmp_path: Path) -> None:
    declared = {
        id: Declaration(f"{id}|v:1", 0.5, True, (0.0, 1.0), "higher")
        for id in run.scored[0][1].results
    }
    writer = open_writer(str(tmp_path / "out.parquet"), declared=declared)
    writer.close(run.summary)
    about = json.loads(pq.read_schema(tmp_path / "out.parquet").metadata[b"assay"])
    assert about["form"] == 1
    assert about["metrics"]["text.safety"] == {
        "unit": "",
        "signature": "text.safety|v:1",
        "threshold": 0.5,
        "gates": True,
        "range": [0.0, 1.0],
        "polarity": "higher",
    }


@pytest.mark.parametrize(("bound", "groups"), [("ROWS", 3), ("CHARACTERS", 6)])
def test_row_groups_are_bounded(
    bound: str, groups: int, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, bound, 2)
    run.scored.extend(run.scored * 2)
    run.write(tmp_path / "out.parquet")
    file = pq.ParquetFile(tmp_path / "out.parquet")
    assert file.num_row_groups == groups
    assert file.metadata.num_rows == 6


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "out.details.parquet").mkdir()
    with pytest.raises(DataError, match=r"out\.details\.parquet' cannot be written"):
        open_writer(str(tmp_path / "out.parquet"))
    assert [path.name for path in tmp_path.iterdir()] == ["out.details.parquet"]


def test_without_the_package_its_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"assay-eval\[parquet\]"):
        open_writer(str(tmp_path / "out.parquet"))
    assert list(tmp_path.iterdir()) == []
