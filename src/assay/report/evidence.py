"""Evidence in its place: which text a span speaks of, and that text cut where marks begin and end.

A span's field is the name of a sample's field; an entry of a list or mapping is named as in
`contexts[0]` or `translations[ar]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import pairwise
from typing import Any, NamedTuple

from assay.core import Document, Sample, Scores, Span
from assay.report.safe_text import one_line

SNIPPET = 80
"""Characters of evidence quoted in a sentence."""
_FIELD = re.compile(r"(\w+)(?:\[([\w-]+)\])?")
_SAMPLE_FIELDS = frozenset(field.name for field in fields(Sample))


class Mark(NamedTuple):
    """A stretch of one text that a metric points at."""

    start: int
    end: int
    metric: str
    label: str = ""


class Segment(NamedTuple):
    """A stretch of text under the same marks, the narrowest first."""

    text: str
    marks: tuple[Mark, ...]


def text_of(sample: Sample, field: str) -> str | None:
    """The text that a span's field names; None when the sample has no such text."""
    match = _FIELD.fullmatch(field)
    if not match or match[1] not in _SAMPLE_FIELDS:
        return None
    value = getattr(sample, match[1])
    if match[2] is not None:
        value = _entry(value, match[2])
    if isinstance(value, Document):
        value = value.content
    return value if isinstance(value, str) else None


def _entry(value: Any, key: str) -> Any:
    if isinstance(value, Mapping):
        return value.get(key)
    is_place = isinstance(value, tuple) and key.isdecimal() and int(key) < len(value)
    return value[int(key)] if is_place else None


def quoted(sample: Sample, span: Span) -> str:
    """The words of a span on one line, or its label when they cannot be shown."""
    text = text_of(sample, span.field)
    return one_line((text or "")[span.start : span.end], SNIPPET) or one_line(span.label, SNIPPET)


def snippets(sample: Sample, evidence: Iterable[Span], most: int = 3) -> list[str]:
    """The first distinct pieces of evidence, quoted."""
    found: dict[str, None] = {}
    for span in evidence:
        if words := quoted(sample, span):
            found[words] = None
        if len(found) == most:
            break
    return list(found)


def marks_of(scores: Scores, field: str) -> list[Mark]:
    """What all metrics point at in one field."""
    return [
        Mark(span.start, span.end, metric, span.label)
        for metric, result in scores.results.items()
        for span in result.evidence
        if span.field == field
    ]


def segments(text: str, marks: Sequence[Mark]) -> Iterator[Segment]:
    """The text cut at every edge of a mark; marks may overlap, nest and reach too far."""
    waiting = sorted((m for m in marks if max(m.start, 0) < min(m.end, len(text))), reverse=True)
    edges = {0, len(text)}
    edges.update(edge for m in waiting for edge in (max(m.start, 0), min(m.end, len(text))))
    places = sorted(edges)
    active: list[Mark] = []
    for start, end in pairwise(places):
        active = [mark for mark in active if mark.end > start]
        while waiting and waiting[-1].start <= start:
            active.append(waiting.pop())
        narrow_first = sorted(active, key=lambda mark: mark.end - mark.start)
        yield Segment(text[start:end], tuple(narrow_first))
