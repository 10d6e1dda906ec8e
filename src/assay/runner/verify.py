"""Runs test vectors: the general door to every metric's rule.

A vector's inputs are sample fields, features that the metric reads, the scores of its parts by
their names, or the parameters of its formula (a similarity, say); its params are the metric's
options, those of the JSON comparison, and `threshold`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from dataclasses import fields as dataclass_fields
from inspect import signature
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from assay import registry
from assay.core import AssayError, DataError, Metric, Result, Rule, UnknownMetricError
from assay.core.jsontext import loads
from assay.data import Profile
from assay.data.json_options import JsonOptions
from assay.engine import make_plan, score_batch
from assay.jsoncompare.field_comparison import NO_MODELS
from assay.runner.guide_example import custom_example
from assay.runner.json_calls import compare_json
from assay.samples import mapping, to_sample

SIMILARITIES = "similarities"
"""The input that says how alike the fields of two JSON documents are."""
_RULES = {custom_example.id: custom_example}
"""Rules of vectors alone."""


@dataclass(frozen=True, slots=True)
class Vector:
    """One worked value."""

    metric: str
    inputs: Mapping[str, Any]
    params: Mapping[str, Any]
    expected: Any
    tolerance: float
    why: str


@dataclass(frozen=True, slots=True)
class VectorFailure:
    """A vector that does not hold, and how."""

    vector: Vector
    reason: str


def read_vectors(path: str | Path) -> list[Vector]:
    """Read a file of vectors: a list of `{metric, inputs, params, expected, tolerance, why}`."""
    try:
        listed = loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise DataError(f"no such file: {str(path)!r}") from None
    except OSError as error:
        raise DataError(f"{str(path)!r} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise DataError(f"{str(path)!r} is not a JSON file: {error}") from None
    if not isinstance(listed, list):
        raise DataError(f"{str(path)!r} holds no list; expected a list of vectors")
    return [_vector(entry, f"{path}, vector {number}") for number, entry in enumerate(listed, 1)]


def verify(vectors: Iterable[Vector]) -> Iterator[VectorFailure | None]:
    """Check vectors one by one; None for each that holds."""
    for vector in vectors:
        try:
            actual = _actual(vector)
        except AssayError as error:
            yield VectorFailure(vector, str(error))
            continue
        holds = _equal(vector.expected, actual, vector.tolerance)
        reason = f"expected {vector.expected!r}, got {actual!r}"
        yield None if holds else VectorFailure(vector, reason)


def _vector(entry: Any, place: str) -> Vector:
    if not isinstance(entry, dict) or not isinstance(entry.get("metric"), str):
        raise DataError(f"{place}: expected an object with 'metric', 'inputs' and 'expected'")
    for key in ("inputs", "params"):
        if not isinstance(entry.get(key, {}), dict):
            raise DataError(f"{place}: {key!r} is {entry[key]!r}; expected an object")
    return Vector(
        entry["metric"],
        entry.get("inputs", {}),
        entry.get("params", {}),
        entry.get("expected"),
        float(entry.get("tolerance", 0)),
        str(entry.get("why", "")),
    )


def _actual(vector: Vector) -> Any:
    """What our rule says."""
    metric = _metric(vector.metric)
    rule = _RULES.get(vector.metric) or registry.rules().get(metric.id if metric else vector.metric)
    if rule and (metric is None or set(vector.inputs) <= set(rule.parameters)):
        return _ask_rule(rule, vector)
    if metric:
        vector = _with_options(metric, vector)
    name, _, part = vector.metric.rpartition(".")
    if part == "passed" and (judged := _metric(name)):
        return _ask_verdict(judged, vector)
    if metric and metric.family == "json" and vector.inputs.get(SIMILARITIES):
        return _ask_comparison(metric, vector)
    if metric is None:
        raise UnknownMetricError(f"unknown metric {vector.metric!r}")
    result = _ask_metric(metric, vector)
    return result.details if isinstance(vector.expected, dict | list) else result.value


def _metric(name: str) -> Metric | None:
    """The metric of that id or alias."""
    known = registry.metrics()
    return known.get(name) or next((m for m in known.values() if name in m.aliases), None)


def _with_options(metric: Metric, vector: Vector) -> Vector:
    """The vector with options that stand among its inputs as params."""
    known = {*metric.options, *(_JSON_OPTIONS if metric.family == "json" else ())} - {"metrics"}
    options = {n: v for n, v in vector.inputs.items() if n in known and _field(n) is None}
    inputs = {name: value for name, value in vector.inputs.items() if name not in options}
    return replace(vector, inputs=inputs, params={**options, **vector.params})


def _ask_rule(rule: Rule, vector: Vector) -> Any:
    given = {**vector.inputs, **vector.params}
    if "threshold" not in signature(rule.function).parameters and _metric(rule.id):
        given.pop("threshold", None)  # concerns the verdict, not the value
    for name in [name for name in given if name not in rule.parameters]:
        given[_field(name) or name] = given.pop(name)
    try:
        return rule(**given)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise DataError(f"the inputs do not fit the rule: {error}") from None


def _ask_verdict(metric: Metric, vector: Vector) -> bool | None:
    """The verdict on a value given as `score` or `value`, else on the computed one."""
    value = vector.inputs.get("score", vector.inputs.get("value"))
    threshold = vector.params.get("threshold", metric.threshold)
    if value is None:
        return _ask_metric(metric, vector).passed
    return None if threshold is None else metric.holds(value, threshold)


def _ask_metric(metric: Metric, vector: Vector) -> Result:
    present = {name: value for name, value in vector.inputs.items() if value is not None}
    parts = _parts(metric, vector)
    given = {name: value for name, value in present.items() if _is_given(name, metric)}
    if parts:
        given = {name: value for name, value in given.items() if name not in parts.names}
        given["scores"] = parts.results
    elif "scores" in given:
        given["scores"] = _results(given["scores"])
    fields = {n: v for n, v in present.items() if n not in given and n not in parts.names}
    sample = to_sample(fields, "vector", needs_content=False)
    backends = NO_MODELS if metric.family == "json" else None  # fields are compared by rule alone
    plan = make_plan([metric], _profile(metric, vector), backends=backends, given=given)
    result = score_batch(plan, [sample], given)[0][metric.id]
    if result.state == "error":
        raise DataError(result.explanation)
    return result


class _Parts(NamedTuple):
    """Scores that stand in for those of a composite's parts."""

    names: frozenset[str] = frozenset()
    results: Mapping[str, Result] = MappingProxyType({})

    def __bool__(self) -> bool:
        return bool(self.names)


