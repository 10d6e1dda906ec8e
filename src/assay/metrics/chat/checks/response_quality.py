import re

from assay.core import Result, Span, metric
from assay.features.form_checks import last_character, quality_checks, quality_share

_SIGN = re.compile("[<>]")


@metric(
    id="chat.response_quality",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
)
def response_quality(
    response: str, *, min_length: int = 10, max_length: int | None = None
) -> Result:
    """How many of the PyAI-Slayer guide's format checks the response passes.

    The checks: at least min_length characters, not empty, no `<` and no `>`, an ending in one of
    `. ! ? : ;` and, where max_length is given, at most so many characters. Blanks at both ends are
    left out, except for max_length.

        value = checks held / checks;   the details say which

    Blind spots: by the letter of the rule "5 > 3" holds a tag, and neither the Arabic question mark
    nor a closing quote ends an answer; `chat.response_quality_unicode` knows better.
    """
    checks = quality_checks(response, min_length, max_length)
    signs = _SIGN.finditer(response)
    evidence = [Span("response", *sign.span(), "has_no_html_tags") for sign in signs]
    if not checks["ends_properly"]:
        evidence += last_character(response, "ends_properly")
    return quality_share(checks, tuple(evidence)).limited()
