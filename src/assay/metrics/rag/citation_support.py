from assay.core import Result, metric
from assay.features.cited_statements import CitedStatement
from assay.scoring.statements import quote

SUPPORTED = 0.5
"""The threshold of `rag.faithfulness`."""


@metric(
    id="rag.citation_support",
    inputs=("response", "contexts"),
    range=(0.0, 1.0),
    polarity="higher",
    version=12,
    threshold=1.0,
    aliases=("citation_precision", "rag.citation_precision"),
)
def citation_support(cited_statements: tuple[CitedStatement, ...]) -> Result:
    """How many of the statements that cite a source are supported by that source.

    A citation is a mark in square brackets, `[2]` for the second context or `[name]` for the one of
    that id or source, or the name of a context in the text, as in (WHO report). It belongs to the
    sentence that it stands in or behind. Each such sentence, without what it cites in brackets, is
    judged by the contexts that it cites, all others left aside, with the model of
    `rag.faithfulness`:

        value = cited statements with a probability of 0.5 or more / cited statements

    A citation of a context that does not exist supports nothing. A response without citations has
    no value.

    Blind spots: those of `rag.faithfulness`. A remark in square brackets, such as [sic], is taken
    for a citation.
    """
    if not cited_statements:
        return Result.missing("The response cites nothing.")
    held = [
        one.statement is not None and one.statement.probability >= SUPPORTED
        for one in cited_statements
    ]
    spans = [
        citation.span._replace(label="supported" if is_held else _label(one))
        for one, is_held in zip(cited_statements, held, strict=True)
        for citation in one.citations
    ]
    return Result(
        sum(held) / len(held),
        f"{sum(held)} of {len(held)} statements are supported by what they cite"
        f"{_worst(cited_statements, held)}.",
        tuple(spans),
    )


def _label(one: CitedStatement) -> str:
    return "unsupported" if one.statement else "no such context"


def _worst(cited: tuple[CitedStatement, ...], held: list[bool]) -> str:
    """The first statement without support, and why."""
    bad = next((one for one, is_held in zip(cited, held, strict=True) if not is_held), None)
    if bad is None:
        return ""
    if bad.statement is None:
        return "; one cites a context that does not exist"
    reason = f" ({bad.statement.reason})" if bad.statement.reason else ""
    return f"; “{quote(bad.statement.claim.text)}” is not{reason}"
