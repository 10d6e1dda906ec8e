"""Each distinct text is shown to a model once: answers are remembered, vectors also on disk.

What is true for every model is done here once: blank texts are not shown to it, nor texts in a
script that it does not read, nor characters that no tokenizer takes.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Generic, TypeVar

import numpy as np

from assay.backends.model_settings import cache_folder
from assay.backends.protocols import Classifier, Embedder, TokenEmbedder, TokenVectors, Vector
from assay.backends.texts import encodable, is_blank, unread_script
from assay.backends.vector_store import VectorStore
from assay.backends.vectors import frozen, zeros
from assay.core.errors import ModelError

MEMORY_LIMIT = 64 * 2**20
"""Bytes of answers that one model remembers in a process."""
ASKED_AT_ONCE = 256
"""Texts after which vectors are kept on disk, so that a run that is stopped loses few."""
FORMAT = b"assay-vectors-2"
"""Part of every key: goes up when any bit of a vector may change under the same model name."""

Answer = TypeVar("Answer")


class Memory(Generic[Answer]):
    """The answers that were used last, within a number of bytes; safe with several threads."""

    def __init__(self, limit: int = MEMORY_LIMIT) -> None:
        self._limit = limit
        self._size = 0
        self._answers: OrderedDict[bytes, tuple[Answer, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: bytes) -> Answer | None:
        """What is remembered, if anything."""
        with self._lock:
            if (answer := self._answers.get(key)) is None:
                return None
            self._answers.move_to_end(key)
            return answer[0]

    def put(self, key: bytes, answer: Answer, size: int) -> None:
        """Remember an answer, and forget the oldest ones that no longer fit."""
        with self._lock:
            if key in self._answers:
                return
            self._answers[key] = (answer, size)
            self._size += size
            while self._size > self._limit:
                _, (_, freed) = self._answers.popitem(last=False)
                self._size -= freed


class CachedEmbedder:
    """An embedder that shows its model each text once."""

    def __init__(
        self, model: Embedder, *, is_kept: bool = True, memory_limit: int = MEMORY_LIMIT
    ) -> None:
        self.name = model.name
        self.languages = model.languages
        self.threshold = model.threshold
        self._model = model
        self._is_kept = is_kept
        self._memory: Memory[Vector] = Memory(memory_limit)
        self._hash = key_start(model.name)

    @property
    def dimensions(self) -> int:
        """The length of the vectors."""
        return self._model.dimensions

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        return _each(texts, self._answer, lambda: zeros(self.dimensions), self)

    def _answer(self, texts: Sequence[str]) -> dict[str, Vector | ModelError]:
        """The vectors of distinct texts: remembered, kept on disk, or new."""
        keys = {text: input_key(self._hash, text) for text in texts}
        vectors = {text: self._memory.get(key) for text, key in keys.items()}
        unknown = [text for text, vector in vectors.items() if vector is None]
        if unknown and (store := self._store()):
            kept = store.read([keys[text] for text in unknown])
            known = ((text, kept.get(keys[text])) for text in unknown)
            vectors |= {text: frozen(np.frombuffer(raw, "<f4")) for text, raw in known if raw}
        new = sorted((t for t in unknown if vectors[t] is None), key=lambda text: (len(text), text))
        for start in range(0, len(new), ASKED_AT_ONCE):
            vectors |= self._ask(new[start : start + ASKED_AT_ONCE], keys)
        for text in unknown:
            vector: Any = vectors[text]
            if not isinstance(vector, ModelError):
                self._memory.put(keys[text], vector, vector.nbytes)
        return vectors

    def _ask(self, texts: Sequence[str], keys: Mapping[str, bytes]) -> dict[str, Any]:
        """The model's own vectors, which the next run need not ask for."""
        vectors = dict(zip(texts, self._model.embed(texts), strict=True))
        if store := self._store():
            good = {t: v for t, v in vectors.items() if not isinstance(v, ModelError)}
            store.write({keys[text]: vector.tobytes() for text, vector in good.items()})
        return vectors

    def _store(self) -> VectorStore | None:
        folder = cache_folder() if self._is_kept else None
        return opened_store(folder) if folder else None


