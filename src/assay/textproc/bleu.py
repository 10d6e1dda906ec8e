"""Sentence BLEU: shared stretches of one to four words, with a penalty for brevity.

Papineni et al. (2002); a length without any match counts `EPSILON` matches (method 1 of Chen and
Cherry, 2014), as NLTK does it.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, fsum, log
from typing import Any, NamedTuple

from assay.textproc.overlap import shared

ORDERS = 4
EPSILON = 0.1


class Bleu(NamedTuple):
    """A BLEU score and its parts."""

    score: float
    matches: tuple[int, ...]
    """For one to four words: how many stretches of the candidate stand in the reference."""
    totals: tuple[int, ...]
    """For one to four words: how many stretches the candidate has; at least 1."""
    brevity: float
    """What the score is multiplied by; 1 for a candidate that is no shorter than the reference."""


def bleu_score(reference: list[str], candidate: list[str]) -> Bleu:
    """BLEU of a candidate against one reference; 0 when no word is shared."""
    size = len(candidate)
    totals = tuple(max(1, size - n) for n in range(ORDERS))
    matches = _matches(reference, candidate)
    if not matches[0]:
        return Bleu(0.0, matches, totals, 0.0)
    brevity = 1.0 if size > len(reference) else exp(1 - len(reference) / size)
    precisions = [
        (matched or EPSILON) / total for matched, total in zip(matches, totals, strict=True)
    ]
    score = brevity * exp(fsum([log(precision) / ORDERS for precision in precisions]))
    return Bleu(score, matches, totals, brevity)


def _matches(reference: list[str], candidate: list[str]) -> tuple[int, ...]:
    """Shared stretches by length; where none of a length is shared, no longer one is."""
    matches = [0] * ORDERS
    for n in range(ORDERS):
        matches[n] = shared(list(_stretches(reference, n + 1)), _stretches(candidate, n + 1))
        if not matches[n]:
            break
    return tuple(matches)


def _stretches(words: list[str], size: int) -> Iterable[Any]:
    """All stretches of so many words."""
    return zip(*(words[n:] for n in range(size)), strict=False) if size > 1 else words
