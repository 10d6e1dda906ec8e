"""Plain rules that a metric has to beat, and parts of metrics that are measured by themselves.

Each takes samples and the run's models and gives one number a sample, or None where it has
nothing to say. A rule that looks at one sample at a time is written as such, under `each`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache
from typing import Any

from rapidfuzz.fuzz import ratio

from assay.backends import Backends, Embedder
from assay.core import ModelError, Sample
from assay.core.jsontext import loads
from assay.data import lexicon
from assay.data.meaning import meaning_words
from assay.features.contexts import plain_words
from assay.features.normal import normal
from assay.meaning.agreement import alternatives
from assay.textproc.cosine import cosine
from assay.textproc.overlap import share_ratio, shared
from assay.textproc.patterns import matcher

Numbers = list[float | None]
Baseline = Callable[[Sequence[Sample], Backends], Numbers]
_NUMBER = re.compile(r"\d+")
_FIGURE = re.compile(r"\d+(?:\.\d+)?")
_CAPITALS = re.compile(r"\b[A-Z][a-z]+ (?=[A-Z][a-z])")
FIRST_CHARACTERS = 1500
"""So much of the documents, taken together, does the documented groundedness rule embed."""


def each(rule: Callable[[Sample], float | None]) -> Baseline:
    """A rule that looks at one sample at a time, and at no model."""
    return lambda samples, backends: [rule(sample) for sample in samples]


def token_overlap(sample: Sample) -> float | None:
    """The share of the response's words that occur in the contexts; grammar words are left out."""
    if sample.response is None or not sample.contexts:
        return None
    words = content_words(sample.response)
    known = {word for document in sample.contexts for word in content_words(document.content)}
    return sum(word in known for word in words) / len(words) if words else 0.0


def token_f1(sample: Sample) -> float | None:
    """F1 of the words that response and expected answer share."""
    if sample.response is None or sample.expected is None:
        return None
    return word_f1(sample.response, sample.expected)


def expected_overlap(sample: Sample) -> float | None:
    """The share of the expected answer's words that occur in the response."""
    if sample.response is None or sample.expected is None:
        return None
    wanted, given = words_of(sample.expected), {*words_of(sample.response)}
    return sum(word in given for word in wanted) / len(wanted) if wanted else 0.0


def accepted_overlap(sample: Sample) -> float | None:
    """The largest share of an accepted answer's words, but for grammar words, in the response."""
    if sample.response is None or not (texts := accepted_texts(sample)):
        return None
    message = {*words_of(sample.response)}
    wanted = [content_words(text) or words_of(text) for text in texts]
    return max(
        (sum(w in message for w in words) / len(words) for words in wanted if words), default=0
    )


def accepted_f1(sample: Sample) -> float | None:
    """The highest F1 of words shared with one of the accepted answers."""
    if sample.response is None or not (texts := accepted_texts(sample)):
        return None
    return max(word_f1(sample.response, text) for text in texts)


def accepted_texts(sample: Sample) -> list[str]:
    """Every accepted answer: those that `expected` names, and those of the metadata."""
    if sample.expected is None:
        return []
    more = sample.metadata.get("accepted_answers") or ()
    return [part for text in (sample.expected, *more) for part in alternatives(text)]


def query_overlap(sample: Sample) -> float | None:
    """The share of the query's words that occur in the response; grammar words are left out."""
    if sample.query is None or sample.response is None:
        return None
    result, message = content_words(sample.query), {*words_of(sample.response)}
    return sum(word in message for word in result) / len(result) if result else 0.0


def last_number(sample: Sample) -> float | None:
    """1 where the last number of response and expected answer is the same."""
    if sample.response is None or sample.expected is None:
        return None
    one, other = (
        _FIGURE.findall(normal.feature(text).text.replace(",", ""))[-1:]
        for text in (sample.response, sample.expected)
    )
    return float(bool(one) and bool(other) and float(one[0]) == float(other[0]))


def step_number(sample: Sample) -> float | None:
    """How many steps come before this one."""
    return float(len(sample.steps or ()))


def contexts_length(sample: Sample) -> float | None:
    """How many characters the contexts have."""
    return float(sum(len(document.content) for document in sample.contexts))


