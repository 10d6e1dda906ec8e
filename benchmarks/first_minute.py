"""How long a new user waits: from a clone to the first right verdict on a CSV of their own.

`python -m benchmarks.first_minute` clones this repository into a new folder, installs it into a
new environment and scores a spreadsheet with headings of its own. It prints the times of
docs/start/index.md; packages come from where pip finds them, so downloads depend on the network.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

ROOT = Path(__file__).parent.parent
OWN = """Question,Model Answer,Correct Answer
What is the capital of France?,The capital of France is Paris.,Paris
What is the capital of Spain?,It is Lisbon.,Madrid
How many days has a leap year?,366 days,366
"""
VERDICT = "2 of 3 good; 1 to look at."
INSTALL = "python3 -m venv .venv && .venv/bin/pip install ."
SCORE = ".venv/bin/assay run answers.csv"


def main() -> None:
    with TemporaryDirectory() as folder:
        clone = Path(folder) / "assay"
        steps = {
            "git clone": (["git", "clone", "--quiet", str(ROOT), str(clone)], Path(folder)),
            INSTALL: (["sh", "-ec", INSTALL.replace("install", "install --quiet")], clone),
            SCORE: (SCORE.split(), clone),
        }
        total, output = 0.0, ""
        for name, (command, where) in steps.items():
            if name == SCORE:
                (clone / "answers.csv").write_text(OWN, encoding="utf-8")
            start = perf_counter()
            output = _run(command, where)
            elapsed = perf_counter() - start
            total += elapsed
            print(f"{elapsed:6.1f} s  {name}")
    print(f"{total:6.1f} s  in all, at a load of {os.getloadavg()[0]:.1f}")
    if VERDICT not in output:
        sys.exit(f"expected {VERDICT!r}, got:\n{output}")


def _run(command: list[str], where: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command, cwd=where, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()
