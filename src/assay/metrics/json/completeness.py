from assay.core import Result, metric
from assay.jsoncompare.pairing import Pairing
from assay.jsoncompare.values import listed
from assay.scoring.json_results import NO_OUTPUT, listing, repair_note, repairs, without_output


@metric(
    id="json.completeness",
    inputs=("expected_json",),
    range=(0.0, 1.0),
    polarity="higher",
)
def completeness(response_json_pairing: Pairing | None, response_pairing: Pairing | None) -> Result:
    """How much of what is expected the output delivers.

        value = fields with a value in both documents / fields with a value in the ground truth

    1 when the ground truth has no value at all. Null, and text of blanks only, is no value; 0,
    false, [] and {} are. The output is `response_json`, else `response` read as JSON; one that is
    not JSON delivers nothing: 0. Without both there is no score.

    Blind spots: a field that holds something wrong is delivered as well; `json.accuracy` looks at
    what it says.
    """
    pairing = response_json_pairing or response_pairing
    if pairing is None:
        return Result.missing(NO_OUTPUT)
    missing = pairing.buckets.get("aio_missing_or_null", [])
    details = {
        "delivered": pairing.count("both_non_null"),
        "expected": pairing.expected,
        **listing("missing", missing),
        **repairs(pairing.notes),
    }
    if pairing.error:
        return without_output(pairing, 0.0, details)
    detail = f"; missing: {listed(missing)}" if missing else ""
    return Result(
        pairing.completeness,
        f"{details['delivered']} of {pairing.expected} expected fields are in the output{detail}"
        f"{repair_note(pairing.notes)}.",
        details=details,
    )
