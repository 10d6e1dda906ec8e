from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from assay.core import DataError, SampleError
from assay.samples import count_records, read_samples
from assay.samples.parquet_dataset import MAX_SPLITS, ParquetDataset, partition_values

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def write(path: Path, rows: list[dict[str, Any]], **options: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows), path, **options)


def answers(start: int, end: int) -> list[dict[str, Any]]:
    return [{"id": f"a{n}", "response": f"Answer {n}."} for n in range(start, end)]


def test_a_folder_is_read_file_by_file_in_the_order_of_names(tmp_path: Path) -> None:
    write(tmp_path / "data" / "part-1.parquet", answers(3, 5))
    write(tmp_path / "data" / "part-0.parquet", answers(0, 3))
    (tmp_path / "data" / "README.txt").write_text("no answers")
    write(tmp_path / "data" / "_temporary" / "part-0.parquet", answers(7, 8))
    assert [s.id for s in read_samples(tmp_path / "data")] == ["a0", "a1", "a2", "a3", "a4"]
    assert count_records(tmp_path / "data") == 5
    assert count_records(tmp_path / "data", limit=2) == 2
    assert len(list(read_samples(tmp_path / "data", limit=2))) == 2


def test_rows_without_an_id_are_numbered_through_the_files(tmp_path: Path) -> None:
    for number in range(2):
        write(tmp_path / f"part-{number}.parquet", [{"response": "One."}, {"response": "Two."}])
    assert [s.id for s in read_samples(tmp_path)] == ["row-1", "row-2", "row-3", "row-4"]


def test_partitions_give_their_values_to_the_records(tmp_path: Path) -> None:
    write(tmp_path / "language=en" / "model=a%20b" / "part.parquet", answers(0, 1))
    write(tmp_path / "language=fr" / "model=c" / "part.parquet", answers(1, 2))
    english, french = read_samples(tmp_path)
    assert (english.language, english.metadata["model"]) == ("en", "a b")
    assert (french.language, french.metadata["model"]) == ("fr", "c")


def test_an_absent_partition_value_is_none() -> None:
    assert partition_values("a=__HIVE_DEFAULT_PARTITION__/b=1/x=2.parquet") == {"a": None, "b": "1"}


def test_an_address_is_read_where_fsspec_knows_it() -> None:
    fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed")
    name = f"memory://{uuid4().hex}"
    for number in range(2):
        with fsspec.open(f"{name}/part-{number}.parquet", "wb") as file:
            pq.write_table(pa.Table.from_pylist(answers(number, number + 1)), file)
    assert [s.id for s in read_samples(name)] == ["a0", "a1"]
    assert [s.id for s in read_samples(f"{name}/part-1.parquet")] == ["a1"]
    with pytest.raises(DataError, match="does not exist; expected a file, or a folder"):
        read_samples(f"memory://{uuid4().hex}")


def test_an_unknown_address_says_what_is_wrong() -> None:
    pytest.importorskip("fsspec", reason="fsspec is not installed")
    with pytest.raises(DataError, match="'nowhere://x' cannot be opened: Protocol not known"):
        read_samples("nowhere://x")


def test_a_folder_without_parquet_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"is a folder without \.parquet files"):
        read_samples(tmp_path)


def test_a_file_that_is_no_parquet_is_named(tmp_path: Path) -> None:
    write(tmp_path / "a.parquet", answers(0, 1))
    (tmp_path / "b.parquet").write_bytes(b"nothing of that kind")
    with pytest.raises(DataError, match=r"'b\.parquet' is not readable as Parquet"):
        read_samples(tmp_path)


def test_a_repeated_id_is_a_problem_at_its_row(tmp_path: Path) -> None:
    for number in range(2):
        write(tmp_path / f"part-{number}.parquet", answers(0, 1))
    _, second = read_samples(tmp_path)
    assert isinstance(second, SampleError)
    assert f"{tmp_path.name}, row 2: id 'a0' was used before" in str(second)


@pytest.mark.parametrize("group", [1, 3, 7, 50, 1000])
@pytest.mark.parametrize("size", [1, 4, 10, 1000])
def test_parts_hold_every_row_once(tmp_path: Path, group: int, size: int) -> None:
    write(tmp_path / "a.parquet", answers(0, 50), row_group_size=group)
    write(tmp_path / "b.parquet", answers(50, 61), row_group_size=group)
    dataset = ParquetDataset(str(tmp_path))
    parts = dataset.parts(size)
    records = [record for part in parts for record in dataset.records(part)]
    assert [record.value["id"] for record in records] == [f"a{n}" for n in range(61)]
    assert [record.place for record in records] == [f"row {n + 1}" for n in range(61)]
    assert all(part.rows <= max(size, -(-group // MAX_SPLITS)) for part in parts)


def test_damage_is_said_at_its_row_and_the_next_file_is_read(tmp_path: Path) -> None:
    write(tmp_path / "a.parquet", answers(0, 2000), row_group_size=1000, compression="none")
    data = bytearray((tmp_path / "a.parquet").read_bytes())
    middle = pq.read_metadata(tmp_path / "a.parquet").row_group(1).column(1).data_page_offset
    data[middle : middle + 40] = b"\xff" * 40
    (tmp_path / "a.parquet").write_bytes(data)
    write(tmp_path / "b.parquet", answers(2000, 2001))
    items = list(read_samples(tmp_path))
    problems = [item for item in items if isinstance(item, SampleError)]
    assert len(problems) == 1
    assert "a.parquet is damaged" in str(problems[0])
    assert items[0].id == "a0"
    assert items[-1].id == "a2000"