def _parts(metric: Metric, vector: Vector) -> _Parts:
    """The inputs that are named like a part of a composite; a part without an input is missing."""
    if not metric.is_composite:
        return _Parts()
    ids = {id.rpartition(".")[2]: id for id in metric.options["metrics"]}
    names = frozenset(ids.keys() & vector.inputs.keys())
    if not names:
        return _Parts()
    return _Parts(names, {id: _part(id, vector.inputs.get(name)) for name, id in ids.items()})


def _part(id: str, value: float | None) -> Result:
    if value is None:
        return Result.missing(f"The vector has no {id!r}.")._replace(metric=id)
    return Result(value, quality=registry.metrics()[id].quality(value), metric=id)


def _profile(metric: Metric, vector: Vector) -> Profile:
    """The vector's params as a profile: the metric's options, and those of the JSON comparison."""
    params = {name: value for name, value in vector.params.items() if name != "threshold"}
    thresholds = {metric.id: vector.params["threshold"]} if "threshold" in vector.params else {}
    of_json = {n: v for n, v in params.items() if n in _JSON_OPTIONS and n not in metric.options}
    return Profile(
        "vector",
        thresholds=thresholds,
        options={metric.id: {n: v for n, v in params.items() if n not in of_json}},
        json_options=_json_options(of_json),
    )


def _json_options(params: Mapping[str, Any]) -> JsonOptions:
    return JsonOptions(**{_JSON_OPTIONS[name]: value for name, value in params.items()})


_JSON_OPTIONS = {
    "field_strategies": "strategies",
    **{field.name: field.name for field in dataclass_fields(JsonOptions)},
}
"""Name in a vector → field of the options."""


def _ask_comparison(metric: Metric, vector: Vector) -> Any:
    """A score of two JSON documents whose fields' similarities are given."""
    gt, aio = (_document(vector.inputs, name) for name in ("expected_json", "response_json"))
    if gt is None or aio is None:
        return None
    params = {name: value for name, value in vector.params.items() if name != "threshold"}
    result = compare_json(
        gt,
        aio,
        options=_json_options(params),
        backends=NO_MODELS,
        similarities=vector.inputs[SIMILARITIES],
    )
    return getattr(result, metric.name)


def _document(inputs: Mapping[str, Any], field: str) -> Any:
    return next((value for name, value in inputs.items() if _field(name) == field), None)


def _is_given(name: str, metric: Metric) -> bool:
    """Whether an input is a feature or another variable of the rule, not a field of the sample."""
    if name in registry.features() or name == "scores":
        return True
    return name in metric.parameters and _field(name) is None


def _field(name: str) -> str | None:
    """The sample field that goes by that name."""
    return mapping((name,)).get(name)


def _results(scores: Any) -> dict[str, Result]:
    """Plain numbers stand for results of unnamed metrics."""
    listed = scores.items() if isinstance(scores, dict) else enumerate(scores)
    return {str(key): Result(value, quality=value) for key, value in listed}


def _equal(expected: Any, actual: Any, tolerance: float) -> bool:
    if isinstance(expected, dict) and isinstance(actual, Mapping):
        return all(k in actual and _equal(v, actual[k], tolerance) for k, v in expected.items())
    if isinstance(expected, list) and isinstance(actual, list | tuple):
        return len(expected) == len(actual) and all(
            _equal(e, a, tolerance) for e, a in zip(expected, actual, strict=True)
        )
    if isinstance(expected, int | float) and isinstance(actual, int | float):
        return abs(expected - actual) <= tolerance
    return bool(expected == actual)
