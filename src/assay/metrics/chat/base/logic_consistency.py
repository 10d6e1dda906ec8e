import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from assay.core import Result, Span, metric
from assay.core.wording import counted
from assay.features import Hits, Normal
from assay.features.normal import normal
from assay.features.steps import ReasoningStep, Steps
from assay.scoring.findings import weights

BASE = 1.0
FLOW_BONUS = 0.1
FLOW = (0.2, 0.6)
"""Steps whose concepts overlap by this much flow well."""
BREAK_PENALTY = 0.2
BREAK = 0.1
"""Steps whose concepts overlap by less do not hang together."""
TERM_PENALTY = 0.1
MIN_CONCEPT = 5
"""Letters of a word that counts as a concept."""
NO_CONCEPTS = frozenset({"which"})
"""The documented exceptions; the others have too few letters anyway."""
_TERM = re.compile(r"[A-Z](?<=\b.)[a-z]+\b")
"""A word with a capital; its beginning is looked at after the capital, which is quick to find."""


def logic_consistency_rule(base_score: float | None, penalty: float | None = 0.0) -> float | None:
    """The base less the penalties, clamped to 0–1."""
    if base_score is None or penalty is None:
        return None
    return min(1.0, max(0.0, base_score - penalty))


@metric(
    id="chat.logic_consistency",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
    version=2,
    lexicons=("contradictions",),
    languages=("en",),
    formula=logic_consistency_rule,
)
def logic_consistency(
    response_normal: Normal, response_steps: Steps, response_hits: Hits
) -> Result:
    """Whether the response contradicts itself, and whether its steps are connected.

        value = 1 − penalties,   clamped to 0–1

    Penalties: 0.2 for each "not … but not" and "always … never", 0.3 for each "both X and not X";
    0.2 when adjacent steps share less than a tenth of their concepts (mean Jaccard over words of
    more than four letters); 0.1 when more than half of the Capitalised terms stand only once. A
    share between 0.2 and 0.6 adds 0.1.

    Blind spots: contradictions in any other wording are not seen. The first word of a sentence
    counts as a Capitalised term, so most short responses lose 0.1.
    """
    contradictions = tuple(_real(response_hits["contradictions"], response_normal.original))
    flow = _flow(response_steps)
    once = _used_once(response_normal.text)
    penalty = sum(weights(contradictions, "contradictions")) + TERM_PENALTY * once
    base = BASE
    if flow is not None:
        base += FLOW_BONUS * (FLOW[0] <= flow <= FLOW[1])
        penalty += BREAK_PENALTY * (flow < BREAK)
    return Result(
        logic_consistency_rule(base, penalty),
        f"{counted(len(contradictions), 'contradiction')}; "
        + ("there are no adjacent steps; " if flow is None else f"steps share {flow:.0%}; ")
        + ("most terms stand only once." if once else "terms recur."),
        contradictions,
        {"base_score": base, "penalty": penalty, "flow": flow, "terms_used_once": once},
    )


def _real(hits: tuple[Span, ...], response: str) -> Iterator[Span]:
    """The hits, less "both X and not Y" where X and Y differ."""
    for hit in hits:
        words = normal.feature(response[hit.start : hit.end]).lower.split()
        if not hit.label.startswith("both") or words[1] == words[-1]:
            yield hit


def _flow(steps: Steps) -> float | None:
    """The mean overlap of the concepts of adjacent steps; None with fewer than two steps."""
    if len(steps) < 2:
        return None
    concepts = [_concepts(step) for step in steps]
    overlaps = [len(a & b) / len(a | b) if a and b else 0.0 for a, b in pairwise(concepts)]
    return sum(overlaps) / len(overlaps)


def _concepts(step: ReasoningStep) -> set[str]:
    return {word for word in step.words if len(word) >= MIN_CONCEPT} - NO_CONCEPTS


def _used_once(text: str) -> bool:
    """Whether more than half of the Capitalised terms stand only once."""
    counts = Counter(_TERM.findall(text))
    return 2 * sum(count == 1 for count in counts.values()) > len(counts)
