"""How alike the fields of two JSON documents are, and what that comes to.

EXACT fields are compared here and now. FUZZY and SEMANTIC ones are asked for once for the whole
batch: of the judge where there is one, else FUZZY goes by letters and words, SEMANTIC by the
embedder. Without an embedder SEMANTIC fields are compared as FUZZY ones, and every such field says
so. A field that nobody chose a strategy for is TYPED where there is no judge: it is compared by
what its value is (`meaning/same_value.py`), and the embedder is asked only about free texts that
share few words and differ in nothing that a rule can see, and about the one word in which free
texts differ. A model that cannot read a text leaves
its field without a score and accuracy without a value: a failure is never a 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, Literal, NamedTuple

from assay.backends import Backends, Embedder, Judge
from assay.backends.choice import is_configured
from assay.core import AssayError, Span
from assay.core.json_result import Breakdown, FieldScore, JsonComparison
from assay.core.jsontext import dumps
from assay.data.json_options import JsonOptions
from assay.jsoncompare.document import JsonDocument
from assay.jsoncompare.pairing import ABSENT, FieldPair, Pairing, pair
from assay.jsoncompare.spellings import compare_spellings
from assay.jsoncompare.values import (
    TYPED,
    compared_texts,
    fuzzy_similarity,
    is_chosen,
    is_equal,
    is_same_text,
    match_similarity,
    sentence,
    shown,
)
from assay.meaning.same_value import compare_values
from assay.textproc.cosine import cosine
from assay.textproc.normal import normalise

SAME_WORDS = 0.69
"""Cosine from which two words say the same in one place. With the bundled embedder it accepts 32 of
37 pairs of English synonyms (mistake, error) and 1 of 37 pairs of related words (knee, elbow)."""
SHOWN = 100
"""At most this many fields are listed in the details of a score."""
MARKED = 10
"""At most this many fields are marked in the output's text."""
MAX_MARKED_TEXT = 100_000
NO_EMBEDDER = "no embedder is configured, so SEMANTIC fields were compared as FUZZY ones"
SAME = "The values are the same."
VACUOUS = "there was no field to compare, so accuracy says nothing"
NO_MODELS = Backends(embedder="")
VACUOUS_VALUES = {"one": 1.0, "zero": 0.0, "none": None}


class Likeness(NamedTuple):
    """How alike a field's values are, and who says so."""

    similarity: float | AssayError
    strategy: str
    """As it was asked: SEMANTIC without an embedder becomes FUZZY."""
    source: str
    kind: str = ""
    """What the value of a TYPED field was recognised as; empty where that was not needed."""
    reason: str = ""
    """Why the values of a TYPED field differ."""
    is_open: bool = False
    """Whether the words of two free texts alone do not tell."""
    replaced: tuple[str, str] | None = None
    """The only words in which two free texts differ."""


SAME_VALUE = Likeness(1.0, TYPED, "value")
Likenesses = Mapping[str, Likeness]
"""Field → its likeness, for fields that are neither EXACT nor ignored."""


class TextPair(NamedTuple):
    """A pair of texts that somebody has to compare."""

    sample: int
    name: str
    texts: tuple[str, str]
    strategy: str


def likenesses(
    pairings: Sequence[Pairing], embedder: Embedder, judge: Judge
) -> list[dict[str, Likeness]]:
    """The likeness of all FUZZY and SEMANTIC fields of a batch; every distinct text once."""
    results: list[dict[str, Likeness]] = [{} for _ in pairings]
    sources = _sources(embedder, judge)
    alike = {kind: _likeness(1.0, kind, source) for kind, source in sources.items()}
    pairs: dict[str, list[TextPair]] = {kind: [] for kind in sources}
    has_judge = is_configured(judge)
    open_texts: list[TextPair] = []
    for place, pairing in enumerate(pairings):
        own = results[place]
        is_typed = pairing.options.typed and not has_judge
        for entry in pairing.fields:
            strategy = entry.strategy
            if is_typed and strategy in _COMPARED and not is_chosen(entry.own):
                own[entry.name] = match = _typed(entry, pairing)
                if match.is_open:
                    rules = pairing.rules(entry, "SEMANTIC")
                    texts = match.replaced or compared_texts(entry.gt, entry.aio, rules)
                    open_texts.append(TextPair(place, entry.name, texts, "SEMANTIC"))
                continue
            if strategy not in _ASKED:
                continue
            if entry.is_same:
                own[entry.name] = alike[strategy]
            else:
                texts = compared_texts(entry.gt, entry.aio, pairing.rules(entry))
                pairs[strategy].append(TextPair(place, entry.name, texts, strategy))
    _ask_open_texts(open_texts, results, embedder)
    for kind, source in sources.items():
        answers = _ask(pairs[kind], source, embedder, judge)
        for question, similarity in zip(pairs[kind], answers, strict=True):
            results[question.sample][question.name] = _likeness(similarity, kind, source)
    return results


