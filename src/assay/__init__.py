"""Assay measures the quality of what AI systems answer.

Names are imported when first used, so that `import assay` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from assay.version import __version__

if TYPE_CHECKING:
    from assay.core import (
        AssayError,
        Document,
        Metric,
        Result,
        Sample,
        Scores,
        Span,
        Summary,
        metric,
    )
    from assay.core.card import GovernanceCard
    from assay.core.json_result import JsonComparison
    from assay.runner import Report, aevaluate, evaluate, score
    from assay.runner.batch_scoring import score_batch
    from assay.runner.governance import governance
    from assay.runner.json_calls import compare_json
    from assay.samples import GoldenDataset

__all__ = [
    "AssayError",
    "Document",
    "GoldenDataset",
    "GovernanceCard",
    "JsonComparison",
    "Metric",
    "Report",
    "Result",
    "Sample",
    "Scores",
    "Span",
    "Summary",
    "__version__",
    "aevaluate",
    "compare_json",
    "evaluate",
    "governance",
    "metric",
    "score",
    "score_batch",
]

_HOMES = {
    "GoldenDataset": "assay.samples",
    "GovernanceCard": "assay.core.card",
    "JsonComparison": "assay.core.json_result",
    "Report": "assay.runner",
    "aevaluate": "assay.runner",
    "compare_json": "assay.runner.json_calls",
    "evaluate": "assay.runner",
    "governance": "assay.runner.governance",
    "score": "assay.runner",
    "score_batch": "assay.runner.batch_scoring",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'assay' has no attribute {name!r}")
    return getattr(import_module(_HOMES.get(name, "assay.core")), name)


def __dir__() -> list[str]:
    return __all__
