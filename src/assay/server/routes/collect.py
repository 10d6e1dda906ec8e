"""Tests as they happen: each is scored at once and added to a run that stays open."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from threading import Lock
from typing import Annotated

from fastapi import FastAPI, Query, Request

from assay.core import Sample, Scores, UsageError
from assay.engine import Plan, score_batch
from assay.runner.mask import mask_sample, mask_scores
from assay.runner.record import record_run
from assay.samples import to_sample
from assay.server.access import role
from assay.server.choices import choose, make_job
from assay.server.requests import TheConfig, TheStore, make_router
from assay.server.schemas.base import JsonObject, RunName
from assay.server.schemas.tests import Collected
from assay.settings import Settings
from assay.store import Store
from assay.store.run_list import COLLECTED, find_run
from assay.store.schema import test_id
from assay.store.tests import shown_id

router = make_router("collect")
RUN = "collected"
"""The run that tests go to unless they name another."""


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Tests are added one after the other."""
    app.state.collecting = Lock()
    yield


@router.post("/v1/collect", operation_id="collect_test", status_code=201)
@router.post("/api/collect/test", include_in_schema=False, status_code=201)
@role("write")
def collect_test(
    body: JsonObject,
    request: Request,
    store: TheStore,
    config: TheConfig,
    run: RunName = RUN,
    metrics: Annotated[str, Query(max_length=5000, description="Selectors, by commas.")] = "",
) -> Collected:
    """Score a test, given by the fields of a sample under any accepted name, and add it to a run.

    All tests of one run are scored in the same way: other metrics need another run.
    """
    selectors = tuple(part.strip() for part in metrics.split(",") if part.strip())
    plan = make_job(store, config.settings, choose(store, metrics=selectors)).plan()
    sample = to_sample(body, "test")
    (scores,) = score_batch(plan, [sample])
    if config.settings.redact:
        sample, scores = mask_sample(sample), mask_scores(scores)
    with request.app.state.collecting:
        (id,) = add_tests(store, run, plan, config.settings, [(sample, scores)])
    return Collected(test_id=id, run=run, score=scores.score, passed=scores.passed)


def add_tests(
    store: Store,
    run: str,
    plan: Plan,
    settings: Settings,
    tests: Sequence[tuple[Sample, Scores]],
) -> list[str]:
    """Append tests to the run; their ids, as people see them."""
    decided = {
        "include_imputed": settings.include_imputed,
        "seed": settings.seed,
        "redact": settings.redact,
    }
    writer = record_run(store, run, plan, resume=True, source=COLLECTED, settings=decided)
    if find_run(store, run).status == "finished":
        raise UsageError(f"run {run!r} is finished; name another one")
    place = writer.places
    writer.record([sample for sample, _ in tests], [scores for _, scores in tests])
    return [shown_id(test_id(writer.id, place + offset)) for offset in range(len(tests))]
