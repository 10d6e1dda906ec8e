"""The files of a run are read as they are, wherever its folder lies."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("duckdb", reason='duckdb is not installed: pip install "assay-eval[scale]"')
import pyarrow as pa
import pyarrow.parquet as pq

from assay.store.parquet_reader import PARQUET, ParquetReader

fsspec = pytest.importorskip(
    "fsspec", reason='fsspec is not installed: pip install "assay-eval[scale]"'
)


def written(folder: str) -> ParquetReader:
    """A folder of one block, whose only record tells where it lies."""
    for kind in ("samples", "details"):
        with fsspec.open(f"{folder}/{kind}/part-000000.parquet", "wb", auto_mkdir=True) as file:
            pq.write_table(pa.table({"place": [0], "note": [folder]}), file)
    return ParquetReader(folder, "big")


def notes(reader: ParquetReader, *paths: str | None) -> list[tuple[int, str]]:
    return reader.rows(f"SELECT place, note FROM {PARQUET}", [list(paths)])  # noqa: S608 -- no value


@pytest.mark.parametrize("name", ["scores[1]", "scores*", "scores?", "place=7", "score]s"])
def test_the_name_of_a_folder_is_no_pattern_and_gives_no_column(tmp_path: Path, name: str) -> None:
    for other in ("scores1", "scoresX"):
        written(f"{tmp_path}/{other}")
    reader = written(f"{tmp_path}/{name}")
    expected = [(0, f"{tmp_path}/{name}")]
    assert notes(reader, reader.sample_path(0)) == expected
    assert notes(reader, reader.path("details", 0)) == expected
    assert reader.path("details", 1) is None


def test_files_at_an_address_are_read_time_after_time(tmp_path: Path) -> None:
    for number in range(3):
        reader = written(f"memory://{tmp_path.name}/{number}")
        assert notes(reader, reader.sample_path(0)) == [(0, reader.folder)]
