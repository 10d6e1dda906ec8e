"""Tests as they happen: each is scored at once and added to a run that stays open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from fastapi import Query

from assay.core import Sample, UsageError
from assay.core.time_limit import time_limit
from assay.runner.execute import RecordRequest, RunRequest, execute_one
from assay.samples import to_sample
from assay.server.access import role
from assay.server.choices import choose, chosen
from assay.server.requests import TheConfig, TheStore, check_size, make_router
from assay.server.schemas.base import JsonObject, RunName
from assay.server.schemas.tests import Collected
from assay.settings import Settings
from assay.store import Store
from assay.store.row_codec import Outcome
from assay.store.run_list import COLLECTED
from assay.store.tests import shown_id

router = make_router("collect")
RUN = "collected"
"""The run that tests go to unless they name another."""
PASSED = {"passed": True, "failed": False, "skipped": None}
"""The outcomes that a test may report."""


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

    The collector's own words are understood, too: `test_name`, `error_message`, `stack_trace`, and
    `status`, which is kept as the test's outcome whatever its scores. All tests of one run are
    scored in the same way: other metrics need another run.
    """
    outcome = _outcome(body)
    check_size(body, config)
    is_skipped = outcome is not None and outcome.status == "skipped"
    sample = to_sample(body, str(body.get("test_name") or "test"), needs_content=not is_skipped)
    request = open_run_request(store, config.settings, [sample], run, metrics, outcome)
    with time_limit(config.limits.seconds):
        (_, scores), result = execute_one(request)
    (id,) = map(shown_id, result.test_ids)
    passed = scores.passed if outcome is None else PASSED[outcome.status]
    return Collected(test_id=id, run=run, score=scores.score, passed=passed, verdict=scores.verdict)


def _outcome(body: Mapping[str, Any]) -> Outcome | None:
    """How the test went by its own report; None where it says nothing of that."""
    status = body.get("status")
    if status is None:
        return None
    if not isinstance(status, str) or status not in PASSED:
        raise UsageError(f"'status' is {status!r}; expected passed, failed or skipped")
    duration = body.get("duration")
    return Outcome(
        status,
        float(duration) if isinstance(duration, int | float) else None,
        *(_text(body, name) for name in ("error_message", "stack_trace")),
    )


def _text(body: Mapping[str, Any], name: str) -> str | None:
    result = body.get(name)
    return None if result is None else str(result)


def open_run_request(
    store: Store,
    settings: Settings,
    samples: Sequence[Sample],
    run: str,
    metrics: str,
    outcome: Outcome | None = None,
) -> RunRequest:
    """The request to score samples and add them as tests to a run that stays open.

    `metrics` are selectors with commas between them; `outcome` is that of a single sample.
    """
    selectors = tuple(part.strip() for part in metrics.split(",") if part.strip())
    own = chosen(store, settings, choose(store, metrics=selectors))
    return RunRequest(
        items=samples,
        job=own.job,
        settings=own.settings.override({"workers": 1}),  # few samples: no processes for them
        source=COLLECTED,
        record=RecordRequest(
            store=store, name=run, stays_open=True, outcomes=(outcome,) if outcome else ()
        ),
    )
