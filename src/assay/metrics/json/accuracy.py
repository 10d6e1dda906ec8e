from collections.abc import Mapping
from typing import Any, Literal

from assay.core import Result, metric, rule
from assay.core.comparison import JsonComparison
from assay.data.json_options import DOCUMENTED, JsonOptions
from assay.jsoncompare.compare import compare_documents, marks
from assay.jsoncompare.document import JsonDocument
from assay.scoring.json_results import NO_OUTPUT, accuracy_result


@rule("json.accuracy")
def accuracy_of(
    gt: Any,
    aio: Any,
    similarities: Mapping[str, float] | None = None,
    field_strategies: Mapping[str, Any] | None = None,
    fuzzy_threshold: float = DOCUMENTED.fuzzy_threshold,
    semantic_threshold: float = DOCUMENTED.semantic_threshold,
    vacuous_accuracy: Literal["one", "zero", "none"] = "one",
    numeric_tolerance: float | None = None,
    ignore_scope: Literal["accuracy", "all"] = "accuracy",
) -> float | None:
    """The share of compared fields that match, with the similarities of FUZZY and SEMANTIC ones.

    Where no similarity is given, letters and words decide: a rule asks no model.
    """
    if gt is None or aio is None:
        return None
    options = JsonOptions(
        strategies=field_strategies or {},
        fuzzy_threshold=fuzzy_threshold,
        semantic_threshold=semantic_threshold,
        vacuous_accuracy=vacuous_accuracy,
        numeric_tolerance=numeric_tolerance,
        ignore_scope=ignore_scope,
    )
    return compare_documents(gt, [JsonDocument(aio)], options, similarities)[0].accuracy


@metric(
    id="json.accuracy",
    inputs=("expected_json",),
    range=(0.0, 1.0),
    polarity="higher",
    tags=("model",),
)
def accuracy(
    response_json_comparison: JsonComparison | None,
    response_comparison: JsonComparison | None,
    response_json_document: JsonDocument | None,
    response_document: JsonDocument | None,
) -> Result:
    """How many of the delivered fields say what is expected.

        value = matching fields / fields with a value in both documents, those with IGNORE left out

    EXACT fields match when their texts are the same in lower case (`1` is not `1.0`), objects and
    lists as JSON text with sorted keys. FUZZY ones match from a similarity of 0.85 on: the higher
    of the ratio of characters and that of sorted words. SEMANTIC ones match from 0.80 on: the
    cosine of the embedder, and 1 for texts that differ in blanks only. A judge, where one is
    configured, gives both similarities. Without an embedder SEMANTIC fields are compared as FUZZY,
    and `notes` says so; where a model cannot read a field, the score is an error and never 0.

    Without a field to compare the value is 1 as documented and `details.vacuous` is true; the
    option `vacuous_accuracy` of the profile's table `[json]` makes it 0 or none. An output that is
    not JSON has accuracy 0. Strategies, thresholds and tolerances stand in the same table.

    Blind spots: an output that delivers one field of a hundred may be fully accurate; embedders
    find opposites alike, so "approved" may match "not approved" under SEMANTIC.
    """
    comparison = response_json_comparison or response_comparison
    document = response_json_document or response_document
    if comparison is None or document is None:
        return Result.missing(NO_OUTPUT)
    wrong = ((f.field_name, f.aio_value) for f in comparison.field_scores if f.score == 0)
    return accuracy_result(comparison, marks(wrong, document))
