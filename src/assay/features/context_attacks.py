"""Instructions to the reading system inside of retrieved contexts."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from threading import Lock
from typing import NamedTuple

from assay.core import Document, Span, feature
from assay.linear import measure_model, ngram_model
from assay.linear.models import ModelPlace, models_place
from assay.safety.injection import LEXICON, kind_of, measures, sentence_logits_of, signs
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
    is_batch=True,
    data=(
        f"patterns/{LEXICON}.toml",
        "models/injection_sentence.npz",
        "models/injection_context.json",
    ),
)
def context_attacks(contexts: list[tuple[Document, ...]]) -> list[tuple[ContextAttack, ...]]:
    """For each context, how likely an attacker's instruction stands in it."""
    known = _readings({document.content for own in contexts for document in own[:READ]})
    return [
        tuple(
            _placed(known[document.content], f"contexts[{number}]")
            for number, document in enumerate(own[:READ])
        )
        for own in contexts
    ]


class _ContextReading(NamedTuple):
    """What stands in a text, whatever its place among the contexts."""

    probability: float
    kinds: tuple[str, ...]
    places: tuple[tuple[int, int, str], ...]


def _placed(reading: _ContextReading, field: str) -> ContextAttack:
    spans = tuple([Span(field, *place) for place in reading.places])
    return ContextAttack(reading.probability, reading.kinds, spans)


_kept: OrderedDict[tuple[ModelPlace | None, str], _ContextReading] = OrderedDict()
_lock = Lock()


def _readings(contents: Iterable[str]) -> dict[str, _ContextReading]:
    """The readings of some distinct texts; retrieved texts recur in many records of a run."""
    place = models_place()
    with _lock:
        known = {text: _kept[place, text] for text in contents if (place, text) in _kept}
    new = sorted(text for text in contents if text not in known)
    known.update(zip(new, _read(new), strict=True))
    with _lock:
        for text, reading in known.items():
            _kept[place, text] = reading
            _kept.move_to_end((place, text))
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    return known


def _read(contents: Sequence[str]) -> Iterator[_ContextReading]:
    """The probability, the kinds of attack and their labelled places in each text."""
    texts = [normalise(content) for content in contents]
    find = matcher(frozenset({LEXICON})).find
    logits = sentence_logits_of(ngram_model("injection_sentence"), [text.lower for text in texts])
    model = measure_model("injection_context")
    for text, (own, ends) in zip(texts, logits, strict=True):
        result = signs(text.text, [Mark(hit.pattern, hit.start, hit.end) for hit in find(text)])
        hottest = int(own.argmax())
        row = measures(text.text, result, 0.0, float(own[hottest]))
        inner = [(kind_of(mark), mark.start, mark.end) for mark in result.attacks]
        start = ends[hottest - 1] if hottest else 0
        if own[hottest] > SUSPICIOUS and start < ends[hottest]:
            inner.append(("instruction", start, ends[hottest]))
        found_spans = spans(text, "contexts", innermost(Mark(*one) for one in inner))
        yield _ContextReading(
            model.probability(row),
            tuple(sorted(result.kinds())),
            tuple((span.start, span.end, span.label) for span in found_spans),
        )
