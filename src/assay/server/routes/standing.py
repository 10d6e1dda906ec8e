"""How a system does now, against last time."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query, Request

from assay.core import NotFoundError, UsageError
from assay.core.plain import sendable
from assay.runner.compare import CompareOptions, compare_by_id_or_query
from assay.runner.sides import StoredSide
from assay.server.access import role
from assay.server.requests import TheStore, make_router
from assay.server.schemas.runs import Comparison, DatasetEntry, RunMetric, RunPoint, Standing
from assay.server.schemas.tests import TestEntry
from assay.store import Store
from assay.store.datasets import Dataset, datasets, source_name
from assay.store.run_list import Run
from assay.store.statistics import iso
from assay.store.test_filter import TestFilter
from assay.store.tests import list_tests

router = make_router("standing")

WORST = 5
"""Failed samples that are shown."""
KEPT = 16
"""Comparisons that are kept: finished runs do not change."""
Words = Annotated[str | None, Query(max_length=500)]


@router.get("/v1/datasets", operation_id="list_datasets")
@role("read")
def list_datasets(store: TheStore) -> list[DatasetEntry]:
    """Finished runs by the questions that they are about, the newest first."""
    return [_dataset(one) for one in datasets(store)]


@router.get("/v1/standing", operation_id="get_standing")
@role("read")
def get_standing(store: TheStore, request: Request, dataset: Words = None) -> Standing:
    """The latest run of a dataset against its baseline or the run before it.

    `dataset` is the id of one, that with the newest run unless given.
    """
    every = datasets(store)
    chosen = _chosen(every, dataset)
    if chosen is None:
        return Standing(
            datasets=[],
            dataset=None,
            run=None,
            selection="",
            causes={},
            metrics=[],
            unscored=0,
            against=None,
            comparison=None,
            problem="",
            worst=[],
        )
    run = chosen.runs[0]
    summary = run.summary or {}
    scored = {id: entry for id, entry in summary["metrics"].items() if entry["mean"] is not None}
    before = chosen.reference(run)
    comparison, problem = _compared(request, store, before, run) if before else (None, "")
    failed, _ = list_tests(store, TestFilter(run=run.id, status="failed"), WORST)
    return Standing(
        datasets=[_dataset(one) for one in every],
        dataset=chosen.id,
        run=_point(run),
        selection=summary.get("selection", ""),
        causes=summary.get("causes", {}),
        metrics=[RunMetric(metric=id, **sendable(entry)) for id, entry in scored.items()],
        unscored=len(summary["metrics"]) - len(scored),
        against=_point(before) if before else None,
        comparison=comparison,
        problem=problem,
        worst=[TestEntry(**sendable(test)) for test in failed],
    )


def _chosen(every: list[Dataset], id: str | None) -> Dataset | None:
    if id is None:
        return every[0] if every else None
    match = next((one for one in every if any(run.name == id for run in one.runs)), None)
    if match is None:
        raise NotFoundError(f"there is no dataset with a run {id!r}")
    return match


def _compared(request: Request, store: Store, a: Run, b: Run) -> tuple[Comparison | None, str]:
    """The comparison of two runs, paired by id or else by query; or why there is none."""
    state = request.app.state
    if not hasattr(state, "comparisons"):
        state.comparisons = {}
    kept: dict[Any, tuple[Comparison | None, str]] = state.comparisons
    key = (a.id, a.name, a.updated, b.id, b.name, b.updated)
    if key not in kept:
        if len(kept) >= KEPT:
            kept.clear()
        kept[key] = _compare(store, a, b)
    return kept[key]


def _compare(store: Store, a: Run, b: Run) -> tuple[Comparison | None, str]:
    sides = [StoredSide(store, run) for run in (a, b)]
    try:
        compared = compare_by_id_or_query(sides[0], sides[1], CompareOptions(samples=0))
    except UsageError as error:
        return None, str(error)
    return Comparison(**sendable(compared.to_json())), ""


def _dataset(dataset: Dataset) -> DatasetEntry:
    return DatasetEntry(
        id=dataset.id,
        name=sendable(dataset.name),
        runs=[_point(run) for run in dataset.runs],
    )


def _point(run: Run) -> RunPoint:
    summary = run.summary or {}
    return RunPoint(
        **sendable(
            {
                "name": run.name,
                "created": iso(run.created),
                "source": source_name(run),
                "tags": list(run.tags),
                "note": run.note,
                "is_baseline": run.is_baseline,
                "tests": run.tests,
                "judged": summary.get("judged", 0),
                "passed": summary.get("passed", 0),
                "failed": summary.get(
                    "failed", summary.get("judged", 0) - summary.get("passed", 0)
                ),
                "unsure": summary.get("unsure", 0),
                "pass_rate": summary.get("pass_rate"),
                "pass_rate_interval": summary.get("pass_rate_interval"),
                "overall": summary.get("overall"),
                "overall_interval": summary.get("overall_interval"),
            }
        )
    )
