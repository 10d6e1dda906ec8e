from collections.abc import Sequence, Set
from itertools import pairwise

from assay.core import MAX_EVIDENCE, LazySpans, Result, metric
from assay.features import Normal
from assay.textproc.plain_words import plain_text

MIN_LETTERS = 3
POINTS = ((0.15, 0.0), (0.30, 20.0), (0.50, 60.0), (0.70, 90.0), (1.0, 100.0))
"""Overlap → score; between two points the score rises in a straight line."""


def intrusion(overlap_ratio: float | None) -> float | None:
    """The score of a share of words that come from the documents; None without a share."""
    if overlap_ratio is None or overlap_ratio <= POINTS[0][0]:
        return None if overlap_ratio is None else 0.0
    for (low, base), (high, top) in pairwise(POINTS):
        if overlap_ratio <= high:
            return base + (overlap_ratio - low) / (high - low) * (top - base)
    return POINTS[-1][1]


@metric(
    id="chat.context_intrusion",
    inputs=("response", "contexts"),
    range=(0.0, 100.0),
    polarity="lower",
    unit="%",
    formula=intrusion,
)
def context_intrusion(response_normal: Normal, contexts_words: frozenset[str]) -> Result:
    """How much of the response's wording is copied from the contexts.

    Words are distinct, in lower case, of three characters or more, separated by whitespace and
    punctuation; the contexts are taken together:

        overlap = response words that occur in the contexts / response words
        value   = 0 up to an overlap of 0.15, then in straight lines through
                  0.30 → 20, 0.50 → 60, 0.70 → 90, 1.00 → 100

    Evidence are the longest stretches of such words. A response without words scores 0; without
    contexts there is no score. The PyAI-Slayer guide's target is below 5, with a warning from 10.

    Blind spots: a faithful answer must use the contexts' words and is scored as an intrusion; the
    documents call an overlap of 15 to 30 % the best, yet it scores worse than none.
    """
    parts = plain_text(response_normal.lower).split(" ")
    words = {part for part in set(parts) if len(part) >= MIN_LETTERS}
    if not words:
        return Result(0.0, "The response has no words of three characters or more.")
    taken = words & contexts_words
    ratio = len(taken) / len(words)
    return Result(
        intrusion(ratio),
        f"{len(taken)} of {len(words)} distinct words of the response occur in the contexts.",
        LazySpans("response", "in the contexts", lambda: _longest(response_normal, parts, taken)),
        {"overlap_ratio": ratio, "band": _band(ratio)},
    ).limited(_run_count(parts, words, taken))


def _band(ratio: float) -> str:
    """The piece of the rule in which an overlap lies."""
    low, high = next(
        (a, b) for a, b in pairwise((0.0, *(at for at, _ in POINTS))) if ratio <= b or b == 1.0
    )
    return f"{low:.0%} to {high:.0%}"


def _run_count(parts: Sequence[str], words: Set[str], taken: Set[str]) -> int:
    """How many runs of words were taken over: as `_stretches` finds them, without their places."""
    signs = dict.fromkeys(words, ".") | dict.fromkeys(taken, "+")
    return ("." + "".join([signs.get(part, "") for part in parts])).count(".+")


def _longest(response: Normal, parts: Sequence[str], taken: Set[str]) -> list[int]:
    """Start and end of as many runs as may be marked, the longest, in order of place."""
    runs = sorted(_stretches(parts, taken), key=lambda run: run[0] - run[1])[:MAX_EVIDENCE]
    return [place for run in sorted(runs) for place in response.span(*run)]


def _stretches(parts: Sequence[str], taken: Set[str]) -> list[tuple[int, int]]:
    """The runs of words that were taken over, in order of place; short words may link.

    A part is what stands between two blanks: a word, or nothing.
    """
    runs: list[tuple[int, int]] = []
    start = end = place = 0
    for part in parts:
        if part in taken:
            start = start if end else place
            end = place + len(part)
        elif end and len(part) >= MIN_LETTERS:
            runs.append((start, end))
            end = 0
        place += len(part) + 1
    if end:
        runs.append((start, end))
    return runs
