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
from dataclasses import fields
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
    Sample,
    TextFeature,
    UnknownMetricError,
    UsageError,
)
from assay.core.metric import as_rule
from assay.data.gating import gates
from assay.data.other_names import other_names

_SAMPLE_FIELDS = frozenset(field.name for field in fields(Sample))
MOST_SUGGESTED = 3
"""Metrics that are suggested for an unknown name."""
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
        for value in list(vars(module).values()):  # other threads may import into it
            if isinstance(value, Feature):
                by_name[value.name] = value
            elif isinstance(value, TextFeature):
                by_name |= {f.name: f for f in map(value.of, TEXT_FIELDS)}
    return by_name


def fields_read(metric: Metric, parameters: Iterable[str] | None = None) -> tuple[str, ...]:
    """The sample fields that a metric may read, itself or through its features, sorted.

    With `parameters`, those that it reads through these alone.
    """
    waiting = list(metric.parameters if parameters is None else parameters)
    known, seen = features(), set[str]()
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += known[name].parameters if name in known else ()
    return tuple(sorted(seen & _SAMPLE_FIELDS))


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
        candidates = dict.fromkeys([*_by_other_name(name, known), *same])
        return f"{name!r} is not a full id; expected one of {', '.join(candidates)}"
    near = _nearest(name, known)
    listed = " or ".join(filter(None, [", ".join(map(repr, near[:-1])), *map(repr, near[-1:])]))
    hint = f" did you mean {listed}?" if near else ""
    return f'unknown metric {name!r};{hint} "assay metrics" lists all'


def _nearest(name: str, known: Mapping[str, Metric]) -> list[str]:
    """What a wrong name may stand for: what other tools call so, else what is spelt alike."""
    if ids := _by_other_name(name, known):
        return ids
    families = {m.family for m in known.values()}
    if close := difflib.get_close_matches(name.lower(), [*known, *families], n=1):
        return close
    last = name.lower().rpartition(".")[2]
    by_name = {m.name: id for id, m in known.items()}
    by_name |= {a.rpartition(".")[2]: id for id, m in known.items() for a in m.aliases}
    if close := difflib.get_close_matches(last, [*by_name, *other_names()], n=1):
        return [by_name[close[0]]] if close[0] in by_name else _by_other_name(close[0], known)
    return [metric.id for metric in search(name, known)][:MOST_SUGGESTED]


def _by_other_name(name: str, known: Mapping[str, Metric]) -> list[str]:
    """The metrics that other tools call so."""
    words = _plain_name(name.rpartition(".")[2]).removesuffix("metric").removesuffix("score")
    ids = next((ids for other, ids in other_names().items() if _plain_name(other) == words), ())
    families = {m.family for m in known.values()}
    return [id for id in ids if id in known or id in families][:MOST_SUGGESTED]


def search(text: str, known: Mapping[str, Metric] | None = None) -> tuple[Metric, ...]:
    """The metrics whose id, aliases, names in other tools or summary hold the text, in this order.

    Case, blanks, `_` and `-` make no difference.
    """
    known = metrics() if known is None else known
    plain = _plain_name(text)
    others: dict[str, str] = {}
    for name, ids in other_names().items():
        for id in ids:
            others[id] = f"{others.get(id, '')} {_plain_name(name)}"
    ranks: dict[str, int] = {}
    for id, metric in known.items():
        places = (
            _plain_name(id),
            " ".join(map(_plain_name, metric.aliases)),
            others.get(id, ""),
            _plain_name(metric.summary),
        )
        rank = next((rank for rank, place in enumerate(places) if plain in place), None)
        if plain and rank is not None:
            ranks[id] = rank
    return tuple(known[id] for id in sorted(ranks, key=lambda name: (ranks[name], name)))


def _plain_name(name: str) -> str:
    return "".join(char for char in name.casefold() if char not in " _-")


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
        for value in list(vars(module).values()):  # other threads may import into it
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
