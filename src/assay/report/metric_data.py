"""What there is to know of a metric, as plain data: for the server's answers and for reports."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from assay import registry
from assay.core import Metric
from assay.core.plain import sendable
from assay.data.gating import gates
from assay.data.measured_agreement import measured
from assay.report.cases import read_cases

SPELLED = {
    "api": "API",
    "bertscore": "BERTScore",
    "bleu": "BLEU",
    "cot": "CoT",
    "json": "JSON",
    "llm": "LLM",
    "pii": "PII",
    "psi": "PSI",
    "rag": "RAG",
    "rouge": "ROUGE",
}
"""Words of names that are not written as they are said."""
DECLARED = (
    "id",
    "family",
    "group",
    "name",
    "summary",
    "inputs",
    "range",
    "unit",
    "polarity",
    "threshold",
    "unsure",
    "exact",
    "version",
    "tags",
    "aliases",
    "languages",
    "is_composite",
)


def label(name: str) -> str:
    """A metric's name for people: `e2e_latency` is "E2E latency"."""
    words = " ".join(map(_spelled, name.rpartition(".")[2].split("_")))
    return words[:1].upper() + words[1:]


def _spelled(word: str) -> str:
    """A word as it is written; one with digits or without vowels is an abbreviation."""
    has_digits = any(map(str.isdigit, word)) and not word.isdigit()
    is_short = len(word) > 1 and word.isalpha() and not set(word) & set("aeiouy")
    return SPELLED.get(word) or (word.upper() if has_digits or is_short else word)


def declared(metric: Metric) -> dict[str, Any]:
    """What is declared of a metric, and what it was measured to be worth."""
    return {
        **{name: getattr(metric, name) for name in DECLARED},
        "label": label(metric.name),
        "needs": needs(metric),
        "gates": gates(metric),
        "measured": [asdict(agreement) for agreement in measured(metric.id)],
    }


def needs(metric: Metric) -> list[str]:
    """The sample fields that a metric needs: those declared, else those that its features read."""
    if metric.inputs or metric.is_composite:
        return list(metric.inputs)
    derived = [name for name in metric.parameters if name in registry.features()]
    read = registry.fields_read(metric, derived)
    return [field for field in read if field != "metadata"] or list(registry.fields_read(metric))


def metric_data(metric: Metric, *, has_examples: bool = True) -> dict[str, Any]:
    """All that stands on a metric's page: rule, blind spots, options and worked examples."""
    return {
        **declared(metric),
        "documentation": metric.documentation,
        "parameters": list(metric.parameters),
        "lexicons": list(metric.lexicons),
        "options": sendable(dict(metric.options)),
        "examples": [
            {
                "why": case.why,
                "fields": sendable(case.fields),
                "options": sendable(case.options),
                "value": case.value,
                "state": case.state,
                "passed": case.passed,
                "evidence": None if case.evidence is None else sendable(list(case.evidence)),
            }
            for case in (read_cases(metric) if has_examples else ())
        ],
    }
