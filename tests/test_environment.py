"""What runs at the start of Python, in an environment made from our lock."""

import importlib.util
import sysconfig
from importlib.metadata import entry_points
from pathlib import Path

from tests.lock import ROOT

KNOWN = {
    "a1_coverage.pth": 'import sys; exec(\'import os\\n\\nif os.getenv("COVERAGE_PROCESS_START")',
    "distutils-precedence.pth": "import os; var = 'SETUPTOOLS_USE_DISTUTILS'",
    "_editable_impl_assay_eval.pth": "/",
    "_editable_impl_assay_eval_models.pth": "/",
    "_virtualenv.pth": "import _virtualenv",
}
"""Files by which packages run code, or add folders, at every start; and how they begin."""
PLUGINS = {
    *("assay", "anyio", "asyncio", "hypothesispytest", "platformdirs", "schemathesis"),
    *("xdist", "xdist.looponfail"),
}


def paths():
    return sorted(Path(sysconfig.get_path("purelib")).glob("*.pth"))


def unexpected(files):
    """Files of that kind that are not ours or known."""
    return [
        path.name
        for path in files
        if not path.read_text(encoding="utf-8").startswith(KNOWN.get(path.name, "\0"))
    ]


def test_nothing_unknown_runs_at_the_start():
    assert unexpected(paths()) == []
    assert importlib.util.find_spec("usercustomize") is None
    site = importlib.util.find_spec("sitecustomize")
    assert site is None or ROOT not in Path(site.origin or "/").parents


def test_no_unknown_plugin_is_loaded_by_pytest():
    assert {entry.name for entry in entry_points(group="pytest11")} <= PLUGINS


def test_what_a_stolen_release_added_would_be_noticed(tmp_path):
    """As litellm_init.pth did in March 2026."""
    (tmp_path / "litellm_init.pth").write_text("import os; os.system('x')")
    (tmp_path / "distutils-precedence.pth").write_text("import evil")
    found = unexpected(sorted(tmp_path.glob("*.pth")))
    assert found == ["distutils-precedence.pth", "litellm_init.pth"]
