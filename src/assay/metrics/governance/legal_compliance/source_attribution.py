from assay.core import Result, metric
from assay.core.bounds import clamp
from assay.features import Hits
from assay.features.document_names import DocumentNames
from assay.scoring.weighted_patterns import by_place, quoted, weigh

MARKS = "gov_attribution.en"
DOCUMENT = 0.2
"""What named documents add, one or many."""


@metric(
    id="governance.source_attribution",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
    lexicons=(MARKS,),
    languages=("en",),
)
def source_attribution(response_hits: Hits, response_document_names: DocumentNames) -> Result:
    """Whether the response says where its statements come from.

        value = weights of the patterns that occur, each once
                + 0.2 if a document is named;   at most 1

    "according to/as per/based on" and a word 0.25, "source:/reference:" 0.2, "as stated/mentioned
    in" 0.15, "FY 2022-23" 0.1. A document is named by its source or id, without ending, as whole
    words. An empty response scores 0.

    Blind spots: the marks add up to 0.9, so no response has the full score; "according to nobody"
    counts; whether the source says so is not examined.
    """
    weighed = weigh(response_hits, MARKS)
    documents = [name.key for name in response_document_names]
    marks = [*weighed.names, *(["a document's name"] if documents else [])]
    return Result(
        clamp(weighed.score + DOCUMENT * bool(documents)),
        f"Marks of a source: {quoted(marks)}." if marks else "No mark of a source was found.",
        by_place(weighed.spans, *(name.spans for name in response_document_names)),
        {"found": list(weighed.names), "documents": documents},
    )
