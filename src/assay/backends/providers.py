"""The table of providers: kind of back-end → name → how it is made from what follows the colon.

A provider's module is imported only when it is chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

Make = Callable[[str], Any]


def _made_by(module: str, function: str) -> Make:
    return lambda argument: getattr(import_module(f"assay.backends.{module}"), function)(argument)


_FAKE = _made_by("fake", "make_fake")
PROVIDERS: Mapping[str, Mapping[str, Make]] = {
    "embedder": {
        "fake": _FAKE,
        "use": _made_by("use", "make_embedder"),
        "minilm": _made_by("minilm", "make_embedder"),
        "hf": _made_by("huggingface", "make_embedder"),
        "openai": _made_by("openai", "make_embedder"),
    },
    "token_embedder": {
        "fake": _FAKE,
        "minilm": _made_by("minilm", "make_token_embedder"),
        "hf": _made_by("huggingface", "make_token_embedder"),
    },
    "classifier": {
        "fake": _FAKE,
        "hf": _made_by("huggingface", "make_classifier"),
    },
    "translator": {"fake": _FAKE},
}
