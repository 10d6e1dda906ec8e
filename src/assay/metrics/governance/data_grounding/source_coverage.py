from assay.core import Result, metric
from assay.features import Hits
from assay.features.document_names import DocumentNames
from assay.scoring.weighted_patterns import by_place, quoted, weigh

PHRASES = "gov_source_phrases.en"
ENOUGH = 3
"""So many signs of a source are enough for the full score."""
PER_DOCUMENT = 2
"""A document that is named counts as so many signs."""


def score(phrases: int | None = None, documents: int = 0) -> float | None:
    """The score for distinct source phrases and named documents; None when nobody counted."""
    return None if phrases is None else min(1.0, (phrases + PER_DOCUMENT * documents) / ENOUGH)


@metric(
    id="governance.source_coverage",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
    lexicons=(PHRASES,),
    languages=("en",),
    formula=score,
)
def source_coverage(response_hits: Hits, response_document_names: DocumentNames) -> Result:
    """How much the response refers to its sources.

        value = n / 3, not above 1;   n = distinct phrases + 1 for a year + 2 per named document

    The phrases, each counted once: "according to", "based on", "as per", "source:", "reference:",
    "from the", "document", "statement", "report", "section", "page". A year is 1900 to 2099, alone
    or as a range ("2023-24"). A document is named by its source or id, without ending, as whole
    words. An empty response scores 0.

    Blind spots: nothing is resolved; "please fill in this document on page 3 from the year 2024"
    scores 1, and a document called "budget.pdf" is named by every "budget". The phrases are
    English.
    """
    weighed = weigh(response_hits, PHRASES)
    named = response_document_names
    signs = quoted([*weighed.names, *(document.wording for document in named)])
    return Result(
        score(len(weighed.names), len(named)),
        f"{len(weighed.names)} kinds of source phrase occur and {len(named)} documents are named"
        f"{f': {signs}' if signs else ''}.",
        by_place(weighed.spans, *(document.spans for document in named)),
        {"phrases": list(weighed.names), "documents": [document.key for document in named]},
    )
