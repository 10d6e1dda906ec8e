"""An environment for each tool, made once below `.assay/peers`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".assay" / "peers"
RUNNERS = Path(__file__).with_name("runners")
QUIET = {
    "ASSAY_CACHE": "off",
    "ASSAY_SKIP_WEB": "1",
    "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
    "DEEPEVAL_DISABLE_PROGRESS_BAR": "YES",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "RAGAS_DO_NOT_TRACK": "true",
    "OPENBLAS_NUM_THREADS": "1",
}
"""Nothing is sent, nothing is kept, one thread."""
SHOWN_ERROR = 200
"""Characters of an error that the page shows."""


@dataclass(frozen=True)
class Tool:
    """A tool that is compared; see `tools.toml`."""

    name: str
    title: str
    package: str
    module: str
    metrics: tuple[str, ...]
    note: str
    command: str = ""
    distribution: str = ""

    @property
    def folder(self) -> Path:
        """Its environment."""
        return FOLDER / self.name

    @property
    def python(self) -> str:
        """The interpreter of its environment."""
        return str(self.folder / "bin" / "python")

    @property
    def program(self) -> str:
        """Its command line; empty where it has none."""
        return str(self.folder / "bin" / self.command) if self.command else ""

    @property
    def runner(self) -> Path:
        """The script that evaluates records with it."""
        return RUNNERS / f"{self.name.replace('-', '_')}_runner.py"

    def version(self) -> str:
        """The installed version."""
        name = self.distribution or self.package
        code = f"from importlib.metadata import version; print(version({name!r}))"
        return run([self.python, "-c", code]).stdout.strip()


def tools() -> list[Tool]:
    """All tools of `tools.toml`, in its order."""
    table = tomllib.loads((files(__package__) / "tools.toml").read_text(encoding="utf-8"))
    return [
        Tool(name, **{key: tuple(v) if isinstance(v, list) else v for key, v in entry.items()})
        for name, entry in table.items()
    ]


@dataclass(frozen=True)
class Installation:
    """What installing a tool came to."""

    mib: float
    """Growth of a new environment."""
    error: str = ""
    """Why it is not there, or cannot be imported."""


def install(tool: Tool) -> Installation:
    """Make the environment of a tool, unless that was done before."""
    known = tool.folder / "installed.json"
    if known.exists():
        return Installation(**json.loads(known.read_text(encoding="utf-8")))
    run([sys.executable, "-m", "venv", str(tool.folder)])
    before = _mib(tool.folder)
    pip = [tool.python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    done = run([*pip, tool.package], cwd=ROOT)
    error = _short(done.stderr) if done.returncode else ""
    found = Installation(_mib(tool.folder) - before, error or import_error(tool))
    known.write_text(json.dumps(found.__dict__), encoding="utf-8")
    return found


def import_error(tool: Tool) -> str:
    """Why the tool cannot be imported; empty where it can."""
    done = run([tool.python, "-c", f"import {tool.module}"])
    return _short(done.stderr) if done.returncode else ""


def run(command: list[str], cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a program of an environment, quietly."""
    return subprocess.run(
        command,
        capture_output=True,
        check=False,
        cwd=cwd,
        env={**{k: v for k, v in os.environ.items() if k != "PYTHONPATH"}, **QUIET},
        text=True,
    )


def _short(text: str) -> str:
    """The last line that says something."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:SHOWN_ERROR] if lines else "no reason given"


def _mib(folder: Path) -> float:
    sizes = (path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return sum(sizes) / 1024**2
