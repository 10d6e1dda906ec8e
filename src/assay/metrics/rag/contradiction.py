from assay.core import Result, metric
from assay.features.chunks import Chunks
from assay.features.statements import Statements, plain, span_of
from assay.scoring.statements import quote

THRESHOLD = 0.5
"""Contradicted statements with less support than this fail."""


@metric(
    id="rag.contradiction",
    inputs=("response", "contexts"),
    range=(0.0, 1.0),
    polarity="lower",
    version=4,
    threshold=THRESHOLD,
    aliases=("contradiction",),
)
def contradiction(response_support: Statements, context_chunks: Chunks) -> Result:
    """The probability that a context says the opposite of a statement of the response.

    A statement is contradicted where the nearest sentence of the contexts, or one with its words,
    has another number of the same unit, another date, weekday or time, a negation that only one of
    the two has, a word of opposite meaning, another quantifier or modal verb, or condition and
    outcome exchanged:

        value = 1 - the least probability of support among the contradicted statements

    and 0 where none is. The probability is that of `rag.faithfulness`.

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
    if not response_support:
        return Result.missing("The response says nothing.")
    result = sorted(
        (one for one in response_support if one.differences), key=lambda one: one.probability
    )
    if not result:
        return Result(0.0, "No context says otherwise.", (), {"contradicted": []})
    worst = result[0]
    spans = {span_of(one, "contradicted"): None for one in result}
    spans |= {context_chunks.spot(one.chunk, "says otherwise"): None for one in result if one.chunk}
    return Result(
        1.0 - worst.probability,
        f"“{quote(worst.claim.text)}” {worst.reason}.",
        tuple(sorted(spans)),
        {"contradicted": [plain(one) for one in result]},
    )
