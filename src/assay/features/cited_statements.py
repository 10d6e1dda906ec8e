"""The statements of a response that cite a context, judged by what they cite alone."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from assay.core import Document, feature
from assay.features.chunks import context_chunks
from assay.features.citations import Citation, Citations
from assay.features.claims import Claims
from assay.features.statements import DATA, Statement, judged
from assay.textproc.normal import Normal


class CitedStatement(NamedTuple):
    """A statement with its citations, and what the cited contexts say about it."""

    statement: Statement | None
    """None where no cited context exists."""
    citations: tuple[Citation, ...]


@feature(data=DATA)
def cited_statements(
    response_statements: Claims,
    response_citations: Citations,
    contexts: tuple[Document, ...],
    response_language: str,
    query_normal: Normal | None = None,
) -> tuple[CitedStatement, ...]:
    """The statements with citations, each of which belongs to the sentence around or before it."""
    if not response_statements or not response_citations:
        return ()
    starts = [claim.start for claim in response_statements]
    cited: dict[int, list[Citation]] = {}
    for citation in response_citations:
        place = max(0, bisect_right(starts, citation.span.start) - 1)
        cited.setdefault(place, []).append(citation)
    result = []
    for place, own in sorted(cited.items()):
        named = dict.fromkeys(c.context for c in own if c.context is not None)
        statement = None
        if named:
            chunks = context_chunks.function(tuple(contexts[index] for index in named))
            claims = (response_statements[place],)
            (statement,) = judged(claims, chunks, response_language, query_normal)
        result.append(CitedStatement(statement, tuple(own)))
    return tuple(result)
