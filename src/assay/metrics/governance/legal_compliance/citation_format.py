from assay.core import Result, metric
from assay.core.bounds import clamp
from assay.data import Policy
from assay.features import Hits
from assay.features.document_names import DocumentNames
from assay.features.policy_hits import lacking, unread_by
from assay.scoring.weighted_patterns import by_place, quoted, weigh_section

SECTION = "citation"
PER_DOCUMENT = 0.15
"""What each named document adds."""


@metric(
    id="governance.citation_format",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
)
def citation_format(
    response_policy_hits: Hits,
    response_document_names: DocumentNames,
    response_language: str,
    policy: Policy,
) -> Result:
    """Whether sources are cited in the forms of the policy pack.

        value = weights of the [[citation]] patterns that occur, each once
                + 0.15 per document that is named;   at most 1

    The pack `rti`: "[Source: …, Page n]" 0.25, "(Source: …)" 0.25, "Section 8(1)(j)" 0.2, "O.M.
    No." 0.2, "Para 5" 0.15, "vide letter/order/circular" 0.15, "File No." 0.15, "Page 47" 0.1, a
    range of years 0.1. Documents are named by their source or id, without ending, as whole words.
    An empty response scores 0. There is no score where the pack has no citations, nor where nothing
    was found and the text is in another script than the pack's.

    Blind spots: the form is looked at, not whether the source says so; a full score takes four or
    more forms in one response. `governance.citation_integrity` looks for the cited files.
    """
    documents = [name.key for name in response_document_names]
    hits = response_policy_hits[SECTION]
    unscored = lacking(policy, SECTION)
    if not hits and not documents:
        unscored = unscored or unread_by(policy, response_language, "response")
    if unscored:
        return unscored
    weighed = weigh_section(policy, hits, SECTION)
    parts = [quoted(weighed.names)] if weighed.names else []
    parts += [f"documents named: {len(documents)}"] if documents else []
    return Result(
        clamp(weighed.score + PER_DOCUMENT * len(documents)),
        f"Forms of a citation: {'; '.join(parts)}." if parts else "No form of a citation occurs.",
        by_place(weighed.spans, *(name.spans for name in response_document_names)),
        {"policy": policy.name, "found": list(weighed.names), "documents": documents},
    )
