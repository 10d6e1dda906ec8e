"""The example of a metric's page: one of its cases, scored, with the evidence marked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from assay import registry
from assay.backends import Backends
from assay.core import Metric, Result, Sample, Span
from assay.engine import make_plan, score_batch
from assay.report.cases import read_cases
from assay.report.evidence_text import text_of
from assay.report.figures import number
from assay.report.markdown import escape
from assay.samples import to_sample

MOST_CASES = 12
"""Cases that are looked at; the plain ones come first."""
SHOWN_TEXT = 400
FIELDS = ("query", "response", "expected")


def marked_example(metric: Metric) -> str:
    """The first case with evidence, one that fails before others; empty where none has any.

    Only rules score it, so that the pages are the same on every machine.
    """
    return _example(metric.id)


@cache
def _example(id: str) -> str:
    metric = registry.metrics()[id]
    cases = [case for case in read_cases(metric) if not case.options and case.fields]
    if metric.is_composite or not cases:
        return ""
    fields = [case.fields for case in cases[:MOST_CASES]]
    samples = [to_sample(given, "example", needs_content=False) for given in fields]
    plan = make_plan([metric], backends=Backends(embedder="", encoder=""))
    scored = [
        (sample, result)
        for sample, scores in zip(samples, score_batch(plan, samples), strict=True)
        if (result := scores[metric.id]).evidence and result.state == "ok"
    ]
    scored.sort(key=lambda pair: pair[1].passed is not False)
    return _shown(*scored[0]) if scored else ""


def _shown(sample: Sample, result: Result) -> str:
    names = [name for name in FIELDS if getattr(sample, name)]
    names += [f"contexts[{place}]" for place in range(len(sample.contexts))]
    names += [span.field for span in result.evidence if span.field not in names]
    rows = [
        f"| {_label(name)} | {_marked(text, name, result.evidence)} |"
        for name in dict.fromkeys(names)
        if (text := text_of(sample, name))
    ]
    verdict = {True: ", passes", False: ", fails", None: ""}[result.passed]
    value = f"{number(result.value, result.metric)}{verdict}"
    reason = escape(result.explanation, 1000)
    return "\n".join(["| field | text |", "| --- | --- |", *rows, "", f"**{value}.** {reason}"])


def _label(name: str) -> str:
    """A field's name; contexts are counted from 1, as in explanations."""
    if name.startswith("contexts["):
        return f"context {int(name.removeprefix('contexts[').partition(']')[0]) + 1}"
    return f"`{name}`"


def _marked(text: str, name: str, evidence: Sequence[Span]) -> str:
    """A text with the places of the evidence marked; overlapping places are one."""
    inside = {
        place
        for span in evidence
        if span.field == name
        for place in range(span.start, min(span.end, SHOWN_TEXT))
    }
    parts, start = [], 0
    shown = text[:SHOWN_TEXT]
    for place in range(1, len(shown) + 1):
        if place == len(shown) or (place in inside) != (start in inside):
            piece = _escaped(shown[start:place])
            parts.append(f"<mark>{piece}</mark>" if start in inside else piece)
            start = place
    return "".join(parts) + ("…" if len(text) > SHOWN_TEXT else "")


def _escaped(text: str) -> str:
    """Escape a piece of a line; blanks at its ends stay."""
    inner = text.strip()
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{' ' * bool(before)}{escape(inner, SHOWN_TEXT)}{' ' * bool(after and inner)}"
