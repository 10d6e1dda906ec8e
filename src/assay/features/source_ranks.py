"""Which of the retrieved contexts are the sources that a sample expects.

A context is an expected source when it is called so: its id, its source or its file name, whatever
the case, the folder and the ending. An expected source of several words may also be a passage:
then a context is it when it has the same text, holds it, is a part of it, or differs in few words
and in no number. Likeness of meaning never counts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from assay.core import Document, Span, feature
from assay.features.document_names import document_key
from assay.features.normal import normal as normal_feature
from assay.textproc.plain_words import plain_text

MIN_PASSAGE = 6
"""An expected source of fewer words is a name, and is not looked for in the text."""
SHINGLE = 3
"""Words in a row that two passages are compared by."""
NEAR_EXACT = 0.8
"""The share of one passage's runs of words that the other must have."""
MAX_WORDS = 5000
"""Words of one text that are compared."""
_NUMBER = re.compile(r"\d+")


class SourceRanks(NamedTuple):
    """The expected sources among the contexts."""

    ranking: tuple[frozenset[int], ...]
    """Context → the expected sources that it is, by their index among `sources`."""
    sources: tuple[str, ...]
    """The expected sources, each once, as they were given."""

    def missed(self, k: int) -> list[str]:
        """The expected sources that none of the first k contexts is."""
        result = frozenset().union(*self.ranking[:k])
        return [source for index, source in enumerate(self.sources) if index not in result]

    def spans(self, contexts: Sequence[Document], k: int) -> tuple[Span, ...]:
        """The first k contexts that have text, each as expected or not."""
        return tuple(
            Span(f"contexts[{rank}]", 0, len(contexts[rank].content), _label(sources))
            for rank, sources in enumerate(self.ranking[:k])
            if contexts[rank].content
        )


def _label(sources: frozenset[int]) -> str:
    return "expected" if sources else "not expected"


@feature()
def source_ranks(
    expected_sources: tuple[str, ...], contexts: tuple[Document, ...]
) -> SourceRanks | None:
    """The expected sources among the contexts; None where no source is expected."""
    sources = tuple({_key(source): source for source in reversed(expected_sources)}.values())[::-1]
    sources = tuple(source for source in sources if source.strip())
    if not sources:
        return None
    keys = [_names(source) for source in sources]
    passages = [_passage(source) for source in sources]
    return SourceRanks(
        tuple(
            frozenset(
                index
                for index, (names, passage) in enumerate(zip(keys, passages, strict=True))
                if names & own or _is_same(passage, _passage(document.content))
            )
            for document in contexts
            for own in [_names(document.id or "") | _names(document.source or "")]
        ),
        sources,
    )


def _key(name: str) -> str:
    return " ".join(normal_feature.feature(name).lower.split())


def _names(name: str) -> frozenset[str]:
    """A name in lower case, and without folder and ending; nothing for an empty one."""
    return frozenset((_key(name), document_key(name))) - {""}


class _Passage(NamedTuple):
    """A text in the form in which passages are compared."""

    joined: str
    shingles: frozenset[tuple[str, ...]]
    numbers: frozenset[str]

    @property
    def is_long(self) -> bool:
        """Whether it has words enough to tell it from others."""
        return self.joined.count(" ") > MIN_PASSAGE


@lru_cache(maxsize=256)
def _passage(text: str) -> _Passage:
    words = plain_text(normal_feature.feature(text).lower).split()[:MAX_WORDS]
    joined = f" {' '.join(words)} "
    runs = zip(*(words[place:] for place in range(SHINGLE)), strict=False)
    return _Passage(joined, frozenset(runs), frozenset(_NUMBER.findall(joined)))


def _is_same(source: _Passage, content: _Passage) -> bool:
    """Whether two long texts are the same, or one holds the other but for a few words."""
    if not source.is_long or not content.is_long:
        return False
    if source.joined in content.joined or content.joined in source.joined:
        return True
    small, large = sorted((source, content), key=lambda one: len(one.shingles))
    shared = len(small.shingles & large.shingles)
    return small.numbers <= large.numbers and shared >= NEAR_EXACT * len(small.shingles)
