from typing import Any

from assay.core import Result, Span, metric
from assay.features.schema_validation import ParsedResponse, error_place
from assay.scoring.validity import validity


@metric(
    id="chat.schema_compliance",
    inputs=("response",),
    range=(0.0, 100.0),
    polarity="higher",
    unit="%",
)
def schema_compliance(response: str, response_parsed: ParsedResponse, schema: Any) -> Result:
    """Whether the response parses as JSON if the schema requires an object.

        value = 100 if the response is JSON, else 0         for a schema of the type "object"
                checks of its form that hold / checks · 100   otherwise

    The second line is the documented substitute (see `chat.output_validity`); it says nothing about
    the schema and is marked as imputed. The PyAI-Slayer guide's target is 95.

    Blind spots: any JSON passes for an object, `[1, 2]` and `3` too, and nothing else of the schema
    is looked at; `chat.schema_compliance_strict` looks at all of it.
    """
    if not isinstance(schema, dict) or schema.get("type") != "object":
        checks = validity(response)
        return Result.imputed(checks.percent, f"The schema asks for no object; {checks}.")
    if response_parsed.is_json:
        return Result(100.0, "The response is JSON.")
    place = error_place(response_parsed.problem, response)
    return Result(
        0.0,
        "The response is not JSON.",
        (Span("response", *place, "not JSON"),) if place else (),
        {"problem": response_parsed.problem},
    )
