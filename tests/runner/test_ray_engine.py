"""Blocks on a Ray cluster of this machine: the same result, whatever ends meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.runner.block_data import PLUGIN, rows, run, write_data

from assay.core import UsageError
from assay.runner.block_engines import ENVIRONMENT

pytest.importorskip("pyarrow")
ray = pytest.importorskip("ray", reason='ray is not installed: pip install "assay-eval[ray]"')

pytestmark = pytest.mark.filterwarnings("default")  # Ray's own
KILLS = 6


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """One cluster for all tests here; it takes seconds to start."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in ENVIRONMENT.items():
            patch.setenv(name, value)
        options = {"log_to_driver": False, "logging_level": "ERROR", "include_dashboard": False}
        ray.init(num_cpus=2, **options)
        yield
        ray.shutdown()


def test_ray_gives_what_one_process_gives(cluster: None, tmp_path: Path) -> None:
    data = write_data(tmp_path / "data")
    here = run(data, f"{tmp_path}/here/", detail="full")
    there = run(data, f"{tmp_path}/there/", detail="full", engine="ray")
    assert there.summary == here.summary
    for part in ("samples", "details"):
        assert rows(tmp_path / "there" / part) == rows(tmp_path / "here" / part)
    own, other = ((tmp_path / n / "run.json").read_bytes() for n in ("here", "there"))
    assert own == other


def test_killed_processes_lose_nothing_and_score_nothing_twice(
    cluster: None, tmp_path: Path
) -> None:
    fatal = {f"n{n}": f"Answer {n} is fatal ." for n in range(0, 60, 60 // KILLS)}
    data = write_data(tmp_path / "data", **fatal)
    marks = tmp_path / "marks"
    marks.mkdir()
    plugin = tmp_path / "mine.py"
    plugin.write_text(PLUGIN.format(folder=str(marks)))
    given = {"metrics": ("custom.length", "text.safety"), "plugins": (str(plugin),)}
    killed = run(data, f"{tmp_path}/killed/", engine="ray", **given)
    assert len(list(marks.iterdir())) == KILLS
    plain = run(data, f"{tmp_path}/plain/", **given)
    assert killed.summary == plain.summary
    assert rows(tmp_path / "killed/samples") == rows(tmp_path / "plain/samples")
    ids = [row["id"] for row in rows(tmp_path / "killed/samples") if row["id"]]
    assert len(ids) == len(set(ids)) == 59


def test_an_error_of_ours_comes_through(cluster: None, tmp_path: Path) -> None:
    data = write_data(tmp_path / "data")
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UsageError, match="holds a run"):
        run(data, f"{tmp_path}/out/", engine="ray")
        run(data, f"{tmp_path}/out/", engine="ray")
