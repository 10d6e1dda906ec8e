import re
from collections.abc import Iterator
from typing import NamedTuple

from assay.core import Result, Span, metric
from assay.features import Normal, Sentences, Words
from assay.textproc.lines import line_matches

MIN_LETTERS = 4
"""Shorter words do not tell a topic."""
QUESTION_MARKS = ("?", "؟", "？")
_NUMBERED = re.compile(r"(?m)^[ \t]{0,8}\d{1,3}[.)][ \t]+(\S[^\n]*)$")


@metric(
    id="text.completeness",
    inputs=("query", "response"),
    range=(0.0, 1.0),
    polarity="higher",
    version=2,
    threshold=0.50,
)
def completeness(
    query_normal: Normal, query_sentences: Sentences, query_words: Words, response_words: Words
) -> Result:
    """How many of the query's topics the response covers.

    Topics are the query's questions and numbered lines; where there are none, its parts between
    "and". A topic is addressed when any of its words of four letters or more occurs in the
    response; topics without such a word do not count:

        value = addressed topics / topics

    An empty response scores 0; a query without topics gives an imputed 1.0.

    Blind spots: one shared word is enough, and a topic answered in other words is missed; "and"
    is looked for in English only.
    """
    if not response_words.all:
        return Result(0.0, "The response is empty.")
    topics = list(_topics(query_normal, query_sentences, query_words))
    if not topics:
        return Result.imputed(1.0, "The query names no topic.")
    open_topics = [topic for topic in topics if response_words.distinct.isdisjoint(topic.words)]
    addressed = len(topics) - len(open_topics)
    return Result(
        addressed / len(topics),
        f"{addressed} of {len(topics)} topics of the query are addressed.",
        tuple(Span("query", topic.start, topic.end, "not addressed") for topic in open_topics),
    )


class Topic(NamedTuple):
    """A stretch of the query and the words that tell what it is about."""

    start: int
    end: int
    words: list[str]


def _topics(query: Normal, sentences: Sentences, words: Words) -> Iterator[Topic]:
    """Questions and numbered lines, else the parts between "and"; those without words left out."""
    questions = [
        Topic(s.start, s.end, _telling(s.words)) for s in sentences if s.mark in QUESTION_MARKS
    ]
    lines = [_topic(query, words, *line.span(1)) for line in line_matches(_NUMBERED, query.text)]
    covered = {place for question in questions for place in range(question.start, question.end)}
    listed = [line for line in lines if line.start not in covered]
    topics = questions + listed or list(_parts(query, words))
    return (topic for topic in topics if topic.words)


def _parts(query: Normal, words: Words) -> Iterator[Topic]:
    start = 0
    for piece in query.text.split(" and "):
        yield _topic(query, words, start, start + len(piece))
        start += len(piece) + len(" and ")


def _topic(query: Normal, words: Words, begin: int, end: int) -> Topic:
    return Topic(*query.span(begin, end), _telling(words.blanked[begin:end].split()))


def _telling(words: list[str]) -> list[str]:
    return [word for word in words if len(word) >= MIN_LETTERS]