def _typed(entry: FieldPair, pairing: Pairing) -> Likeness:
    """A field that nobody chose a strategy for, compared by what its value is."""
    if entry.is_same or is_equal(entry.gt, entry.aio, pairing.rules(entry, "EXACT")):
        return SAME_VALUE
    match = compare_spellings(entry.name, entry.gt, entry.aio)
    kind, is_same, reason, is_open, replaced = match
    return Likeness(float(is_same), TYPED, "value", kind, reason, is_open, replaced)


def _ask_open_texts(
    open_texts: Sequence[TextPair], results: Sequence[dict[str, Likeness]], embedder: Embedder
) -> None:
    """Let the embedder decide on texts of which the words alone do not tell."""
    if not open_texts or not is_configured(embedder):
        return
    answers = _ask(open_texts, "embedder", embedder, None)
    for question, similarity in zip(open_texts, answers, strict=True):
        own = results[question.sample]
        own[question.name] = _decided(own[question.name], similarity)


def _decided(likeness: Likeness, similarity: float | AssayError) -> Likeness:
    """An open likeness with the embedder's answer; of single words it says only yes or no."""
    if likeness.replaced is None or isinstance(similarity, AssayError):
        return likeness._replace(similarity=similarity, source="embedder")
    return likeness if similarity < SAME_WORDS else SAME_VALUE._replace(kind=likeness.kind)


def _likeness(similarity: float | AssayError, kind: str, source: str) -> Likeness:
    return Likeness(similarity, "FUZZY" if source == "letters" else kind, source)


def _sources(embedder: Embedder, judge: Judge) -> dict[str, str]:
    """Strategy → who compares its texts."""
    if is_configured(judge):
        return {"FUZZY": "judge", "SEMANTIC": "judge"}
    semantic = "embedder" if is_configured(embedder) else "letters"
    return {"FUZZY": "letters", "SEMANTIC": semantic}


def _ask(
    result: Sequence[TextPair], source: str, embedder: Embedder, judge: Judge | None
) -> list[float | AssayError]:
    """How alike the texts are; texts that differ in blanks only are alike without a question."""
    if source == "letters":
        return [fuzzy_similarity(*entry.texts) for entry in result]
    pairs = list(dict.fromkeys(e.texts for e in result if not is_same_text(*e.texts)))
    if not pairs:
        return [1.0] * len(result)
    kind: Literal["fuzzy", "semantic"] = "fuzzy" if result[0].strategy == "FUZZY" else "semantic"
    answers: dict[tuple[str, str], float | AssayError]
    try:
        if judge is not None and source == "judge":
            answers = dict(zip(pairs, judge.similarities(pairs, kind), strict=True))
        else:
            answers = dict(zip(pairs, _cosines(pairs, embedder), strict=True))
    except AssayError as error:  # whoever asks nothing of the model is not concerned
        answers = dict.fromkeys(pairs, error)
    return [answers.get(entry.texts, 1.0) for entry in result]


def _cosines(pairs: Sequence[tuple[str, str]], embedder: Embedder) -> list[float | AssayError]:
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    normals = [normalise(text).text for text in texts]
    vectors = dict(zip(texts, embedder.embed(normals), strict=True))
    cosines: list[float | AssayError] = []
    for one, other in pairs:
        both: list[Any] = [vectors[one], vectors[other]]
        error = next((vector for vector in both if isinstance(vector, AssayError)), None)
        cosines.append(error or cosine(*both))
    return cosines


