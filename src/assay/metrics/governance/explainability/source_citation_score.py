from math import fsum

from assay.core import Result, metric
from assay.core.bounds import clamp
from assay.features import Hits
from assay.features.document_names import DocumentNames
from assay.scoring.weighted_patterns import by_place, quoted, weigh

MARKS = "gov_citation_marks.en"
PER_DOCUMENT = 0.2


@metric(
    id="governance.source_citation_score",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
    lexicons=(MARKS,),
    languages=("en",),
)
def source_citation_score(response_hits: Hits, response_document_names: DocumentNames) -> Result:
    """How thoroughly the response cites.

        value = 0.3 for "according to", "as per" or "based on" with a word behind it
              + 0.3 for "source:" or "reference:" with a word behind it
              + 0.2 for "section", "page" or "paragraph" with a number
              + 0.1 for a range of years ("2023-24")
              + 0.2 per document that is named,   not above 1

    A document is named by its source or id, without ending, as whole words. Each kind of mark
    counts once. An empty response scores 0.

    Blind spots: nothing is resolved, so an invented source scores as well as a true one
    (`governance.citation_integrity` looks names up); the date 2024-05-01 looks like a range of
    years. The words are English.
    """
    weighed = weigh(response_hits, MARKS)
    named = response_document_names
    marks = quoted([*weighed.names, *(document.wording for document in named)])
    return Result(
        clamp(fsum([weighed.score, PER_DOCUMENT * len(named)])),
        f"{len(weighed.names)} of 4 kinds of citation occur and {len(named)} documents are named"
        f"{f': {marks}' if marks else ''}.",
        by_place(weighed.spans, *(document.spans for document in named)),
        {"marks": list(weighed.names), "documents": [document.key for document in named]},
    )
