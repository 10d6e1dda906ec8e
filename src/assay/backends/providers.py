"""The table of providers: kind of back-end → the names that may stand before the colon.

A provider is a module with `identify(argument)`, which says what a signature calls the model
(`identify_<kind>` where that differs), and for each of its kinds `make_<kind>(argument, settings)`.
It is imported when it is chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

from assay.backends.model_settings import ModelSettings
from assay.core.errors import ProfileError, UsageError

ENDPOINT_JUDGES = ("anthropic", "gemini", "openai")
"""Protocols of endpoints that give verdicts."""
PROVIDERS: Mapping[str, tuple[str, ...]] = {
    "embedder": ("fake", "hf", "minilm", "openai", "use"),
    "token_embedder": ("fake", "hf", "minilm"),
    "classifier": ("fake", "hf"),
    "encoder": ("fake", "onnx"),
    "judge": ("fake", *ENDPOINT_JUDGES),
    "verifier": ("fake", "hf", *ENDPOINT_JUDGES),
    "comparer": ("fake", *ENDPOINT_JUDGES),
}
JUDGED = ("judge", "verifier", "comparer")
"""The kinds that a judge can be."""
_MODULES = {"hf": "huggingface", "onnx": "encoder"}
"""Where the module has another name than the provider."""


def make(kind: str, spec: str, settings: ModelSettings) -> Any:
    """The back-end that the words choose."""
    module, argument = _chosen(kind, spec)
    return getattr(module, f"make_{kind}")(argument, settings)


def identify(kind: str, spec: str) -> str:
    """What a signature calls the back-end; no model is loaded for it."""
    module, argument = _chosen(kind, spec)
    named = getattr(module, f"identify_{kind}", module.identify)
    return str(named(argument))


def is_panel(kind: str, spec: str) -> bool:
    """Whether the words choose several judges."""
    return kind in JUDGED and len(spec.split()) > 1


def _chosen(kind: str, spec: str) -> tuple[ModuleType, str]:
    """The provider's module, and what follows the colon."""
    if not spec:
        raise UsageError(f"no {kind} is configured")
    if is_panel(kind, spec):
        return import_module("assay.backends.panel"), spec
    provider, _, argument = spec.partition(":")
    if provider not in PROVIDERS[kind]:
        known = ", ".join(PROVIDERS[kind])
        raise ProfileError(f"unknown {kind} {spec!r}; expected one of {known}")
    return import_module(f"assay.backends.{_MODULES.get(provider, provider)}"), argument
