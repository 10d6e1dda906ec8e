from typing import Any

from assay.core import Result, metric
from assay.data.json_options import JsonOptions
from assay.jsoncompare.consistency import agreement, read_outputs
from assay.jsoncompare.document import read_document, read_output


def consistency_of(outputs: list[Any] | None) -> float | None:
    """The mean over pairs of outputs of the share of keys with equal values."""
    if not outputs or len(outputs) < 2:
        return None
    return agreement(read_outputs(map(read_document, outputs), JsonOptions())).value


@metric(
    id="json.consistency",
    inputs=("responses",),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=0.5,
    formula=consistency_of,
)
def consistency(
    responses: tuple[str, ...], expected_json: Any, json_options: JsonOptions
) -> Result:
    """How far several outputs to one request agree.

        value = mean over all pairs of outputs of (keys with equal values / keys of either)

    The outputs are `responses`, each read as JSON; values are equal as under EXACT, and a null
    value counts as an absent key. Two empty outputs agree. An output that is not JSON agrees with
    no other one. With depth `nested` in the profile's table `[json]` all inner values count, lists
    by place. Of more than 300 different outputs the first 300 are compared, and `details` says so.
    One output alone has no score, nor have responses of which none is JSON when there is no ground
    truth either.

    Blind spots: outputs that are wrong in the same way agree; the same thing in other words does
    not.
    """
    is_repaired = json_options.repair
    read = [read_output(text, "responses", is_repaired=is_repaired) for text in responses]
    outputs = read_outputs(read, json_options)
    unread = sum(output is None for output in outputs)
    if len(outputs) < 2:
        return Result.missing("One output alone agrees with nothing; expected two or more.")
    if unread == len(outputs) and expected_json is None:
        return Result.missing("None of the responses is a JSON object or list.")
    result = agreement(outputs)
    statement = f"; {unread} of them are not JSON" if unread else ""
    details = {"outputs": len(outputs), "unparseable": unread, "compared": result.compared}
    if repaired := sum(bool(document.repairs) for document in read):
        statement += f"; {repaired} of them are repaired"
        details["repaired"] = repaired
    return Result(
        result.value,
        f"{len(outputs)} outputs agree in {result.value:.2f}{statement}.",
        details=details,
    )
