"""Computes the features of a batch once each, then every metric."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

from assay.core import (
    CHOICES,
    NO_THRESHOLD,
    RESOURCES,
    AssayError,
    Feature,
    Metric,
    MissingExtraError,
    Result,
    Sample,
    Scores,
)
from assay.core.bounds import MAX_VALUE
from assay.core.metric import judge
from assay.core.result import PASSED, Verdict, sample_verdict
from assay.core.sample import is_absent
from assay.core.time_limit import check_time
from assay.engine.failures import analyse_failure
from assay.engine.foreign import error_text
from assay.engine.plan import Plan, PlanStep, language_field
from assay.textproc.language import is_other_script, listed_language

Columns = dict[str, Sequence[Any]]
"""Field or feature → its value for each sample of the batch."""


class _Failure:
    """Stands for a feature that could not be computed."""

    __slots__ = ("is_absence", "reason")

    def __init__(self, feature: Feature, error: Exception) -> None:
        self.reason = f"{feature.name}: {error_text(error)}"
        self.is_absence = isinstance(error, MissingExtraError)
        """Whether nothing failed: what it needs is simply not installed."""
        if self.is_absence:
            self.reason = f"{error}."

    def result(self) -> Result:
        """What a metric says that needs the feature."""
        return Result.missing(self.reason) if self.is_absence else Result.error(self.reason)


def score_batch(
    plan: Plan, samples: Sequence[Sample], given: Mapping[str, Any] = MappingProxyType({})
) -> list[Scores]:
    """Score some samples; `given` features are taken as they are, for every sample."""
    columns = _columns(plan, samples, given)
    with _no_collection():
        failed = _compute_features(plan, columns, len(samples))
        results: list[dict[str, Result]] = [{} for _ in samples]
        for step in plan.steps:
            check_time()
            if step.metric.is_composite and "scores" not in given:
                parts = step.options.get("metrics", step.metric.options["metrics"])
                columns["scores"] = [
                    {id: own_results[id] for id in parts} for own_results in results
                ]
            _score_step(plan, step, columns, results, failed, frozenset(given))
        spoken = _languages(samples, columns)
        columns.clear()  # before the collector walks what is not needed any more
    return [_scores(plan, *entry) for entry in zip(samples, results, spoken, strict=True)]


def feature_columns(plan: Plan, samples: Sequence[Sample]) -> Columns:
    """The fields and features of some samples by name; None where there is no value."""
    columns = _columns(plan, samples, {})
    _compute_features(plan, columns, len(samples))
    return {
        name: [None if isinstance(value, _Failure) else value for value in column]
        for name, column in columns.items()
    }


def _columns(plan: Plan, samples: Sequence[Sample], given: Mapping[str, Any]) -> Columns:
    columns: Columns = {name: [value] * len(samples) for name, value in given.items()}
    for name in plan.fields:
        columns[name] = [getattr(sample, name) for sample in samples]
    for name in plan.resources.keys() & {*CHOICES}:
        columns[name] = [plan.resources[name]] * len(samples)
    return columns


def failed_scores(plan: Plan, sample: Sample, reason: str) -> Scores:
    """The scores of a sample that could not be scored at all."""
    result = Result.error(reason)
    failed = {step.metric.id: _finish(step, result) for step in plan.steps}
    return _scores(plan, sample, failed, listed_language(sample))


def _languages(samples: Sequence[Sample], columns: Columns) -> list[str]:
    """The language that each sample is listed under, taken from its feature where that is known."""
    detected = columns.get("response_language") or [None] * len(samples)
    return [
        listed_language(sample, languages if isinstance(languages, str) else None)
        for sample, languages in zip(samples, detected, strict=True)
    ]


@contextmanager
def _no_collection() -> Iterator[None]:
    """Hold back the cycle collector: a batch makes many objects and no cycles."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _compute_features(plan: Plan, columns: Columns, size: int) -> set[str]:
    """Fill the columns of all features; the names of those that failed for some sample."""
    failed: set[str] = set()
    for feature in plan.features:
        check_time()
        inputs = [
            columns[name] if name in columns else [plan.resources[name]] * size
            for name in feature.parameters
        ]
        rows = list(zip(*inputs, strict=True))
        compute = _compute_batch if feature.is_batch else _compute_each
        columns[feature.name] = column = compute(feature, rows)
        if any(isinstance(value, _Failure) for value in column):
            failed.add(feature.name)
    return failed


