"""What changed between two runs, and is it real."""

from __future__ import annotations

from typing import Annotated, Literal
from urllib.parse import unquote

from fastapi import Query

from assay.core import UsageError
from assay.core.plain import sendable
from assay.core.time_limit import time_limit
from assay.runner.compare import CompareOptions, compare_by_id_or_query, compare_runs
from assay.runner.sides import StoredSide
from assay.server.access import role
from assay.server.requests import TheConfig, ThePart, TheStore, make_router
from assay.server.schemas.runs import Comparison, MatrixEntry, MatrixRowEntry
from assay.store.matrix import MatrixRow, read_matrix
from assay.store.run_list import find_run
from assay.store.tests import shown_id

router = make_router("compare")

MAX_RUNS = 64
"""Runs of one matrix: as many as a grid has cells."""


@router.get("/v1/compare", operation_id="compare_runs")
@role("read")
def get_comparison(
    store: TheStore,
    config: TheConfig,
    a: Annotated[str, Query(max_length=500)],
    b: Annotated[str, Query(max_length=500)],
    by: Literal["id", "query", "auto"] = "id",
    metrics: Annotated[str, Query(max_length=5000)] = "",
    correction: Literal["holm", "bh", "none"] = "holm",
    tolerance: Annotated[float, Query(ge=0, le=1, allow_inf_nan=False)] = 0.02,
    allow_different: bool = False,
    samples: Annotated[int, Query(ge=0, le=200)] = 20,
) -> Comparison:
    """Run `b` against run `a`: every metric with interval, corrected p and verdict, and the samples
    that changed most; `metrics` are ids or families by commas. `auto` pairs samples by id, or by
    query where no id is in both.
    """
    sides = [StoredSide(store, find_run(store, name)) for name in (a, b)]
    options = CompareOptions(
        by="id" if by == "auto" else by,
        metrics=tuple(part.strip() for part in metrics.split(",") if part.strip()),
        correction=correction,
        tolerance=tolerance,
        allow_different=allow_different,
        samples=samples,
    )
    with time_limit(config.limits.seconds):
        compare = compare_by_id_or_query if by == "auto" else compare_runs
        compared = compare(sides[0], sides[1], options)
    return Comparison(**sendable(compared.to_json()))


@router.get("/v1/matrix", operation_id="get_matrix")
@role("read")
def get_matrix(
    store: TheStore,
    part: ThePart,
    runs: Annotated[str, Query(max_length=20_000)],
    only: Literal["all", "changed", "lost", "gained"] = "all",
) -> MatrixEntry:
    """Questions against up to 64 runs, their names by commas and percent-encoded."""
    names = [unquote(name) for name in runs.split(",") if name]
    if not 1 < len(set(names)) <= MAX_RUNS:
        raise UsageError(f"there are {len(set(names))} runs; expected 2 to {MAX_RUNS}")
    chosen = sorted((find_run(store, name) for name in set(names)), key=lambda r: (r.created, r.id))
    matrix = read_matrix(store, chosen, only, part.limit, part.offset)
    return MatrixEntry(
        runs=[run.name for run in chosen],
        paired_by=matrix.by,
        counts=matrix.counts,
        rows=[_row(row, matrix.texts) for row in matrix.rows],
        total=matrix.counts[only],
        limit=part.limit,
        offset=part.offset,
    )


def _row(row: MatrixRow, texts: dict[int, tuple[str | None, str | None]]) -> MatrixRowEntry:
    known = [texts[cell.test_id] for cell in row.cells if cell]
    return MatrixRowEntry(
        **sendable(
            {
                "key": row.key,
                "query": next((query for query, _ in known if query), None),
                "change": row.change,
                "cells": [
                    cell
                    and {
                        "test_id": shown_id(cell.test_id),
                        "status": cell.status,
                        "score": cell.score,
                        "response": texts[cell.test_id][1],
                    }
                    for cell in row.cells
                ],
            }
        )
    )
