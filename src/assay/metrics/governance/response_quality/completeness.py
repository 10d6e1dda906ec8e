from collections.abc import Mapping

from assay.core import Result, Span, metric
from assay.features import Hits, Normal
from assay.features.proper_names import ProperNames

WHAT_WORDS = 20
"""Words from which on a response says what something is."""
ANY_WORDS = 15
"""Words from which on a response answers a question of no known kind."""
LONG_WORDS = 50
"""Words from which on a response earns the bonus."""
LIST_BREAKS = 2
"""Commas or line ends of a list."""


@metric(
    id="governance.completeness",
    inputs=("query", "response"),
    range=(0.0, 1.0),
    polarity="higher",
    lexicons=("answer_signs.en", "question_aspects.en"),
    languages=("en",),
)
def completeness(
    query_hits: Hits,
    response_normal: Normal,
    response_hits: Hits,
    response_proper_names: ProperNames,
    *,
    long_answer_bonus: float = 0.1,
) -> Result:
    """How many aspects of the question the response addresses.

    The query asks for aspects by whole words; the response addresses them by signs:

        what                        20 words or more
        how much, expenditure, cost a number
        when                        a year or a month
        who, vendor, name           a name of two words, or an acronym
        why                         because, therefore, due to, reason
        list, all                   two commas or line ends
        none of these               15 words or more

        value = min(1, addressed / asked + bonus)

    The bonus is `long_answer_bonus` for 50 words or more. An empty query asks for anything.

    Blind spots: a sign is no answer, as any number satisfies "how much", and a short right answer
    to "what" is called incomplete; documents are not read; English only.
    """
    asked = {span.label: span for span in reversed(query_hits["question_aspects.en"])}
    signs = _signs(response_normal, response_hits, response_proper_names)
    aspects = sorted(asked, key=lambda aspect: asked[aspect].start) or ["information"]
    open_aspects = [aspect for aspect in aspects if aspect not in signs]
    addressed = len(aspects) - len(open_aspects)
    is_long = response_normal.word_count >= LONG_WORDS
    value = addressed / len(aspects) + (long_answer_bonus if is_long else 0.0)
    unanswered = f"; not {', '.join(open_aspects)}" if open_aspects else ""
    return Result(
        min(1.0, value),
        f"{addressed} of {len(aspects)} aspects of the query are addressed{unanswered}.",
        (
            *(asked[a]._replace(label=f"{a}: not addressed") for a in open_aspects if a in asked),
            *(place for a in aspects if (place := signs.get(a))),
        ),
        {"asked": aspects, "not_addressed": open_aspects},
    )


def _signs(response: Normal, hits: Hits, names: ProperNames) -> Mapping[str, Span | None]:
    """The aspects that the response addresses, each with the place of its first sign."""
    first = {span.label: span for span in reversed(hits["answer_signs.en"])}
    found: dict[str, Span | None] = {
        aspect: first[sign]
        for aspect, sign in (("amount", "number"), ("time", "time"), ("reason", "reason"))
        if sign in first
    }
    if names:
        found["person"] = names[0]
    holds = {
        "what": response.word_count >= WHAT_WORDS,
        "information": response.word_count >= ANY_WORDS,
        "list": response.text.count(",") + response.text.count("\n") >= LIST_BREAKS,
    }
    return found | {aspect: None for aspect, is_held in holds.items() if is_held}
