import json

import pytest
from tests.runner.block_data import run as run_blocks
from tests.runner.block_data import write_data

pytest.importorskip("duckdb", reason='duckdb is not installed: pip install "assay-eval[scale]"')


@pytest.fixture
def folder(tmp_path):
    run_blocks(write_data(tmp_path / "data"), f"{tmp_path}/out/")
    return str(tmp_path / "out")


def test_the_worst_samples_are_listed(run, folder):
    code, out, err = run("scores", folder, "-m", "text.safety", "--verdict", "fail", "--worst", "2")
    assert code == 0, err
    count, *lines = out.splitlines()
    assert count.endswith(" samples")
    assert len(lines) == 2
    assert "fail" in lines[0]


def test_json_holds_the_same(run, folder):
    code, out, _ = run("scores", folder, "-m", "text.safety", "--histogram", "--json")
    document = json.loads(out)
    assert code == 0
    assert document["samples"] == 59
    assert len(document["worst"]) == 10
    assert sum(part["samples"] for part in document["histogram"]) == 59


def test_a_histogram_is_drawn(run, folder):
    code, out, _ = run("scores", folder, "-m", "text.safety", "--histogram", "--worst", "0")
    assert code == 0
    assert out.count("█") >= 40
    code, _, err = run("scores", folder, "--histogram")
    assert (code, "--histogram needs --metric ID" in err) == (2, True)


def test_one_sample_is_shown(run, folder):
    code, out, _ = run("scores", folder, "--sample", "r005")
    assert code == 0
    assert "id: r005" in out
    assert "text.safety: " in out
