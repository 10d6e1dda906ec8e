"""What features may ask of a model.

A model that cannot answer for one text of many, because it does not read the text's script for
instance, gives a `ModelError` in that text's place: the others keep their answers, and so no
score depends on which texts were asked together. A model that cannot answer at all raises.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol

from assay.backends.encoder_files import EncoderHead
from assay.backends.judge_questions import JudgeQuestion, Ruling
from assay.core.errors import ModelError

Vector = Any
"""A one-dimensional float32 numpy array of length 1, or of zeros for a text without content."""


class Embedder(Protocol):
    """Turns texts into vectors whose dot product is their similarity."""

    name: str
    """Model and version: what the vectors depend on."""
    languages: tuple[str, ...]
    """The languages that it reads; empty for any."""
    threshold: float | None
    """From which cosine on two texts count as alike for this model; None: the metric's own."""

    @property
    def dimensions(self) -> int:
        """The length of the vectors."""

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """One vector a text, in order, or a `ModelError` in its place."""


class TokenVectors(NamedTuple):
    """The tokens of a text, special ones left out, with one vector of length 1 each."""

    tokens: Sequence[str]
    vectors: Any
    """A numpy array of shape (tokens, dimensions)."""


class TokenEmbedder(Protocol):
    """Turns texts into one vector a token, in context."""

    name: str
    languages: tuple[str, ...]
    """The languages that it reads; empty for any."""

    @property
    def dimensions(self) -> int:
        """The length of the vectors."""

    def embed_tokens(self, texts: Sequence[str]) -> Sequence[TokenVectors]:
        """The tokens of each text, in order, or a `ModelError` in its place."""


class Classifier(Protocol):
    """Gives texts a score from 0 to 1 for each of its labels."""

    name: str

    def classify(self, texts: Sequence[str]) -> Sequence[Mapping[str, float]]:
        """Label → score, for each text in order."""


Likeness = Literal["fuzzy", "semantic"]
"""What a judge is asked: whether texts are written alike, or whether they mean the same."""


class Comparer(Protocol):
    """Says how alike texts are, as a person would."""

    name: str

    def similarities(
        self, pairs: Sequence[tuple[str, str]], kind: Likeness
    ) -> Sequence[float | ModelError]:
        """A number from 0 to 1 for each pair in order, or a `ModelError` in its place."""


class Judge(Comparer, Protocol):
    """Gives verdicts on texts, as a person would."""

    def judge(self, questions: Sequence[JudgeQuestion]) -> Sequence[Ruling | ModelError]:
        """The verdicts on each question in order, or a `ModelError` in its place."""


EncoderAnswer = tuple[float, ...]
"""The logits of a head, in the order of its outputs."""


class Encoder(Protocol):
    """A trained model that answers several questions about one text or two."""

    name: str
    """Model, version and hash: what the answers depend on."""
    title: str
    """How explanations call it."""
    heads: Mapping[str, EncoderHead]
    """What it can be asked."""

    def ask(
        self, head: str, texts: Sequence[tuple[str, str | None]]
    ) -> Sequence[EncoderAnswer | ModelError]:
        """The logits of a head for each text or pair, in order, or a `ModelError` in its place."""


class Verifier(Protocol):
    """Says how far a text supports a claim."""

    name: str

    def support(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float | ModelError]:
        """A score from 0 to 1 for each pair of claim and text, in order, or a `ModelError`."""
