"""Where the patterns of all lexicons of a run occur in a text."""

from __future__ import annotations

from collections.abc import Mapping

from assay.core.metric import text_feature
from assay.core.result import Span
from assay.textproc.normal import Normal
from assay.textproc.patterns import Matcher

Hits = Mapping[str, tuple[Span, ...]]
"""Lexicon → its hits in order of place, labelled with the pattern's name."""


@text_feature()
def hits(normal: Normal, matcher: Matcher, *, field: str) -> Hits:
    """All hits of the run's lexicons in the text, found in one pass."""
    return by_lexicon(matcher, normal, field)


def by_lexicon(matcher: Matcher, normal: Normal, field: str) -> Hits:
    """All hits of a matcher in the text of a field."""
    spans_by_name: dict[str, list[Span]] = {}
    for lexicon, pattern, start, end in matcher.find(normal):
        spans_by_name.setdefault(lexicon, []).append(Span(field, *normal.span(start, end), pattern))
    ordered = {name: tuple(sorted(spans, key=_place)) for name, spans in spans_by_name.items()}
    return dict.fromkeys(matcher.lexicons, ()) | ordered


def _place(span: Span) -> tuple[int, int]:
    return span.start, span.end
