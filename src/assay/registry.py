"""Finds the metrics, rules and features: walks our packages and asks installed plugins.

A plugin is an installed package with an entry point in the group `assay.metrics` that names a
module or package; everything in it that was made by `@metric` or `@rule` is found.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.metadata import entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from assay.core import (
    TEXT_FIELDS,
    Feature,
    Metric,
    Rule,
    TextFeature,
    UnknownMetricError,
    UsageError,
)
from assay.core.metric import as_rule
from assay.data.gating import gates

GATING = "@gating"
"""The selector of all metrics that gate without being chosen."""


@cache
def metrics() -> Mapping[str, Metric]:
    """All metrics by id, sorted: those of modules, and those that bundled tables make."""
    from assay.metrics.governance.dim.dimension import dimension_metrics
    from assay.metrics.judge.rubric import bundled_metrics

    declared = [*_declared(Metric), *dimension_metrics(), *bundled_metrics()]
    return {m.id: m for m in sorted(declared, key=lambda m: m.id)}


@cache
def rules() -> Mapping[str, Rule]:
    """All functions with an id by it, sorted: formulas and steps of metrics, and aggregates."""
    result = {r.id: r for r in _declared(Rule)}
    for id, function in _formulas():
        if id in result:
            raise UsageError(f"two definitions of {id!r}; a metric declares its own formula")
        result[id] = as_rule(id, function)
    return dict(sorted(result.items()))


def _formulas() -> Iterator[tuple[str, Callable[..., Any]]]:
    """What the metrics declare as their formulas and steps, by id."""
    for metric in metrics().values():
        if metric.formula is not None:
            yield metric.id, metric.formula
        yield from ((f"{metric.id}.{name}", step) for name, step in metric.steps.items())


@cache
def features() -> Mapping[str, Feature]:
    """All features by name."""
    import assay.features

    by_name: dict[str, Feature] = {}
    for module in _modules(assay.features):
        for value in vars(module).values():
            if isinstance(value, Feature):
                by_name[value.name] = value
            elif isinstance(value, TextFeature):
                by_name |= {f.name: f for f in map(value.of, TEXT_FIELDS)}
    return by_name


def select(
    selectors: Iterable[str],
    known: Mapping[str, Metric] | None = None,
    *,
    unasked: Container[str] = (),
) -> tuple[Metric, ...]:
    """The metrics that the selectors name, in the order of their ids.

    A selector is an id, a family, `family.group`, `@tag`, `@gating` (those that gate without being
    chosen) or `all`; `a&b` keeps what is in both, a leading `-` leaves out. `known` is all there is
    to choose from: the registry, unless given. The metrics that are `unasked` count only where an
    id or a family names them, not `all` or a tag.
    """
    known = metrics() if known is None else known
    chosen: set[str] = set()
    selectors = list(selectors)
    if selectors and all(selector.startswith("-") for selector in selectors):
        chosen = {id for id in known if id not in unasked}
    for selector in sorted(selectors, key=lambda s: s.startswith("-")):
        if selector.startswith("-"):
            chosen -= _named(selector[1:], known)
        else:
            ids = _named(selector, known)
            is_wide = any(map(_is_wide, selector.split("&")))
            chosen |= {id for id in ids if not (is_wide and id in unasked)}
    if not chosen:
        raise UsageError('no metric is selected; "assay metrics" lists all')
    return tuple(known[id] for id in sorted(chosen))


def chosen_ids(
    selectors: Iterable[str], known: Mapping[str, Metric] | None = None
) -> frozenset[str]:
    """The metrics that selectors choose on purpose: by id, family or group.

    `all` and tags take what there is; they choose nothing, and neither does leaving out.
    """
    known = metrics() if known is None else known
    return frozenset(
        id
        for selector in selectors
        if not selector.startswith("-") and not all(map(_is_wide, selector.split("&")))
        for id in _named(selector, known)
    )


def _is_wide(name: str) -> bool:
    return name.strip() == "all" or name.strip().startswith("@")


def _named(selector: str, known: Mapping[str, Metric]) -> set[str]:
    parts = [_named_by_one(part.strip(), known) for part in selector.split("&")]
    return set.intersection(*parts)


def _named_by_one(name: str, known: Mapping[str, Metric]) -> set[str]:
    if name == "all":
        return set(known)
    if name in known:
        return {name}
    if renamed := [id for id, m in known.items() if name in m.aliases]:
        return set(renamed)
    if name == GATING:
        ids = {m.id for m in known.values() if gates(m)}
    elif name.startswith("@"):
        ids = {m.id for m in known.values() if name[1:] in m.tags}
    else:
        ids = {m.id for m in known.values() if name in (m.family, f"{m.family}.{m.group}")}
    if not ids:
        raise UnknownMetricError(unknown_metric(name, known))
    return ids


def unknown_metric(name: str, known: Mapping[str, Metric]) -> str:
    """What is wrong with a selector or an id, and what was probably meant."""
    if name.startswith("@"):
        get_close_matche = {GATING, *(f"@{tag}" for m in known.values() for tag in m.tags)}
        tags = ", ".join(sorted(get_close_matche))
        return f"unknown tag {name!r}; expected one of {tags}"
    if same := [id for id, m in known.items() if m.name == name]:
        return f"{name!r} is not a full id; expected one of {', '.join(same)}"
    by_name = {m.name: id for id, m in known.items()}
    close = difflib.get_close_matches(name, [*known, *{m.family for m in known.values()}], n=1)
    close = close or [
        by_name[get_close_matche]
        for get_close_matche in difflib.get_close_matches(name.rpartition(".")[2], by_name, n=1)
    ]
    hint = f" did you mean {close[0]!r}?" if close else ""
    return f'unknown metric {name!r};{hint} "assay metrics" lists all'


def load_plugin(name: str) -> Mapping[str, Metric]:
    """The metrics of a module, given by its name or by the path of its file."""
    if name.endswith(".py"):
        path = Path(name).resolve()
        if not path.is_file():
            raise UsageError(f"no such plugin file: {name!r}")
        module_name = f"assay_plugin_{path.stem}"
        spec = spec_from_file_location(module_name, path)
        assert spec and spec.loader, path
        module = module_from_spec(spec)
        sys.modules[module_name] = module
        with _staying(name):
            spec.loader.exec_module(module)
    else:
        try:
            with _staying(name):
                module = importlib.import_module(name)
        except ModuleNotFoundError as error:
            raise UsageError(f"no such plugin module: {name!r} ({error})") from None
    plugin_metrics = {
        v.id: v for m in _modules(module) for v in vars(m).values() if isinstance(v, Metric)
    }
    if not plugin_metrics:
        raise UsageError(
            f"plugin {name!r} holds no metric; expected a function under @assay.metric"
        )
    return plugin_metrics


@contextmanager
def _staying(name: str) -> Iterator[None]:
    """Keeps a plugin that is being imported from ending the program."""
    try:
        yield
    except SystemExit as error:
        raise UsageError(f"plugin {name!r} ends the program when imported: {error!r}") from None


Declared = TypeVar("Declared", Metric, Rule)


def _declared(kind: type[Declared]) -> list[Declared]:
    """Everything of that kind in our metrics and in plugins; an id may stand once."""
    import assay.metrics

    roots = [assay.metrics, *(point.load() for point in entry_points(group="assay.metrics"))]
    declared: dict[str, Declared] = {}
    for module in (module for root in roots for module in _modules(root)):
        for value in vars(module).values():
            if isinstance(value, kind) and declared.setdefault(value.id, value) is not value:
                raise UsageError(
                    f"two definitions of {value.id!r}; the second is in {module.__name__}"
                )
    return list(declared.values())


def _modules(root: ModuleType) -> Iterator[ModuleType]:
    """The module and, when it is a package, all that lies below it."""
    yield root
    for info in pkgutil.walk_packages(getattr(root, "__path__", ()), f"{root.__name__}."):
        yield importlib.import_module(info.name)
