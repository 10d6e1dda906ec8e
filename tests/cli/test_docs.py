from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from assay import registry
from assay.cli import docs


@pytest.fixture
def written(tmp_path: Path) -> Path:
    docs.write(tmp_path)
    return tmp_path


def test_every_metric_has_its_page(written: Path) -> None:
    for metric in registry.metrics().values():
        assert (written / "metrics" / metric.family / f"{metric.name}.md").is_file()
    assert (written / "metrics" / "index.md").is_file()
    assert (written / "metrics" / "text" / "index.md").is_file()


def test_fresh_pages_pass_the_check(written: Path) -> None:
    assert docs.differences(written) == []
    result = CliRunner().invoke(docs.main, ["--check", str(written)])
    assert (result.exit_code, result.output) == (0, "")


def test_the_check_lists_what_is_wrong_and_changes_nothing(written: Path) -> None:
    folder = written / "metrics" / "text"
    (folder / "safety.md").write_text("old")
    (folder / "cost.md").unlink()
    (folder / "gone.md").write_text(docs.MARK)
    result = CliRunner().invoke(docs.main, ["--check", str(written)])
    assert result.exit_code == 1
    assert result.output.splitlines()[:-1] == [
        "missing: metrics/text/cost.md",
        "stale: metrics/text/safety.md",
        "left over: metrics/text/gone.md",
    ]
    assert (folder / "safety.md").read_text() == "old"


def test_writing_removes_left_over_pages_that_were_generated(written: Path) -> None:
    gone, own = (written / "metrics" / "text" / name for name in ("gone.md", "own.md"))
    gone.write_text(docs.MARK)
    own.write_text("Written by hand.")
    docs.write(written)
    assert not gone.exists()
    assert own.exists(), "nobody's own page is removed"


def test_writing_twice_changes_nothing(written: Path) -> None:
    before = {path: path.read_bytes() for path in written.rglob("*.md")}
    docs.write(written)
    assert {path: path.read_bytes() for path in written.rglob("*.md")} == before


def test_the_module_runs_as_a_command(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", "-m", "assay.cli.docs", "--check", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout.startswith("missing: reference/commands.md")
    assert done.stderr == ""
