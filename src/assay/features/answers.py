"""What the fitted models say of an answer, and how alike texts are by words and vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log1p

from assay.backends import Embedder
from assay.backends.choice import is_configured
from assay.core import ModelError, feature
from assay.features.declining import Delivery
from assay.features.readings import read_text
from assay.linear import measure_model, ngram_model
from assay.meaning.agreement import Agreement
from assay.meaning.likeness import likeness, translation_likeness
from assay.meaning.reading import TextReading
from assay.meaning.refusals import HEAD, Refusal, is_latin
from assay.meaning.relevance import Relevance
from assay.textproc.cosine import cosine

ALONE = 2.0
"""What the n-grams of a short answer must say before they count where no sentence declines: there
are too few of them."""
SHORT = log1p(12)
"""The measure `length` up to which an answer is short."""
VERY_SHORT = log1p(4)
"""The measure `length` up to which n-grams never speak for a refusal: "It's Istanbul." begins as
many do."""
LIMIT = 4.0
"""The logit of the n-grams is kept within this of 0."""


@feature(data=("models/correctness.json",))
def correctness_probability(answer_agreement: Agreement | None) -> float | None:
    """The probability that the response is right; None where there is nothing to compare with."""
    if answer_agreement is None:
        return None
    return measure_model("correctness").probability(answer_agreement.measures)


@feature(data=("models/refusal.json", "models/refusal.npz"))
def refusal_probability(response_refusal: Refusal, response_delivery: Delivery) -> float:
    """The probability that the response declines what was asked."""
    measures = response_delivery.corrected(response_refusal.measures)
    logit = refusal_logit(response_refusal.unquoted)
    measures["ngrams"] = logit * measures["declines"]
    alone = (1.0 - measures["declines"]) * (1.0 - measures["asked_for"])
    doubt = ALONE if measures["length"] <= SHORT else 0.0
    most = -ALONE if measures["length"] <= VERY_SHORT else LIMIT
    measures["ngrams_alone"] = min(most, logit - doubt) * alone
    return measure_model("refusal").probability(measures)


def refusal_logit(unquoted: str) -> float:
    """What the n-grams of a response in lower case say; 0 for other scripts and for nothing."""
    if not is_latin(unquoted):
        return 0.0
    return max(-LIMIT, min(LIMIT, ngram_model("refusal").logit(unquoted[:HEAD])))


@feature(data=("models/relevance.json", "models/relevance_semantic.json"))
def relevance_probability(
    answer_relevance: Relevance, query_response_cosine: float | None = None
) -> float:
    """The probability that the response addresses the query."""
    measures = dict(answer_relevance.measures)
    if query_response_cosine is None:
        return measure_model("relevance").probability(measures)
    measures["cosine"] = query_response_cosine
    return measure_model("relevance_semantic").probability(measures)


@feature(data=("models/similarity.json", "models/similarity_semantic.json"))
def answer_similarity(similarity_measures: Mapping[str, float] | None) -> float | None:
    """How alike response and expected answer are, from 0 to 1; None without words in one."""
    if similarity_measures is None:
        return None
    name = "similarity_semantic" if "cosine" in similarity_measures else "similarity"
    return measure_model(name).probability(similarity_measures)


@feature(data=("models/cross_language.json",))
def cross_language_probabilities(
    cross_language_measures: Mapping[str, Mapping[str, float]],
) -> dict[str, float]:
    """Language → the probability that its text says the same as the English one."""
    model = measure_model("cross_language")
    return {code: model.probability(own) for code, own in cross_language_measures.items()}


@feature(is_batch=True, data=("meaning.toml", "wordnet.toml", "quantities.toml"))
def similarity_measures(
    response_reading: list[TextReading], expected_reading: list[TextReading], embedder: Embedder
) -> list[dict[str, float] | ModelError | None]:
    """How alike response and expected answer are; with an embedder also their `cosine`."""
    pairs = list(zip(response_reading, expected_reading, strict=True))
    result: list[dict[str, float] | ModelError | None] = [
        likeness(one, other) if one.words and other.words else None for one, other in pairs
    ]
    for place, similarity in enumerate(_cosines(pairs, embedder)):
        own = result[place]
        if isinstance(own, dict) and similarity is not None:
            own["cosine"] = similarity
    return result


@feature(is_batch=True, data=("meaning.toml", "wordnet.toml", "quantities.toml"))
def query_response_cosine(
    query_reading: list[TextReading], response_reading: list[TextReading], embedder: Embedder
) -> list[float | None]:
    """The cosine of query and response; None without an embedder that reads both."""
    pairs = list(zip(query_reading, response_reading, strict=True))
    return _cosines(pairs, embedder)


@feature(is_batch=True, data=("meaning.toml", "wordnet.toml", "quantities.toml"))
def cross_language_measures(
    translations: list[Mapping[str, str]],
    embedder: Embedder,
    response: list[str | None] | None = None,
    response_language: list[str | None] | None = None,
) -> list[dict[str, dict[str, float]] | ModelError | None]:
    """Language → how alike its text and the English one are; nothing for one language alone.

    None where there are several languages and no embedder to compare them with.
    """
    texts: list[dict[str, TextReading]] = []
    for place, translated in enumerate(translations):
        own = dict(translated)
        answer = response[place] if response else None
        if answer:
            own.setdefault((response_language or [])[place] or "und", answer)
        texts.append({code: read_text(text) for code, text in sorted(own.items())})
    pairs: list[tuple[TextReading, TextReading]] = []
    owners: list[tuple[int, str]] = []
    for place, readings in enumerate(texts):
        base = "en" if "en" in readings else next(iter(readings), "")
        for code, one in readings.items():
            if code != base:
                pairs.append((readings[base], one))
                owners.append((place, code))
    rows: list[dict[str, dict[str, float]] | ModelError | None] = [{} for _ in texts]
    if not is_configured(embedder):
        return [None if len(readings) > 1 else {} for readings in texts]
    for (place, code), pair, similarity in zip(
        owners, pairs, _cosines(pairs, embedder), strict=True
    ):
        row = rows[place]
        if similarity is None:
            rows[place] = ModelError(f"the embedder gave no vector to compare {code!r} with")
        elif isinstance(row, dict):
            row[code] = {"cosine": similarity, **translation_likeness(*pair)}
    return rows


def _cosines(
    pairs: Sequence[tuple[TextReading, TextReading]], embedder: Embedder
) -> list[float | None]:
    """The cosine of each pair; None where there is no embedder or it cannot read one text."""
    if not is_configured(embedder):
        return [None] * len(pairs)
    texts = list(dict.fromkeys(one.text for pair in pairs for one in pair))
    vectors = dict(zip(texts, embedder.embed(texts) if texts else (), strict=True))
    cosines: list[float | None] = []
    for one, other in pairs:
        a, b = vectors[one.text], vectors[other.text]
        is_read = not isinstance(a, ModelError) and not isinstance(b, ModelError)
        cosines.append(cosine(a, b) if is_read else None)
    return cosines
