"""Whether the contexts verify each claim of the response.

The support of a claim is a number from 0 to 1: a weighted sum of measures of its words and, where
there is an embedder, of its likeness to the most similar piece of a context, through a logistic
curve (`data/verifier.toml`). A configured verifier, such as an entailment model, replaces that
number. From 0.5 on a claim is verified. Whatever its support, a claim is not verified when one of
its numbers or dates stands in no context.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice
from math import fsum
from statistics import fmean
from typing import Any, Literal, NamedTuple

import numpy as np

from assay.backends import Embedder, Vector, Verifier
from assay.backends.choice import is_configured
from assay.core import ModelError, feature
from assay.data.verifier import verifier_weights
from assay.features.chunks import Chunk, Chunks
from assay.features.claims import Claim, Claims
from assay.features.support import Measures, Support, Supports, near_words
from assay.textproc.cosine import cosine

Status = Literal["verified", "unsupported", "contradicted"]
Tier = Literal["exact", "semantic", "lexical", "none"]
MIN_SUPPORT = 0.5
"""From here on a claim is verified."""
DOUBTED = 0.4
"""What is left of the support of a claim that is contradicted or has a number of its own."""
SEMANTIC = 0.6
"""From this cosine on a match is called semantic."""
MAX_EMBEDDED = 400
"""At most so many pieces of one sample are embedded."""
FEW = 12
"""So many pieces of a sample are embedded without a choice."""
COMPARED = 3
"""Of more pieces, so many with most of a claim's words are embedded."""
ROUNDING = 1e-4
"""Cosines that lie closer together are computed with more care."""
ASKED = 3
"""A verifier is asked about so many windows for each claim."""


class ClaimVerdict(NamedTuple):
    """What the contexts say about one claim."""

    claim: Claim
    status: Status
    support: float
    """From 0 to 1."""
    tier: Tier
    chunk: Chunk | None
    """The piece of a context that fits best, if any does."""
    reason: str
    """Why it is so, in a few words."""


