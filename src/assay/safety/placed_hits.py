"""Hits of the run's lexicons, placed in the normalised text as safety rules read them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from assay.core.result import Span
from assay.safety.marks import Mark
from assay.textproc.normal import Normal


def marks(normal: Normal, hits: Mapping[str, Sequence[Span]], name: str) -> list[Mark]:
    """The hits of one lexicon, placed in the normalised text."""
    return [Mark(s.label, *normal.place(s.start, s.end)) for s in hits[name]]


def spans(normal: Normal, field: str, result: Iterable[tuple[str, int, int]]) -> tuple[Span, ...]:
    """Labelled stretches of the normalised text as spans of a field, in order of place."""
    return tuple(sorted(Span(field, *normal.span(s, e), label) for label, s, e in result))
