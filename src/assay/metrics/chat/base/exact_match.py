from typing import Literal

from assay.core import Result, Span, metric
from assay.textproc.exact import Comparable


@metric(
    id="chat.exact_match",
    inputs=("response", "expected"),
    range=(0.0, 1.0),
    polarity="higher",
)
def exact_match(
    response: str, expected: str, *, normalize: Literal["none", "nfkc"] = "none"
) -> Result:
    """Whether the response is the expected answer, ignoring case and surrounding whitespace.

        value = 1 if lower(strip(response)) = lower(strip(expected)), else 0

    With `normalize` "nfkc" both are first brought to Unicode's form NFKC, so that "ﬁ" equals "fi"
    and é equals e with an accent of its own. An empty response or expected answer gives no score.

    Blind spots: one more full stop is a difference, and so are straight and curly quotes; words
    that mean the same do not count; "STRASSE" is not "straße".
    """
    for name, text in (("response", response), ("expected", expected)):
        if not text:
            return Result.missing(f"The field {name!r} is empty.")
    given, wanted = Comparable(response, normalize), Comparable(expected, normalize)
    if given.text == wanted.text:
        return Result(1.0, "The response is the expected answer.")
    place = given.first_difference(wanted)
    return Result(
        0.0,
        f"The response differs from the expected answer at character {place + 1}.",
        _evidence(given, wanted, place),
    )


def _evidence(given: Comparable, wanted: Comparable, place: int) -> tuple[Span, ...]:
    """The response from the first difference on; where it ends too early, what it lacks."""
    start, end = given.rest(place)
    if start < end:
        return (Span("response", start, end, "differs"),)
    return (Span("expected", *wanted.rest(place), "lacking"),)
