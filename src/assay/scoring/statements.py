"""What the support of statements says to people: one sentence and evidence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from assay.core import Result, Span
from assay.core.result import CALIBRATED
from assay.features.chunks import Chunks
from assay.features.statements import Statement, span_of
from assay.scoring.combination import changed_by

SHOWN = 20
"""At most so many statements are marked as evidence, the least supported first."""
QUOTED = 80
"""Characters of a statement that an explanation quotes."""
WORDS_ALONE = (0.2, 0.5)
"""Between which a statement is unsure outside of English, where nothing but words that no context
has speaks against it: of 64 such statements in Arabic cases 35 were supported, and 9 of 27 below.
"""
_SENTENCE_END = re.compile(r"(?<![.!?؟])[.!?؟]+(?=\s|\Z)")


def label_of(statement: Statement, threshold: float) -> str:
    """Whether a statement is supported, unsupported or contradicted."""
    if statement.probability >= threshold:
        return "supported"
    return "contradicted" if statement.differences else "unsupported"


def evidence(statements: Sequence[Statement], chunks: Chunks, threshold: float) -> tuple[Span, ...]:
    """The statements, and the sentences of contexts that support or contradict them."""
    spans: dict[Span, None] = {}
    for one in sorted(statements, key=lambda one: one.probability)[:SHOWN]:
        label = label_of(one, threshold)
        if label == "supported":
            spans[Span("response", one.claim.start, one.claim.end, label)] = None
        else:
            spans[span_of(one, label)] = None
        if one.chunk and label != "unsupported":
            says = "supports" if label == "supported" else "says otherwise"
            spans[chunks.spot(one.chunk, says)] = None
    return tuple(sorted(spans))


def explain(statements: Sequence[Statement], threshold: float) -> str:
    """One sentence on the statement that has least support."""
    total = len(statements)
    bad = [one for one in statements if one.probability < threshold]
    if not bad:
        return (
            "The statement is supported."
            if total == 1
            else f"All {total} statements are supported."
        )
    some = "The statement" if total == 1 else f"{len(bad)} of {total} statements"
    verb = "is" if total == 1 or len(bad) == 1 else "are"
    return f"{some} {verb} not supported: {_quoted(least_supported(bad))}."


def _doubted(statements: Sequence[Statement]) -> str:
    """The same where the verdict stays open."""
    total, worst = len(statements), least_supported(statements)
    some = "the statement is" if total == 1 else f"all {total} statements are"
    return f"It is in doubt whether {some} supported: {_quoted(worst)}."


def _quoted(statement: Statement) -> str:
    reason = f": it {statement.reason}" if statement.reason else ""
    return f"“{quote(statement.claim.text)}”{reason}"


def threshold_of(statements: Iterable[Statement], default: float) -> float:
    """The threshold of rules and encoder together where an encoder read one, else the default."""
    read = (one.encoded for one in statements if one.encoded is not None)
    return next((one.combiner.threshold for one in read), default)


def with_encoder(result: Result, statements: Sequence[Statement]) -> Result:
    """The result, with what the encoder changed in the statement that has least support."""
    read = [one for one in statements if one.encoded is not None]
    if not read or read[0].encoded is None:
        return result
    encoder, weights = read[0].encoded.encoder, read[0].encoded.combiner
    worst = min(statements, key=lambda one: (one.probability, one.claim.start))
    note = changed_by(encoder, worst.by_rules, worst.probability)
    is_open = weights.unsure and weights.unsure[0] < worst.probability < weights.unsure[1]
    explanation = _doubted(statements) if is_open else result.explanation
    return result._replace(
        explanation=f"{explanation.removesuffix('.')}; {note}.",
        details={**result.details, "by": f"rules + {encoder}", CALIBRATED: weights.is_calibrated},
        threshold=weights.threshold,
        unsure=weights.unsure,
    )


def with_doubt(result: Result, statements: Sequence[Statement], language: str) -> Result:
    """The result, unsure where it fails by words alone in a language that no encoder reads."""
    worst = min(statements, key=lambda one: (one.probability, one.claim.start))
    is_told = bool(worst.differences or worst.absent) or worst.encoded is not None
    if language == "en" or is_told or not WORDS_ALONE[0] < worst.probability < WORDS_ALONE[1]:
        return result
    note = "nothing but other words speaks against it"
    return result._replace(
        explanation=f"{_doubted(statements).removesuffix('.')}; {note}.",
        threshold=WORDS_ALONE[1],
        unsure=WORDS_ALONE,
    )


def least_supported(statements: Iterable[Statement]) -> Statement:
    """The statement that speaks most against a text; contradicted ones first."""
    return min(statements, key=lambda one: (not one.differences, one.probability, one.claim.start))


def quote(text: str) -> str:
    """The start of a text on one line, without anything that ends a sentence."""
    start = "".join(char if char.isprintable() else " " for char in text[: 4 * QUOTED])
    short = " ".join(_SENTENCE_END.sub("", start).split())
    return short if len(short) <= QUOTED else f"{short[: QUOTED - 1].rstrip()}…"
