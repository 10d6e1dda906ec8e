"""What the trained encoder says of texts, with how much it weighs beside the rules.

Each is None where no encoder is configured, where it does not read the text's script, and for a
language in which labelled records do not show how rules and encoder go together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from assay.backends import Encoder
from assay.backends.choice import is_configured
from assay.core import Document, ModelError, feature, text_feature
from assay.linear import Combiner, bounded, bounded_logit, combiner, ngram_model
from assay.meaning.reading import TextReading

COMBINED = "models/combined.json"
ACCEPTED = 3
"""At most so many accepted answers are read beside a response."""
OTHER_ANSWER: Mapping[bool | None, str] = {True: "No", False: "Yes"}
"""Yes or no → the other."""
PIECE_WORDS = 60
"""Words of a context that are read at once for planted instructions."""
PIECES = 4
"""At most so many pieces of a record's contexts are read: those whose words look worst."""
HARM_WORDS = 7
"""The shortest replies that people have labelled as harmful or not: of "Paris", labels say nothing,
and the encoder takes one word in two for harm."""
CONTEXTS = 20
"""At most so many contexts are looked at, the best ranked first."""


class EncoderReading(NamedTuple):
    """The encoder's logit for a text, and how it goes together with the rules."""

    encoder: str
    """How explanations call the encoder."""
    logit: float
    """Calibrated, within a bound."""
    combiner: Combiner

    def with_rules(self, probability: float, others: Mapping[str, float]) -> float:
        """The probability by rules and encoder together, and by other measures of the rules."""
        model = bounded(self.logit, self.combiner.most)
        rules = bounded(bounded_logit(probability), self.combiner.rules_most)
        return self.combiner.probability({"rules": rules, "model": model, **others})


Readings = list[EncoderReading | None]


@text_feature(is_batch=True, data=(COMBINED,))
def toxicity_reading(text: list[str], language: list[str], encoder: Encoder) -> Readings:
    """How toxic the encoder finds a text."""
    return _texts("toxicity", text, language, encoder)


@text_feature(is_batch=True, data=(COMBINED,))
def harm_reading(text: list[str], language: list[str], encoder: Encoder) -> Readings:
    """How much the encoder takes a text for help to do harm; it is not asked of a few words."""
    asked = [[(one, None)] if len(one.split()) >= HARM_WORDS else [] for one in text]
    return _best("harm", "harm", asked, language, encoder)


@text_feature(is_batch=True, data=(COMBINED,))
def injection_reading(text: list[str], language: list[str], encoder: Encoder) -> Readings:
    """How much the encoder takes a text for an attack."""
    return _texts("injection", text, language, encoder)


@feature(is_batch=True, data=(COMBINED, "models/injection_sentence.npz"))
def context_injection_reading(
    contexts: list[tuple[Document, ...]], query_language: list[str], encoder: Encoder
) -> Readings:
    """How much the encoder takes a piece of the contexts for an attack; the worst counts."""
    if not is_configured(encoder):
        return [None] * len(contexts)
    asked = [[(piece, None) for piece in _suspects(own)] for own in contexts]
    return _best("injection", "injection_context", asked, query_language, encoder)


@feature(is_batch=True, data=(COMBINED,))
def refusal_reading(
    response: list[str],
    response_language: list[str],
    encoder: Encoder,
    query: list[str | None] | None = None,
) -> Readings:
    """How much the encoder takes the response for a refusal of the query."""
    queries = query or [None] * len(response)
    asked = [[pair] for pair in zip(response, queries, strict=True)]
    return _best("refusal", "refusal", asked, response_language, encoder)


@feature(is_batch=True, data=(COMBINED,))
def relevance_reading(
    query: list[str], response: list[str], response_language: list[str], encoder: Encoder
) -> Readings:
    """How much the response addresses the query, by the encoder."""
    asked = [[pair] for pair in zip(response, query, strict=True)]
    return _best("relevance", "relevance", asked, response_language, encoder)


@feature(is_batch=True, data=(COMBINED,))
def correctness_reading(
    response: list[str],
    accepted_answers: list[tuple[TextReading, ...]],
    response_language: list[str],
    encoder: Encoder,
    query: list[str | None] | None = None,
) -> Readings:
    """How far the response is right by the encoder; the accepted answer that fits best counts.

    Where yes or no is all that is expected, it is by how much that fits better than the other.
    """
    queries = query or [None] * len(response)
    asked = [
        [(said, f"{question or ''} | {one.text}") for one in accepted[:ACCEPTED]]
        for said, accepted, question in zip(response, accepted_answers, queries, strict=True)
    ]
    others = [
        [
            (said, f"{question or ''} | {OTHER_ANSWER[one.answer]}")
            for one in accepted
            if len(accepted) == 1 and one.is_plain_answer
        ]
        for said, accepted, question in zip(response, accepted_answers, queries, strict=True)
    ]
    readings = _best("correctness", "correctness", asked, response_language, encoder)
    opposite = _best("correctness", "correctness", others, response_language, encoder)
    return [
        own._replace(logit=bounded(own.logit - other.logit)) if own and other else own
        for own, other in zip(readings, opposite, strict=True)
    ]


def _texts(head: str, texts: Sequence[str], languages: Sequence[str], encoder: Encoder) -> Readings:
    return _best(head, head, [[(text, None)] for text in texts], languages, encoder)


def _best(
    head: str,
    question: str,
    asked: Sequence[Sequence[tuple[str, str | None]]],
    languages: Sequence[str],
    encoder: Encoder,
) -> Readings:
    """The highest calibrated logit of each sample's texts; the encoder is asked once for all."""
    if not is_configured(encoder):
        return [None] * len(asked)
    combiners = [combiner(question, language) for language in languages]
    wanted = [own if combiners[place] else () for place, own in enumerate(asked)]
    answers = iter(encoder.ask(head, [pair for own in wanted for pair in own]))
    readings: Readings = []
    for own, weights, language in zip(wanted, combiners, languages, strict=True):
        logits = [
            answer[0] / temperature(encoder, head, language)
            for answer in (next(answers) for _ in own)
            if not isinstance(answer, ModelError)
        ]
        readings.append(
            EncoderReading(encoder.title, bounded(max(logits)), weights)
            if weights and logits
            else None
        )
    return readings


def temperature(encoder: Encoder, head: str, language: str) -> float:
    """What the logits of a head are divided by for texts of a language."""
    return encoder.heads[head].temperature.get(language, 1.0)


def _suspects(contexts: Sequence[Document]) -> list[str]:
    """The pieces of some contexts that look most like instructions to the reader."""
    logit: Callable[[str], float] = ngram_model("injection_sentence").logit
    pieces: dict[str, None] = {}
    for document in contexts[:CONTEXTS]:
        words = document.content.split()
        for start in range(0, len(words), PIECE_WORDS):
            pieces[" ".join(words[start : start + PIECE_WORDS])] = None
    if len(pieces) <= PIECES:
        return [*pieces]
    return sorted(pieces, key=lambda piece: (-logit(piece.lower()), piece))[:PIECES]
