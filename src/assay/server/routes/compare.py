"""What changed between two runs, and is it real."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query

from assay.core.plain import sendable
from assay.core.time_limit import time_limit
from assay.runner.compare import CompareOptions, compare_runs
from assay.runner.sides import StoredSide
from assay.server.access import role
from assay.server.requests import TheConfig, TheStore, make_router
from assay.server.schemas.runs import Comparison
from assay.store.run_list import find_run

router = make_router("compare")


@router.get("/v1/compare", operation_id="compare_runs")
@role("read")
def get_comparison(
    store: TheStore,
    config: TheConfig,
    a: Annotated[str, Query(max_length=500)],
    b: Annotated[str, Query(max_length=500)],
    by: Literal["id", "query"] = "id",
    metrics: Annotated[str, Query(max_length=5000)] = "",
    correction: Literal["holm", "bh", "none"] = "holm",
    tolerance: Annotated[float, Query(ge=0, le=1, allow_inf_nan=False)] = 0.02,
    allow_different: bool = False,
    samples: Annotated[int, Query(ge=0, le=200)] = 20,
) -> Comparison:
    """Run `b` against run `a`: every metric with interval, corrected p and verdict, and the samples
    that changed most; `metrics` are ids or families by commas.
    """
    options = CompareOptions(
        by=by,
        metrics=tuple(part.strip() for part in metrics.split(",") if part.strip()),
        correction=correction,
        tolerance=tolerance,
        allow_different=allow_different,
        samples=samples,
    )
    sides = [StoredSide(store, find_run(store, name)) for name in (a, b)]
    with time_limit(config.limits.seconds):
        compared = compare_runs(sides[0], sides[1], options)
    return Comparison(**sendable(compared.to_json()))
