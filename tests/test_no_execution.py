"""What models and files say is never executed, and nothing here could do so."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "src" / "assay").rglob("*.py"))
MODULES = {
    "pickle",
    "cPickle",
    "dill",
    "cloudpickle",
    "marshal",
    "shelve",
    "yaml",
    "jinja2",
    "mako",
}
"""They run what they read, or make programs of it."""
TEXTS = 500
CALLS = {"eval", "exec", "compile", "__import__"}


def imported(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield (node.module or "").partition(".")[0]


def called(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id
        if isinstance(node, ast.Call):
            for word in node.keywords:
                is_true = isinstance(word.value, ast.Constant) and word.value.value is True
                if word.arg == "shell" and is_true:
                    yield "shell=True"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT / "src")))
def test_no_module_can_execute_what_it_reads(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert MODULES.isdisjoint(imported(tree))
    assert (CALLS | {"shell=True"}).isdisjoint(called(tree))


def test_the_rule_sees_what_it_forbids():
    tree = ast.parse("import pickle.x\nfrom yaml import load\neval('1')\nrun('x', shell=True)")
    assert set(imported(tree)) == {"pickle", "yaml"}
    assert set(called(tree)) == {"eval", "run", "shell=True"}


def test_no_text_is_executed_by_any_metric():
    """Under a hook that sees whatever Python executes, compiles, starts or writes."""
    words = [sys.executable, "-m", "tests.watched", str(TEXTS)]
    ended = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout.strip()) == (0, str(TEXTS)), ended.stderr[-2000:]
