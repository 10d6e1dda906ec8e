"""The n-gram model's opinion of a text, limited to what it can know."""

from __future__ import annotations

SAMPLED = 400
"""Characters that tell the script of a text."""


def clipped(text: str, logit: float, largest: float, unknown: float = 0.0) -> float:
    """A logit, cut at a size; `unknown` for text that is mostly in another script than Latin.

    A model that saw no positive example of a script would take the script for a sign.
    """
    head = text[:SAMPLED]
    if head.isascii():
        return max(-largest, min(largest, logit))
    letters = sum(map(str.isalpha, head))
    latin = sum("a" <= char <= "z" for char in head.lower())
    return unknown if 2 * latin < letters else max(-largest, min(largest, logit))
