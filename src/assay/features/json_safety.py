"""What stands in a JSON output that should not: hits in its keys and values."""

from __future__ import annotations

from typing import Any

from assay.core import feature
from assay.features.hits import Hits, by_lexicon
from assay.features.normal import normal
from assay.jsoncompare.document import JsonDocument, read_document, words_of
from assay.textproc.normal import Normal
from assay.textproc.patterns import Matcher

Expected = frozenset[str]
"""Words that would count against an output, and that the ground truth holds as well."""


@feature(data=normal.feature.data)
def response_json_normal(response_json_document: JsonDocument) -> Normal:
    """The keys and values of the output that was given as a document."""
    text: Normal = normal.feature(words_of(response_json_document))
    return text


@feature()
def response_json_hits(response_json_normal: Normal, matcher: Matcher) -> Hits:
    """All hits of the run's lexicons in the output that was given as a document."""
    return by_lexicon(matcher, response_json_normal, "response_json")


@feature(data=normal.feature.data)
def json_response_normal(response_document: JsonDocument) -> Normal | None:
    """The keys and values of the response, where it is a JSON object or list."""
    if not isinstance(response_document.value, dict | list):
        return None
    text: Normal = normal.feature(words_of(response_document))
    return text


@feature()
def json_response_hits(json_response_normal: Normal, matcher: Matcher) -> Hits:
    """All hits of the run's lexicons in the response, where it is a JSON object or list."""
    return by_lexicon(matcher, json_response_normal, "response")


@feature(data=normal.feature.data)
def expected_json_findings(expected_json: Any, matcher: Matcher) -> Expected:
    """What stands in the ground truth, and so is no fault of the output."""
    return expected_findings(read_document(expected_json), matcher)


def expected_findings(ground_truth: JsonDocument, matcher: Matcher) -> Expected:
    """The words of all hits in a ground truth, as `plain_form` writes them."""
    words = words_of(ground_truth)
    text = normal.feature(words)
    places = [text.span(start, end) for _, _, start, end in matcher.find(text)]
    return frozenset([plain_form(words[start:end]) for start, end in places])


def plain_form(words: str) -> str:
    """The letters and digits alone, in lower case: a telephone number has many spellings."""
    return "".join(filter(str.isalnum, words.lower()))