class Verification:
    """All claims of a response with what the contexts say about them."""

    def __init__(self, verdicts: Sequence[ClaimVerdict], chunks: Chunks, mode: str) -> None:
        self.verdicts = tuple(verdicts)
        self.chunks = chunks
        self.mode = mode
        """`lexical`, `semantic`, or the name of the verifier that was asked."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Verification) and self.verdicts == other.verdicts

    __hash__ = None  # type: ignore[assignment]

    def count(self, status: Status) -> int:
        """How many claims have that status."""
        return sum(verdict.status == status for verdict in self.verdicts)

    @property
    def total(self) -> int:
        """How many claims there are."""
        return len(self.verdicts)

    @property
    def hallucinated(self) -> int:
        """How many claims the contexts do not verify."""
        return self.total - self.count("verified")

    @cached_property
    def support(self) -> float | None:
        """The mean support of the claims; None without claims."""
        return fmean(verdict.support for verdict in self.verdicts) if self.verdicts else None

    @property
    def details(self) -> dict[str, Any]:
        """Counts and claims as plain data."""
        return {
            "total_claims": self.total,
            "verified_claims": self.count("verified"),
            "unsupported_claims": self.count("unsupported"),
            "contradicted_claims": self.count("contradicted"),
            "hallucinated_claims": self.hallucinated,
            "mode": self.mode,
            "claims": [self._plain(verdict) for verdict in self.verdicts],
        }

    def _plain(self, verdict: ClaimVerdict) -> dict[str, Any]:
        chunk = verdict.chunk
        return {
            "start": verdict.claim.start,
            "end": verdict.claim.end,
            "kinds": list(verdict.claim.kinds),
            "status": verdict.status,
            "support": verdict.support,
            "tier": verdict.tier,
            "context": chunk.context if chunk else None,
            "reason": verdict.reason,
        }


@feature(is_batch=True, data=("verifier.toml",))
def claim_verification(
    response_claims: list[Claims],
    context_chunks: list[Chunks],
    claim_support: list[Supports],
    embedder: Embedder,
    verifier: Verifier,
) -> list[Verification | ModelError]:
    """What the contexts say about every claim of the response; nothing without contexts."""
    rows = [
        _ClaimRow(claims, chunks, supports)
        for claims, chunks, supports in zip(
            response_claims, context_chunks, claim_support, strict=True
        )
    ]
    if is_configured(verifier):
        _ask(rows, verifier)
    elif is_configured(embedder):
        _embed(rows, embedder)
    return [row.error or row.verification() for row in rows]


class AssertionMeasures(NamedTuple):
    """An assertion in numbers, before weights make a support of them."""

    measures: Measures
    """With an embedder also `cosine` and `likeness`, unless the claim stands there word for word
    or the model cannot read it."""
    is_exact: bool
    is_doubted: bool
    """Whether a context says otherwise, or no context has a number or date of it."""


def measured(
    claims: Sequence[Claims],
    chunks: Sequence[Chunks],
    supports: Sequence[Supports],
    embedder: Embedder,
) -> list[list[AssertionMeasures]]:
    """The assertions of many samples in numbers, which is what weights are fitted to."""
    rows = [_ClaimRow(*one) for one in zip(claims, chunks, supports, strict=True)]
    if is_configured(embedder):
        _embed(rows, embedder)
    return [
        [
            AssertionMeasures(row.measures(n, own), own.is_exact, own.is_doubted)
            for n, _, own in assertions
        ]
        for row, assertions in ((row, row.assertions()) for row in rows)
    ]


def documented_support(similarity: float) -> float:
    """The documented confidence of a match by its cosine alone."""
    if similarity >= 0.75:
        return min(1.0, 0.92 + (similarity - 0.75) * 0.32)
    if similarity >= 0.60:
        return 0.80 + (similarity - 0.60) * 0.80
    if similarity >= 0.45:
        return 0.50 + (similarity - 0.45) * 2.0
    return similarity * 0.5 / 0.45


class _ClaimRow:
    """The claims of one sample, and what models said about them."""

    def __init__(self, claims: Claims, chunks: Chunks, supports: Supports) -> None:
        self.chunks = chunks
        self.rows = list(zip(claims, supports, strict=True)) if chunks.documents else []
        self.cosines: dict[int, tuple[float, Chunk]] = {}
        """Claim's place → the highest cosine, and with which piece."""
        self.likenesses: dict[int, float] = {}
        """Claim's place → how far its words are those of the contexts, or mean the same."""
        self.scores: dict[int, float] = {}
        """Claim's place → what a verifier said."""
        self.mode = "lexical"
        self.error: ModelError | None = None
        """Why a verifier could not speak; words do not stand in for it then."""

    def assertions(self) -> list[tuple[int, Claim, Support]]:
        """The claims that words can support, with their places."""
        return [(n, claim, own) for n, (claim, own) in enumerate(self.rows) if own is not None]

    def unsettled(self) -> list[tuple[int, Claim, Support]]:
        """Those of them that do not stand in a context word for word."""
        return [one for one in self.assertions() if not one[2].is_exact]

    def embedded(self) -> list[Chunk]:
        """The pieces that claims are compared with by their vectors.

        All where they are few, or where a claim is in another language; else those with most of
        the words of a claim, and some for a claim that shares none.
        """
        claims = [own for _, _, own in self.unsettled()]
        places: Iterable[int] = range(len(self.chunks.all)) if claims else ()
        if len(self.chunks.all) > FEW and not any(own.is_foreign for own in claims):
            chosen = (own.candidates[:COMPARED] or self.chunks.first for own in claims)
            places = dict.fromkeys(chain.from_iterable(chosen))
        return [self.chunks.all[place] for place in islice(places, MAX_EMBEDDED)]

    def verification(self) -> Verification:
        """All verdicts."""
        verdicts = [
            _cited(claim, self.chunks) if own is None else self._verdict(place, claim, own)
            for place, (claim, own) in enumerate(self.rows)
        ]
        return Verification(verdicts, self.chunks, self.mode)

    def _verdict(self, place: int, claim: Claim, own: Support) -> ClaimVerdict:
        similarity, alike = self.cosines.get(place, (None, None))
        chunk = own.window.centre if own.window else alike
        if place in self.scores:
            support = self.scores[place]
        elif similarity is None:
            support = verifier_weights("lexical").support(own.measures)
        elif own.is_foreign:
            support, chunk = documented_support(similarity), alike
        else:
            support = verifier_weights("semantic").support(self.measures(place, own))
        return _judge(claim, own, support, similarity, chunk)

    def measures(self, place: int, own: Support) -> Measures:
        """What words and vectors say about the claim at a place."""
        if place not in self.cosines:
            return own.measures
        similarity, _ = self.cosines[place]
        return {**own.measures, "cosine": similarity, "likeness": self.likenesses[place]}


def _judge(
    claim: Claim, own: Support, support: float, similarity: float | None, chunk: Chunk | None
) -> ClaimVerdict:
    """The verdict on a claim of that support, after numbers and conflicts were looked at."""
    if own.is_exact:
        return ClaimVerdict(claim, "verified", 1.0, "exact", chunk, "stands there word for word")
    tier: Tier = "semantic" if (similarity or 0.0) >= SEMANTIC else "lexical"
    if not own.window and tier == "lexical":
        tier = "none"
    if own.conflict:
        reason = own.conflict.reason
        return ClaimVerdict(claim, "contradicted", support * DOUBTED, tier, chunk, reason)
    if own.is_figure_absent:
        reason = f"{own.absent[0]} stands nowhere"
        return ClaimVerdict(claim, "unsupported", support * DOUBTED, tier, chunk, reason)
    if support >= MIN_SUPPORT:
        return ClaimVerdict(claim, "verified", support, tier, chunk, "is supported")
    reason = f"{own.absent[0]} stands nowhere" if own.absent else "says what no context says"
    return ClaimVerdict(claim, "unsupported", support, tier, chunk, reason)


