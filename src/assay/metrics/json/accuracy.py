from assay.core import Result, metric
from assay.core.json_result import JsonComparison
from assay.jsoncompare.document import JsonDocument
from assay.jsoncompare.field_comparison import marks
from assay.scoring.json_results import NO_OUTPUT, accuracy_result


@metric(
    id="json.accuracy",
    inputs=("expected_json",),
    range=(0.0, 1.0),
    polarity="higher",
    version=9,
    tags=("model",),
)
def accuracy(
    response_json_comparison: JsonComparison | None,
    response_comparison: JsonComparison | None,
    response_json_document: JsonDocument | None,
    response_document: JsonDocument | None,
) -> Result:
    """How many of the delivered fields match the expected ones.

        value = matching fields / fields with a value in both documents, those with IGNORE left out

    A field that nobody chose a strategy for is TYPED: it is compared by what the expected value
    is. Yes or no, numbers with units and currencies, dates, times, weekdays, opening hours,
    identifiers, versions, addresses, telephone numbers, names and labels must be the same once
    case, blanks, punctuation, scripts of digits and formats are in one form. Free text must not
    differ in numbers, negation, opposites, names, roles or quantities, and must share 70 % of its
    content words or have a cosine of 0.74; where one word stands in the place of another and all
    else is equal, these two words must say the same (a cosine of 0.69). The field table names the
    type. With `typed = false` the type of the JSON value chooses EXACT or SEMANTIC, as in the
    source document; so it is where a judge is configured.

    EXACT fields match when their texts are the same in lower case (`1` is not `1.0`), objects and
    lists as JSON text with sorted keys. FUZZY ones match from a similarity of 0.85 on: the higher
    of the ratio of characters and that of sorted words. SEMANTIC ones match from 0.80 on: the
    cosine of the embedder, and 1 for texts that differ in blanks only. A judge, where one is
    configured, gives both similarities. Without an embedder SEMANTIC fields are compared as FUZZY,
    and `notes` says so; where a model cannot read a field, the score is an error and never 0.

    Without a field to compare the value is 1 and `details.vacuous` is true; the option
    `vacuous_accuracy` of the profile's table `[json]` makes it 0 or none. An output that is not
    JSON has accuracy 0. Strategies, thresholds and tolerances stand in the same table.

    Blind spots: an output that delivers one field of a hundred may be fully accurate; a paraphrase
    with other words and a low cosine counts as wrong; embedders find opposites alike, so "approved"
    may match "not approved" where SEMANTIC was chosen.
    """
    comparison = response_json_comparison or response_comparison
    document = response_json_document or response_document
    if comparison is None or document is None:
        return Result.missing(NO_OUTPUT)
    wrong = ((f.field_name, f.aio_value) for f in comparison.field_scores if f.score == 0)
    return accuracy_result(comparison, marks(wrong, document))