def given_likenesses(
    pairing: Pairing, similarities: Mapping[str, float]
) -> tuple[dict[str, Likeness], Pairing]:
    """Similarities from outside, and the pairing without the fields that they answer for."""
    if not similarities:
        return {}, pairing
    given = {
        entry.name: Likeness(float(similarities[entry.name]), entry.strategy, "given")
        for entry in pairing.fields
        if entry.name in similarities and entry.strategy in ("FUZZY", "SEMANTIC")
    }
    rest = tuple(entry for entry in pairing.fields if entry.name not in given)
    return given, replace(pairing, fields=rest)


def compare_documents(
    gt: Any,
    outputs: Sequence[JsonDocument],
    options: JsonOptions,
    similarities: Mapping[str, float] | None = None,
    backends: Backends = NO_MODELS,
) -> list[JsonComparison]:
    """Compare outputs with one ground truth; fields with a given similarity are not asked for."""
    pairings = [pair(gt, output, options) for output in outputs]
    given = [given_likenesses(pairing, similarities or {}) for pairing in pairings]
    rest = [open_fields for _, open_fields in given]
    computed = likenesses(rest, backends.get("embedder"), backends.get("judge"))
    return [
        compare(pairing, {**own, **known})
        for pairing, own, (known, _) in zip(pairings, computed, given, strict=True)
    ]


def compare(pairing: Pairing, comparisons: Likenesses) -> JsonComparison:
    """What two documents come to, field by field; scores that need more are left open."""
    scores = _scores(pairing, comparisons)
    strategies = [entry.strategy for entry in pairing.fields]
    has_fallback = "SEMANTIC" in strategies and _has_fallback(pairing, comparisons)
    expected = len(strategies) - strategies.count("") - strategies.count(_IGNORE)
    matching = scores.count(1.0)
    is_failed = matching + scores.count(0.0) < expected
    is_vacuous = not expected and not pairing.error
    accuracy: float | None = 0.0
    if is_vacuous:
        accuracy = VACUOUS_VALUES[pairing.options.vacuous_accuracy]
    elif expected:
        accuracy = None if is_failed else matching / expected
    notes = [VACUOUS] * is_vacuous + [NO_EMBEDDER] * has_fallback
    return JsonComparison(
        completeness=pairing.completeness,
        hallucination=pairing.hallucination,
        accuracy=accuracy,
        is_vacuous=is_vacuous,
        notes=(*pairing.notes, *notes),
        error=pairing.error or None,
        write=partial(_breakdown, pairing, comparisons, scores),
    )


def _has_fallback(pairing: Pairing, result: Likenesses) -> bool:
    """Whether a field was compared by letters because there is no embedder."""
    return any(
        likeness.source == "letters"
        for entry in pairing.fields
        if entry.strategy == "SEMANTIC" and (likeness := result.get(entry.name))
    )


def _scores(pairing: Pairing, result: Likenesses) -> list[float | None]:
    """1 for a field that matches and 0 for one that does not; else None."""
    scores: list[float | None] = []
    for entry in pairing.fields:
        score: float | None = None
        strategy = entry.strategy
        likeness = result.get(entry.name) if strategy in _COMPARED else None
        if likeness is not None:
            score = 1.0 if likeness.similarity == 1.0 else _score(likeness, entry, pairing)
        elif strategy and strategy != _IGNORE:
            is_same = entry.is_same or is_equal(entry.gt, entry.aio, pairing.rules(entry))
            score = 1.0 if is_same else 0.0
        scores.append(score)
    return scores


def _score(likeness: Likeness, entry: FieldPair, pairing: Pairing) -> float | None:
    """What a similarity comes to; None when a model failed."""
    if isinstance(likeness.similarity, AssayError):
        return None
    threshold = pairing.rules(entry, likeness.strategy).threshold
    return float(match_similarity(likeness.similarity, threshold))


