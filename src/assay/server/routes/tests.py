"""Stored tests: lists with filters and pages, one test whole, patterns of failure."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query

from assay.server.access import role
from assay.server.plain import sendable
from assay.server.requests import Now, TheStore, make_router
from assay.server.schemas import (
    DocumentEntry,
    Failure,
    FailurePattern,
    Page,
    ResultEntry,
    SampleEntry,
    TestDetail,
    TestEntry,
)
from assay.store import Store
from assay.store.records import sample_json
from assay.store.run_list import find_run
from assay.store.statistics import iso
from assay.store.tests import (
    MAX_PAGE,
    StoredTest,
    TestFilter,
    failure_patterns,
    find_test,
    list_tests,
    parse_test_id,
    shown_id,
)

router = make_router("tests")

Status = Literal["passed", "failed", "skipped", "unjudged"]
Words = Annotated[str | None, Query(max_length=500)]
Hours = Annotated[int | None, Query(ge=1, le=100_000)]
Limit = Annotated[int, Query(ge=1, le=MAX_PAGE)]
Offset = Annotated[int, Query(ge=0, le=1_000_000_000)]


def _filter(
    store: Store, now: float, hours: int | None, run: str | None, **given: str | None
) -> TestFilter:
    return TestFilter(
        run=None if run is None else find_run(store, run).id,
        since=None if hours is None else now - hours * 3600.0,
        **given,
    )


def _page(store: Store, chosen: TestFilter, limit: int, offset: int) -> Page[TestEntry]:
    found, total = list_tests(store, chosen, limit, offset)
    items = [TestEntry(**test) for test in found]
    return Page(items=items, total=total, limit=limit, offset=offset)


@router.get("/v1/tests", operation_id="list_tests")
@router.get("/api/tests", include_in_schema=False)
@role("read")
def get_tests(
    store: TheStore,
    now: Now,
    run: Words = None,
    status: Status | None = None,
    language: Words = None,
    tag: Words = None,
    text: Words = None,
    metric: Words = None,
    hours: Hours = None,
    limit: Limit = 100,
    offset: Offset = 0,
) -> Page[TestEntry]:
    """Tests: the worst first within one run or of one metric, else the newest first."""
    chosen = _filter(
        store, now, hours, run, status=status, language=language, tag=tag, text=text, metric=metric
    )
    return _page(store, chosen, limit, offset)


@router.get("/v1/tests/failed", operation_id="list_failed_tests")
@router.get("/api/tests/failed", include_in_schema=False)
@role("read")
def get_failed_tests(
    store: TheStore,
    now: Now,
    run: Words = None,
    language: Words = None,
    tag: Words = None,
    text: Words = None,
    hours: Hours = None,
    limit: Limit = 100,
    offset: Offset = 0,
) -> Page[TestEntry]:
    """Tests that failed."""
    chosen = _filter(store, now, hours, run, status="failed", language=language, tag=tag, text=text)
    return _page(store, chosen, limit, offset)


@router.get("/v1/tests/failed/patterns", operation_id="list_failure_patterns")
@router.get("/api/tests/failed/patterns", include_in_schema=False)
@role("read")
def get_failure_patterns(
    store: TheStore,
    now: Now,
    run: Words = None,
    language: Words = None,
    tag: Words = None,
    hours: Hours = None,
) -> list[FailurePattern]:
    """The kinds of failure with their counts and advice, the commonest first."""
    chosen = _filter(store, now, hours, run, language=language, tag=tag)
    return [FailurePattern(**pattern) for pattern in failure_patterns(store, chosen)]


@router.get("/v1/tests/{test_id}", operation_id="get_test")
@router.get("/v1/tests/failed/{test_id}/details", include_in_schema=False)
@router.get("/api/tests/failed/{test_id}/details", include_in_schema=False)
@role("read")
def get_test(store: TheStore, test_id: str) -> TestDetail:
    """One test: its sample, every score with its evidence, and why it failed."""
    return _detail(find_test(store, parse_test_id(test_id)))


def _detail(test: StoredTest) -> TestDetail:
    fields = sendable(sample_json(test.sample))
    if "schema" in fields:
        fields["json_schema"] = fields.pop("schema")
    contexts = [DocumentEntry(**document) for document in fields.pop("contexts", ())]
    return TestDetail(
        test_id=shown_id(test.test_id),
        run=test.run,
        timestamp=iso(test.timestamp),
        status=test.status,
        score=test.scores.score,
        passed=test.scores.passed,
        sample=SampleEntry(**{"id": "", **fields}, contexts=contexts),
        results={
            id: ResultEntry(**sendable(result.to_json()))
            for id, result in test.scores.results.items()
        },
        failure=None if test.failure is None else Failure(**sendable(test.failure)),
    )
