"""Whether the contexts support each statement of a text, and what they say against it.

For each statement the sentence of the contexts that shares most of its words is found, with its
neighbours. Measures of the two, in words, spelling, order, figures, names and named differences,
go through a linear model (`data/models/faithfulness.json`, fitted by `training/faithfulness.py`)
whose result is the probability that a person finds the statement supported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from heapq import nsmallest
from math import fsum
from typing import Any, Literal, NamedTuple

from assay.core import Span, feature
from assay.data.meaning import meaning_words
from assay.features.chunks import Chunk, Chunks
from assay.features.claims import Claim, Claims
from assay.features.support import ENDING, Support, support_of
from assay.linear import Combiner, MeasureModel, bounded_logit, measure_model
from assay.linear.models import logistic
from assay.meaning import ClaimDifference, Figure, TextReading, read
from assay.meaning.conflicts import (
    CLASSES,
    FIGURES,
    NEAR,
    clauses,
    conflicts,
    denies,
    other_document,
    overlap,
    unstated,
    widens,
)
from assay.meaning.word_coverage import (
    alike,
    pairs_share,
    share_of,
    spelling,
    synonyms,
    weighted_share,
)
from assay.textproc.normal import Normal
from assay.textproc.word_keys import listed

Status = Literal["supported", "unsupported", "contradicted"]
MODEL = "faithfulness"
PLACES = 4
"""So many sentences with most of a statement's words are looked at, with their neighbours."""
MAX_PARTS = 8
"""At most so many clauses of a statement are compared one by one."""
MAX_FIGURES = 20
"""At most so many figures of a statement are compared."""
MAX_PIECES = 200
"""In contexts of more sentences it is not asked which document a figure belongs to."""
MAX_SUMMED = 24
"""At most so many figures of the contexts are added up in pairs."""
ABSENCES = (
    "ending_absent",
    "ending_other",
    "negation_added",
    "name_absent",
    "name_missing",
    "doubted",
    "conflict",
)
"""Measures of words that a text in another language lacks anyway."""
MANY = 6
"""So many words that a place lacks are as bad as more."""
SIGNS: Mapping[str, int] = {
    "coverage": 1,
    "words": 1,
    "ending_absent": -1,
    "ending_other": -1,
    "negation_added": -1,
    "doubted": -1,
    "conflict": -1,
    "name_missing": -1,
    "weighted": 1,
    "known": 1,
    "number_absent": -1,
    "number_found": 1,
    "opposite": -1,
    "absolute": -1,
    "name_absent": -1,
    "speaker": -1,
    "reader": -1,
    "question": -1,
    "personal": -1,
    "last_absent": -1,
    "exact": 1,
    "shared": 1,
    "sentence": 1,
    "all_places": 1,
    "neighbours": 1,
    "unknown": -1,
    "figure_absent": -1,
    "figure_elsewhere": -1,
    "widened": -1,
    "other_figure": -1,
    "denied": -1,
    "other_word": -1,
    "other_class": -1,
    "other_name": -1,
    "other_roles": -1,
    "silence": 1,
    "broken_silence": -1,
    "whole_words": 1,
    "whole_weighted": 1,
}
"""Measure of a statement → the sign of its weight."""
GRADED = ("words", "weighted", "sentence", "neighbours", "all_places")
DECISIVE = ("last_absent", "ending_absent", "name_absent", "speaker")
CROSSED: Mapping[str, tuple[str, str]] = {
    f"{graded}_{decisive}": (graded, decisive) for graded in GRADED for decisive in DECISIVE
}
"""Product of two measures → the two: shared words count otherwise where the last word, or a name,
is missing, or where the speaker talks of himself. Their weights may have either sign."""
MEASURES = (*SIGNS, *CROSSED)
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
    def by_rules(self) -> float:
        """That a person finds it supported, by the rules alone."""
        return logistic(_model().logit(self.measures))

    @property
    def contradiction(self) -> float:
        """That a context says otherwise; by the rules alone it is 0 where they name nothing."""
        by_rules = 1.0 - self.by_rules if self.differences else 0.0
        if self.encoded is None or self.encoded.contradiction is None:
            return by_rules
        measures = {**self.combined_measures, "rules": bounded_logit(by_rules)}
        return self.encoded.contradiction.probability(measures)

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
        }


Statements = tuple[Statement, ...]


