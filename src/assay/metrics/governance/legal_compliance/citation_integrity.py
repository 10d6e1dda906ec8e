from collections.abc import Sequence

from assay.core import Document, Result, metric
from assay.core.wording import listed
from assay.features.cited_files import CitedFile, cited_files
from assay.features.document_names import document_key
from assay.features.normal import normal

MAX_NAMED = 3
"""At most this many unknown files are named in the explanation."""
MAX_NAME = 40
"""At most this many characters of each."""


def score(response: str | None = None, rag_sources: Sequence[str] | None = None) -> float | None:
    """0 when the response cites a file that is not among the sources, else 1.

    None without a response, and where files are cited but nobody knows the sources.
    """
    if response is None:
        return None
    keys = {document_key(source) for source in rag_sources or ()} - {""}
    cited = cited_files(normal.feature(response), keys)
    return None if cited and rag_sources is None else _share(cited)


@metric(
    id="governance.citation_integrity",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
    formula=score,
)
def citation_integrity(
    response_cited_files: tuple[CitedFile, ...], contexts: tuple[Document, ...]
) -> Result:
    """Whether every file that the response cites is among the documents.

        value = 0 if a cited file is none of the documents, else 1

    Cited is what stands in "[Source: …]" or "(Source: …)" before a page, and a file's name with its
    ending behind "according to" or "as per". Names are compared in lower case, without folder and
    ending, with underscores as blanks, and must be equal: "a.pdf" is not "data.pdf". A response
    without citations scores 1. Citations in a sample without contexts have no score.

    Blind spots: a real file may be cited for what it does not say; a citation in another form, such
    as "[1]", is not examined (`chat.citation_support` does).
    """
    if response_cited_files and not contexts:
        return Result.missing("The response cites files, but the sample has no 'contexts'.")
    unknown = list(dict.fromkeys(c.name for c in response_cited_files if not c.is_known))
    return Result(
        _share(response_cited_files),
        _explanation(len(response_cited_files), unknown),
        tuple(dict.fromkeys(c.span for c in response_cited_files if not c.is_known)),
        {"cited": len(response_cited_files), "unknown": unknown},
    )


def _share(cited: Sequence[CitedFile]) -> float:
    return float(all(file.is_known for file in cited))


def _explanation(count: int, unknown: Sequence[str]) -> str:
    if not count:
        return "The response cites no file."
    if not unknown:
        return f"All {count} cited files are among the documents."
    names = listed([repr(name[:MAX_NAME]) for name in unknown], MAX_NAMED)
    return f"Cited but not among the documents: {names}."
