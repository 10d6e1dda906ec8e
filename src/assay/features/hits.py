"""Where the patterns of all lexicons of a run occur in a text."""

from __future__ import annotations

from collections.abc import Iterator, KeysView, Mapping

from assay.core.metric import text_feature
from assay.core.result import Span
from assay.textproc.normal import Normal
from assay.textproc.patterns import Matcher, PatternSearch

Hits = Mapping[str, tuple[Span, ...]]
"""Lexicon → its hits in order of place, labelled with the pattern's name."""


@text_feature()
def hits(normal: Normal, matcher: Matcher, *, field: str) -> Hits:
    """All hits of the run's lexicons in the text, found in one pass."""
    return by_lexicon(matcher, normal, field)


def by_lexicon(matcher: Matcher, normal: Normal, field: str) -> Hits:
    """All hits of a matcher in the text of a field."""
    return _LexiconHits(matcher.lexicons, matcher.search(normal), field)


class _LexiconHits(Mapping[str, tuple[Span, ...]]):
    """Hits of many lexicons; those of a lexicon are looked for when a metric reads them."""

    def __init__(self, lexicons: KeysView[str], search: PatternSearch, field: str) -> None:
        self._lexicons = lexicons
        self._search = search
        self._field = field
        self._known: dict[str, tuple[Span, ...]] = {}

    def __getitem__(self, lexicon: str) -> tuple[Span, ...]:
        known = self._known.get(lexicon)
        if known is None:
            if lexicon not in self._lexicons:
                raise KeyError(lexicon)
            known = self._known[lexicon] = self._spans(lexicon)
        return known

    def __iter__(self) -> Iterator[str]:
        return iter(self._lexicons)

    def __len__(self) -> int:
        return len(self._lexicons)

    def __repr__(self) -> str:
        return repr(dict(self))

    def _spans(self, lexicon: str) -> tuple[Span, ...]:
        """The hits of one lexicon in order of place."""
        place = self._search.text.span
        spans = [
            Span(self._field, *place(hit.start, hit.end), hit.pattern)
            for hit in self._search.hits(lexicon)
        ]
        return tuple(sorted(spans, key=_place))


def _place(span: Span) -> tuple[int, int]:
    return span.start, span.end
