from typing import Any

from assay.core import rule
from assay.data.json_options import DOCUMENTED, FieldOptions
from assay.jsoncompare.values import (
    compared_texts,
    fuzzy_similarity,
    is_equal,
    is_same_text,
    match_similarity,
    rules_of,
)


@rule("json.match.exact")
def exact(
    gt: Any,
    aio: Any,
    numeric_tolerance: float | None = None,
    order_insensitive: bool = False,
) -> int:
    """1 when two values have the same text in lower case, objects and lists as JSON text."""
    order = False if order_insensitive else None
    own = FieldOptions(numeric_tolerance=numeric_tolerance, list_order_matters=order)
    return int(is_equal(gt, aio, rules_of(own, DOCUMENTED, "EXACT")))


@rule("json.match.fuzzy")
def fuzzy(
    similarity: float | None = None,
    gt: Any = None,
    aio: Any = None,
    fuzzy_threshold: float = DOCUMENTED.fuzzy_threshold,
) -> int | None:
    """1 when the similarity reaches the threshold; that of letters and words unless given."""
    if similarity is None and gt is not None and aio is not None:
        texts = compared_texts(gt, aio, rules_of(None, DOCUMENTED, "FUZZY"))
        similarity = fuzzy_similarity(*texts)
    return None if similarity is None else match_similarity(similarity, fuzzy_threshold)


@rule("json.match.semantic")
def semantic(
    similarity: float | None = None,
    gt: Any = None,
    aio: Any = None,
    semantic_threshold: float = DOCUMENTED.semantic_threshold,
) -> int | None:
    """1 when the similarity reaches the threshold; texts that differ in blanks only are alike."""
    if similarity is None and gt is not None and aio is not None:
        texts = compared_texts(gt, aio, rules_of(None, DOCUMENTED, "SEMANTIC"))
        similarity = 1.0 if is_same_text(*texts) else None
    return None if similarity is None else match_similarity(similarity, semantic_threshold)
