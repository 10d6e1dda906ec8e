"""What `assay verify` asks is what the product computes with."""

import ast
import inspect
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import assay
from assay import registry
from assay.core import UsageError
from assay.core.metric import as_rule

ROOT = Path(assay.__file__).parent


class Use(NamedTuple):
    """A name of the product, and the function or module that uses it."""

    module: str
    name: str
    user: str


@pytest.mark.parametrize("id", sorted(registry.rules()))
def test_a_rule_is_called_by_the_product_or_made_of_what_it_calls(id):
    function = registry.rules()[id].function
    own = f"{function.__module__}:{function.__name__}"
    if _users(function.__module__, function.__name__) - {own}:
        return
    called = {(use.module, use.name) for use in _uses() if use.user == own}
    shared = {name for module, name in called if _users(module, name) - {own}}
    assert shared, f"{own} computes on its own what the product computes elsewhere"


def test_a_second_definition_under_a_metrics_id_is_refused(monkeypatch):
    twin = as_rule("chat.top_k_accuracy", lambda similarity: similarity)
    found = registry._declared
    twins = {registry.Rule: [twin]}
    monkeypatch.setattr(registry, "_declared", lambda kind: [*found(kind), *twins.get(kind, ())])
    registry.rules.cache_clear()
    with pytest.raises(UsageError, match=r"two definitions of 'chat.top_k_accuracy'"):
        registry.rules()
    registry.rules.cache_clear()


def test_a_formula_is_the_metrics_own():
    for metric in registry.metrics().values():
        if metric.formula is not None:
            assert registry.rules()[metric.id].function is metric.formula
        for name, step in metric.steps.items():
            assert registry.rules()[f"{metric.id}.{name}"].function is step


def test_the_check_tells_a_twin_from_a_formula():
    assert _users("assay.scoring.toxicity", "keyword_score")
    assert not _users("assay.scoring.toxicity", "no_such_function")
    path = Path(inspect.getsourcefile(registry.metrics()["chat.top_k_accuracy"].function))
    tree = ast.parse(path.read_text(encoding="utf-8"))
    declared = [node for node in ast.walk(tree) if _is_declaration(node)]
    assert [node.arg for node in declared] == ["formula"]


def _users(module: str, name: str) -> set[str]:
    return _by_name().get((module, name), set())


@cache
def _by_name() -> dict[tuple[str, str], set[str]]:
    found: dict[tuple[str, str], set[str]] = {}
    for use in _uses():
        found.setdefault((use.module, use.name), set()).add(use.user)
    return found


@cache
def _uses() -> tuple[Use, ...]:
    """Where the product's functions use each other; what only declares a rule is no use."""
    return tuple(use for path in sorted(ROOT.rglob("*.py")) for use in _uses_in(path))


def _uses_in(path: Path) -> Iterator[Use]:
    module = ".".join(path.relative_to(ROOT.parent).with_suffix("").parts)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {
        node.name: (module, node.name)
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("assay"):
            for alias in node.names:
                names[alias.asname or alias.name] = (node.module, alias.name)
    for top in tree.body:
        is_function = isinstance(top, ast.FunctionDef)
        user = f"{module}:{top.name}" if is_function else module
        for node in (n for part in (top.body if is_function else [top]) for n in _loaded(part)):
            if isinstance(node, ast.Name) and node.id in names:
                yield Use(*names[node.id], user)
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                package, name = names.get(node.value.id, ("", ""))
                yield Use(f"{package}.{name}", node.attr, user)


def _loaded(top: ast.AST) -> Iterator[ast.AST]:
    """All nodes but imports and what declares a rule: `formula=`, `steps=` and `rule(…)(…)`."""
    if isinstance(top, ast.Import | ast.ImportFrom) or _is_declaration(top):
        return
    yield top
    for child in ast.iter_child_nodes(top):
        yield from _loaded(child)


def _is_declaration(node: ast.AST) -> bool:
    if isinstance(node, ast.keyword):
        return node.arg in ("formula", "steps")
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Call)
    return is_call and isinstance(node.func.func, ast.Name) and node.func.func.id == "rule"
