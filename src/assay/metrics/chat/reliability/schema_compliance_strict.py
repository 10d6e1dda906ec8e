from typing import Any

from assay.core import Result, Span, metric
from assay.features.schema_validation import SchemaVerdict, error_place


@metric(
    id="chat.schema_compliance_strict",
    inputs=("response", "schema"),
    range=(0.0, 100.0),
    polarity="higher",
    unit="%",
    exact=True,
)
def schema_compliance_strict(response: str, schema_verdict: SchemaVerdict) -> Result:
    """Whether the response is JSON that is valid under the sample's JSON Schema.

        value = 100 if the response is JSON and valid under the schema, else 0

    Drafts 4, 6, 7, 2019-09 and 2020-12 are known. The whole response must be JSON, without a fence
    around it. References outside the schema are not fetched: such a schema, like a broken one, is
    an error. The details list the first violations. Without a schema there is no score.

    Blind spots: it sees form, not truth. `format` is checked only where the draft says so, and one
    wrong field weighs as much as a wrong answer.
    """
    if schema_verdict.is_valid:
        return Result(100.0, "The response obeys the schema.")
    if schema_verdict.problem:
        place = error_place(schema_verdict.problem, response)
        return Result(
            0.0,
            "The response is not JSON.",
            (Span("response", *place, "not JSON"),) if place else (),
            {"problem": schema_verdict.problem},
        )
    violations = schema_verdict.violations
    detail = f" in {', '.join(sorted({v.keyword for v in violations}))}" if violations else ""
    return Result(
        0.0,
        f"The response breaks the schema{detail}.",
        tuple(Span("response", v.start, v.end, v.keyword) for v in violations),
        {"violations": [_shown(v) for v in violations]},
    )


def _shown(violation: Any) -> dict[str, str]:
    return {
        "path": violation.path,
        "keyword": violation.keyword,
        "message": violation.message,
    }
