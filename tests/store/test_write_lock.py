"""The queue of programs that write to one SQLite file."""

import sys

import pytest

from assay.core.errors import StoreBusyError
from assay.store import write_lock as module
from assay.store.write_lock import write_lock

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no lock file on Windows")
URL = "sqlite:///s.db"


def test_one_holds_the_lock_at_a_time(tmp_path):
    path = tmp_path / "lock"
    with write_lock(path, 0.0, URL), pytest.raises(StoreBusyError), write_lock(path, 0.0, URL):
        pass
    with write_lock(path, 60.0, URL):
        pass


def test_a_wait_that_a_signal_ends_takes_no_lock(tmp_path, monkeypatch):
    path = tmp_path / "lock"

    def interrupted(turn, seconds):
        raise KeyboardInterrupt

    with write_lock(path, 0.0, URL), monkeypatch.context() as patch:
        patch.setattr(module._Turn, "comes_within", interrupted)
        with pytest.raises(KeyboardInterrupt), write_lock(path, 60.0, URL):
            pass
    with write_lock(path, 60.0, URL):
        pass
