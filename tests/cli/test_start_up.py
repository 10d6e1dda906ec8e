"""A command starts at once: what is heavy is imported only where it is used."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import assay.cli
from assay.cli import COMMANDS

FORBIDDEN = ("pydantic", "numpy", "fastapi", "sqlalchemy", "rich", "pandas", "pyarrow", "re2")
HELP = "import assay.cli; assay.cli.app(['--help'], standalone_mode=False)"
COMMAND_MODULES = "\n".join(f"import assay.cli.{name}" for name in COMMANDS)


@pytest.mark.parametrize("call", ["import assay", HELP, COMMAND_MODULES])
def test_start_up_imports_nothing_heavy(call):
    listing = f"print([m for m in {FORBIDDEN!r} if m in sys.modules], file=sys.stderr)"
    code = f"import sys\n{call}\n{listing}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


HEAVY = (
    *("assay.engine", "assay.report", "assay.runner", "assay.evidence", "assay.features"),
    *("assay.metrics", "assay.store.", "assay.server.", "assay.mcp_server", "assay.stats.cuts"),
    *("assay.cli.experiment", "assay.cli.observing", "assay.cli.progress"),
)
"""Modules of ours that load NumPy, RE2, SQLAlchemy, Rich, pydantic or FastAPI."""


def test_only_heavy_modules_are_imported_late():
    folder = Path(assay.cli.__file__).parent
    for path in sorted(folder.glob("[!_]*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        functions = [part for part in ast.walk(tree) if isinstance(part, ast.FunctionDef)]
        late = [node for part in functions for node in ast.walk(part)]
        named = {node.module or "" for node in late if isinstance(node, ast.ImportFrom)}
        light = {name for name in named if name.startswith("assay") and not name.startswith(HEAVY)}
        assert not light, path.name
