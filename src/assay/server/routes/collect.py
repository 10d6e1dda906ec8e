"""Tests as they happen: each is scored at once and added to a run that stays open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from fastapi import Query

from assay.core import Sample
from assay.runner.execute import RecordRequest, RunRequest, execute_one
from assay.samples import to_sample
from assay.server.access import role
from assay.server.choices import choose, chosen
from assay.server.requests import TheConfig, TheStore, make_router
from assay.server.schemas.base import JsonObject, RunName
from assay.server.schemas.tests import Collected
from assay.settings import Settings
from assay.store import Store
from assay.store.run_list import COLLECTED
from assay.store.tests import shown_id

router = make_router("collect")
RUN = "collected"
"""The run that tests go to unless they name another."""


@router.post("/v1/collect", operation_id="collect_test", status_code=201)
@router.post("/api/collect/test", include_in_schema=False, status_code=201)
@role("write")
def collect_test(
    body: JsonObject,
    store: TheStore,
    config: TheConfig,
    run: RunName = RUN,
    metrics: Annotated[str, Query(max_length=5000, description="Selectors, by commas.")] = "",
) -> Collected:
    """Score a test, given by the fields of a sample under any accepted name, and add it to a run.

    All tests of one run are scored in the same way: other metrics need another run.
    """
    request = open_run_request(store, config.settings, [to_sample(body, "test")], run, metrics)
    (_, scores), result = execute_one(request)
    (id,) = map(shown_id, result.test_ids)
    return Collected(test_id=id, run=run, score=scores.score, passed=scores.passed)


def open_run_request(
    store: Store, settings: Settings, samples: Sequence[Sample], run: str, metrics: str
) -> RunRequest:
    """The request to score samples and add them as tests to a run that stays open.

    `metrics` are selectors with commas between them.
    """
    selectors = tuple(part.strip() for part in metrics.split(",") if part.strip())
    own = chosen(store, settings, choose(store, metrics=selectors))
    return RunRequest(
        items=samples,
        job=own.job,
        settings=own.settings.override({"workers": 1}),  # few samples: no processes for them
        source=COLLECTED,
        record=RecordRequest(store=store, name=run, stays_open=True),
    )