def _breakdown(pairing: Pairing, result: Likenesses, scores: Sequence[float | None]) -> Breakdown:
    """The fields one by one, and their names by where they stand."""
    written = [
        _written(entry, score, pairing, result)
        for entry, score in zip(pairing.fields, scores, strict=True)
    ]
    fields: Sequence[FieldPair] = pairing.fields
    ignored = [entry.name for entry in fields if entry.strategy == _IGNORE]
    if ignored:
        fields = [entry for entry in fields if not pairing.is_left_out(entry)]
    in_gt = sorted([entry.name for entry in fields if entry.gt is not ABSENT])
    missing = {entry.name for entry in fields if entry.aio is ABSENT}
    names = {bucket: tuple(pairing.buckets.get(bucket, ())) for bucket in _LISTED}
    return Breakdown(
        field_scores=tuple(written),
        gt_keys=tuple(in_gt),
        aio_keys=tuple(sorted([entry.name for entry in fields if entry.aio is not ABSENT])),
        matching_keys=tuple([name for name in in_gt if name not in missing]),
        missing_keys=tuple(sorted(missing)),
        ignored_keys=tuple(sorted(ignored)),
        **names,
    )


_IGNORE = "IGNORE"
_ASKED = frozenset(("FUZZY", "SEMANTIC"))
_COMPARED = _ASKED | {"EXACT"}
_LISTED = ("extra_keys", "gt_null_aio_has_value", "aio_missing_or_null", "both_non_null")
_new = tuple.__new__
"""Makes a field in half of the time that its class takes, which is felt in large documents."""


def _written(
    entry: FieldPair, score: float | None, pairing: Pairing, result: Likenesses
) -> FieldScore:
    """One field with its score and the reason."""
    name, gt, aio, _, bucket, strategy, _ = entry
    similarity = score
    likeness = result.get(name) if strategy in _COMPARED else None
    type = entry.type
    if likeness is not None:
        strategy = likeness.strategy
        if strategy == TYPED:
            type = likeness.kind or compare_values(name, gt, gt).kind
        if likeness.source == "value":
            explanation = f"They differ: {likeness.reason}." if likeness.reason else SAME
        else:
            threshold = pairing.rules(entry, likeness.strategy).threshold
            explanation = _similarity_text(likeness.similarity, threshold, bool(score))
        similarity = None if score is None else likeness.similarity  # type: ignore[assignment]
    elif strategy == _IGNORE:
        explanation = "The strategy leaves it out."
    elif strategy:
        explanation = SAME if score else "The values differ."
    else:
        explanation = _SAID[bucket]
    gt = None if gt is ABSENT else gt
    aio = None if aio is ABSENT else aio
    return _new(FieldScore, (name, type, gt, aio, strategy, score, similarity, bucket, explanation))


def _similarity_text(similarity: float | AssayError, threshold: float, is_match: bool) -> str:
    """What follows from the similarity of a field's texts."""
    if isinstance(similarity, AssayError):
        return f"No score: {sentence(str(similarity)).rstrip('.')}."
    return _reached(similarity, threshold, is_match)


@lru_cache(maxsize=1000)
def _reached(similarity: float, threshold: float, is_match: bool) -> str:
    sign = "reaches" if is_match else "is below"
    return f"The similarity {similarity:.2f} {sign} {threshold:g}."


_SAID: Mapping[str, str] = {
    "aio_missing_or_null": "It is expected and not in the output.",
    "extra_keys": "It is in the output and not expected.",
    "gt_null_aio_has_value": "The output has a value where none is expected.",
    "skipped": "Neither document has a value.",
}


def failure_of(comparison: JsonComparison) -> str:
    """Why accuracy has no value although there were fields to compare; empty when it has one."""
    for field in comparison.field_scores:
        is_compared = field.bucket == "both_non_null" and field.match_strategy != _IGNORE
        if is_compared and field.score is None:
            return f"{shown(field.field_name)}: {field.explanation}"
    return ""


def marks(names_and_values: Iterable[tuple[str, Any]], output: JsonDocument) -> tuple[Span, ...]:
    """Where values stand in the output's text, as far as it is text and they stand there once."""
    if not output.field or len(output.text) > MAX_MARKED_TEXT:
        return ()
    spans = []
    for name, value in names_and_values:
        text = dumps(value)
        if output.text.count(text) == 1:
            start = output.text.index(text)
            spans.append(Span(output.field, start, start + len(text), name))
        if len(spans) == MARKED:
            break
    return tuple(sorted(spans))
