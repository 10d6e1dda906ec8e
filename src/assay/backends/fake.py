"""A model for tests: deterministic, instant, and alike for texts that share words."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from assay.backends.encoder_files import EncoderHead
from assay.backends.judge_questions import JudgeQuestion, JudgeVerdict, Labels, Ruling, VerdictUsage
from assay.backends.model_settings import ModelSettings
from assay.backends.protocols import EncoderAnswer, Likeness, TokenVectors, Vector

DIMENSIONS = 64
PAIRED = ("support", "correctness", "relevance", "refusal")
SINGLE = ("toxicity", "injection", "bias", "harm")
SURE = 4.0
"""The logit of what the fake encoder is sure of."""


class FakeModel:
    """Stands in for every back-end: hashed words are its vectors, word lists its labels."""

    name = "fake"
    dimensions = DIMENSIONS
    languages: tuple[str, ...] = ()
    threshold: float | None = None
    title = "fake encoder"
    heads: Mapping[str, EncoderHead] = {
        name: EncoderHead(("yes",), 320, "pair" if name in PAIRED else "text", {}, "")
        for name in (*PAIRED, *SINGLE)
    }

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        return [_unit(sum((_vector(word) for word in text.split()), _zeros())) for text in texts]

    def embed_tokens(self, texts: Sequence[str]) -> Sequence[TokenVectors]:
        token_vectors = []
        for text in texts:
            words = text.split()
            vectors = [_unit(_vector(word)) for word in words] or [_zeros()]
            token_vectors.append(TokenVectors(words, np.stack(vectors)[: len(words)]))
        return token_vectors

    def classify(self, texts: Sequence[str]) -> Sequence[Mapping[str, float]]:
        return [{"toxic": 1.0 if "hate" in text.lower() else 0.0} for text in texts]

    def support(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float]:
        return [_known(claim.lower().split(), text.lower().split()) for claim, text in pairs]

    def ask(self, head: str, texts: Sequence[tuple[str, str | None]]) -> Sequence[EncoderAnswer]:
        if head in SINGLE:
            return [(SURE if "hate" in first.lower() else -SURE,) for first, _ in texts]
        pairs = [(first.lower().split(), (second or "").lower().split()) for first, second in texts]
        logits = [SURE * (2 * _known(first, second) - 1) for first, second in pairs]
        return [(yes, 0.0, -yes) if head == "support" else (yes,) for yes in logits]

    def translate(self, texts: Sequence[str], source: str, target: str) -> Sequence[str]:
        return list(texts)

    def judge(self, questions: Sequence[JudgeQuestion]) -> Sequence[Ruling]:
        return [Ruling((_verdict(question),), VerdictUsage(10, 2)) for question in questions]

    def similarities(self, pairs: Sequence[tuple[str, str]], kind: Likeness) -> Sequence[float]:
        return [_shared(*(set(text.lower().split()) for text in pair)) for pair in pairs]


def identify(argument: str) -> str:
    """What a signature calls it."""
    return FakeModel.name


def make_embedder(argument: str, settings: ModelSettings) -> FakeModel:
    """The fake; it takes no argument."""
    return FakeModel()


make_token_embedder = make_classifier = make_embedder
make_judge = make_verifier = make_comparer = make_encoder = make_embedder


@lru_cache(maxsize=10_000)
def _vector(word: str) -> Vector:
    """A vector that depends on the word alone."""
    digest = hashlib.blake2b(word.lower().encode("utf-8", "surrogatepass"), digest_size=DIMENSIONS)
    return np.frombuffer(digest.digest(), np.uint8).astype(np.float32) - 127.5


def _verdict(question: JudgeQuestion) -> JudgeVerdict:
    """The share of words that the first text and the others have in common, on the scale."""
    first, *others = (set(text.lower().split()) for _, text in question.texts)
    share = _shared(first, set().union(*others))
    answers, reason = question.answers, "words were counted"
    if isinstance(answers, Labels):
        place = min(int(share * len(answers.labels)), len(answers.labels) - 1)
        return JudgeVerdict(answers.labels[place], reason)
    number = answers.low + share * (answers.high - answers.low)
    return JudgeVerdict(float(round(number)) if answers.is_whole else number, reason)


def _shared(one: set[str], other: set[str]) -> float:
    """The share of words that two texts have in common."""
    return len(one & other) / len(one | other) if one | other else 1.0


def _known(replies: Sequence[str], text: Sequence[str]) -> float:
    """The share of words that a text has."""
    return sum(word in text for word in replies) / len(replies) if replies else 0.0


def _zeros() -> Vector:
    return np.zeros(DIMENSIONS, np.float32)


def _unit(vector: Vector) -> Vector:
    length = float((vector @ vector) ** 0.5)
    return vector / length if length else vector
