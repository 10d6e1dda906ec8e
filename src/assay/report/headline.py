"""What a run comes to in a few sentences, the same on a terminal, in Markdown and in comments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.core import Interval, Summary
from assay.report.figures import count, percent, percent_interval

NAMED = 6
"""Metrics that a sentence names; the others are counted."""


def outcome(summary: Summary) -> str:
    """The run in one line: how many samples are good, and how many to look at."""
    if not summary.judged:
        return f"No verdict on {count(summary.samples, 'sample')}"
    doubtful = summary.failed + summary.unsure
    good = f"{summary.passed:,} of {summary.judged:,} good"
    parts = [good, f"{doubtful:,} to look at" if doubtful else ""]
    if skipped := summary.judged - summary.passed - doubtful:
        parts.append(f"{skipped:,} skipped")
    if rest := summary.unjudged:
        parts.append(f"{rest:,} not judged")
    return "; ".join(part for part in parts if part)


def standing(summary: Summary) -> str:
    """How the samples stand that do not pass, and how many could be judged at all."""
    kinds = ((summary.failed, "fail"), (summary.unsure, "unsure"))
    parts = [f"{amount:,}\u00a0{word}" for amount, word in kinds if amount]
    return ", ".join([*parts, f"{summary.judged:,} of {summary.samples:,} judged"])


def estimates(summary: Summary) -> str:
    """What share people would pass by the metrics that gate, where these are probabilities."""
    parts = []
    for aggregate in map(summary.metrics.__getitem__, summary.gating):
        if aggregate.estimated_pass_rate is None:
            continue
        ends = percent_interval(aggregate.estimated_pass_rate_interval)
        rest = aggregate.judged - aggregate.estimated_samples
        of = (
            f" from {aggregate.estimated_samples:,} of {aggregate.judged:,} samples" if rest else ""
        )
        parts.append(f"{aggregate.metric} {percent(aggregate.estimated_pass_rate)} {ends}{of}")
    return f"Pass rate estimated from calibrated probabilities: {some(parts)}." if parts else ""


def repeats(summary: Summary) -> str:
    """What several answers to each question come to; empty where there are none."""
    if not summary.repeats:
        return ""
    parts = [
        f"{name} {percent(figure['value'])} {percent_interval(_interval(figure['interval']))}"
        for name, figure in summary.repeats["figures"].items()
    ]
    questions = count(summary.repeats["questions"], "question")
    return f"{count(summary.repeats['answers'], 'answer')} to {questions}: {', '.join(parts)}."


def retries(summary: Summary) -> str:
    """How samples that were answered only after a retry compare; empty where there are none."""
    if not summary.retries:
        return ""
    samples = summary.retries["samples"]
    start = f"{count(samples, 'sample was', 'samples were')} answered only after a retry"
    own, others = summary.retries["retried"], summary.retries["others"]
    if own["pass_rate"] is None or others["pass_rate"] is None:
        return f"{start}."
    p = summary.retries["p_value"]
    test = "" if p is None else f" (p\u00a0{_p_value(p)})"
    rates = [percent(group["pass_rate"]) for group in (own, others)]
    compared = f"{start}; {rates[0]} of them pass, {rates[1]} of the others{test}."
    return f"{compared} {_retry_warning(summary.retries)}".rstrip()


def _retry_warning(compared: Mapping[str, Any]) -> str:
    """What a difference means for whoever reads the figures."""
    if not compared["differs"]:
        return ""
    if compared["retried"]["pass_rate"] < compared["others"]["pass_rate"]:
        return "Failures of the target may be hiding its worst answers."
    return "Failures of the target depend on what it is asked."


def _p_value(p: float) -> str:
    return "<\u00a00.0001" if p < 0.0001 else f"=\u00a0{p:.2g}"


def _interval(ends: Sequence[float] | None) -> Interval | None:
    return None if ends is None else Interval(*ends)


def causes(summary: Summary) -> str:
    """Which metrics fail how many samples; empty where none does."""
    result = [f"{metric} ({amount:,})" for metric, amount in summary.causes.items()]
    return f"Failing metrics: {some(result)}." if result else ""


def basis(summary: Summary) -> str:
    """Which metrics decide passes and mean quality; why there is no verdict if none does."""
    if not summary.metrics:
        return ""
    if not summary.gating:
        return "No verdict: none of these metrics decides passes; choose some by name or threshold."
    rest = len(summary.metrics) - len(summary.gating)
    detail = f"; {count(rest, 'metric is', 'metrics are')} informational" if rest else ""
    return f"Passes and mean quality by {some(list(summary.gating))}{detail}."


def has_overall(summary: Summary) -> bool:
    """Whether the mean quality says what it claims: most metrics that gate have a score.

    A mean over the one of six metrics that could be scored is no figure of the whole.
    """
    gating = [summary.metrics[id] for id in summary.gating]
    scored = [aggregate for aggregate in gating if aggregate.mean is not None]
    return summary.overall is not None and bool(summary.judged or 2 * len(scored) >= len(gating))


def some(names: list[str]) -> str:
    """The first of some names, and how many more there are."""
    rest = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + rest
