"""Which models a run uses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from threading import RLock
from typing import Any

from assay.backends.providers import identify, make
from assay.backends.settings import Settings


@dataclass(frozen=True)
class Backends:
    """The chosen models, as plain data that can be sent to another process.

    Each is a provider's name, with what it needs after a colon: `use`, `minilm`, `hf:FOLDER`.
    An empty name means that there is none.
    """

    embedder: str = "use"
    token_embedder: str = "minilm"
    classifier: str = ""
    translator: str = ""
    judge: str = ""
    verifier: str = ""
    threads: int = 1
    """Threads of one model. Vectors do not depend on it; speed on a busy machine does."""
    cache: bool = True
    """Whether vectors are kept on disk for the next run."""
    downloads: bool = False
    """Whether a model that is not on this machine may be fetched by its name."""

    def identity(self, kind: str) -> str:
        """What a signature says of a back-end; no model is loaded for it."""
        spec = getattr(self, kind)
        return identify(kind, spec) if spec else "none"

    def get(self, kind: str) -> Any:
        """The back-end of that kind; it is loaded when it is first used."""
        settings = Settings(self.threads, self.cache, self.downloads)
        return _Lazy(kind, getattr(self, kind), settings)


class _Lazy:
    """Loads a back-end on first use, so that what goes wrong concerns only those who ask it."""

    def __init__(self, kind: str, spec: str, settings: Settings) -> None:
        self._kind = kind
        self._spec = spec
        self._settings = settings

    def __getattr__(self, name: str) -> Any:
        with _LOADING:
            backend = _load(self._kind, self._spec, self._settings)
        return getattr(backend, name)


def is_configured(backend: object) -> bool:
    """Whether there is a model behind what `Backends.get` gave; nothing is loaded for it."""
    return not isinstance(backend, _Lazy) or bool(vars(backend)["_spec"])


_LOADING = RLock()
"""Held while a model is loaded, so that two threads do not load it twice."""


@cache
def _load(kind: str, spec: str, settings: Settings) -> Any:
    """Make a back-end; the same one for the same words. A failure is tried again when asked."""
    return make(kind, spec, settings)
