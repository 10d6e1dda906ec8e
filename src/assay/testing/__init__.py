"""Quality tests with pytest; nothing here is imported unless a test asks for it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.testing.quality import Quality, QualityError, aassert_quality, assert_quality

__all__ = ["Quality", "QualityError", "aassert_quality", "assert_quality"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'assay.testing' has no attribute {name!r}")
    return getattr(import_module("assay.testing.quality"), name)
