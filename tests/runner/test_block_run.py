from __future__ import annotations

import gc
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from tests.runner.block_data import PLUGIN, rows, run, streamed, write_data

from assay.core import DataError, UsageError
from assay.core.errors import RunBusyError
from assay.engine import GatePolicy, Tally, parse_gate
from assay.runner import block_engines
from assay.runner.block_run import BlockData
from assay.runner.execute import Observer
from assay.runner.gating import GateRequest
from assay.settings import Settings

pytest.importorskip("pyarrow")
pytest.importorskip("ddsketch", reason='ddsketch is not installed: pip install "assay-eval[scale]"')


def summary(out: Path | str) -> Any:
    return json.loads((Path(out) / "run.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("detail", ["values", "failing", "full"])
def test_blocks_give_what_one_process_gives(tmp_path: Path, detail: Any) -> None:
    data = write_data(tmp_path / "data")
    whole = streamed(data, str(tmp_path / "one.parquet"), detail=detail)
    parts = run(data, f"{tmp_path}/out/", detail=detail)
    assert parts.summary == whole.summary
    assert parts.summary.unread == 1
    assert rows(tmp_path / "out/samples") == rows(tmp_path / "one.parquet")
    assert len(list((tmp_path / "out/samples").iterdir())) == 10
    assert (tmp_path / "out/details").exists() == (detail != "values")
    if detail != "values":
        assert rows(tmp_path / "out/details") == rows(tmp_path / "one.details.parquet")
    kept = summary(tmp_path / "out")
    assert kept["summary"] == json.loads(json.dumps(whole.summary.to_json()))
    assert kept["quantiles"]["text.coherence"]["0.5"] == pytest.approx(1.0, rel=0.0101)


def test_several_processes_give_the_same(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data")
    alone, several = (run(data, f"{tmp_path}/{n}/", workers=n) for n in (1, 2))
    assert several.summary == alone.summary
    assert rows(tmp_path / "1/samples") == rows(tmp_path / "2/samples")


def test_processes_that_end_lose_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block_engines, "ATTEMPTS", 1)
    fatal = {f"n{n}": f"Answer {n} is fatal ." for n in (3, 41)}
    data = write_data(tmp_path / "data", **fatal, n50="This is poison .")
    marks = tmp_path / "marks"
    marks.mkdir()
    plugin = tmp_path / "mine.py"
    plugin.write_text(PLUGIN.format(folder=str(marks)))
    given = {"metrics": ("custom.length", "text.safety"), "plugins": (str(plugin),)}
    result = run(data, f"{tmp_path}/out/", workers=2, **given)
    assert len(list(marks.iterdir())) == 2
    scored = rows(tmp_path / "out/samples")
    assert len(scored) == 60
    by_id = {row["id"]: row for row in scored if row["id"]}
    assert len(by_id) == 59
    assert by_id["r003"]["custom.length"] == len("Answer 3 is fatal .")
    assert by_id["r050"]["errors"] == ["custom.length", "text.safety"]
    assert result.summary.samples == 59
    assert result.summary.errors == 2


def test_a_run_goes_on_with_the_blocks_that_are_left(tmp_path: Path) -> None:
    data, out = write_data(tmp_path / "data"), f"{tmp_path}/out/"
    whole = run(data, out)
    before = rows(tmp_path / "out/samples")
    for number in (2, 7):
        (tmp_path / f"out/blocks/{number:06}.json.gz").unlink()
        (tmp_path / f"out/samples/part-{number:06}.parquet").write_bytes(b"half a file")
    (tmp_path / "out/run.json").unlink()
    marks = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "out/samples").iterdir()}
    again = run(data, out, resume=True)
    assert again.summary == whole.summary
    assert rows(tmp_path / "out/samples") == before
    later = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "out/samples").iterdir()}
    changed = {name for name in marks if marks[name] != later[name]}
    assert changed == {"part-000002.parquet", "part-000007.parquet"}
    assert summary(out)["blocks"] == 10


