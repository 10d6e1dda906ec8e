"""A class name means one thing: whoever searches for it finds one definition."""

import ast
from collections import defaultdict
from pathlib import Path

import assay

SOURCE = Path(assay.__file__).parent
SHARED = ("server/schemas/", "store/migrations/")
"""The server's answers are called as what they show; migrations keep the state of their day."""


def test_no_public_class_name_is_used_twice():
    places = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        if name.startswith(SHARED):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(f"{name}:{node.lineno}")
    assert {name: own for name, own in places.items() if len(own) > 1} == {}
