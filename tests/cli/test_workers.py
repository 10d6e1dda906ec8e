"""`assay run --workers`, with a sample that ends the process that scores it."""

import json
import os
import subprocess
import sys

from tests.poison import PLUGIN

from assay.runner.workers import ENDED


def test_one_sample_is_lost_and_the_rest_is_written(run, tmp_path):
    plugin, data, other = (tmp_path / name for name in ("mine.py", "a.jsonl", "b.jsonl"))
    plugin.write_text(PLUGIN)
    texts = [f"Answer {n} with {'poison' if n == 7 else 'syrup'}." for n in range(12)]
    data.write_text("".join(json.dumps({"response": text}) + "\n" for text in texts))
    other.write_text(data.read_text().replace("poison", "syrup"))
    chosen = ("--plugin", plugin, "-m", "custom.length,text.safety", "-q")
    options = ("--workers", "2", "--batch-size", "4", "--store", "s.db", "--run", "one")
    code, _, err = run("run", data, *chosen, *options, "-o", "out.jsonl")
    assert (code, "2 scores failed" in err) == (3, True)
    assert run("run", other, *chosen, "-o", "plain.jsonl")[0] == 0
    found = (tmp_path / "out.jsonl").read_text().splitlines()
    plain = (tmp_path / "plain.jsonl").read_text().splitlines()
    assert [ENDED in line for line in found] == [n == 7 for n in range(12)]
    assert found[:7] + found[8:] == plain[:7] + plain[8:]


INTERRUPT = """
import os, signal, sys

if any("spawn_main" in word for word in sys.orig_argv):  # a worker, before it runs anything of ours
    os.killpg(os.getpgrp(), signal.SIGINT)
"""


def test_an_interrupt_while_workers_start_is_told_in_one_line(tmp_path):
    """Ctrl-C goes to all processes of a terminal, at a moment when workers cannot handle it yet."""
    (tmp_path / "sitecustomize.py").write_text(INTERRUPT)
    data = tmp_path / "a.jsonl"
    data.write_text("".join(json.dumps({"response": f"Answer {n}."}) + "\n" for n in range(40)))
    path = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    words = ("run", data, "--workers", "2", "--batch-size", "4", "-m", "text.safety", "-q")
    ended = subprocess.run(
        [sys.executable, "-m", "assay", *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        start_new_session=True,
        capture_output=True,
        text=True,
    )
    assert (ended.returncode, ended.stderr.strip()) == (130, "Interrupted.")
