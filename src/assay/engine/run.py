"""Computes the features of a batch once each, then every metric."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

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
from assay.core.metric import judge, quality_of
from assay.core.result import PASSED, Verdict, sample_verdict
from assay.core.sample import is_absent
from assay.core.time_limit import check_time
from assay.engine.failures import analyse_failure
from assay.engine.foreign import error_text
from assay.engine.plan import Plan, PlanStep, language_field
from assay.textproc.language import is_other_script, listed_language

Columns = dict[str, Sequence[Any]]
"""Field or feature → its value for each sample of the batch."""


class _Batch(NamedTuple):
    """What metrics read of the samples of a batch."""

    columns: Columns
    absences: Mapping[str, Sequence[int]]
    """Field → the samples that lack it."""
    failed: set[str]
    """Features that could not be computed for some sample."""
    given: frozenset[str]
    """Features whose values the caller brought along."""


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
        batch = _Batch(columns, _absences(plan, columns), failed, frozenset(given))
        results: list[dict[str, Result]] = [{} for _ in samples]
        for step in plan.steps:
            check_time()
            if step.metric.is_composite and "scores" not in given:
                parts = step.options.get("metrics", step.metric.options["metrics"])
                columns["scores"] = [
                    {id: own_results[id] for id in parts} for own_results in results
                ]
            _score_step(plan, step, batch, results)
        spoken = _languages(samples, columns)
        columns.clear()  # before the collector walks what is not needed any more
        complete = partial(_scores, *_gating_and_hidden(plan))
        return [complete(*entry) for entry in zip(samples, results, spoken, strict=True)]


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
    failed = {step.metric.id: _finisher(step)(result) for step in plan.steps}
    return _scores(*_gating_and_hidden(plan), sample, failed, listed_language(sample))


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
    function = partial(feature.function, **feature.constants)
    column: list[Any] = []
    for args, needed in zip(rows, _needed(feature, rows), strict=True):
        if _is_unready(needed):
            column.append(_unready(args))
            continue
        try:
            column.append(function(*args))
        except Exception as error:
            column.append(_Failure(feature, error))
    return column


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
    plan: Plan, step: PlanStep, batch: _Batch, results: list[dict[str, Result]]
) -> None:
    """One metric for every sample of the batch."""
    metric, finish = step.metric, _finisher(step)
    function = partial(metric.function, **step.options) if step.options else metric.function
    reasons = _reasons(metric, batch)
    missing = {reason: finish(Result.missing(reason)) for reason in {*reasons.values()}}
    is_safe = batch.failed.isdisjoint(metric.parameters)
    rows = zip(*(batch.columns[name] for name in metric.parameters), strict=True)
    foreign: list[tuple[int, tuple[Any, ...]]] = []
    for index, args in enumerate(rows):
        if reasons and index in reasons:
            result = missing[reasons[index]]
        elif not is_safe and (failure := _unready(args)):
            result = finish(failure.result())
        elif not step.is_own:
            foreign.append((index, args))
            continue
        else:
            try:
                result = finish(function(*args))
            except Exception as error:  # the engine alone catches all, and records it
                result = finish(Result.error(error_text(error)))
        results[index][metric.id] = result
    if foreign:
        outcomes = plan.foreign.scores(metric, [args for _, args in foreign], step.options)
        for (index, _), result in zip(foreign, outcomes, strict=True):
            results[index][metric.id] = finish(result)


def _absences(plan: Plan, columns: Columns) -> dict[str, list[int]]:
    """Field → the samples that lack it, for all fields that a metric needs."""
    needed = {name for step in plan.steps for name in step.metric.inputs if name in columns}
    return {
        name: [index for index, value in enumerate(columns[name]) if is_absent(value)]
        for name in needed
    }


def _reasons(metric: Metric, batch: _Batch) -> dict[int, str]:
    """Sample → why the metric has no score of it: it lacks a field, or is in another script."""
    reasons = _unread(metric, batch.columns) if metric.languages else {}
    if batch.given.issuperset(metric.parameters):
        return reasons
    for name in reversed(metric.inputs):
        reason = f"The sample has no {name!r}."
        reasons |= dict.fromkeys(batch.absences.get(name, ()), reason)
    return reasons


def _unread(metric: Metric, columns: Columns) -> dict[int, str]:
    """Sample → why the metric cannot read its text, for those that it cannot."""
    text_field = language_field(metric)
    detected = columns.get(f"{text_field}_language", ())
    known = ", ".join(metric.languages)
    reasons = {
        code: f"The rule reads {known}; the {text_field} is in {code!r}."
        for code in {*detected}.difference(metric.languages)
        if code and is_other_script(code)
    }
    if not reasons:
        return {}
    return {index: reasons[code] for index, code in enumerate(detected) if code in reasons}


def _finisher(step: PlanStep) -> Callable[[Result], Result]:
    """What completes the results of a metric with all that the engine knows.

    A value that cannot be is an error. What is the same for all samples is looked up once.
    """
    id, signature, gates = step.metric.id, step.signature, step.gates
    value_range, polarity = step.metric.range, step.metric.polarity
    takes_own = not step.is_threshold_chosen
    least, most = max(step.low, -MAX_VALUE), min(step.high, MAX_VALUE)

    def finish(result: Result) -> Result:
        value, explanation, evidence, details, state, passed = result[:6]
        threshold, unsure = step.threshold, step.unsure
        if takes_own and result.threshold is not None:
            threshold, unsure = _own_threshold(step, result)
        quality: float | None = None
        verdict: Verdict | None = None
        if value is None:
            if state in ("ok", "imputed"):
                state, explanation = "error", "The metric gave no value."
            verdict = "unsure" if result.verdict == "unsure" else None
        elif least <= value <= most:
            quality = quality_of(value, value_range, polarity)
            if passed is not None:
                verdict = "pass" if passed else "fail"
            elif threshold is not None:
                verdict = judge(value, threshold, polarity, unsure)
        else:
            state, explanation, value = "error", _misplaced(step, value), None
        if state == "error":
            evidence = ()
        passed = PASSED.get(verdict)
        judged = (passed, id, quality, threshold, signature, verdict, gates, None)
        # what the constructor does, without its argument handling
        return tuple.__new__(Result, (value, explanation, evidence, details, state, *judged))

    return finish


def _own_threshold(
    step: PlanStep, result: Result
) -> tuple[float | None, tuple[float, float] | None]:
    """The threshold that a metric gave along with its value, and where it decides nothing."""
    threshold = None if result.threshold == NO_THRESHOLD else result.threshold
    return threshold, step.unsure if step.is_unsure_chosen else result.unsure


def _misplaced(step: PlanStep, value: float) -> str:
    """Why a value cannot be."""
    if step.low <= value <= step.high:
        return f"The value {value} is too large; expected at most {MAX_VALUE}."
    return f"The value {value} lies outside {step.metric.range}."


def _gating_and_hidden(plan: Plan) -> tuple[list[PlanStep], list[str]]:
    """The metrics that decide passes, and those that only a composite asked for."""
    hidden = [step.metric.id for step in plan.steps if not step.is_shown]
    return [step for step in plan.steps if step.gates], hidden


def _scores(
    gating: Sequence[PlanStep],
    hidden: Sequence[str],
    sample: Sample,
    results: dict[str, Result],
    language: str,
) -> Scores:
    """The sample's results with the mean and the verdict of those that gate, and why it failed.

    Those of `hidden` metrics, which only a composite asked for, are taken out.
    """
    total = weighted = 0.0
    for id in hidden:
        del results[id]
    for step in gating:
        result = results[step.metric.id]
        if result.state == "ok" and result.quality is not None:
            total += step.weight
            weighted += step.weight * result.quality
    score = weighted / total if total else None
    return _judged(sample, results, score, language)


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