class CachedTokenEmbedder:
    """A token embedder that shows its model each text once; token vectors stay in memory."""

    def __init__(self, model: TokenEmbedder, *, memory_limit: int = MEMORY_LIMIT) -> None:
        self.name = model.name
        self.dimensions = model.dimensions
        self.languages = model.languages
        self._model = model
        self._memory: Memory[TokenVectors] = Memory(memory_limit)
        self._hash = key_start(model.name)

    def embed_tokens(self, texts: Sequence[str]) -> Sequence[TokenVectors]:
        return _each(texts, self._answer, self._nothing, self)

    def _nothing(self) -> TokenVectors:
        return TokenVectors((), zeros(self.dimensions)[None][:0])

    def _answer(self, texts: Sequence[str]) -> dict[str, TokenVectors]:
        return _remembered(
            texts, self._memory, self._hash, self._model.embed_tokens, lambda t: t.vectors.nbytes
        )


class CachedClassifier:
    """A classifier that shows its model each text once."""

    def __init__(self, model: Classifier, *, memory_limit: int = MEMORY_LIMIT) -> None:
        self.name = model.name
        self._model = model
        self._memory: Memory[Mapping[str, float]] = Memory(memory_limit)
        self._hash = key_start(model.name)

    def classify(self, texts: Sequence[str]) -> Sequence[Mapping[str, float]]:
        clean = [encodable(text) for text in texts]
        distinct = list(dict.fromkeys(clean))
        answers = _remembered(
            distinct, self._memory, self._hash, self._model.classify, lambda s: 100 * len(s)
        )
        return [answers[text] for text in clean]


def _each(
    texts: Sequence[str],
    answer: Callable[[Sequence[str]], Mapping[str, Any]],
    nothing: Callable[[], Any],
    model: CachedEmbedder | CachedTokenEmbedder,
) -> list[Any]:
    """The answer for each text; only distinct ones that the model can read are asked for."""
    clean = [encodable(text) for text in texts]
    answers: dict[str, Any] = {}
    for text in dict.fromkeys(clean):
        if is_blank(text):
            answers[text] = nothing()
        elif script := unread_script(text, model.languages):
            known = ", ".join(model.languages)
            answers[text] = ModelError(
                f"the model {model.name!r} reads {known}; the text is in {script} script: "
                "choose another model"
            )
    answers |= answer([text for text in dict.fromkeys(clean) if text not in answers])
    return [answers[text] for text in clean]


def _remembered(
    texts: Iterable[str],
    memory: Memory[Answer],
    hash: Any,
    ask: Callable[[Sequence[str]], Sequence[Answer]],
    size: Callable[[Answer], int],
) -> dict[str, Answer]:
    """The answers for distinct texts, remembered or new."""
    keys = {text: input_key(hash, text) for text in texts}
    known = {text: memory.get(key) for text, key in keys.items()}
    new = [text for text, answer in known.items() if answer is None]
    answers = {text: answer for text, answer in known.items() if answer is not None}
    for text, answer in zip(new, ask(new) if new else (), strict=True):
        answers[text] = answer
        if not isinstance(answer, ModelError):
            memory.put(keys[text], answer, size(answer))
    return answers


def key_start(model: str) -> Any:
    """The start of every key of a model."""
    return hashlib.blake2b(FORMAT + b"\0" + model.encode() + b"\0", digest_size=24)


def input_key(hash: Any, text: str) -> bytes:
    """The key of a text under the start that all keys of its model share."""
    own = hash.copy()
    own.update(text.encode())
    return bytes(own.digest())


@cache
def opened_store(folder: Path) -> VectorStore:
    """The one store of a folder in this process."""
    return VectorStore(folder)
