"""What the metrics of JSON documents say in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from assay.core.json_result import FieldScore, JsonComparison
from assay.core.result import Result, Span
from assay.data.json_options import DOCUMENTED, JsonOptions
from assay.jsoncompare.field_comparison import SHOWN, failure_of
from assay.jsoncompare.pairing import Pairing
from assay.jsoncompare.values import listed, sentence

NO_OUTPUT = "The sample has neither 'response_json' nor 'response'."
WEIGHTS = ("w_accuracy", "w_completeness", "w_hallucination", "w_safety")
"""The options of a profile that weigh the Response Quality Score."""


def listing(name: str, fields: Sequence[str]) -> dict[str, Any]:
    """Fields for the details, the first of many."""
    more = {f"{name}_more": len(fields) - SHOWN} if len(fields) > SHOWN else {}
    return {name: list(fields[:SHOWN]), **more}


def repairs(notes: Sequence[str]) -> dict[str, Any]:
    """For the details: what was done to read a damaged output, if anything was."""
    notes_of_repairs = [note for note in notes if note.startswith(_REPAIRED)]
    return {"repaired": notes_of_repairs[0].removeprefix(_REPAIRED)} if notes_of_repairs else {}


def repair_note(notes: Sequence[str]) -> str:
    """The same for the explanation."""
    return " (the output was repaired)" if repairs(notes) else ""


_REPAIRED = "repaired: "


def without_output(pairing: Pairing, value: float, details: Mapping[str, Any]) -> Result:
    """The result for an output that cannot be compared: that of no answer, with the reason."""
    return Result(value, _capital(pairing.error), details={**details, "unparseable": True})


def _capital(text: str) -> str:
    message = sentence(text).rstrip(".")
    return f"{message[:1].upper()}{message[1:]}."


def invented(pairing: Pairing, value: float, total: int, what: str) -> Result:
    """The result of a metric that counts what nobody expected."""
    extra = pairing.buckets.get("extra_keys", [])
    unexpected = pairing.buckets.get("gt_null_aio_has_value", [])
    names = sorted((*extra, *unexpected))
    details: dict[str, Any] = {
        "invented": len(names),
        what.partition(" ")[0]: total,
        **listing("extra", extra),
        **listing("null_expected", unexpected),
        **repairs(pairing.notes),
    }
    names_listed = f": {listed(names)}" if names else ""
    count = f"{len(names)} of {total} {what} are not expected"
    return Result(value, f"{count}{names_listed}{repair_note(pairing.notes)}.", details=details)


def accuracy_result(comparison: JsonComparison, evidence: tuple[Span, ...]) -> Result:
    """The result of accuracy, with the fields that do not match."""
    compared = [f for f in comparison.field_scores if f.score is not None]
    wrong = [f for f in compared if not f.score]
    details: dict[str, Any] = {
        "matching": len(compared) - len(wrong),
        "compared": len(compared),
        "ignored": len(comparison.ignored_keys),
        "vacuous": comparison.is_vacuous,
        "wrong": [_brief(field) for field in wrong[:SHOWN]],
        "notes": list(comparison.notes),
        **repairs(comparison.notes),
    }
    if comparison.error:
        return Result(0.0, _capital(comparison.error), details={**details, "unparseable": True})
    if failure := failure_of(comparison):
        return Result.error(_capital(f"a field has no score: {failure}"))
    if comparison.accuracy is None:
        return Result.missing("There is no field to compare.")
    if comparison.is_vacuous:
        counted = f"There is no field to compare, which counts as {comparison.accuracy:g}"
        detail = f"{counted}{repair_note(comparison.notes)}."
        return Result(comparison.accuracy, detail, details=details)
    names = [field.field_name for field in wrong]
    detail = f"; not: {listed(names)}" if wrong else ""
    other = [note for note in comparison.notes if not repairs([note])]
    note = repair_note(comparison.notes) + (f" ({other[-1]})" if other else "")
    matching = f"{details['matching']} of {len(compared)} compared fields match"
    return Result(comparison.accuracy, f"{matching}{detail}{note}."[:290], evidence, details)


def _brief(field: FieldScore) -> dict[str, Any]:
    return {
        "field": field.field_name,
        "strategy": field.match_strategy,
        "similarity": field.similarity,
    }


RQS_PARTS = ("json.accuracy", "json.completeness", "json.safety_score", "json.hallucination")
"""The scores that make the Response Quality Score, in the order of the rules' parameters."""


def weighed(
    accuracy: float | None,
    completeness: float | None,
    safety_score: float | None,
    hallucination: float | None,
    w_accuracy: float = DOCUMENTED.w_accuracy,
    w_completeness: float = DOCUMENTED.w_completeness,
    w_hallucination: float = DOCUMENTED.w_hallucination,
    w_safety: float = DOCUMENTED.w_safety,
) -> float | None:
    """Three scores by their weights less the last, kept between 0 and 1; None if one is absent."""
    if accuracy is None or completeness is None or safety_score is None or hallucination is None:
        return None
    good = w_accuracy * accuracy + w_completeness * completeness + w_safety * safety_score
    return min(1.0, max(0.0, good - w_hallucination * hallucination))


def weighed_normalized(
    accuracy: float | None,
    completeness: float | None,
    safety_score: float | None,
    hallucination: float | None,
    w_accuracy: float = DOCUMENTED.w_accuracy,
    w_completeness: float = DOCUMENTED.w_completeness,
    w_hallucination: float = DOCUMENTED.w_hallucination,
    w_safety: float = DOCUMENTED.w_safety,
) -> float | None:
    """The weighted mean of three scores and of the share that was not invented."""
    total = w_accuracy + w_completeness + w_hallucination + w_safety
    if accuracy is None or completeness is None or safety_score is None or hallucination is None:
        return None
    if not total:
        return None
    good = w_accuracy * accuracy + w_completeness * completeness + w_safety * safety_score
    return min(1.0, max(0.0, (good + w_hallucination * (1.0 - hallucination)) / total))


def weights_of(options: JsonOptions) -> dict[str, float]:
    """The weights of a profile by the names that the rules give them."""
    return {name: getattr(options, name) for name in WEIGHTS}


def combined(
    scores: Mapping[str, Result],
    metrics: tuple[str, ...],
    options: JsonOptions,
    rule: Callable[..., float | None],
) -> Result:
    """The result of a rule over the four scores, in the order of `metrics`."""
    results = [scores[id] for id in metrics if id in scores]
    for id, part in zip(metrics, results, strict=True):
        if part.state == "error":
            return Result.error(f"The score {id!r} failed, so that there is no value.")
        if part.value is None:
            return Result.missing(f"The score {id!r} has no value.")
    value = rule(*(part.value for part in results), **weights_of(options))
    if value is None:
        return Result.missing("All weights are 0.")
    shorts = [id.rpartition(".")[2] for id in metrics]
    parts = ", ".join(f"{s} {r.value:.2f}" for s, r in zip(shorts, results, strict=True))
    is_vacuous = bool(results[0].details.get("vacuous"))
    note = " (nothing could be compared)" if is_vacuous else ""
    note += " (the output was repaired)" if results[0].details.get("repaired") else ""
    spans = sorted({span for part in results for span in part.evidence})
    details = {"parts": {id: r.value for id, r in zip(metrics, results, strict=True)}}
    known = results[0].details
    flags = {key: True for key in ("vacuous", "unparseable", "repaired") if known.get(key)}
    return Result(
        value, f"{parts[:1].upper()}{parts[1:]}{note}.", tuple(spans), {**details, **flags}
    )
