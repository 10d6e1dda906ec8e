"""`assay run` by blocks: a data set of Parquet files, a folder as output."""

import json

import pytest


@pytest.fixture
def parquet():
    """PyArrow's module, where all that a run by blocks needs is installed."""
    pytest.importorskip("ddsketch", reason='it needs: pip install "assay-eval[scale]"')
    pytest.importorskip("duckdb", reason='it needs: pip install "assay-eval[scale]"')
    return pytest.importorskip("pyarrow.parquet")


@pytest.fixture
def data_set(parquet, tmp_path):
    """Writes a data set of so many rows; gives its folder."""
    from pyarrow import Table

    def write(count):
        folder = tmp_path / "data"
        folder.mkdir()
        rows = [{"id": f"a{n}", "answer": f"Answer {n} is fine."} for n in range(count)]
        parquet.write_table(Table.from_pylist(rows), folder / "a.parquet")
        return folder

    return write


def test_a_folder_as_output_goes_by_blocks(run, tmp_path, parquet, data_set):
    line = ("run", data_set(6), "-m", "text.safety", "-o", "out/", "--limit", "4")
    code, _, err = run(*line, "--fail-under", "text.safety>=0.5")
    assert code == 0, err
    assert "Written: out/" in err
    assert parquet.read_table(tmp_path / "out" / "samples").num_rows == 4
    code, _, err = run(*line)
    assert (code, "add --resume to go on with it" in err) == (2, True)
    code, out, _ = run(*line, "--resume", "--json")
    assert code == 0
    assert json.loads(out) == json.loads((tmp_path / "out" / "run.json").read_text())["summary"]


def test_a_run_by_blocks_is_stored_under_its_name(run, tmp_path, data_set):
    stored = ("--run", "big", "--store", "s.db")
    line = ("run", data_set(250), "-m", "text.safety", "-o", "out/", "--block-rows", "100")
    code, _, err = run(*line, *stored)
    assert code == 0, err
    assert "Stored: run big" in err
    assert len(list((tmp_path / "out" / "samples").iterdir())) == 3
    code, out, _ = run("show", "big", "--store", "s.db", "--json")
    assert (code, json.loads(out)["tests"]) == (0, 250)
    code, _, err = run(*line, *stored, "--resume")
    assert code == 0, err
    code, _, err = run(*line, "--store", "s.db", "--resume")
    assert (code, "--resume needs the run's name" in err) == (2, True)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--engine", "ray"], "--engine ray writes a folder; add --out FOLDER/"),
        (["--out", "x/", "--out", "y/"], "is kept in one folder; leave out the others"),
        (["--out", "x/"], "is no Parquet; a run by blocks reads Parquet"),
    ],
)
def test_runs_by_blocks_say_what_they_need(more, message, run, tmp_path):
    data = tmp_path / "a.jsonl"
    data.write_text('{"id": "a", "response": "The store is in town."}\n')
    code, _, err = run("run", data, "-m", "text.safety", *more)
    assert (code, message in err) == (2, True)
