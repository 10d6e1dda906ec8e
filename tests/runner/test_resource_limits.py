"""A run for which the system has too little ends with the reason, harms no store, and resumes.

Every run is a program of its own, with workers and a store of SQLite; see `limited_run.py`.
"""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from tests.runner.limited_run import NO_FOLDER

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits are those of Linux")

RECORDS = 200
MEGABYTE = 2**20
FILES, MEMORY = "too many files are open", "there is not enough memory"
PROCESSES = "the system refuses another process or thread"
PROGRAM = Path(__file__).with_name("limited_run.py")


class LimitedRun:
    """A run in a folder of its own, repeated with and without a limit."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        lines = (
            {"id": str(n), "query": f"What is {n}?", "response": f"It is answer {n}. " * 5}
            for n in range(RECORDS)
        )
        (folder / "data.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")

    def __call__(self, limit, value, *more, workers=2):
        """Run once; gives the exit code and what stands on the error stream."""
        words = ["run", "data.jsonl", "-m", "text.safety", "--run", "r", "--store", "s.db"]
        words += ["--batch-size", "20", "--workers", str(workers), "--out", "scores.jsonl", "-q"]
        environment = {
            **os.environ,
            "ASSAY_CACHE_DIR": str(self.folder / "cache"),
            "OPENBLAS_NUM_THREADS": "1",
            **({"SQLITE_TMPDIR": NO_FOLDER} if limit == "temporary" else {}),
        }
        ended = subprocess.run(
            [sys.executable, str(PROGRAM), limit, str(value), *words, *more],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=240,  # only so that a run that never ends is seen
        )
        return ended.returncode, ended.stderr

    @property
    def scores(self):
        return (self.folder / "scores.jsonl").read_bytes()

    def is_sound(self):
        """Whether the store, where there is one, is in order."""
        store = self.folder / "s.db"
        if not store.exists():
            return True
        connection = sqlite3.connect(store)
        try:
            return connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        finally:
            connection.close()


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """What a run without limits writes."""
    run = LimitedRun(tmp_path_factory.mktemp("whole") / "run")
    assert run("none", 0) == (0, "")
    return run.scores


@pytest.fixture
def run(tmp_path):
    return LimitedRun(tmp_path / "run")


@pytest.mark.parametrize(
    ("limit", "value"),
    [
        ("RLIMIT_NOFILE", 64),
        ("RLIMIT_AS", 512 * MEGABYTE),
        ("processes", 8),
        ("threads", 8),
    ],
)
def test_a_run_completes_with_little(run, expected, limit, value):
    assert run(limit, value) == (0, "")
    assert run.scores == expected
    assert run.is_sound()


@pytest.mark.parametrize(
    ("limit", "value", "workers", "message"),
    [
        ("RLIMIT_NOFILE", 20, 2, FILES),
        ("RLIMIT_NOFILE", 12, 2, FILES),
        ("RLIMIT_FSIZE", 150_000, 2, "s.db' failed: "),
        ("memory", 4 * MEGABYTE, 1, MEMORY),
        ("memory", 4 * MEGABYTE, 2, ""),  # memory for the stack of a thread may be lacking first
        ("temporary", 0, 2, "no folder for temporary files"),
        ("processes", 0, 2, PROCESSES),
        ("processes", 1, 2, PROCESSES),
        ("processes", 2, 2, PROCESSES),
        ("threads", 0, 2, PROCESSES),
        ("threads", 1, 2, PROCESSES),
        ("threads", 2, 2, PROCESSES),  # the pool's own thread, which alone completes results
        ("threads", 3, 2, PROCESSES),  # the one that hands batches over
    ],
)
def test_a_run_with_too_little_ends_with_the_reason_and_resumes(
    run, expected, limit, value, workers, message
):
    code, error = run(limit, value, workers=workers)
    assert code == 2
    assert error.startswith("Error: ")
    assert message in error
    assert error.count("\n") == 1, error
    assert run.is_sound()
    assert run("none", 0, "--resume") == (0, "")
    assert run.scores == expected
    assert run.is_sound()