def test_a_folder_with_a_run_is_not_written_over(tmp_path: Path) -> None:
    data, out = write_data(tmp_path / "data"), f"{tmp_path}/out/"
    run(data, out)
    with pytest.raises(UsageError, match="holds a run; add --resume"):
        run(data, out)
    with pytest.raises(DataError, match="holds blocks of another run"):
        run(data, out, resume=True, thresholds={"text.safety": 0.1})
    other = write_data(tmp_path / "other", 20)
    with pytest.raises(DataError, match=r"holds blocks/000004\.json\.gz, which is no block"):
        run(other, out, resume=True)


class Rival(Observer):
    """Begins another run in the same folder as soon as a block is finished."""

    def __init__(self, data: str, out: str) -> None:
        self.data, self.out = data, out
        self.errors: list[str] = []

    def scored(self, tally: Tally) -> None:
        with pytest.raises(RunBusyError) as raised:
            run(self.data, self.out, resume=True, thresholds={"text.safety": 0.1})
        self.errors.append(str(raised.value))


def test_of_two_programs_that_write_to_a_folder_the_second_is_refused(tmp_path: Path) -> None:
    data, out = write_data(tmp_path / "data"), f"{tmp_path}/out/"
    rival = Rival(data, out)
    run(data, out, observer=rival)
    assert len(rival.errors) == summary(out)["blocks"]
    assert "another program writes to" in rival.errors[0]
    alone = f"{tmp_path}/alone/"
    run(data, alone)
    assert rows(f"{out}samples") == rows(f"{alone}samples")
    run(data, out, resume=True)


def test_redaction_and_thresholds_count(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data", n2="joe@example.com " * 3)
    run(data, f"{tmp_path}/out/", detail="full", redact=True, thresholds={"text.coherence": 0.999})
    written = b"".join(path.read_bytes() for path in (tmp_path / "out").rglob("*.parquet"))
    manifests = [gzip.decompress(p.read_bytes()) for p in (tmp_path / "out/blocks").iterdir()]
    details = json.dumps(rows(tmp_path / "out/details"))
    assert "joe@example.com" not in details
    assert not any(b"joe@example.com" in text for text in [written, *manifests])
    assert '"threshold": 0.999' in details


def test_gates_are_decided_by_the_whole(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data")
    gates = GateRequest((parse_gate("text.safety>=0.99"), parse_gate("errors<=0")), GatePolicy())
    verdicts = run(data, f"{tmp_path}/out/", gates=gates).summary.gates
    assert [verdict.passes for verdict in verdicts] == [False, True]


def test_what_needs_one_process_is_refused(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data")
    group = GateRequest((parse_gate("text.safety[tag=a]>=0.9"),), GatePolicy())
    with pytest.raises(UsageError, match="cannot have a gate on a group of samples"):
        run(data, f"{tmp_path}/out/", gates=group)
    with pytest.raises(UsageError, match="unknown engine 'dask'; expected local, ray or ray:ADDR"):
        run(data, f"{tmp_path}/out/", engine="dask")
    with pytest.raises(UsageError, match="is no Parquet"):
        BlockData("answers.jsonl", Settings.load())


def test_the_cycle_collector_is_left_as_it_was(tmp_path: Path) -> None:
    usual = gc.get_threshold()
    run(write_data(tmp_path / "data"), f"{tmp_path}/out/")
    assert (gc.get_threshold(), gc.get_freeze_count()) == (usual, 0)


def test_a_limit_cuts_the_blocks(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data")
    source = BlockData(data, Settings.load(), limit=40)
    parts = source.parts(7)
    assert sum(part.rows for part in parts) == 40
    assert len(list(source.items())) == 40


def test_an_address_can_be_read_and_written(tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed")
    local = write_data(tmp_path / "data")
    name = f"memory://{tmp_path.name}"
    for path in Path(local).iterdir():
        with fsspec.open(f"{name}/data/{path.name}", "wb") as file:
            file.write(path.read_bytes())
    there = run(f"{name}/data", f"{name}/out/")
    here = run(local, f"{tmp_path}/out/")
    assert there.summary.metrics == here.summary.metrics
    with fsspec.open(f"{name}/out/run.json") as file:
        assert json.load(file)["quantiles"] == summary(tmp_path / "out")["quantiles"]
