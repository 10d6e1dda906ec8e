"""The comparison with other tools: its table, its runners and its page; nothing is installed."""

import ast
from pathlib import Path

from benchmarks.peers.environments import RUNNERS, Installation, tools
from benchmarks.peers.figures import Figures
from benchmarks.peers.page import NONE, TITLES, page


def test_every_tool_has_a_runner_with_its_metrics():
    every = tools()
    assert {tool.runner.name for tool in every} | {"harness.py"} == {
        path.name for path in RUNNERS.glob("*.py")
    }
    for tool in every:
        keys = {
            key.value
            for node in ast.walk(ast.parse(tool.runner.read_text(encoding="utf-8")))
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "measure"
            for key in node.args[0].keys
        }
        assert keys == set(tool.metrics)
        assert keys <= set(TITLES)


def figures(name, rate=None, error=""):
    (tool,) = (tool for tool in tools() if tool.name == name)
    found = Figures(tool, "1.0", Installation(12.0, error))
    if rate:
        found.rates, found.peaks = {"exact": rate}, {"exact": 50.0}
        found.import_seconds, found.import_mib = 0.5, 40.0
    return found


def test_the_page_shows_ratios_and_errors():
    every = [
        figures("assay", 1000.0),
        figures("inspect", 50.0),
        figures("autoevals", 4000.0),
        figures("ragas", error="ImportError: no module a|b"),
    ]
    text = page(every, 100, 3, {"Cores": "2"}, "2026-01-01")
    assert "| Inspect | 1.0 | 50 | 20 | 50 |" in text
    assert "| autoevals | 1.0 | 4,000 | 0.25 | 50 |" in text
    assert text.index("| autoevals | 1.0 | 4,000") < text.index("| Inspect | 1.0 | 50")
    assert r"| Ragas | import or install | `ImportError: no module a\|b` |" in text
    assert f"| Ragas | 1.0 | 12 | {NONE} | {NONE} | {NONE} |" in text


def test_the_page_is_reachable():
    root = Path(__file__).parents[2]
    assert "reference/peers.md" in (root / "mkdocs.yml").read_text(encoding="utf-8")
    assert "bench-peers" in (root / "Makefile").read_text(encoding="utf-8")
