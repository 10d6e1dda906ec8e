"""How much the patterns of a lexicon weigh together: each that occurs counts once.

The shape of many documented rules: "0.3 for a source, 0.2 for a page number, 0.1 for a year range".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from math import fsum
from typing import NamedTuple

from assay.core.result import Span
from assay.core.wording import listed
from assay.data.lexicons import pattern_weights
from assay.data.policies import Policy
from assay.features.hits import Hits

MAX_NAMED = 4
"""At most this many patterns are named in an explanation."""


class PatternWeight(NamedTuple):
    """What of a lexicon occurs in a text."""

    score: float
    """The sum of the weights of the patterns that occur, each once."""
    spans: tuple[Span, ...]
    """Every hit, in order of place."""
    names: tuple[str, ...]
    """The patterns that occur, in order of their first places."""

    @property
    def wording(self) -> str:
        """The names for an explanation; empty without any."""
        return quoted(self.names)


NOTHING = PatternWeight(0.0, (), ())
"""What most lexicons weigh in a text."""


def weigh(hits: Hits, name: str) -> PatternWeight:
    """What of the lexicon of that name occurs; a metric that asks declares the lexicon."""
    spans = hits[name]
    return _weighed(spans, pattern_weights(name)) if spans else NOTHING


def weigh_section(policy: Policy, spans: Iterable[Span], section: str) -> PatternWeight:
    """What of a section of the policy pack occurs, each pattern once."""
    matches = tuple(spans)
    return _weighed(matches, policy.weights(section)) if matches else NOTHING


def _weighed(spans: tuple[Span, ...], weights: Mapping[str, float]) -> PatternWeight:
    names = tuple(dict.fromkeys([span.label for span in spans]))
    return PatternWeight(fsum(map(weights.__getitem__, names)), spans, names)


def by_place(*hits: Iterable[Span]) -> tuple[Span, ...]:
    """Hits of several kinds, in order of place."""
    return tuple(sorted(chain.from_iterable(hits)))


def quoted(names: Iterable[str]) -> str:
    """Names in quotes, the first few of many: "'a', 'b' and 3 more"."""
    return listed([f"'{name}'" for name in names], MAX_NAMED)
