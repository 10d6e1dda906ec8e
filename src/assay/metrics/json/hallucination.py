from assay.core import Result, metric
from assay.jsoncompare.pairing import Pairing
from assay.scoring.json_results import NO_OUTPUT, invented, without_output


@metric(
    id="json.hallucination",
    inputs=("expected_json",),
    range=(0.0, 1.0),
    polarity="lower",
)
def hallucination(
    response_json_pairing: Pairing | None, response_pairing: Pairing | None
) -> Result:
    """How many of the fields of both documents are unexpected.

        value = (extra fields + fields with a value where the ground truth says null) / all fields

    All distinct fields of both documents count in the denominator, null or not; 0 when there are
    none. An extra field counts though its value is null, unless `count_null_extras` is false in the
    profile's table `[json]`. An output that is not JSON invents nothing: 0, and the explanation
    says so. Without an output there is no score.

    Blind spots: a wrong value in an expected field is no hallucination here. Fields that can never
    be invented are in the denominator, so a long ground truth lowers the value;
    `json.hallucination_rate_of_output` divides by the output alone.
    """
    pairing = response_json_pairing or response_pairing
    if pairing is None:
        return Result.missing(NO_OUTPUT)
    if pairing.error:
        return without_output(pairing, 0.0, {"invented": 0, "fields": pairing.distinct})
    return invented(pairing, pairing.hallucination, pairing.distinct, "fields")
