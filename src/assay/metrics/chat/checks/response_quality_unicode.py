from assay.core import Result, Span, metric
from assay.features import Normal
from assay.features.form_checks import last_character, quality_share, tags, unicode_checks


@metric(
    id="chat.response_quality_unicode",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
)
def response_quality_unicode(
    response_normal: Normal, *, min_length: int = 10, max_length: int | None = None
) -> Result:
    """How many format checks the response passes, in any script.

    The checks of `chat.response_quality` with two corrections: only real tags count as HTML, and
    the closing marks of all scripts end an answer, also before a closing quote or bracket.
    Invisible characters are left out.

        value = checks held / checks;   the details say which

    min_length and max_length are counted in characters.

    Blind spots: a list or a table ends without a mark and fails that check; an unknown tag such as
    <name> in an instruction counts as HTML.
    """
    checks = unicode_checks(response_normal.text, min_length, max_length)
    evidence = [
        Span("response", *response_normal.span(*place), "has_no_html_tags_strict")
        for place in tags(response_normal.text)
    ]
    if not checks["ends_properly_unicode"]:
        evidence += last_character(response_normal.original, "ends_properly_unicode")
    return quality_share(checks, tuple(evidence)).limited()
