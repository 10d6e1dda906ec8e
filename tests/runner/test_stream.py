"""Runs over several processes."""

import os
import signal
import subprocess
import sys

import pytest

ENDLESS = """
from itertools import count
from assay.core import Sample
from assay.runner import Job
from assay.runner.stream import run_stream

if __name__ == "__main__":
    samples = (Sample(id=str(number), response="We open at nine.") for number in count())
    told = lambda tally: print("a batch is done", flush=True)
    run_stream(samples, Job(("text.safety",)), workers=2, batch_size=8, on_batch=told)
"""


@pytest.mark.skipif(os.name != "posix", reason="there is no SIGKILL")
def test_workers_end_with_a_parent_that_is_killed(tmp_path):
    program = tmp_path / "endless.py"
    program.write_text(ENDLESS)
    running = subprocess.Popen([sys.executable, str(program)], stdout=subprocess.PIPE, text=True)
    assert "done" in running.stdout.readline()
    running.send_signal(signal.SIGKILL)
    # The workers hold the other end of the pipe: it ends with the last of them.
    running.communicate(timeout=60)
    assert running.returncode == -signal.SIGKILL