def _cited(claim: Claim, chunks: Chunks) -> ClaimVerdict:
    """The verdict on a citation: whether there is such a source."""
    if claim.context is None:
        return ClaimVerdict(claim, "unsupported", 0.0, "none", None, "there is no such source")
    chunk = next((chunk for chunk in chunks.all if chunk.context == claim.context), None)
    return ClaimVerdict(claim, "verified", 1.0, "exact", chunk, "there is such a source")


def _embed(rows: Sequence[_ClaimRow], embedder: Embedder) -> None:
    """Note for each claim the piece of a context that is most like it, and how like its words are.

    What the model cannot read, it says nothing about: such a claim is judged by its words.
    """
    requests = [_EmbeddingRequest(row) for row in rows]
    texts = list(dict.fromkeys(text for own in requests for text in own.texts()))
    by_text = dict(zip(texts, embedder.embed(texts) if texts else (), strict=True))
    vectors = {t: v for t, v in by_text.items() if not isinstance(v, ModelError)}
    for own in requests:
        own.note(vectors)


class _EmbeddingRequest:
    """The texts of one sample whose vectors are asked for."""

    def __init__(self, row: _ClaimRow) -> None:
        self._row = row
        self._chunks = row.embedded()
        self._claims = [
            (place, claim, own, sorted(near_words(own, row.chunks)))
            for place, claim, own in row.unsettled()
        ]

    def texts(self) -> Iterator[str]:
        """Pieces, claims, and words of both."""
        yield from (chunk.text for chunk in self._chunks)
        for _, claim, own, words in self._claims:
            yield from (claim.text, *own.unknown_words, *words)

    def note(self, vectors: Mapping[str, Vector]) -> None:
        """Note what the vectors say about each claim."""
        row = self._row
        row.mode = "semantic"
        known = [chunk for chunk in self._chunks if chunk.text in vectors]
        claims = [one for one in self._claims if known and one[1].text in vectors]
        pieces = [vectors[chunk.text] for chunk in known]
        nearest = _nearest([vectors[claim.text] for _, claim, _, _ in claims], pieces)
        for (place, _, own, words), near in zip(claims, nearest, strict=True):
            row.cosines[place] = max(
                ((similarity, known[index]) for index, similarity in near),
                key=lambda one: (one[0], one[1].text),
            )
            row.likenesses[place] = _likeness(own, words, vectors)


def _likeness(own: Support, near: Iterable[str], vectors: Mapping[str, Vector]) -> float:
    """The mean over content words of 1 for one that the contexts have, else its best cosine."""
    unknown = [vectors[word] for word in own.unknown_words if word in vectors]
    nearest = _nearest(unknown, [vectors[word] for word in near if word in vectors])
    best = [max(similarity for _, similarity in rows) for rows in nearest]
    count = own.known_words + len(own.unknown_words)
    return (own.known_words + fsum(best)) / count if count else 0.0


def _nearest(
    vectors: Sequence[Vector], others: Sequence[Vector]
) -> Iterator[list[tuple[int, float]]]:
    """For each vector the others that may be most like it, by index, and their cosines.

    One product of matrices finds them; it may round otherwise than the cosine of two.
    """
    if not vectors or not others:
        return
    products = np.clip(np.array(vectors) @ np.array(others).T, 0.0, 1.0)
    for vector, row in zip(vectors, products, strict=True):
        near = np.flatnonzero(row >= row.max() - ROUNDING).tolist()
        yield [(index, cosine(vector, others[index])) for index in near]


def _ask(rows: Sequence[_ClaimRow], verifier: Verifier) -> None:
    """Note what a verifier says about each claim and the windows with most of its words."""
    all_pairs: dict[tuple[str, str], None] = {}
    pairs: list[tuple[_ClaimRow, int, list[tuple[str, str]]]] = []
    for row in rows:
        row.mode = verifier.name
        for place, claim, own in row.assertions():
            windows = own.candidates[:ASKED] or range(min(ASKED, len(row.chunks.all)))
            own_pairs = [(claim.text, row.chunks.window(index).text) for index in windows]
            pairs.append((row, place, own_pairs))
            all_pairs |= dict.fromkeys(own_pairs)
    scores = dict(
        zip(all_pairs, verifier.support(list(all_pairs)) if all_pairs else (), strict=True)
    )
    for row, place, own_pairs in pairs:
        supports = [scores[pair] for pair in own_pairs]
        row.error = row.error or next((e for e in supports if isinstance(e, ModelError)), None)
        numbers = (_unit(score) for score in supports if not isinstance(score, ModelError))
        row.scores[place] = max(numbers, default=0.0)


def _unit(score: float) -> float:
    """A score kept between 0 and 1; one that is no number supports nothing."""
    return min(1.0, max(0.0, float(score))) if score == score else 0.0
