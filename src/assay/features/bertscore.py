"""BERTScore: every token is paired with the most similar token of the other text.

Zhang et al. (2020), without weights by rarity. `rescaled` takes off what unrelated texts score,
where that was measured for the model (`data/bertscore_baselines.toml`). The figures depend on the
model: compare only those of the same one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from assay.backends import TokenEmbedder, TokenVectors
from assay.core import ModelError, feature
from assay.core.bounds import clamp
from assay.data.bertscore_baselines import bertscore_baseline
from assay.textproc.language import is_other_script
from assay.textproc.normal import Normal

LONGEST = 4_096
"""Tokens of a text that are compared, as time and memory grow with the product of both; models cut
texts at 256 or 512 themselves."""
LONGEST_TEXT = 16 * LONGEST
"""Characters of a text that the model is asked about."""
UNMATCHED_BELOW = 0.5
"""A token of the response counts as unmatched when nothing in the other text is more similar."""
_SEARCHED = 200
"""So many characters on from the last token the next one is looked for."""
_PIECE_MARKS = "#▁Ġ"
"""What tokenisers put before pieces of words."""


class BertScore(NamedTuple):
    """A BERTScore as computed: cosines may be negative, or 1 and a rounding error."""

    precision: float
    recall: float
    f1: float
    model: str = ""
    reason: str = ""
    """Why there is no score; empty when there is one."""
    unmatched: tuple[tuple[int, int], ...] = ()
    """Places of the least matched tokens of the response."""
    is_cut: bool = False
    """Whether a text had more tokens than are compared."""


@feature(data=("bertscore_baselines.toml",), is_batch=True)
def bertscore(
    response_normal: list[Normal],
    expected_normal: list[Normal],
    response_language: list[str],
    expected_language: list[str],
    token_embedder: TokenEmbedder,
) -> list[BertScore]:
    """The response's BERTScore against the expected answer, or why there is none."""
    scores = [
        _unread(token_embedder, *codes)
        for codes in zip(response_language, expected_language, strict=True)
    ]
    unknown = [place for place, none in enumerate(scores) if none is None]
    pairs = ((response_normal[place].text, expected_normal[place].text) for place in unknown)
    texts = [text[:LONGEST_TEXT] for text in chain.from_iterable(pairs)]
    tokens = iter(token_embedder.embed_tokens(texts))
    for place in unknown:
        response, expected = response_normal[place], expected_normal[place]
        pair = next(tokens), next(tokens)
        if refused := next((side for side in pair if isinstance(side, ModelError)), None):
            scores[place] = _none(token_embedder.name, f"{refused}.")
            continue
        score = _score(response, *pair, token_embedder.name)
        is_cut = max(len(response.text), len(expected.text)) > LONGEST_TEXT
        scores[place] = score._replace(is_cut=True) if is_cut else score
    return [score for score in scores if score is not None]


def rescaled(score: BertScore) -> BertScore:
    """The score with 0 for what unrelated texts have; as it is for a model without a baseline."""
    baseline = bertscore_baseline(score.model)
    if baseline is None or score.reason:
        return score
    pairs = zip((score.precision, score.recall, score.f1), baseline, strict=True)
    precision, recall, f1 = ((value - base) / (1.0 - base) for value, base in pairs)
    return score._replace(precision=precision, recall=recall, f1=f1)


def greedy_match(candidate: Any, reference: Any) -> BertScore:
    """The score of two sets of token vectors of length 1, given as (tokens, dimensions) arrays."""
    if not len(candidate) or not len(reference):
        return BertScore(0.0, 0.0, 0.0)
    return _summed(candidate @ reference.T)


def clamped(bertscore: Mapping[str, Any]) -> dict[str, float | None]:
    """Precision, recall and F1 kept between 0 and 1; a negative part leaves no F1 above 0."""
    parts = {name: bertscore.get(name) for name in ("precision", "recall", "f1")}
    if any(value is not None and value <= 0 for value in parts.values()):
        parts["f1"] = 0.0 if parts["f1"] is not None else None
    return {name: None if value is None else clamp(value) for name, value in parts.items()}


def _summed(similarities: Any) -> BertScore:
    """Precision is the mean of each candidate token's best match, recall of each reference token's.

    Candidate tokens are rows, reference tokens columns.
    """
    precision = float(similarities.max(axis=1).mean(dtype="float64"))
    recall = float(similarities.max(axis=0).mean(dtype="float64"))
    total = precision + recall
    return BertScore(precision, recall, 2 * precision * recall / total if total else 0.0)


def _unread(model: TokenEmbedder, *codes: str) -> BertScore | None:
    """No score, where the model cannot read one of the languages."""
    foreign = [code for code in codes if code not in model.languages and is_other_script(code)]
    if not model.languages or not foreign:
        return None
    known = ", ".join(model.languages)
    return _none(model.name, f"The token model reads {known}; the text is in {foreign[0]!r}.")


def _none(model: str, reason: str) -> BertScore:
    return BertScore(0.0, 0.0, 0.0, model, reason)


def _score(response: Normal, own: TokenVectors, other: TokenVectors, model: str) -> BertScore:
    if not len(other.tokens):
        return _none(model, "The expected answer has no words.")
    if not len(own.tokens):
        return BertScore(0.0, 0.0, 0.0, model)
    similarities = own.vectors[:LONGEST] @ other.vectors[:LONGEST].T
    best = similarities.max(axis=1)
    places = _places(response, own.tokens[: len(best)])
    unmatched = (best < UNMATCHED_BELOW).nonzero()[0].tolist()
    return _summed(similarities)._replace(
        model=model,
        unmatched=tuple(places[n] for n in unmatched if n in places),
        is_cut=max(len(own.tokens), len(other.tokens)) > LONGEST,
    )


def _places(text: Normal, tokens: Sequence[str]) -> dict[int, tuple[int, int]]:
    """Where the tokens stand in the text as given; those that were rewritten are left out."""
    places: dict[int, tuple[int, int]] = {}
    end = 0
    for index, token in enumerate(tokens):
        piece = token.lstrip(_PIECE_MARKS).lower() or token
        start = text.lower.find(piece, end, end + _SEARCHED + len(piece))
        if start >= 0:
            end = start + len(piece)
            places[index] = text.span(start, end)
    return places
