from collections.abc import Sequence

from assay.core import Result, Span, metric
from assay.core.result import CALIBRATED
from assay.features.chunks import Chunks
from assay.features.statements import Statement, Statements, plain, span_of
from assay.scoring.combination import changed_by
from assay.scoring.statements import quote

THRESHOLD = 0.5
"""Contradicted statements with less support than this fail."""


@metric(
    id="rag.contradiction",
    inputs=("response", "contexts"),
    range=(0.0, 1.0),
    polarity="lower",
    version=13,
    threshold=THRESHOLD,
    aliases=("contradiction",),
)
def contradiction(response_verified: Statements, context_chunks: Chunks) -> Result:
    """The probability that a context says the opposite of a statement of the response.

    A statement is contradicted where the nearest sentence of the contexts, or one with its words,
    has another number of the same unit, another date, weekday or time, a negation that only one of
    the two has, a word of opposite meaning, another quantifier or modal verb, or condition and
    outcome exchanged:

        value = 1 - the least probability of support among the contradicted statements

    and 0 where none is. The probability is that of `rag.faithfulness`. With the trained encoder
    each statement has a probability of its own, which is never more than its support leaves: a
    response is not both supported and contradicted. Where the rules name no sign, the verdict is
    unsure as long as that of `rag.faithfulness` may be.

    Blind spots: a contradiction without such a sign is not seen. Of 4,127 pairs of sentences that
    people labelled (SNLI, MultiNLI, FEVER and others; 26 % contradictions), two of three that were
    flagged are contradictions, and 30 % of the contradictions were flagged (AUROC 0.63): it shows
    where to look and does not decide. A low `rag.faithfulness` finds more contradictions, and does
    not tell them from what the contexts do not say. A sentence that is nearly alike
    but speaks of something else may be taken for a contradiction. English and Arabic only; in other
    languages numbers and dates alone are compared.
    """
    if not context_chunks.documents:
        return Result.missing("There are no contexts.")
    if not response_verified:
        return Result.missing("The response says nothing.")
    if any(one.encoded and one.encoded.contradiction for one in response_verified):
        return _with_encoder(response_verified, context_chunks)
    result = sorted(
        (one for one in response_verified if one.differences), key=lambda one: one.by_rules
    )
    if not result:
        return Result(0.0, "No context says otherwise.", (), {"contradicted": []})
    worst = result[0]
    return Result(
        1.0 - worst.by_rules,
        f"“{quote(worst.claim.text)}” {worst.reason}.",
        _evidence(result, context_chunks),
        {"contradicted": [plain(one) for one in result]},
    )


def _with_encoder(statements: Statements, chunks: Chunks) -> Result:
    """The result where the encoder read statements: the one that is most likely contradicted."""
    worst = max(statements, key=lambda one: (one.contradiction, -one.claim.start))
    read = next(one.encoded for one in statements if one.encoded and one.encoded.contradiction)
    assert read.contradiction is not None
    weights = read.contradiction
    result = [one for one in statements if one.contradiction > weights.threshold]
    by_rules = 1.0 - worst.by_rules if worst.differences else 0.0
    note = changed_by(read.encoder, by_rules, worst.contradiction)
    says = worst.reason if worst.differences else "is said otherwise by a context"
    explanation = f"“{quote(worst.claim.text)}” {says}" if result else "No context says otherwise"
    return Result(
        worst.contradiction,
        f"{explanation}; {note}.",
        _evidence(result, chunks),
        {
            "contradicted": [plain(one) for one in result],
            "by": f"rules + {read.encoder}",
            CALIBRATED: weights.is_calibrated,
        },
        threshold=weights.threshold,
        unsure=worst.unsure_contradiction,
    )


def _evidence(result: Sequence[Statement], chunks: Chunks) -> tuple[Span, ...]:
    spans = {span_of(one, "contradicted"): None for one in result}
    places = (one.chunk or (one.encoded and one.encoded.chunk) for one in result)
    spans |= {chunks.spot(chunk, "says otherwise"): None for chunk in places if chunk}
    return tuple(sorted(spans))