def figures_and_length(sample: Sample) -> float | None:
    """Two translations: the share of their numbers that both have, then how alike their lengths."""
    texts = [*sample.translations.values()]
    if len(texts) != 2:
        return None
    one, other = ({*_NUMBER.findall(normal.feature(text).text)} for text in texts)
    figures = len(one & other) / len(one | other) if one | other else 1.0
    short, long = sorted(map(len, texts))
    return figures + (short / long if long else 1.0)


def capital_pairs(sample: Sample) -> float | None:
    """How many pairs of words in a row begin with a capital letter."""
    return None if sample.response is None else float(len(_CAPITALS.findall(sample.response)))


def negation_differs(sample: Sample) -> float | None:
    """1 where one of response and contexts has a word of negation and the other has none."""
    if sample.response is None or not sample.contexts:
        return None
    contexts = [word for document in sample.contexts for word in words_of(document.content)]
    message, known = words_of(sample.response), meaning_words().negations
    return float(any(w in known for w in message) != any(w in known for w in contexts))


def call_count(sample: Sample) -> float | None:
    """How many calls the agent made."""
    return None if sample.tool_calls is None else float(len(sample.tool_calls))


def same_names(sample: Sample) -> float | None:
    """1 where the names of the calls made are those of the calls expected, in any order."""
    if sample.tool_calls is None or sample.expected_tool_calls is None:
        return None
    made, wanted = (
        sorted(str(call.get("name")) for call in calls if isinstance(call, Mapping))
        for calls in (sample.tool_calls, sample.expected_tool_calls)
    )
    return float(made == wanted)


def listed(
    name: str, *lexicons: str, without: Sequence[str] = ()
) -> Callable[[Sample], float | None]:
    """How often entries of word lists occur in a field; `without` names kinds that do not count."""

    def rule(sample: Sample) -> float | None:
        texts = (
            [document.content for document in sample.contexts]
            if name == "contexts"
            else [getattr(sample, name)]
        )
        if not texts or any(text is None for text in texts):
            return None
        values = matcher(frozenset(lexicons))
        hits = [hit for text in texts for hit in values.find(normal.feature(text))]
        return float(sum(hit.pattern.partition(" (")[0] not in without for hit in hits))

    return rule


def character_ratio(sample: Sample) -> float | None:
    """How alike response and expected answer are, character by character (`difflib`)."""
    if sample.response is None or sample.expected is None:
        return None
    return text_ratio(sample.response, sample.expected)


def length_ratio(sample: Sample) -> float | None:
    """The length of the shorter of response and expected answer, as a share of the longer's."""
    if sample.response is None or sample.expected is None:
        return None
    short, long = sorted((len(sample.response), len(sample.expected)))
    return short / long if long else 1.0


def response_length(sample: Sample) -> float | None:
    """How many characters the response has."""
    return None if sample.response is None else float(len(sample.response))


def digit_share(sample: Sample) -> float | None:
    """The share of the response's characters that are digits."""
    if sample.response is None:
        return None
    return sum(map(str.isdigit, sample.response)) / max(1, len(sample.response))


def query_length(sample: Sample) -> float | None:
    """How many characters the query has."""
    return None if sample.query is None else float(len(sample.query))


def json_characters(sample: Sample) -> float | None:
    """How alike the two documents are as texts, character by character (`difflib`)."""
    one, other = _document_text(sample.response_json), _document_text(sample.expected_json)
    return None if one is None or other is None else text_ratio(one, other)


def json_words(sample: Sample) -> float | None:
    """The mean over all fields of either document of the F1 of the words of their values."""
    fields = field_pairs(sample)
    if fields is None:
        return None
    return sum(word_f1(*pair) for pair in fields.values()) / len(fields) if fields else 0.0


def json_validity(sample: Sample) -> float | None:
    """1 where the response is JSON at all, else 0."""
    if sample.response is None:
        return None
    try:
        loads(sample.response)
    except ValueError:
        return 0.0
    return 1.0


def whole_response_embedding(samples: Sequence[Sample], backends: Backends) -> Numbers:
    """The cosine of the whole response and the first 1,500 characters of all contexts together.

    The documented groundedness rule in its plain form, before it cuts the cosine into tiers.
    """
    return cosines(
        [
            (sample.response, " ".join(d.content for d in sample.contexts)[:FIRST_CHARACTERS])
            if sample.response is not None and sample.contexts
            else None
            for sample in samples
        ],
        backends.get("embedder"),
    )


