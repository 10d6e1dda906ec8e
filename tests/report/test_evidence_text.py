from __future__ import annotations

import pytest

from assay.core import Document, Sample, Span
from assay.report.evidence_text import quoted, snippets, text_of

SAMPLE = Sample(
    query="Who?",
    response="It is Anna,\nshe said.",
    contexts=(Document("first"), Document("second")),
    previous_responses=("older",),
    translations={"ar": "مرحبا", "pt-BR": "Oi"},
    duration=2.0,
)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("query", "Who?"),
        ("contexts[1]", "second"),
        ("previous_responses[0]", "older"),
        ("translations[pt-BR]", "Oi"),
        ("expected", None),
        ("contexts[2]", None),
        ("contexts[-1]", None),
        ("contexts", None),
        ("duration", None),
        ("duration[0]", None),
        ("weight", None),
        ("__class__", None),
        ("no such field", None),
        ("", None),
    ],
)
def test_text_of(field: str, text: str | None) -> None:
    assert text_of(SAMPLE, field) == text


def test_quoted_is_one_line_or_the_label() -> None:
    assert quoted(SAMPLE, Span("response", 6, 15, "x")) == "Anna, she"
    assert quoted(SAMPLE, Span("metadata", 0, 3, "a label")) == "a label"
    assert quoted(SAMPLE, Span("response", 900, 910, "gone")) == "gone"


def test_snippets_are_distinct_and_few() -> None:
    spans = [Span("response", 0, 2), Span("response", 0, 2), Span("response", 3, 5)]
    assert snippets(SAMPLE, spans) == ["It", "is"]
    assert snippets(SAMPLE, spans, most=1) == ["It"]
