"""A statement beside its places in the contexts, in numbers.

Measures are what the linear model of `rag.faithfulness` weighs: shared words, figures, names,
named differences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from assay.data.meaning import meaning_words
from assay.features._statement_figures import MAX_FIGURES, is_case, is_known, is_period, is_sum
from assay.features.chunks import Chunk, Chunks
from assay.features.claims import Claim
from assay.features.support import ENDING, Support
from assay.meaning import ClaimDifference, TextReading
from assay.meaning.conflicts import CLASSES, FIGURES
from assay.meaning.differences import is_short_form
from assay.meaning.figures import measure_of
from assay.meaning.widening import drops_condition, widens
from assay.meaning.word_coverage import (
    alike,
    kin,
    light_keys,
    share_of,
    spelling,
    synonyms,
    unlike,
    weighted_share,
)
from assay.meaning.word_relations import aliases, key_of
from assay.textproc.word_keys import listed

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
SPOKEN = ("absolute", "widened", "speaker", "reader", "personal", "last_absent", "figure_absent")
"""Measures of how one speaks, and of what one speaks of."""
ROLES = frozenset(("roles", "binding", "time_order"))
"""Differences of who does what to whom, of what belongs to what, and of what comes first."""
_NONE: frozenset[str] = frozenset()
SHORTEST_FORM = 3
"""Letters of a short form that is looked for: two stand for too much."""
LEAST_PART = 5
"""Letters of a word that may end a longer one of the same meaning."""
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
FEW_SENTENCES = 8
"""In contexts of up to so many sentences a figure may be worked out from any of them."""
DECISIVE = ("last_absent", "ending_absent", "name_absent", "speaker")
CROSSED: Mapping[str, tuple[str, str]] = {
    f"{graded}_{decisive}": (graded, decisive) for graded in GRADED for decisive in DECISIVE
}
"""Product of two measures → the two: shared words count otherwise where the last word, or a name,
is missing, or where the speaker talks of himself. Their weights may have either sign."""
MEASURES = (*SIGNS, *CROSSED)


def measures_of(
    claim: Claim,
    reading: TextReading,
    own: Support,
    chunks: Chunks,
    chunk: Chunk | None,
    windows: Mapping[int, Sequence[TextReading]],
    everywhere: Sequence[TextReading],
    all_keys: frozenset[str],
    neighbours: float,
    result: Sequence[ClaimDifference],
    given: TextReading | None,
) -> tuple[dict[str, float], tuple[str, ...]]:
    """A statement in numbers, and its figures and names that no context has.

    `everywhere` are the sentences of all windows, and `all_keys` those of their words; `neighbours`
    is the share of its word pairs that the nearest window has.
    """
    content = reading.content
    near = windows[chunk.place] if chunk else ()
    keys = chunks.window(chunk.place).reading_keys if chunk else frozenset()
    strange = unlike(content, all_keys)
    known = given.figures if given else ()
    figures = [
        figure
        for figure in reading.stated_figures[:MAX_FIGURES]
        if not figure.is_word
        and reading.quote(figure.start, figure.end).lower() not in meaning_words().fractions
        and not any(figure.equals(other) for other in known)
    ]
    missing = [
        f
        for f in figures
        if not (is_known(f, near) or is_case(f, reading, near) or is_period(f, reading, near))
        and not any(f.holds_for(other) for one in near for other in one.stated_figures)
    ]
    given_in = everywhere
    if missing and len(chunks.all) <= FEW_SENTENCES:
        others = [chunk.piece.reading for chunk in chunks.all]
        given_in = [*everywhere, *(one for one in others if one not in everywhere)]
    made = [
        f for f in missing if not is_known(f, everywhere) and is_sum(f, reading, given_in, given)
    ]
    absent = [f for f in missing if not is_known(f, everywhere) and f not in made]
    names = [name for name in claim.names if _is_absent_name(name.words, chunks, given, all_keys)]
    kinds = {difference.kind for difference in result}
    is_made = 0 < len(made) == len(missing)
    is_converted = bool(figures) and not missing and own.measures["number_absent"] > 0
    window = chunks.window(chunk.place) if chunk else None
    personal = _personal().intersection(claim.keys.words)
    alone = personal.difference(window.words) if personal and window else personal
    measures = {
        "coverage": own.measures["coverage"],
        "words": own.measures["words"],
        "ending_absent": own.measures["ending_absent"],
        "ending_other": float(_is_ending_absent(reading, keys, strange)),
        "negation_added": own.measures["negation_added"] and float(not any(o.denies for o in near)),
        "doubted": float(own.is_doubted and not made and not is_converted),
        "conflict": float(own.conflict is not None and not made and not is_converted),
        "name_missing": own.measures["name_absent"],
        "weighted": weighted_share(own.weights, own.window.keys) if own.window else 0.0,
        "known": own.known_words / max(1, own.known_words + len(own.unknown_words)),
        "number_absent": own.measures["number_absent"] * float(not is_made and not is_converted),
        "number_found": max(own.measures["number_found"], float(is_converted or is_made)),
        "opposite": own.measures["opposite"],
        "absolute": own.measures["absolute"],
        "name_absent": float(bool(names)),
        "speaker": float(not _speakers().isdisjoint(alone)),
        "reader": float(not _readers().isdisjoint(alone)),
        "personal": own.measures["personal"] * (not _speakers().isdisjoint(personal)),
        "last_absent": float(_is_last_absent(reading, keys, near)),
        "question": float(claim.text.endswith(("?", "؟"))),
        "exact": float(own.is_exact and kinds.isdisjoint(("negation", "certainty"))),
        "shared": share_of(content, keys, strange),
        "sentence": share_of(content, chunk.piece.reading.keys if chunk else (), strange),
        "all_places": share_of(content, all_keys, strange),
        "neighbours": neighbours,
        "unknown": min(1.0, sum(key not in keys for key in content) / MANY),
        "figure_absent": float(bool(absent)),
        "figure_elsewhere": float(len(missing) > len(absent) + len(made)),
        "widened": float(widens(reading, near) or _is_unconditional(reading, chunk)),
        "other_figure": float(not kinds.isdisjoint(FIGURES)),
        "denied": float("negation" in kinds),
        "other_word": float("opposite" in kinds),
        "other_class": float(not kinds.isdisjoint(CLASSES)),
        "other_name": float("name" in kinds),
        "other_roles": float(not kinds.isdisjoint(ROLES)),
        "silence": 0.0,
        "broken_silence": 0.0,
        "whole_words": 0.0,
        "whole_weighted": 0.0,
    }
    quoted = [reading.quote(figure.start, figure.end) for figure in absent]
    quoted += [claim.text[name.start : name.end] for name in names]
    return measures, tuple(quoted)


def restated_measures(
    reading: TextReading, measures: Mapping[str, float], keys: frozenset[str]
) -> dict[str, float]:
    """Measures of a statement of which the contexts have some words from the other side."""
    share = len(keys & reading.content.keys()) / max(1, len(reading.content))
    held = ("coverage", "words", "weighted", "shared", "sentence", "all_places", "known")
    last = max(reading.content.values(), key=lambda word: word.start, default=None)
    is_last = last is not None and last.key in keys
    absent = ("ending_absent", "ending_other", "last_absent") if is_last else ()
    return {
        **{name: min(1.0, measures[name] + share) for name in held},
        **dict.fromkeys((*absent, "opposite", "conflict", "doubted", "negation_added"), 0.0),
        "unknown": max(0.0, measures["unknown"] - len(keys) / MANY),
    }


def is_foreign(reading: TextReading, chunks: Chunks, language: str) -> bool:
    """Whether no context is in the language, and none has a word of it."""
    words = [key for key in reading.content if key.isalpha()]
    return not any(key in chunks.index for key in words) and not chunks.has_language(language)


def foreign_measures(
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


def silence(
    topic: frozenset[str], windows: Mapping[int, Sequence[TextReading]]
) -> dict[str, float]:
    """Measures of a statement that the contexts say nothing of a topic.

    Where they do not, its own words are not looked for: how the speaker says so stands in none.
    """
    if topic and any(_is_told(topic, around) for around in windows.values()):
        return {"broken_silence": 1.0}
    return {"silence": 1.0, **dict.fromkeys((*ABSENCES, *SPOKEN), 0.0)}


def _is_told(topic: frozenset[str], around: Sequence[TextReading]) -> bool:
    """Whether sentences have all words of a topic, as parts of words and as amounts too.

    "40 metres long" tells of the length, and "footbridge" of the bridge.
    """
    keys = frozenset().union(*[one.keys for one in around])
    missing = topic - keys
    if not missing:
        return True
    measured = _measured_nouns()
    if len(missing) == len(topic) and missing.isdisjoint(measured):
        return False
    figures = [figure for one in around for figure in one.figures]
    measures = {measure_of(figure.unit.dimension) for figure in figures}
    if any(figure.kind in ("number", "time") for figure in figures):
        measures.add("hours")  # "Saturday 10-14"
    return all(
        measured.get(key) in measures or any(_is_part(key, other) for other in keys)
        for key in missing
    )


def _is_part(key: str, other: str) -> bool:
    return len(key) >= LEAST_PART and other.endswith(key) and other.isascii()


@cache
def _measured_nouns() -> Mapping[str, str]:
    """Key of a noun such as length → what it is measured in."""
    return {key_of(noun): measure for noun, measure in meaning_words().measured_nouns.items()}


def _is_unconditional(reading: TextReading, chunk: Chunk | None) -> bool:
    return chunk is not None and drops_condition(reading, chunk.piece.reading)


def _is_ending_absent(reading: TextReading, keys: frozenset[str], strange: frozenset[str]) -> bool:
    """Whether the last words of a statement, most of what it says anew, are missing."""
    last = list(reading.content.values())[-ENDING:]
    for word in last:
        if word.key in strange or (word.key not in keys and not alike(word.key, keys)):
            return True
    return not last


def _is_last_absent(
    reading: TextReading, keys: frozenset[str], near: Sequence[TextReading]
) -> bool:
    """Whether the last word that says something, one of like meaning, or its figure is missing."""
    last = next((word for word in reversed(reading.words) if not word.is_empty), None)
    if last is None or last.key in keys:
        return last is None
    figure = next((f for f in reading.figures if f.start <= last.start < f.end), None)
    if figure is not None and is_known(figure, near):
        return False
    if last.key in light_keys() or not kin().get(last.key, _NONE).isdisjoint(keys):
        return False
    return synonyms().get(last.key, _NONE).isdisjoint(keys)


def short_forms(reading: TextReading, chunks: Chunks) -> frozenset[str]:
    """The words in capitals that are the first letters of words in a row: ECB."""
    return frozenset(
        word.key
        for word in reading.names.values()
        if len(word.text) >= SHORTEST_FORM
        and reading.text[word.start : word.end].isupper()
        and word.text not in chunks.words
        and any(is_short_form(word.text, chunk.piece.reading) for chunk in chunks.all)
    )


def _is_absent_name(
    words: Sequence[str], chunks: Chunks, given: TextReading | None, keys: frozenset[str]
) -> bool:
    """Whether a word of a name stands in no context and not in the query, not even in a form."""
    table = meaning_words()
    known = (chunks.words, keys, table.months, table.weekdays)
    missing = [word for word in words if not any(word in own for own in known)]
    if given:
        missing = [word for word in missing if word not in given.texts]
    return any(not spelling(word, chunks.words) and not _is_alias(word, keys) for word in missing)


def _is_alias(word: str, keys: frozenset[str]) -> bool:
    """Whether some words hold another name: those of UNICEF's long form."""
    return any(keys.issuperset(other) for other in aliases().get((key_of(word),), ()))


@cache
def _personal() -> frozenset[str]:
    return listed("personal.en") | _readers()


@cache
def _speakers() -> frozenset[str]:
    return _personal() - _readers()


@cache
def _readers() -> frozenset[str]:
    return frozenset(("you", "your", "yours"))