def cosines(pairs: Sequence[tuple[str, str] | None], embedder: Embedder) -> Numbers:
    """The cosine of each pair of texts, all asked for at once; None where a text has no vector."""
    texts = [normal.feature(text).text for pair in pairs if pair for text in pair]
    vectors: Any = iter(embedder.embed(texts) if texts else ())
    return [_cosine(next(vectors), next(vectors)) if pair else None for pair in pairs]


def _cosine(one: Any, other: Any) -> float | None:
    if isinstance(one, ModelError) or isinstance(other, ModelError):
        return None
    return cosine(one, other)


def text_ratio(one: str, other: str) -> float:
    """Python's own measure of alike texts; rapidfuzz's quick one where the texts are long."""
    if len(one) + len(other) > 4_000:
        return ratio(one, other) / 100
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def word_f1(one: str, other: str) -> float:
    """F1 of the words that two texts share."""
    left, right = words_of(one), words_of(other)
    if not left and not right:
        return 1.0
    return share_ratio(shared(left, right), len(left), len(right))[2]


def words_of(text: str) -> list[str]:
    """The words of a text in lower case."""
    return [word.text for word in plain_words.feature(normal.feature(text))]


def content_words(text: str) -> list[str]:
    """The words of a text but for grammar words."""
    return [word for word in words_of(text) if word not in _grammar_words()]


def field_pairs(sample: Sample) -> dict[str, tuple[str, str]] | None:
    """The values of all top-level fields, expected and found, as texts; an absent one is empty."""
    actual, wanted = _document(sample.response_json), _document(sample.expected_json)
    if not isinstance(actual, Mapping) or not isinstance(wanted, Mapping):
        return None
    return {
        name: (_text(wanted.get(name)), _text(actual.get(name))) for name in {**wanted, **actual}
    }


def _document(given: Any) -> Any:
    """A document that may have come as JSON text; None where it is broken."""
    if not isinstance(given, str):
        return given
    try:
        return loads(given)
    except ValueError:
        return None


def _document_text(given: Any) -> str | None:
    return None if given is None else given if isinstance(given, str) else _text(given)


def _text(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else str(value)


@cache
def _grammar_words() -> frozenset[str]:
    return frozenset(pattern.name for pattern in lexicon("grammar_words.en").patterns)


BASELINES: Mapping[str, Baseline] = {
    "accepted_f1": each(accepted_f1),
    "accepted_overlap": each(accepted_overlap),
    "attack_phrases": each(listed("query", "attack_prompts", without=("about",))),
    "attack_phrases_in_contexts": each(listed("contexts", "attack_prompts", without=("about",))),
    "call_count": each(call_count),
    "capital_pairs": each(capital_pairs),
    "character_ratio": each(character_ratio),
    "contexts_length": each(contexts_length),
    "danger_words": each(
        listed(
            "response",
            "dangerous_instructions",
            without=("steps", "refused", "prevention"),
        )
    ),
    "digit_share": each(digit_share),
    "expected_overlap": each(expected_overlap),
    "figures_and_length": each(figures_and_length),
    "generalisations": each(listed("response", "generalisations", without=("distanced",))),
    "json_characters": each(json_characters),
    "json_validity": each(json_validity),
    "json_words": each(json_words),
    "last_number": each(last_number),
    "length_ratio": each(length_ratio),
    "negation_differs": each(negation_differs),
    "pii_patterns": each(listed("response", "pii")),
    "profanity_list": each(
        listed(
            "response",
            "hostility",
            without=("reported", "denounced", "negated", "own", "praise"),
        )
    ),
    "query_length": each(query_length),
    "query_overlap": each(query_overlap),
    "refusal_phrases": each(listed("response", "refusals.en", "refusals.ar")),
    "response_length": each(response_length),
    "same_names": each(same_names),
    "step_number": each(step_number),
    "token_f1": each(token_f1),
    "token_overlap": each(token_overlap),
    "whole_response_embedding": whole_response_embedding,
}
"""What an experiment may name under `[baselines]`."""
