from assay.core import Result, metric
from assay.jsoncompare.pairing import Pairing
from assay.scoring.json_results import NO_OUTPUT, invented, without_output


@metric(
    id="json.hallucination_rate_of_output",
    inputs=("expected_json",),
    range=(0.0, 1.0),
    polarity="lower",
)
def hallucination_rate_of_output(
    response_json_pairing: Pairing | None, response_pairing: Pairing | None
) -> Result:
    """How many of the output's fields are unexpected.

        value = (extra fields with a value + values where null is expected) / values of the output

    0 when the output has no value, and for an output that is not JSON, as the explanation says.
    Unlike `json.hallucination` it does not fall when the ground truth grows, and null fields count
    nowhere. Without an output there is no score.

    Blind spots: a wrong value in an expected field is no hallucination here.
    """
    pairing = response_json_pairing or response_pairing
    if pairing is None:
        return Result.missing(NO_OUTPUT)
    if pairing.error:
        return without_output(pairing, 0.0, {"invented": 0, "values": 0})
    return invented(
        pairing, pairing.hallucination_rate_of_output, len(pairing.given), "values of the output"
    )
