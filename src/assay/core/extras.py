"""Optional packages, imported where they are used and named by their extra when absent."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from assay.core.errors import MissingExtraError

DISTRIBUTION = "assay-eval"
"""What pip calls Assay."""


def require(module: str, extra: str) -> ModuleType:
    """Import a module that comes with an extra; raises `MissingExtraError` when it is absent."""
    package = module.partition(".")[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != package:
            raise
    raise MissingExtraError(
        f'the package {package!r} is not installed; it comes with the extra "{extra}": '
        f'pip install "{DISTRIBUTION}[{extra}]"'
    )
