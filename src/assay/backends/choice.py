"""Which models a run uses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from assay.backends.providers import PROVIDERS
from assay.core.errors import ProfileError, UsageError


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

    def identity(self, kind: str) -> str:
        """What a signature says of a back-end; nothing is loaded for it."""
        return getattr(self, kind) or "none"

    def get(self, kind: str) -> Any:
        """The back-end of that kind; it is loaded when it is first used."""
        return _Lazy(kind, getattr(self, kind))


class _Lazy:
    """Loads a back-end on first use, so that what goes wrong concerns only those who ask it."""

    def __init__(self, kind: str, spec: str) -> None:
        self._kind = kind
        self._spec = spec

    def __getattr__(self, name: str) -> Any:
        return getattr(_load(self._kind, self._spec), name)


@cache
def _load(kind: str, spec: str) -> Any:
    """Make a back-end; the same one for the same words."""
    if not spec:
        raise UsageError(f"no {kind} is configured")
    provider, _, argument = spec.partition(":")
    if provider not in PROVIDERS.get(kind, {}):
        known = ", ".join(sorted(PROVIDERS.get(kind, {}))) or "none"
        raise ProfileError(f"unknown {kind} {spec!r}; expected one of {known}")
    return PROVIDERS[kind][provider](argument)
