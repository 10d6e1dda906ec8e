"""Whether the contexts support each statement of a text, and what they say against it.

For each statement the sentence of the contexts that shares most of its words is found, with its
neighbours. Measures of the two, in words, spelling, order, figures, names and named differences,
go through a linear model (`data/models/faithfulness.json`, fitted by `training/faithfulness.py`)
whose result is the probability that a person finds the statement supported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum
from typing import Any, NamedTuple

from assay.core import Span, feature
from assay.features._statement_checks import accounted, checked, is_said, new_word, said_around
from assay.features._statement_figures import (
    MAX_FIGURES,
    PLACES,
    converted_amounts,
    document_sentences,
    is_known,
    is_worked_out,
    with_figures,
)
from assay.features._statement_measures import (
    CROSSED,
    MEASURES,
    SIGNS,
    foreign_measures,
    is_foreign,
    measures_of,
    restated_measures,
    short_forms,
    silence,
)
from assay.features.chunks import Chunk, Chunks, ChunkWindow
from assay.features.claims import Claim, Claims
from assay.features.support import Support, support_of
from assay.linear import Combiner, MeasureModel, bounded_logit, measure_model
from assay.linear.models import logistic
from assay.meaning import ClaimDifference, TextReading, read
from assay.meaning.conflicts import clauses, conflicts, denies_rest, restated
from assay.meaning.other_places import other_document
from assay.meaning.overlap import NEAR, overlap
from assay.meaning.remainder import is_of_rest
from assay.meaning.unstated import unstated
from assay.meaning.widening import dropped_condition
from assay.textproc.normal import Normal

__all__ = [
    "DATA",
    "MEASURES",
    "MODEL",
    "SIGNS",
    "Statement",
    "Statements",
    "judged",
    "plain",
    "probability",
    "response_support",
    "span_of",
    "weighed",
]
MODEL = "faithfulness"
DATA = (
    "contrasts.toml",
    "frames.toml",
    "meaning.toml",
    "lexicons/absolutes.en.txt",
    "lexicons/antonyms.en.txt",
    "lexicons/personal.en.txt",
    "lexicons/synonyms.ar.txt",
    "lexicons/synonyms.en.txt",
    "models/faithfulness.json",
    "wordnet.toml",
)
"""What decides on the support of a statement."""
MAX_PARTS = 8
"""At most so many clauses of a statement are compared one by one."""
WORDED_ALIKE = 0.2
"""The share of a statement's word pairs from which on a denial of its own contradicts the contexts.
In cases that the rules were not made with, 51 % of statements with such a denial were false from
there on, and 36 % below it: who "may buy at most four" cannot buy five. So it is in Arabic: 4 of 9
were false below it."""
CONFLICTS = ("other_word", "other_class", "other_name", "other_roles")
"""Measures of what a context says otherwise, besides figures and negations."""


class EncodedSupport(NamedTuple):
    """What the trained encoder says of a statement beside the best place of the contexts."""

    encoder: str
    """How explanations call the encoder."""
    entailed: float
    """The logit that the place says so."""
    contradicted: float
    """The logit that the place says otherwise."""
    combiner: Combiner
    """For support."""
    contradiction: Combiner | None
    """For contradiction; None where none was fitted."""
    chunk: Chunk
    """The sentence around which was read."""


class Statement(NamedTuple):
    """One statement of a text, and what the contexts say about it."""

    claim: Claim
    measures: Mapping[str, float]
    chunk: Chunk | None
    """The sentence of a context that is nearest to it."""
    differences: tuple[ClaimDifference, ...]
    """What that sentence says otherwise."""
    absent: tuple[str, ...]
    """Figures and names of the statement that no context has."""
    reason: str
    """What speaks against it, as the rest of a sentence that begins with "it"; empty if nothing."""
    by_rules: float = 0.0
    """That a person finds it supported, by the rules and the linear model."""
    places: tuple[int, ...] = ()
    """The sentences that were looked at, by their place among all."""
    encoded: EncodedSupport | None = None
    """What the encoder says; None where it was not asked."""

    @property
    def probability(self) -> float:
        """That a person finds it supported: by the rules, and the encoder where it was asked."""
        if self.encoded is None:
            return self.by_rules
        return self.encoded.combiner.probability(self.combined_measures)

    @property
    def contradiction(self) -> float:
        """That a context says otherwise; by the rules alone it is 0 where they name nothing.

        What is supported is not contradicted: it is never more than support leaves.
        """
        by_rules = 1.0 - self.by_rules if self.differences else 0.0
        if self.encoded is None or self.encoded.contradiction is None:
            return by_rules
        measures = {**self.combined_measures, "rules": bounded_logit(by_rules)}
        return min(self.encoded.contradiction.probability(measures), 1.0 - self.probability)

    @property
    def unsure_contradiction(self) -> tuple[float, float] | None:
        """Between which ends a verdict on contradiction is unsure; None: nowhere.

        Where no rule names a reason, that is as long as support may be unsure.
        """
        if self.encoded is None or self.encoded.contradiction is None:
            return None
        own, support = self.encoded.contradiction, self.encoded.combiner.unsure
        if self.differences or not support:
            return own.unsure
        return own.threshold, 1.0 - support[0]

    @property
    def combined_measures(self) -> dict[str, float]:
        """What rules and encoder say, as their combiner takes it."""
        assert self.encoded is not None
        return {
            "rules": bounded_logit(self.by_rules),
            "entailed": self.encoded.entailed,
            "contradicted": self.encoded.contradicted,
            "figure": max(self.measures["other_figure"], self.measures["figure_absent"]),
            "negation": self.measures["denied"],
            "conflict": max(self.measures[name] for name in CONFLICTS),
            "absent": self.measures["name_absent"],
            "proved": self.measures["proved"],
        }


Statements = tuple[Statement, ...]


@feature(data=DATA)
def response_support(
    response_statements: Claims,
    context_chunks: Chunks,
    response_language: str,
    query_normal: Normal | None = None,
) -> Statements:
    """What the contexts say about each statement of the response."""
    return judged(response_statements, context_chunks, response_language, query_normal)


def judged(
    claims: Claims, chunks: Chunks, language: str, query: Normal | None = None
) -> Statements:
    """What some contexts say about each of some statements; the query may be referred to."""
    given = read(query.text, query.lower) if query else None
    known = frozenset[str]().union(*[read(claim.text).keys for claim in claims])
    known |= given.keys if given else frozenset()
    return weighed([_judge(claim, chunks, language, given, known) for claim in claims])


def weighed(statements: Sequence[Statement]) -> Statements:
    """Statements of one text with the measures of all of them, and their probabilities."""
    whole = {
        f"whole_{name}": fsum(one.measures[name] for one in statements) / len(statements)
        for name in ("words", "weighted")
        if statements
    }
    return tuple(_completed(one, {**one.measures, **whole}) for one in statements)


def _completed(one: Statement, measures: Mapping[str, float]) -> Statement:
    """A statement with all its measures, and the probability that they give."""
    return one._replace(measures=measures, by_rules=logistic(_model().logit(measures)))


def probability(statements: Sequence[Statement]) -> float:
    """That a person finds every statement supported: the least probability of all."""
    return min(one.probability for one in statements)


def _model() -> MeasureModel:
    return measure_model(MODEL)


def _judge(
    claim: Claim,
    chunks: Chunks,
    language: str,
    given: TextReading | None,
    known: frozenset[str],
) -> Statement:
    """What the contexts say about a statement; the `known` words stand in its text or the query."""
    reading = read(claim.text)
    own = support_of(claim, chunks, language, converted_amounts(claim, reading, chunks))
    places = list(dict.fromkeys((*_centre(own), *own.candidates)))[:PLACES]
    places = places or with_figures(reading, chunks)
    near = [chunks.window(place) for place in places]
    windows = {window.centre.place: window.readings for window in near}
    around = _around(windows) or [chunks.all[place].piece.reading for place in chunks.first]
    chunk = _nearest(reading, near)
    neighbours = chunks.window(chunk.place).pairs_share(claim.keys) if chunk else 0.0
    is_alike = neighbours >= WORDED_ALIKE
    is_copied = _is_copied(reading, own, around)
    result: list[ClaimDifference] = []
    if not is_copied:
        result = _conflicts(reading, chunk, near, windows, given)
        result = [one for one in result if is_alike or not one.is_denial]
        result = [one for one in result if not is_of_rest(one, reading, around)]
        result = _unless_said(result, reading, around)
        result = result or _elsewhere(reading, around, chunks)
        result = [
            one
            for one in result
            if not is_worked_out(one, reading, windows, given)
            and not is_of_rest(one, reading, around)
        ]
    result, is_right = checked(reading, result, around, _passage(chunk, near))
    result = _unless_said(result, reading, around)
    if chunk and not is_copied and not result:
        dropped = dropped_condition(reading, chunk.piece.reading, known)
        result = [dropped] if dropped else []
    if is_copied:
        result = []
    elif not is_alike:
        result = [one for one in result if not one.is_denial]
    short = short_forms(reading, chunks)
    everywhere = short.union(*[window.reading_keys for window in near])
    measures, absent = measures_of(
        claim, reading, own, chunks, chunk, windows, around, everywhere, neighbours, result, given
    )
    if not result and (word := new_word(reading, given, everywhere)):
        measures["other_name"], absent = 1.0, (*absent, word)
    if is_foreign(reading, chunks, language):
        measures.update(foreign_measures(reading, chunks, measures))
    measures["proved"] = float(is_right and not result and not absent)
    keys = frozenset[str]()
    if chunk and not result:
        keys = short | restated(reading, chunk.piece.reading)
        if is_right:
            keys |= reading.content.keys()
        if not absent and not measures["widened"]:
            keys |= accounted(reading, chunks.window(chunk.place).reading_keys)
    if keys:
        measures.update(restated_measures(reading, measures, keys))
    topic = unstated(reading)
    if topic is not None:
        told = windows or {0: around}
        measures.update(silence(topic, told))
        result, absent = [], ()
    measures |= {name: measures[one] * measures[two] for name, (one, two) in CROSSED.items()}
    return Statement(
        claim,
        measures,
        chunk,
        tuple(result),
        absent,
        _reason(measures, result, absent),
        places=tuple(places),
    )


def _unless_said(
    result: list[ClaimDifference], reading: TextReading, around: Sequence[TextReading]
) -> list[ClaimDifference]:
    """The differences without denials where a sentence says just what the statement says."""
    if not any(one.kind == "negation" for one in result) or not is_said(reading, around):
        return result
    return [one for one in result if one.kind != "negation"]


def _around(windows: Mapping[int, Sequence[TextReading]]) -> list[TextReading]:
    """The sentences of all windows, each once."""
    return list({id(one): one for own in windows.values() for one in own}.values())


def _passage(chunk: Chunk | None, windows: Sequence[ChunkWindow]) -> list[TextReading]:
    """The sentences that were looked at of the context of the nearest one, in their order."""
    if chunk is None:
        return []
    near = {one.place: one for window in windows for one in window.chunks}
    own = [near[place] for place in sorted(near) if near[place].context == chunk.context]
    return [one.piece.reading for one in own]


def _is_copied(reading: TextReading, own: Support, around: Sequence[TextReading]) -> bool:
    """Whether a statement is a whole sentence of a context, and no other one is about the same."""
    if not own.is_exact or own.window is None:
        return False
    if reading.lower != own.window.centre.piece.reading.lower:
        return False
    return all(one.lower == reading.lower or overlap(reading, one) < NEAR for one in around)


def _elsewhere(
    reading: TextReading, around: Sequence[TextReading], chunks: Chunks
) -> list[ClaimDifference]:
    """What another document, or a sentence around, says against a statement; the first thing."""
    other = other_document(reading, document_sentences(reading, chunks))
    other = other or said_around(reading, around)
    return [other] if other else []


def _centre(own: Support) -> list[int]:
    return [own.window.centre.place] if own.window else []


def _nearest(reading: TextReading, windows: Sequence[ChunkWindow]) -> Chunk | None:
    """The sentence that, with its neighbours, has most words and figures of the statement."""
    best, chosen = -1.0, None
    content, figures = frozenset(reading.content), reading.figures[:MAX_FIGURES]
    for window in windows:
        sentence = window.centre.piece.reading
        fit = len(content & window.reading_keys) + 0.5 * len(content & sentence.keys)
        for figure in figures:
            if is_known(figure, (sentence,)):
                fit += 1.5
            elif is_known(figure, window.readings):
                fit += 1.0
        if fit > best + 1e-9:
            best, chosen = fit, window.centre
    return chosen


def _conflicts(
    reading: TextReading,
    chunk: Chunk | None,
    near: Sequence[ChunkWindow],
    windows: Mapping[int, Sequence[TextReading]],
    given: TextReading | None,
) -> list[ClaimDifference]:
    """What the nearest sentence says against the statement, or against one of its clauses."""
    if chunk is None:
        return []
    result = conflicts(reading, chunk.piece.reading, windows[chunk.place], given)
    if result:
        return result
    parts = [] if denies_rest(reading, chunk.piece.reading) else clauses(reading)
    for part in parts[:MAX_PARTS] if len(parts) > 1 else ():
        own = _nearest(part, near)
        if own is not None and overlap(part, own.piece.reading) >= NEAR:
            against = conflicts(part, own.piece.reading, windows[own.place], given)
            if against:
                return [one._replace(start=0, end=len(reading.text)) for one in against]
    return result


def _reason(
    measures: Mapping[str, float], result: Sequence[ClaimDifference], absent: Sequence[str]
) -> str:
    """What speaks most against a statement."""
    if measures["silence"] or measures["exact"]:
        return ""
    if measures["broken_silence"]:
        return "says that the contexts say nothing of it, and they do"
    if result:
        return result[0].message
    if absent:
        return f"says {absent[0]!r}, which stands in no context"
    return "" if measures["shared"] >= 0.999 else "says what no context says"


def span_of(statement: Statement, label: str) -> Span:
    """A statement, or the part of it that differs, as evidence."""
    claim = statement.claim
    if statement.differences and claim.end - claim.start == len(claim.text):
        first = statement.differences[0]
        return Span("response", claim.start + first.start, claim.start + first.end, label)
    return Span("response", claim.start, claim.end, label)


def plain(statement: Statement) -> dict[str, Any]:
    """A statement as plain data."""
    table = {
        "start": statement.claim.start,
        "end": statement.claim.end,
        "probability": round(statement.probability, 4),
        "context": statement.chunk.context if statement.chunk else None,
        "reason": statement.reason,
        "differences": [d.kind for d in statement.differences],
    }
    if statement.encoded is not None:
        table["rules"] = round(statement.by_rules, 4)
        table["encoder"] = round(logistic(statement.encoded.entailed), 4)
        table["read"] = statement.encoded.chunk.context
    return table
