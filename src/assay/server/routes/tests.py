"""Stored tests: lists with filters and pages, one test whole, patterns of failure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

from fastapi import Depends, Query

from assay.core import Sample
from assay.core.plain import sample_json, sendable
from assay.server.access import role
from assay.server.requests import JsonAnswer, PageRange, Since, ThePart, TheStore, make_router
from assay.server.schemas.base import Page
from assay.server.schemas.tests import (
    DocumentEntry,
    FailureGroupEntry,
    FailurePattern,
    SampleEntry,
    SimilarTests,
    TestDetail,
    TestEntry,
)
from assay.store import Store
from assay.store.run_list import find_run
from assay.store.statistics import iso
from assay.store.test_filter import ORDERS, TestFilter
from assay.store.tests import (
    StoredTest,
    failure_groups,
    failure_patterns,
    find_test,
    list_tests,
    parse_test_id,
    shown_id,
)
from assay.textproc.similar_texts import similar_texts

router = make_router("tests")

Status = Literal["passed", "failed", "unsure", "skipped", "unjudged"]
MAX_GROUPS = 100
"""Groups of failures in one answer, the largest."""
EXAMPLES = 3
"""Tests that are shown of those whose texts are alike."""
Words = Annotated[str | None, Query(max_length=500)]
Bound = Annotated[float | None, Query(allow_inf_nan=False)]
Order = Annotated[str, Query(pattern=rf"^-?({'|'.join(ORDERS)})$")]
"""What a list is ordered by; a minus puts the largest first."""


def _where(
    store: TheStore, since: Since, run: Words = None, language: Words = None, tag: Words = None
) -> TestFilter:
    number = None if run is None else find_run(store, run).id
    return TestFilter(run=number, since=since, language=language, tag=tag)


Where = Annotated[TestFilter, Depends(_where)]
"""The tests that are asked about."""


def _narrower(
    metric: Words = None,
    fails: Words = None,
    value_from: Bound = None,
    value_to: Bound = None,
    quality_from: Bound = None,
    quality_to: Bound = None,
    order: Order | None = None,
) -> dict[str, Any]:
    """The parts of a list that single metrics decide, and its order."""
    return {
        "metric": metric,
        "fails": fails,
        "value": (value_from, value_to),
        "quality": (quality_from, quality_to),
        "order": order or "",
    }


Narrower = Annotated[dict[str, Any], Depends(_narrower)]


def _page(store: Store, chosen: TestFilter, part: PageRange) -> Page[TestEntry]:
    stored_tests, total = list_tests(store, chosen, part.limit, part.offset)
    return part.page((TestEntry(**test) for test in stored_tests), total)


@router.get("/v1/tests", operation_id="list_tests")
@router.get("/api/tests", include_in_schema=False)
@role("read")
def get_tests(
    store: TheStore,
    where: Where,
    part: ThePart,
    narrower: Narrower,
    status: Status | None = None,
    text: Words = None,
) -> Page[TestEntry]:
    """Tests: the worst first within one run or of one metric, else the newest first.

    `text` is looked for in all texts of the samples, contexts too; `fails` keeps those that fail
    because of a metric; `value_*` and `quality_*` keep a part of the scale of `metric`.
    """
    chosen = replace(where, status=status, text=text, **narrower)
    return _page(store, chosen, part)


@router.get("/v1/tests/failed", operation_id="list_failed_tests")
@router.get("/api/tests/failed", include_in_schema=False)
@role("read")
def get_failed_tests(
    store: TheStore, where: Where, part: ThePart, text: Words = None
) -> Page[TestEntry]:
    """Tests that failed."""
    return _page(store, replace(where, status="failed", text=text), part)


@router.get("/v1/tests/failed/patterns", operation_id="list_failure_patterns")
@router.get("/api/tests/failed/patterns", include_in_schema=False)
@role("read")
def get_failure_patterns(store: TheStore, where: Where) -> list[FailurePattern]:
    """The kinds of failure with their counts and advice, the commonest first."""
    return [FailurePattern(**pattern) for pattern in failure_patterns(store, where)]


@router.get("/v1/tests/failed/groups", operation_id="list_failure_groups")
@role("read")
def get_failure_groups(store: TheStore, where: Where) -> list[FailureGroupEntry]:
    """Failed tests by failing metrics and by tag, then by their texts, three examples each."""
    return [
        FailureGroupEntry(
            metrics=list(group.metrics),
            tag=sendable(group.tag),
            count=group.count,
            kinds=_kinds(group.tests),
        )
        for group in failure_groups(store, where, MAX_GROUPS)
    ]


def _kinds(tests: Sequence[dict[str, Any]]) -> list[SimilarTests]:
    alike = similar_texts([f"{test['query'] or ''} {test['response'] or ''}" for test in tests])
    return [
        SimilarTests(
            count=len(places),
            examples=[TestEntry(**sendable(tests[place])) for place in places[:EXAMPLES]],
        )
        for places in alike
    ]


@router.get("/v1/tests/{test_id}", operation_id="get_test", response_model=TestDetail)
@router.get("/v1/tests/failed/{test_id}/details", include_in_schema=False)
@router.get("/api/tests/failed/{test_id}/details", include_in_schema=False)
@role("read")
def get_test(store: TheStore, test_id: str) -> JsonAnswer:
    """One test: its sample, every score with its evidence, and why it failed."""
    # As plain data: the writer of the models gives up on JSON half as deep as ours may be.
    return JsonAnswer(sendable(_detail(find_test(store, parse_test_id(test_id)))))


def _detail(test: StoredTest) -> dict[str, Any]:
    return {
        "test_id": shown_id(test.test_id),
        "run": test.run,
        "timestamp": iso(test.timestamp),
        "status": test.status,
        "score": test.scores.score,
        "passed": test.scores.passed,
        "verdict": test.scores.verdict,
        "sample": _sample(test.sample),
        "results": {id: result.to_json() for id, result in test.scores.results.items()},
        "failure": test.scores.failure and test.scores.failure.to_json(),
    }


def _sample(sample: Sample) -> dict[str, Any]:
    """All fields of a sample, those that are absent too."""
    given = sample_json(sample)
    given["json_schema"] = given.pop("schema", None)
    documents = [{**_NO_DOCUMENT, **document} for document in given.get("contexts", ())]
    return {**_NO_SAMPLE, **given, "contexts": documents}


_NO_SAMPLE = SampleEntry(id="").model_dump()
_NO_DOCUMENT = DocumentEntry(content="").model_dump()
