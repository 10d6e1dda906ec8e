"""Comparing JSON documents from Python: one output, or several beside one ground truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean, pvariance
from typing import Any, Literal

from assay.backends import Backends
from assay.core import SampleError
from assay.core.json_result import JsonBatch, JsonComparison
from assay.core.jsontext import load_document
from assay.data.json_options import DOCUMENTED, JsonOptions, parse_strategies, read_strategies
from assay.jsoncompare.consistency import agreement, read_outputs
from assay.jsoncompare.document import JsonDocument, read_output
from assay.jsoncompare.field_comparison import compare_documents
from assay.runner.arguments import SettingsChoice, model_backends
from assay.scoring.json_results import weighed, weighed_normalized, weights_of
from assay.scoring.json_safety import SAFETY_LEXICONS, safety_scores
from assay.textproc.patterns import matcher

Strategies = Mapping[str, Any] | str | Path | None
"""As in a strategy file, or the path of one."""


_OWN = ("strategies", "options", "backends", "repair", "similarities", "settings")
"""Arguments that are no settings of models."""


def compare_json(
    ground_truth: Any,
    output: Any,
    strategies: Strategies = None,
    *,
    options: JsonOptions | None = None,
    backends: Backends | None = None,
    repair: bool = False,
    similarities: Mapping[str, float] | None = None,
    settings: SettingsChoice = None,
    **models: Any,
) -> JsonComparison:
    """Compare an output with its ground truth, field by field.

    Both are documents, or JSON text that is read strictly; with `repair` a damaged output is read
    as well as it can be, and `notes` says what was done to it. An output that is not JSON has
    `error` set and the scores of no answer; a ground truth that is not raises `SampleError`.
    `strategies` go before those of `options`. `similarities` are given for FUZZY and SEMANTIC
    fields whose likeness is known already; no model is asked for those.

    Models are settings, as for `score`: `judge="openai:URL#MODEL"`, `embedder="none"`; or they are
    `backends`, which go before. `settings="auto"` adds those of `assay.toml` and of the
    environment, which are left alone otherwise: a loop of comparisons reads no file.
    """
    chosen = _options(options, strategies)
    backends = backends or model_backends("compare_json", models, _OWN, settings)
    read = [read_output(output, "output", is_repaired=repair or chosen.repair)]
    return _compared(_ground_truth(ground_truth), read, chosen, backends, similarities)[0]


def compare_json_batch(
    ground_truth: Any,
    outputs: Sequence[Any],
    strategies: Strategies = None,
    *,
    options: JsonOptions | None = None,
    backends: Backends | None = None,
    repair: bool = False,
    min_accuracy: float = 0.5,
    min_consistency: float = 0.5,
    min_rqs: float = 0.5,
    max_hallucination_rate: float = 0.5,
    settings: SettingsChoice = None,
    **models: Any,
) -> JsonBatch:
    """Compare several outputs with one ground truth, and with each other.

    Each is compared as by `compare_json`, with models that are named alike. The batch fails when
    the mean accuracy, the consistency or the mean RQS is below its limit, or when more outputs than
    the limit allows are not fully accurate. What cannot be known, such as
    the consistency of a single output, fails nothing.
    """
    chosen = _options(options, strategies)
    backends = backends or model_backends("compare_json_batch", models, _OWN, settings)
    expected = _ground_truth(ground_truth)
    is_repaired = repair or chosen.repair
    read = [read_output(output, "output", is_repaired=is_repaired) for output in outputs]
    values = read_outputs(read, chosen)
    consistency = agreement(values).value if len(values) > 1 else None
    compared = _compared(expected, read, chosen, backends, None)
    results = [result.with_scores(consistency=consistency) for result in compared]
    limits = (min_accuracy, min_consistency, min_rqs, max_hallucination_rate)
    return _batch(results, consistency, limits)


def _compared(
    ground_truth: Any,
    documents: Sequence[JsonDocument],
    options: JsonOptions,
    backends: Backends | None,
    similarities: Mapping[str, float] | None,
) -> list[JsonComparison]:
    """The comparison of each output with the scores that need more than the fields."""
    comparisons = compare_documents(
        ground_truth, documents, options, similarities, backends or _DEFAULT
    )
    return [
        _rated(comparison, document, options, ground_truth)
        for comparison, document in zip(comparisons, documents, strict=True)
    ]


def _rated(
    comparison: JsonComparison,
    document: JsonDocument,
    options: JsonOptions,
    ground_truth: Any,
) -> JsonComparison:
    safety = safety_scores(document, ground_truth, matcher(_LEXICONS))
    scores = (
        comparison.accuracy,
        comparison.completeness,
        safety.safety_score,
        comparison.hallucination,
    )
    weights = weights_of(options)
    return comparison.with_scores(
        **safety._asdict(),
        rqs=weighed(*scores, **weights),
        rqs_normalized=weighed_normalized(*scores, **weights),
    )


_LEXICONS = frozenset(SAFETY_LEXICONS)
_DEFAULT = Backends()


def _batch(
    results: Sequence[JsonComparison],
    consistency: float | None,
    limits: tuple[float, float, float, float],
) -> JsonBatch:
    rated = [(result.rqs, place) for place, result in enumerate(results) if result.rqs is not None]
    ranking = tuple(place for _, place in sorted(rated, key=lambda entry: (-entry[0], entry[1])))
    rqs = [value for value, _ in rated]
    accuracies = [result.accuracy for result in results if result.accuracy is not None]
    variance = pvariance(rqs) if rqs else None
    mean_rqs, mean_accuracy = fmean(rqs) if rqs else None, fmean(accuracies) if accuracies else None
    wrong = sum(result.accuracy != 1.0 for result in results)
    rate = wrong / len(results) if results else None
    reasons = _reasons((mean_accuracy, consistency, mean_rqs, rate), limits)
    status: Literal["PASS", "FAIL"] = "FAIL" if reasons else "PASS"
    return JsonBatch(
        results=tuple(results),
        best_index=ranking[0] if ranking else None,
        best_rqs=max(rqs, default=None),
        mean_rqs=mean_rqs,
        variance=variance,
        std_dev=None if variance is None else variance**0.5,
        ranking=ranking,
        consistency=consistency,
        mean_accuracy=mean_accuracy,
        hallucination_rate=rate,
        status=status,
        reasons=reasons,
    )


def _reasons(
    gate_scores: tuple[float | None, ...], limits: tuple[float, float, float, float]
) -> tuple[str, ...]:
    """Which limits do not hold."""
    names = ("mean accuracy", "consistency", "mean RQS", "hallucination rate")
    reasons = []
    for name, value, limit in zip(names, gate_scores, limits, strict=True):
        is_upper = name == "hallucination rate"
        if value is not None and (value > limit if is_upper else value < limit):
            reasons.append(f"{name} {value:.3f} {'>' if is_upper else '<'} {limit:g}")
    return tuple(reasons)


def _options(options: JsonOptions | None, strategies: Strategies) -> JsonOptions:
    options = options or DOCUMENTED
    if strategies is None:
        return options
    if isinstance(strategies, str | Path):
        own = read_strategies(strategies)
    else:
        own = parse_strategies(strategies, "strategies")
    return replace(options, strategies={**options.strategies, **own})


def _ground_truth(given: Any) -> Any:
    """The ground truth as a document, read once for all outputs."""
    if not isinstance(given, str):
        return given
    try:
        return load_document(given)
    except ValueError as error:
        raise SampleError(f"the ground truth is not JSON: {error}") from None
