from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.core import DataError, UsageError
from assay.core.jsontext import loads
from assay.report import open_writer

ENDINGS = (".jsonl", ".jsonl.gz", ".json", ".csv", ".parquet", ".html", ".md", ".xml")
every_format = pytest.mark.parametrize("ending", ENDINGS)


@every_format
def test_hostile_text_is_written_in_every_format(
    ending: str, hostile: str, make_run: Callable[..., Any], tmp_path: Path
) -> None:
    assert make_run(hostile).write(tmp_path / f"out{ending}")
    assert len(list(tmp_path.iterdir())) == (2 if ending == ".parquet" else 1)


@every_format
def test_two_writes_give_the_same_bytes(ending: str, run: Any, tmp_path: Path) -> None:
    assert run.write(tmp_path / f"a{ending}") == run.write(tmp_path / f"b{ending}")


@every_format
def test_abort_leaves_nothing(ending: str, run: Any, tmp_path: Path) -> None:
    writer = open_writer(str(tmp_path / f"out{ending}"))
    writer.write(*run.scored[0])
    writer.abort()
    assert list(tmp_path.iterdir()) == []


@every_format
def test_abort_keeps_an_existing_file(ending: str, run: Any, tmp_path: Path) -> None:
    target = tmp_path / f"out{ending}"
    target.write_text("old")
    writer = open_writer(str(target))
    writer.write(*run.scored[0])
    writer.abort()
    assert target.read_text() == "old"


@every_format
def test_abort_after_close_keeps_the_file(ending: str, run: Any, tmp_path: Path) -> None:
    writer = open_writer(str(tmp_path / f"out{ending}"))
    writer.close(run.summary)
    writer.abort()
    assert (tmp_path / f"out{ending}").exists()


@every_format
def test_a_run_without_samples_is_written(
    ending: str, make_run: Callable[..., Any], tmp_path: Path
) -> None:
    nothing = make_run(
        "x",
        samples=0,
        overall=None,
        overall_interval=None,
        pass_rate=None,
        pass_rate_interval=None,
        passed=0,
        judged=0,
        metrics={},
        worst=[],
        unread=0,
        problems=(),
    )
    nothing.scored.clear()
    nothing.write(tmp_path / f"out{ending}")


@every_format
def test_a_missing_folder_is_refused_at_once(ending: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="does not exist"):
        open_writer(str(tmp_path / "nowhere" / f"out{ending}"))


@pytest.mark.parametrize("path", ["out.txt", "out", "out.csv.gz", ".json"])
def test_an_unknown_ending_is_refused_with_the_known_ones(path: str) -> None:
    with pytest.raises(UsageError) as refused:
        open_writer(path)
    assert all(ending in str(refused.value) for ending in ENDINGS)


def test_a_packed_file_holds_the_same_lines(run: Any, tmp_path: Path) -> None:
    packed = run.write(tmp_path / "a.jsonl.gz")
    assert gzip.decompress(packed) == run.write(tmp_path / "a.jsonl")


def test_an_ending_may_be_in_capitals(run: Any, tmp_path: Path) -> None:
    assert run.write(tmp_path / "OUT.MD").startswith(b"## Assay")


def test_a_dash_is_standard_output(run: Any, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    writer = open_writer("-")
    for sample, scores in run.scored:
        writer.write(sample, scores)
    writer.close(run.summary)
    lines = capfdbinary.readouterr().out.decode().splitlines()
    assert [loads(line)["id"] for line in lines] == [scores.id for _, scores in run.scored]