def _compute_each(feature: Feature, rows: Sequence[tuple[Any, ...]]) -> list[Any]:
    """A feature sample by sample; None where something it needs is absent."""
    return [
        _unready(args) if _is_unready(needed) else _compute(feature, args)
        for args, needed in zip(rows, _needed(feature, rows), strict=True)
    ]


def _needed(feature: Feature, rows: Sequence[tuple[Any, ...]]) -> Sequence[tuple[Any, ...]]:
    """The arguments that decide whether a feature is asked: all but absent optional ones."""
    if not feature.optional:
        return rows
    is_optional = [name in feature.optional for name in feature.parameters]
    return [
        tuple(
            [
                v
                for v, may_miss in zip(args, is_optional, strict=True)
                if v is not None or not may_miss
            ]
        )
        for args in rows
    ]


def _compute(feature: Feature, args: tuple[Any, ...]) -> Any:
    try:
        return feature(*args)
    except Exception as error:
        return _Failure(feature, error)


def _compute_batch(feature: Feature, rows: Sequence[tuple[Any, ...]]) -> list[Any]:
    """A feature of all samples at once; those that lack something are left out of the question."""
    column = [_unready(args) for args in rows]
    needed = _needed(feature, rows)
    ready = [index for index, args in enumerate(needed) if not _is_unready(args)]
    if not ready:
        return column
    computed = _compute_ready(feature, [rows[index] for index in ready])
    for index, value in zip(ready, computed, strict=True):
        column[index] = _Failure(feature, value) if isinstance(value, Exception) else value
    return column


def _compute_ready(feature: Feature, rows: Sequence[tuple[Any, ...]]) -> list[Any]:
    """A feature of some samples at once, with an exception for those that it failed for.

    Where it fails for a reason that is not ours, such as a figure that is too large, each sample is
    asked for by itself, so that one of them does not fail the others.
    """
    arguments = [
        values[0] if name in RESOURCES else list(values)
        for name, values in zip(feature.parameters, zip(*rows, strict=True), strict=True)
    ]
    try:
        computed = list(feature(*arguments))
        if len(computed) != len(rows):
            raise ValueError(f"{len(computed)} values for {len(rows)} samples")
    except AssayError as error:
        return [error] * len(rows)
    except Exception as error:
        if len(rows) == 1:
            return [error]
        return [value for row in rows for value in _compute_ready(feature, [row])]
    return computed


def _is_unready(args: tuple[Any, ...]) -> bool:
    for value in args:  # noqa: SIM110 -- a loop is quicker, and this runs for every feature
        if value is None or value.__class__ is _Failure:
            return True
    return False


def _unready(args: tuple[Any, ...]) -> _Failure | None:
    """What a feature is where an argument is absent or failed."""
    return next((value for value in args if value.__class__ is _Failure), None)


def _score_step(
    plan: Plan,
    step: PlanStep,
    columns: Columns,
    results: list[dict[str, Result]],
    failed: set[str],
    given: frozenset[str],
) -> None:
    """One metric for every sample of the batch."""
    metric, options, function = step.metric, step.options, step.metric.function
    needed = () if given.issuperset(metric.parameters) else metric.inputs
    absent = _absent(needed, columns, len(results))
    is_safe = failed.isdisjoint(metric.parameters)
    rows = zip(*(columns[name] for name in metric.parameters), strict=True)
    unread = _unread(metric, columns) if metric.languages else None
    foreign: list[tuple[int, tuple[Any, ...]]] = []
    for index, args in enumerate(rows):
        if absent and absent[index]:
            result = _finish(step, Result.missing(f"The sample has no {absent[index]!r}."))
        elif unread and unread[index]:
            result = _finish(step, Result.missing(unread[index]))
        elif not is_safe and (failure := _unready(args)):
            result = _finish(step, failure.result())
        elif not step.is_own:
            foreign.append((index, args))
            continue
        else:
            try:
                result = _finish(step, function(*args, **options))
            except Exception as error:  # the engine alone catches all, and records it
                result = _finish(step, Result.error(error_text(error)))
        results[index][metric.id] = result
    if foreign:
        outcomes = plan.foreign.scores(metric, [args for _, args in foreign], options)
        for (index, _), result in zip(foreign, outcomes, strict=True):
            results[index][metric.id] = _finish(step, result)


