from collections.abc import Mapping
from functools import cache

from assay.core import Result, Span, metric
from assay.data import lexicon
from assay.features import Hits, Normal, Words
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
    version=2,
    lexicons=("answer_signs.en", "query_stop_words.en", "question_aspects.en", "refusals.en"),
    languages=("en",),
)
def completeness(
    query_hits: Hits,
    query_normal: Normal,
    query_words: Words,
    response_normal: Normal,
    response_words: Words,
    response_hits: Hits,
    response_proper_names: ProperNames,
    *,
    long_answer_bonus: float = 0.1,
) -> Result:
    """How many aspects of the question the response addresses.

    The query asks for aspects by whole words; the response addresses them by signs:

        what                        20 words or more, or a short answer
        how much, expenditure, cost a number
        when                        a year or a month
        who, vendor, name           a name of two words, or an acronym
        why                         because, therefore, due to, reason
        list, all                   two commas or line ends
        none of these               15 words or more, or a short answer to a question

        value = min(1, addressed / asked + bonus)

    A short answer takes up at least half of the question's keywords, adds a word of its own and
    refuses nothing: "The capital of France is Paris."

    The bonus is `long_answer_bonus` for 50 words or more. An empty query asks for anything.

    Blind spots: a sign is no answer, as any number satisfies "how much", and a right answer of one
    word to "what" is called incomplete; documents are not read; English only.
    """
    query_aspects = {span.label: span for span in reversed(query_hits["question_aspects.en"])}
    signs = _signs(response_normal, response_hits, response_proper_names)
    is_question = "what" in query_aspects or query_normal.text.rstrip().endswith("?")
    if is_question and not response_hits["refusals.en"] and _takes_up(query_words, response_words):
        signs = {"what": None, "information": None, **signs}
    aspects = sorted(query_aspects, key=lambda aspect: query_aspects[aspect].start) or [
        "information"
    ]
    open_aspects = [aspect for aspect in aspects if aspect not in signs]
    addressed = len(aspects) - len(open_aspects)
    is_long = response_normal.word_count >= LONG_WORDS
    value = addressed / len(aspects) + (long_answer_bonus if is_long else 0.0)
    unanswered = f"; not {', '.join(open_aspects)}" if open_aspects else ""
    return Result(
        min(1.0, value),
        f"{addressed} of {len(aspects)} aspects of the query are addressed{unanswered}.",
        (
            *(
                query_aspects[a]._replace(label=f"{a}: not addressed")
                for a in open_aspects
                if a in query_aspects
            ),
            *(place for a in aspects if (place := signs.get(a))),
        ),
        {"asked": aspects, "not_addressed": open_aspects},
    )


def _takes_up(query: Words, response: Words) -> bool:
    """Whether an answer has half of the question's keywords, and a word of its own."""
    keywords = query.distinct - _stop_words()
    new = response.distinct - query.distinct - _stop_words()
    shared = len(keywords & response.distinct)
    return bool(keywords) and bool(new) and 2 * shared >= len(keywords)


@cache
def _stop_words() -> frozenset[str]:
    return frozenset(pattern.name for pattern in lexicon("query_stop_words.en").patterns)


def _signs(response: Normal, hits: Hits, names: ProperNames) -> Mapping[str, Span | None]:
    """The aspects that the response addresses, each with the place of its first sign."""
    first = {span.label: span for span in reversed(hits["answer_signs.en"])}
    signs: dict[str, Span | None] = {
        aspect: first[sign]
        for aspect, sign in (("amount", "number"), ("time", "time"), ("reason", "reason"))
        if sign in first
    }
    if names:
        signs["person"] = names[0]
    holds = {
        "what": response.word_count >= WHAT_WORDS,
        "information": response.word_count >= ANY_WORDS,
        "list": response.text.count(",") + response.text.count("\n") >= LIST_BREAKS,
    }
    return signs | {aspect: None for aspect, is_held in holds.items() if is_held}