@feature(
    data=(
        "meaning.toml",
        "lexicons/absolutes.en.txt",
        "lexicons/antonyms.en.txt",
        "lexicons/personal.en.txt",
        "lexicons/synonyms.ar.txt",
        "lexicons/synonyms.en.txt",
        "models/faithfulness.json",
        "wordnet.toml",
    )
)
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
    result = [_judge(claim, chunks, language, given) for claim in claims]
    whole = {
        f"whole_{name}": fsum(one.measures[name] for one in result) / len(result)
        for name in ("words", "weighted")
        if result
    }
    return tuple(one._replace(measures={**one.measures, **whole}) for one in result)


def probability(statements: Sequence[Statement]) -> float:
    """That a person finds every statement supported: the least probability of all."""
    return min(one.probability for one in statements)


def _model() -> MeasureModel:
    return measure_model(MODEL)


def _judge(claim: Claim, chunks: Chunks, language: str, given: TextReading | None) -> Statement:
    own = support_of(claim, chunks, language)
    reading = read(claim.text)
    places = list(dict.fromkeys((*_centre(own), *own.candidates)))[:PLACES]
    windows = {place: chunks.window(place).readings for place in places}
    chunk = _nearest(reading, places, windows, chunks)
    result = _conflicts(reading, chunk, places, windows, chunks, given)
    if not result and (other := other_document(reading, _documents(reading, chunks))):
        result = [other]
    result = [one for one in result if not _is_worked_out(one, reading, windows)]
    measures, absent = _measures(claim, reading, own, chunks, chunk, windows, result, given)
    if _is_foreign(reading, chunks, language):
        measures.update(_foreign(reading, chunks, measures))
    topic = unstated(reading)
    if topic is not None:
        measures["silence"], measures["broken_silence"] = _silence(topic, windows, own)
        result, absent = [], ()
    measures |= {name: measures[one] * measures[two] for name, (one, two) in CROSSED.items()}
    return Statement(
        claim,
        measures,
        chunk,
        tuple(result),
        absent,
        _reason(measures, result, absent),
        tuple(places),
    )


def _centre(own: Support) -> list[int]:
    return [own.window.centre.place] if own.window else []


def _nearest(
    reading: TextReading,
    places: Sequence[int],
    windows: Mapping[int, Sequence[TextReading]],
    chunks: Chunks,
) -> Chunk | None:
    """The sentence that, with its neighbours, has most words and figures of the statement."""
    best, chosen = -1.0, None
    content, figures = reading.content.keys(), reading.figures[:MAX_FIGURES]
    for place in places:
        sentence = chunks.all[place].piece.reading
        fit = len(content & chunks.window(place).reading_keys) + 0.5 * len(content & sentence.keys)
        for figure in figures:
            if _is_known(figure, (sentence,)):
                fit += 1.5
            elif _is_known(figure, windows[place]):
                fit += 1.0
        if fit > best + 1e-9:
            best, chosen = fit, chunks.all[place]
    return chosen


def _conflicts(
    reading: TextReading,
    chunk: Chunk | None,
    places: Sequence[int],
    windows: Mapping[int, Sequence[TextReading]],
    chunks: Chunks,
    given: TextReading | None,
) -> list[ClaimDifference]:
    """What the nearest sentence says against the statement, or against one of its clauses."""
    if chunk is None:
        return []
    result = conflicts(reading, chunk.piece.reading, windows[chunk.place], given)
    if result:
        return result
    parts = clauses(reading)
    for part in parts[:MAX_PARTS] if len(parts) > 1 else ():
        near = _nearest(part, places, windows, chunks)
        if near is not None and overlap(part, near.piece.reading) >= NEAR:
            against = conflicts(part, near.piece.reading, windows[near.place], given)
            if against:
                return [one._replace(start=0, end=len(reading.text)) for one in against]
    return result


def _is_foreign(reading: TextReading, chunks: Chunks, language: str) -> bool:
    """Whether no context is in the language, and none has a word of it."""
    words = [key for key in reading.content if key.isalpha()]
    return not any(key in chunks.index for key in words) and not chunks.has_language(language)


def _foreign(
    reading: TextReading, chunks: Chunks, measures: Mapping[str, float]
) -> dict[str, float]:
    """Measures of a statement in another language than the contexts: by figures and codes alone."""
    codes = [
        word.text
        for word in reading.words
        if any(map(str.isdecimal, word.text)) and not word.is_empty
    ]
    sentences = [chunk.piece.reading for chunk in chunks.all]
    is_together = any(all(_has_code(code, one) for code in codes) for one in sentences)
    held = {"coverage", "words", "shared", "sentence", "all_places", "weighted"} & measures.keys()
    result = dict.fromkeys(held, float(bool(codes) and is_together))
    absent = [name for name in ABSENCES if name in measures]
    return {**result, **dict.fromkeys(absent, 0.0), "known": result["shared"]}


