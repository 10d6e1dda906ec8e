"""Spreadsheet files."""

import sys
import zipfile
from datetime import date
from pathlib import Path

import pytest

from assay.core import DataError, MissingExtraError, Sample, SampleError
from assay.samples import read_samples
from assay.samples import workbook as workbook_module

pytest.importorskip("openpyxl")


def saved(path: Path, *rows: list[object]) -> Path:
    from openpyxl import Workbook

    book = Workbook()
    for row in rows:
        book.active.append(row)
    book.create_sheet("Other").append(["response", "of another sheet"])
    book.save(path)
    return path


HEADER = ["Question", "Model Answer", "Correct Answer", "Asked on"]


def test_the_first_sheet_is_read(tmp_path: Path) -> None:
    path = saved(
        tmp_path / "a.xlsx",
        [],
        HEADER,
        ["Where?", "Here.", "Here", date(2026, 1, 2)],
        [],
        ["How many?", 4, 4, None],
        ["أين؟", "  ", "هنا", None],
    )
    first, second, third = read_samples(path)
    assert isinstance(first, Sample)
    assert isinstance(second, Sample)
    assert isinstance(third, Sample)
    assert (first.id, first.query, first.response) == ("row-3", "Where?", "Here.")
    assert first.metadata["Asked on"].startswith("2026-01-02")
    assert (second.id, second.response, second.expected) == ("row-5", "4", "4")
    assert (third.query, third.response) == ("أين؟", None)


def test_formulas_are_not_computed(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.xlsx", ["response", "query"], ['=HYPERLINK("http://x")', "q"])
    (sample,) = read_samples(path)
    assert isinstance(sample, Sample)
    assert sample.response is None


def test_a_row_with_cells_beyond_the_header_is_a_bad_record(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.xlsx", ["response"], ["a"], ["b", "c"])
    first, second = read_samples(path)
    assert isinstance(first, Sample)
    assert isinstance(second, SampleError)
    assert str(second) == "a.xlsx, row 3: found 2 cells; expected 1 as in the header"


def test_what_is_no_workbook_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.xlsx").write_bytes(b"no zip")
    with zipfile.ZipFile(tmp_path / "b.xlsx", "w") as archive:
        archive.writestr("a.txt", "no workbook")
    for name in ("a.xlsx", "b.xlsx"):
        with pytest.raises(DataError, match="not readable as a workbook"):
            list(read_samples(tmp_path / name))


def test_what_unpacks_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved(tmp_path / "a.xlsx", ["response"], ["x" * 100_000])
    monkeypatch.setattr(workbook_module, "MAX_UNPACKED", 50_000)
    with pytest.raises(DataError, match=r"expected at most 50,000 .* save it as CSV or Parquet"):
        list(read_samples(path))


def test_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = saved(tmp_path / "a.xlsx", ["response"], ["a"])
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(MissingExtraError, match=r'pip install "assay-eval\[excel\]"'):
        list(read_samples(path))
