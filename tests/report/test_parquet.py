from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.core import MissingExtraError
from assay.report import open_writer, parquet
from assay.report.safe_text import storable

pq = pytest.importorskip("pyarrow.parquet")


def test_one_row_for_each_sample_and_metric(
    hostile: str, make_run: Callable[..., Any], tmp_path: Path
) -> None:
    run = make_run(hostile)
    run.write(tmp_path / "out.parquet")
    table = pq.read_table(tmp_path / "out.parquet")
    assert table.column_names == list(parquet.COLUMNS)
    rows = table.to_pylist()
    pairs = [(storable(s.id), metric) for _, s in run.scored for metric in s.results]
    assert [(row["sample"], row["metric"]) for row in rows] == pairs
    for row, result in zip(
        rows, (r for _, s in run.scored for r in s.results.values()), strict=True
    ):
        assert row["value"] == result.value
        assert row["passed"] is result.passed
        assert row["state"] == result.state
        assert row["explanation"] == storable(result.explanation)
        assert json.loads(row["evidence"]) == [span._asdict() for span in result.evidence]


@pytest.mark.parametrize("bound", ["ROWS", "CHARACTERS"])
def test_row_groups_are_bounded(
    bound: str, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, bound, 5)
    run.scored.extend(run.scored * 2)
    run.write(tmp_path / "out.parquet")
    file = pq.ParquetFile(tmp_path / "out.parquet")
    assert file.num_row_groups == 6
    assert file.metadata.num_rows == 30


def test_without_the_package_its_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"assay-eval\[parquet\]"):
        open_writer(str(tmp_path / "out.parquet"))
    assert list(tmp_path.iterdir()) == []