def _has_code(code: str, reading: TextReading) -> bool:
    return any(word.text == code for word in reading.words)


def _silence(
    topic: frozenset[str], windows: Mapping[int, Sequence[TextReading]], own: Support
) -> tuple[float, float]:
    """Whether the contexts say nothing of a topic, and whether they do say something."""
    known = any(
        topic <= frozenset().union(*[one.keys for one in around]) for around in windows.values()
    )
    return (0.0, 1.0) if topic and known else (1.0, 0.0)


def _measures(
    claim: Claim,
    reading: TextReading,
    own: Support,
    chunks: Chunks,
    chunk: Chunk | None,
    windows: Mapping[int, Sequence[TextReading]],
    result: Sequence[ClaimDifference],
    given: TextReading | None,
) -> tuple[dict[str, float], tuple[str, ...]]:
    """A statement in numbers, and its figures and names that no context has."""
    content = reading.content
    near = windows[chunk.place] if chunk else ()
    keys = chunks.window(chunk.place).reading_keys if chunk else frozenset()
    everywhere = list({id(one): one for around in windows.values() for one in around}.values())
    all_keys = frozenset().union(*[chunks.window(place).reading_keys for place in windows])
    known = given.figures if given else ()
    figures = [
        figure
        for figure in reading.stated_figures[:MAX_FIGURES]
        if not figure.is_word
        and reading.quote(figure.start, figure.end).lower() not in meaning_words().fractions
        and not any(figure.equals(other) for other in known)
    ]
    missing = [f for f in figures if not _is_known(f, near)]
    made = [f for f in missing if not _is_known(f, everywhere) and _is_sum(f, reading, everywhere)]
    absent = [f for f in missing if not _is_known(f, everywhere) and f not in made]
    names = [name for name in claim.names if _is_absent_name(name.words, chunks, given)]
    kinds = {difference.kind for difference in result}
    is_converted = bool(figures) and not missing and own.measures["number_absent"] > 0
    window = chunks.window(chunk.place) if chunk else None
    words = frozenset(claim.keys.words)
    around = window.words if window else frozenset()
    measures = {
        "coverage": own.measures["coverage"],
        "words": own.measures["words"],
        "ending_absent": own.measures["ending_absent"],
        "ending_other": float(_is_ending_absent(reading, keys)),
        "negation_added": own.measures["negation_added"] * (not any(map(denies, near))),
        "doubted": float(own.is_doubted and not made and not is_converted),
        "conflict": float(own.conflict is not None and not made and not is_converted),
        "name_missing": own.measures["name_absent"],
        "weighted": _weighted(claim, own, chunks),
        "known": own.known_words / max(1, own.known_words + len(own.unknown_words)),
        "number_absent": own.measures["number_absent"]
        * float((len(made) < len(missing) or not made) and not is_converted),
        "number_found": max(own.measures["number_found"], float(is_converted)),
        "opposite": own.measures["opposite"],
        "absolute": own.measures["absolute"],
        "name_absent": float(bool(names)),
        "speaker": float(not _speakers().isdisjoint(words - around)),
        "reader": float(not _readers().isdisjoint(words - around)),
        "personal": own.measures["personal"],
        "last_absent": float(_is_last_absent(reading, keys, near)),
        "question": float(claim.text.endswith(("?", "؟"))),
        "exact": float(own.is_exact),
        "shared": share_of(content, keys),
        "sentence": share_of(content, chunk.piece.reading.keys if chunk else ()),
        "all_places": share_of(content, all_keys),
        "neighbours": pairs_share(claim.keys.all, [c.keys.all for c in window.chunks])
        if window
        else 0.0,
        "unknown": min(1.0, sum(key not in keys for key in content) / MANY),
        "figure_absent": float(bool(absent)),
        "figure_elsewhere": float(len(missing) > len(absent)),
        "widened": float(widens(reading, near)),
        "other_figure": float(not kinds.isdisjoint(FIGURES)),
        "denied": float("negation" in kinds),
        "other_word": float("opposite" in kinds),
        "other_class": float(not kinds.isdisjoint(CLASSES)),
        "other_name": float("name" in kinds),
        "other_roles": float("roles" in kinds),
        "silence": 0.0,
        "broken_silence": 0.0,
        "whole_words": 0.0,
        "whole_weighted": 0.0,
    }
    quoted = [reading.quote(figure.start, figure.end) for figure in absent]
    quoted += [claim.text[name.start : name.end] for name in names]
    return measures, tuple(quoted)


