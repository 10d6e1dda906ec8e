"""Texts that say much the same, found by the words that they share."""

from __future__ import annotations

from collections.abc import Sequence

from assay.textproc.normal import normalise
from assay.textproc.words import Words

SHARED = 0.5
"""The share of all words of two texts that both have, from which they are alike."""
KINDS = 50
"""Kinds of text that are told apart; what is like none of them stands alone at the end."""


def similar_texts(texts: Sequence[str]) -> list[list[int]]:
    """The places of texts that are alike, the largest group first, each in the order of the texts.

    A text joins the first group whose first text it shares at least half of the words with, so the
    same texts in the same order give the same groups, in a time that grows with their length.
    """
    leaders: list[frozenset[str]] = []
    groups: list[list[int]] = []
    for place, text in enumerate(texts):
        words = Words(normalise(text)).distinct
        known = next((at for at, leader in enumerate(leaders) if _are_alike(words, leader)), None)
        if known is not None:
            groups[known].append(place)
        else:
            groups.append([place])
            if len(leaders) < KINDS:
                leaders.append(words)
    return sorted(groups, key=lambda group: (-len(group), group[0]))


def _are_alike(a: frozenset[str], b: frozenset[str]) -> bool:
    common = len(a & b)
    return common >= SHARED * (len(a) + len(b) - common)