def _absent(inputs: Sequence[str], columns: Columns, size: int) -> list[str]:
    """For each sample the first absent field, or nothing; an empty list when none is absent."""
    missing = [""] * size
    is_present = False
    for name in reversed(inputs):
        for index, value in enumerate(columns.get(name, ())):
            if is_absent(value):
                missing[index] = name
                is_present = True
    return missing if is_present else []


def _unread(metric: Metric, columns: Columns) -> list[str]:
    """For each sample why the metric cannot read its text, or nothing."""
    known = ", ".join(metric.languages)
    return [
        f"The rule reads {known}; the {text_field} is in {detected!r}."
        if detected and detected not in metric.languages and is_other_script(detected)
        else ""
        for text_field in (language_field(metric),)
        for detected in columns.get(f"{text_field}_language", ())
    ]


def _finish(step: PlanStep, result: Result) -> Result:
    """The result with all that the engine knows; a value that cannot be is an error."""
    (
        value,
        explanation,
        evidence,
        details,
        state,
        passed,
        _,
        _,
        own_threshold,
        _,
        own_verdict,
        _,
        own_unsure,
    ) = result
    threshold, unsure = step.threshold, step.unsure
    if own_threshold is not None and not step.is_threshold_chosen:
        threshold = None if own_threshold == NO_THRESHOLD else own_threshold
        if not step.is_unsure_chosen:
            unsure = own_unsure
    quality = None
    verdict: Verdict | None = None
    if value is None:
        if state in ("ok", "imputed"):
            state, explanation = "error", "The metric gave no value."
        verdict = "unsure" if own_verdict == "unsure" else None
    elif not step.low <= value <= step.high or not -MAX_VALUE <= value <= MAX_VALUE:
        state, explanation = "error", f"The value {value} lies outside {step.metric.range}."
        if step.low <= value <= step.high:
            explanation = f"The value {value} is too large; expected at most {MAX_VALUE}."
        value, verdict = None, None
    else:
        quality = step.metric.quality(value)
        if passed is None:
            verdict = judge(value, threshold, step.metric.polarity, unsure)
        else:
            verdict = "pass" if passed else "fail"
    if state == "error":
        evidence = ()
    return tuple.__new__(  # what the constructor does, without its argument handling
        Result,
        (
            value,
            explanation,
            evidence,
            details,
            state,
            PASSED.get(verdict),
            step.metric.id,
            quality,
            threshold,
            step.signature,
            verdict,
            step.gates,
            None,
        ),
    )


def _scores(plan: Plan, sample: Sample, results: Mapping[str, Result], language: str) -> Scores:
    """The sample's results with the mean and the verdict of those that gate, and why it failed."""
    total = weighted = 0.0
    shown = {step.metric.id: results[step.metric.id] for step in plan.steps if step.is_shown}
    for step in plan.steps:
        if not step.gates:
            continue
        result = shown[step.metric.id]
        if result.state == "ok" and result.quality is not None:
            total += step.weight
            weighted += step.weight * result.quality
    score = weighted / total if total else None
    return _judged(sample, shown, score, language)


def _judged(
    sample: Sample, results: Mapping[str, Result], score: float | None, language: str
) -> Scores:
    """The scores of a sample with the verdict that follows from its results."""
    verdict = sample_verdict(results.values())
    failure = analyse_failure(sample, results) if verdict == "fail" else None
    passed, is_unsure = PASSED.get(verdict), verdict == "unsure"
    return Scores(sample.id, results, score, passed, failure, language, is_unsure=is_unsure)


def with_results(sample: Sample, scores: Scores, results: Mapping[str, Result]) -> Scores:
    """The scores with these results over them, and the verdict that follows from all."""
    return _judged(sample, {**scores.results, **results}, scores.score, scores.language)
