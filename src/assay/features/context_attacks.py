"""Instructions to the reading system inside of retrieved contexts."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from assay.core import Document, Span, feature
from assay.linear import measure_model, ngram_model
from assay.safety.injection import (
    LEXICON,
    MASKED,
    kind_of,
    masked_kinds,
    measures,
    sentence_logits,
    signs,
)
from assay.safety.marks import Mark, innermost
from assay.safety.placed_hits import spans
from assay.textproc.normal import normalise
from assay.textproc.patterns import matcher

READ = 20
"""At most this many contexts are read, the best ranked first."""
KEPT = 256
"""Texts whose reading is kept for the next record."""
SUSPICIOUS = 1.0
"""Logit from which a sentence is shown as evidence."""


class ContextAttack(NamedTuple):
    """How likely one context holds an attack, and where."""

    probability: float
    kinds: tuple[str, ...]
    spans: tuple[Span, ...]


@feature(
    data=(
        f"patterns/{LEXICON}.toml",
        "models/injection_sentence.npz",
        "models/injection_context.json",
    )
)
def context_attacks(contexts: tuple[Document, ...]) -> tuple[ContextAttack, ...]:
    """For each context, how likely an attacker's instruction stands in it."""
    return tuple(_attack(number, doc.content) for number, doc in enumerate(contexts[:READ]))


def _attack(number: int, content: str) -> ContextAttack:
    probability, kinds, places = _read(content)
    field = f"contexts[{number}]"
    return ContextAttack(probability, kinds, tuple(Span(field, *place) for place in places))


@lru_cache(maxsize=KEPT)
def _read(content: str) -> tuple[float, tuple[str, ...], tuple[tuple[int, int, str], ...]]:
    """The probability, the kinds of attack and their labelled places in one text.

    Retrieved texts recur: many records of a run share them.
    """
    text = normalise(content)
    hits = matcher(frozenset({LEXICON})).find(text)
    result = signs(text.text, [Mark(hit.pattern, hit.start, hit.end) for hit in hits])
    model = ngram_model("injection_sentence")
    logits, ends = sentence_logits(model, text.lower)
    row = measures(text.text, result, 0.0, float(logits.max()))
    inner = [(kind_of(mark), mark.start, mark.end) for mark in result.attacks]
    hottest = int(logits.argmax())
    start = ends[hottest - 1] if hottest else 0
    if logits[hottest] > SUSPICIOUS and start < ends[hottest]:
        inner.append(("instruction", start, ends[hottest]))
    found_spans = spans(text, "contexts", innermost(Mark(*one) for one in inner))
    masked = masked_kinds(content) - result.kinds()
    probability = measure_model("injection_context").probability(row)
    return (
        max(probability, MASKED) if masked else probability,
        tuple(sorted(result.kinds() | masked)),
        tuple((span.start, span.end, span.label) for span in found_spans),
    )
