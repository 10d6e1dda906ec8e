from assay.core import Result, metric
from assay.features.form_checks import MIN_LENGTH
from assay.scoring.validity import failure_spans, validity


@metric(
    id="chat.output_validity",
    inputs=("response",),
    range=(0.0, 100.0),
    polarity="higher",
    unit="%",
)
def output_validity(
    response: str, *, min_length: int = MIN_LENGTH, max_length: int | None = None
) -> Result:
    """How many of the PyAI-Slayer guide's format checks the response passes.

        value = checks that hold / checks · 100

    The checks: at least `min_length` characters without the blanks around them, not empty, neither
    "<" nor ">", a full stop, question or exclamation mark, colon or semicolon at the end, and, with
    `max_length`, at most so many characters. The PyAI-Slayer guide's target is 95.

    Blind spots: it looks at form only. "5 > 3." fails a check meant for markup, and so does an end
    with an Arabic question mark or a closing quote.
    """
    checks = validity(response, min_length, max_length)
    return Result(
        checks.percent,
        f"{checks}.",
        failure_spans(response, checks.failed, max_length),
        {"failed": list(checks.failed)},
    )
