from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.core import Result, Sample, Scores
from assay.report.csv_file import CsvRows
from assay.report.safe_text import storable

STARTS = tuple("=+-@\t\r\n")


def _read(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode(), newline=""), strict=True))


def test_columns_and_values(run: Any, tmp_path: Path) -> None:
    header, low, high = _read(run.write(tmp_path / "out.csv"))
    assert header[:8] == [
        "id",
        "score",
        "passed",
        "verdict",
        "text.safety",
        "text.safety.passed",
        "text.safety.verdict",
        "text.safety.state",
    ]
    assert header[-1] == "details"
    assert len(low) == len(high) == len(header) == 4 + 4 * 5 + 1
    assert low[1:8] == ["0.6", "false", "fail", "0.25", "false", "fail", "ok"]
    relevance = header.index("text.relevance")
    assert low[relevance : relevance + 4] == ["", "", "", "missing"]


def test_text_survives_and_starts_no_formula(
    hostile: str, make_run: Callable[..., Any], tmp_path: Path
) -> None:
    run = make_run(hostile)
    header, low, _ = _read(run.write(tmp_path / "out.csv"))
    assert len(low) == len(header)
    assert low[0].removeprefix("'" if hostile.startswith(STARTS) else "") == storable(hostile)
    assert low[-1].removeprefix("'") == storable(run.scored[0][1].details)
    assert not any(cell.startswith(STARTS) for cell in low)


@pytest.mark.parametrize("start", [*STARTS, "＝", "＋", "－", "＠"])
def test_formula_starts_are_defused(start: str) -> None:
    text = CsvRows().sample(Sample(), Scores(f"{start}1", {}))
    assert _read(text.encode())[1][0] == f"'{start}1"


def test_our_own_negative_numbers_stay_numbers() -> None:
    text = CsvRows().sample(Sample(), Scores("s", {"a.b": Result(-1.5)}, -0.25))
    assert _read(text.encode())[1][:5] == ["s", "-0.25", "", "", "-1.5"]


def test_a_hostile_metric_name_is_defused_in_the_header() -> None:
    text = CsvRows().sample(Sample(), Scores("s", {"=a.b": Result(1.0)}))
    assert _read(text.encode())[0][4] == "'=a.b"


def test_without_samples_there_is_a_header(run: Any, tmp_path: Path) -> None:
    run.scored.clear()
    rows = _read(run.write(tmp_path / "out.csv"))
    assert [row[:5] for row in rows] == [["id", "score", "passed", "verdict", "text.safety"]]
