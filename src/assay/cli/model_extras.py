"""Models that a person chose need their extras before anything is scored, not after."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from assay.backends.providers import ENDPOINT_JUDGES
from assay.core.extras import require
from assay.settings import Settings

if TYPE_CHECKING:
    from assay.engine import Plan
    from assay.runner.job import Job

NEEDED = {
    **dict.fromkeys(ENDPOINT_JUDGES, ("httpx2", "endpoint")),
    "hf": ("sentence_transformers", "huggingface"),
    "minilm": ("onnxruntime", "minilm"),
}
"""Provider of a model → a package of its extra, and the extra."""
KINDS = ("embedder", "token_embedder", "classifier", "judge")


def checked(
    job: Job, settings: Settings, announce: Callable[[Plan], None] | None
) -> Callable[[Plan], None]:
    """What to do with a plan: refuse models whose extra is missing, then announce it.

    A model that nobody chose may be missing: the metrics that want it are then N/A, and say so.
    """

    def planned(plan: Plan) -> None:
        for kind in KINDS:
            provider = str(getattr(job.backends, kind)).partition(":")[0]
            is_chosen = settings.is_explicit(kind) or kind == "judge"
            if provider in NEEDED and kind in plan.resources and is_chosen:
                require(*NEEDED[provider])
        if announce:
            announce(plan)

    return planned
