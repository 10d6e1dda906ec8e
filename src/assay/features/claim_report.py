"""What a verification says to people: one sentence, evidence, and counts that others made."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from assay.core import Span, feature
from assay.features.verification import ClaimVerdict, Status, Verification

SHOWN = 20
"""At most so many claims are marked as evidence, those without support first."""
QUOTED = 80
"""Characters of a claim that a sentence quotes."""
NAMED = 40
"""Characters of a context's name, or of a reason, that a sentence quotes."""
_SENTENCE_END = re.compile(r"(?<![.!?])[.!?]+(?=\s|\Z)")
_LABELS: Mapping[Status, str] = {"verified": "supports", "contradicted": "says otherwise"}


class StatedClaims(NamedTuple):
    """Counts of claims that somebody else made, in the sample's metadata."""

    total: int
    verified: int | None
    hallucinated: int | None


@feature()
def stated_claims(metadata: Mapping[str, Any]) -> StatedClaims | None:
    """The counts `total_claims`, `verified_claims` and `hallucinated_claims` of the metadata.

    Without a total, or with one that is no whole number, there are none. A count that lies beyond
    the total is left out.
    """
    total = _count(metadata.get("total_claims"), None)
    if total is None:
        return None
    verified = _count(metadata.get("verified_claims"), total)
    hallucinated = _count(metadata.get("hallucinated_claims"), total)
    if verified is None and hallucinated is not None:
        verified = total - hallucinated
    if hallucinated is None and verified is not None:
        hallucinated = total - verified
    return None if verified is None else StatedClaims(total, verified, hallucinated)


def _count(value: Any, most: int | None) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return value if is_count and (most is None or value <= most) else None


def explain(verification: Verification) -> str:
    """One sentence on the claims of a response."""
    total, bad, where = verification.total, verification.hallucinated, _where(verification)
    if not bad:
        return f"{_all(total)} supported by {where}."
    contradicted = verification.count("contradicted")
    also = f", {contradicted} of them contradicted" if contradicted else ""
    some = "The one claim has" if total == 1 else f"{bad} of {total} claims have"
    worst = min(_unverified(verification), key=_badness)
    return (
        f"{some} no support in {where}{also if total > 1 else ''}: "
        f"“{_quote(worst.claim.text, QUOTED)}” ({_quote(worst.reason, NAMED)})."
    )


def evidence(verification: Verification) -> tuple[Span, ...]:
    """The claims, and the pieces of contexts that support or contradict them."""
    spans: dict[Span, None] = {}
    for verdict in sorted(verification.verdicts, key=lambda verdict: verdict.status == "verified")[
        :SHOWN
    ]:
        spans[verdict.claim.span._replace(label=verdict.status)] = None
        if verdict.chunk and verdict.status in _LABELS:
            spans[verification.chunks.spot(verdict.chunk, _LABELS[verdict.status])] = None
    return tuple(sorted(spans))


def _unverified(verification: Verification) -> list[ClaimVerdict]:
    return [verdict for verdict in verification.verdicts if verdict.status != "verified"]


def _badness(verdict: ClaimVerdict) -> tuple[bool, bool, float, int]:
    """Contradicted claims first, citations last, in between those of least support."""
    is_citation = verdict.claim.kind == "citation"
    return verdict.status != "contradicted", is_citation, verdict.support, verdict.claim.start


def _all(total: int) -> str:
    return "The one claim is" if total == 1 else f"All {total} claims are"


def _where(verification: Verification) -> str:
    """The context by its name, or how many there are."""
    documents = verification.chunks.documents
    if len(documents) == 1:
        return _quote(verification.chunks.name(0), NAMED) or "the context"
    return f"the {len(documents)} contexts"


def _quote(text: str, length: int) -> str:
    """The start of a text on one line, without anything that ends a sentence."""
    start = text[: 4 * length]
    if not start.isprintable():
        start = "".join(char if char.isprintable() else " " for char in start)
    plain = " ".join(_SENTENCE_END.sub("", start).split())
    return plain if len(plain) <= length else f"{plain[: length - 1].rstrip()}…"