def _documents(reading: TextReading, chunks: Chunks) -> list[list[TextReading]]:
    """The sentences of each context; none where the statement has no figures."""
    figures = [figure for figure in reading.figures if not figure.is_word]
    is_few = len(figures) <= MAX_FIGURES and len(chunks.all) <= MAX_PIECES
    if len(chunks.documents) < 2 or not figures or not is_few:
        return []
    if len(figures) + len(reading.names) < 2:
        return []
    return [
        [own.all[place].piece.reading for place in sorted(_most_shared(reading, own))]
        for own in chunks.apart
    ]


def _most_shared(reading: TextReading, chunks: Chunks) -> list[int]:
    """The sentences that share most words with a statement, the first where several do."""
    result: Counter[int] = Counter()
    for word in reading.words:
        if not word.is_empty:
            result.update(chunks.index.get(word.key, ()))
    return nsmallest(PLACES, result, key=lambda place: (-result[place], place))


def _weighted(claim: Claim, own: Support, chunks: Chunks) -> float:
    """The share of a statement's words, rare ones weighing more, in its best place by spelling."""
    if own.window is None:
        return 0.0
    weights = chunks.weights(claim.keys.content(own.language, claim.figures.places))
    return weighted_share(weights, own.window.keys)


def _is_ending_absent(reading: TextReading, keys: frozenset[str]) -> bool:
    """Whether the last words of a statement, most of what it says anew, are missing."""
    last = sorted(reading.content.values(), key=lambda word: word.start)[-ENDING:]
    return any(word.key not in keys and not alike(word.key, keys) for word in last) or not last


def _is_last_absent(
    reading: TextReading, keys: frozenset[str], near: Sequence[TextReading]
) -> bool:
    """Whether the last word that says something, one of like meaning, or its figure is missing."""
    last = next((word for word in reversed(reading.words) if not word.is_empty), None)
    if last is None or last.key in keys:
        return last is None
    figure = next((f for f in reading.figures if f.start <= last.start < f.end), None)
    if figure is not None and _is_known(figure, near):
        return False
    return synonyms().get(last.key, frozenset()).isdisjoint(keys)


def _is_absent_name(words: Sequence[str], chunks: Chunks, given: TextReading | None) -> bool:
    """Whether a word of a name stands in no context and not in the query, not even in a form."""
    table = meaning_words()
    missing = [
        word
        for word in words
        if word not in chunks.words and word not in table.months and word not in table.weekdays
    ]
    if given:
        result = {word.text for word in given.words}
        missing = [word for word in missing if word not in result]
    return any(not spelling(word, chunks.words) for word in missing)


def _is_known(figure: Figure, readings: Sequence[TextReading]) -> bool:
    for reading in readings:
        for other in reading.figures:
            if figure.equals(other):
                return True
    return False


def _is_worked_out(
    one: ClaimDifference, reading: TextReading, windows: Mapping[int, Sequence[TextReading]]
) -> bool:
    """Whether a difference is a number that was worked out from those of the contexts."""
    message = next(
        (f for f in reading.figures if reading.quote(f.start, f.end) == one.claimed), None
    )
    if message is None or one.kind != "number":
        return False
    return _is_sum(message, reading, [own for around in windows.values() for own in around])


def _is_sum(figure: Figure, claim: TextReading, readings: Sequence[TextReading]) -> bool:
    """Whether a number is said to be worked out, and is the sum, difference, half or double."""
    if figure.kind != "number" or figure.is_word:
        return False
    words = {word for one in claim.words for word in (one.text, one.bare)}
    if meaning_words().lists["totals"].isdisjoint(words):
        return False
    numbers = [
        other.value * other.unit.factor
        for reading in readings
        for other in reading.figures
        if other.kind == "number" and other.unit.dimension in ("", figure.unit.dimension)
    ][:MAX_SUMMED]
    wanted = figure.value * figure.unit.factor
    made = {2 * one for one in numbers} | {one / 2 for one in numbers}
    made |= {abs(a + sign * b) for a in numbers for b in numbers if a is not b for sign in (1, -1)}
    return any(abs(wanted - one) <= 1e-6 * max(1.0, wanted) for one in made)


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


@cache
def _speakers() -> frozenset[str]:
    return listed("personal.en") - _readers()


@cache
def _readers() -> frozenset[str]:
    return frozenset(("you", "your", "yours"))


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
