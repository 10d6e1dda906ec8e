"""Verdicts of people on samples: given, read, put to use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from fastapi import Query
from fastapi.responses import StreamingResponse

from assay.core.jsontext import dumps
from assay.core.plain import sendable
from assay.server.access import role
from assay.server.labelling import (
    agreement,
    calibration,
    is_enough,
    next_to_label,
    raters,
)
from assay.server.requests import Caller, TheChange, TheStore, make_router
from assay.server.schemas.labels import (
    CalibrationEntry,
    EstimateEntry,
    LabelBody,
    LabelEntry,
    LabelQueue,
    LabelReport,
    QueueEntry,
    RaterEntry,
)
from assay.server.schemas.tests import TestEntry
from assay.stats.intervals import Estimate
from assay.store import Store
from assay.store.labels import StoredLabel, labels_in, labels_of, set_label, verdicts_in
from assay.store.run_list import Run, find_run
from assay.store.statistics import iso
from assay.store.tests import entries_of, find_test, parse_test_id

router = make_router("labels")

Metric = Annotated[str, Query(max_length=200)]


@router.put("/v1/tests/{test_id}/label", operation_id="set_label")
@role("write")
def put_label(
    store: TheStore, change: TheChange, caller: Caller, test_id: str, body: LabelBody
) -> list[LabelEntry]:
    """Say whether a sample is good or bad; gives all labels of the sample."""
    id = parse_test_id(test_id)
    set_label(store, id, body.rater or caller.name, body.label, body.note, change)
    return [_entry(label) for label in labels_of(store, id)]


@router.get("/v1/tests/{test_id}/labels", operation_id="list_labels")
@role("read")
def get_labels(store: TheStore, test_id: str) -> list[LabelEntry]:
    """What people say of a sample."""
    id = find_test(store, parse_test_id(test_id)).test_id
    return [_entry(label) for label in labels_of(store, id)]


@router.get("/v1/runs/{name:path}/labels", operation_id="get_run_labels")
@role("read")
def get_run_labels(store: TheStore, name: str) -> LabelReport:
    """How many samples of a run are labelled, by whom, and how far the raters agree."""
    run = find_run(store, name)
    labels = labels_in(store, run.id)
    verdicts = list(verdicts_in(store, run.id).values())
    return LabelReport(
        samples=len(verdicts),
        good=verdicts.count("pass"),
        bad=verdicts.count("fail"),
        disputed=verdicts.count(None),
        raters=[RaterEntry(**sendable(one)) for one in raters(labels)],
        kappa=_estimate(agreement(labels)),
    )


@router.get(
    "/v1/runs/{name:path}/labels.jsonl",
    operation_id="export_labels",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/x-ndjson": {}}}},
)
@role("read")
def get_label_file(store: TheStore, name: str) -> StreamingResponse:
    """The labels as `assay calibrate --labels label --labels-from FILE` reads them."""
    run = find_run(store, name)
    return StreamingResponse(
        (line.encode("utf-8", "backslashreplace") for line in _lines(store, run)),
        media_type="application/x-ndjson",
        headers={"content-disposition": 'attachment; filename="labels.jsonl"'},
    )


def _lines(store: Store, run: Run) -> Iterator[str]:
    """A line for each sample on which people agree, with what each of them said."""
    by_test: dict[int, list[StoredLabel]] = {}
    for label in labels_in(store, run.id):
        by_test.setdefault(label.test_id, []).append(label)
    for id, verdict in verdicts_in(store, run.id).items():
        test = find_test(store, id)
        line = {
            "id": test.sample.id,
            "label": verdict or "",
            "by": ", ".join(label.rater for label in by_test[id]),
            "reason": "; ".join(label.note for label in by_test[id] if label.note),
            "labels": {label.rater: label.verdict for label in by_test[id]},
            "query": test.sample.query,
            "response": test.sample.response,
            "expected": test.sample.expected,
        }
        yield dumps(sendable(line)) + "\n"


@router.get("/v1/runs/{name:path}/queue", operation_id="get_label_queue")
@role("read")
def get_queue(
    store: TheStore,
    caller: Caller,
    name: str,
    metric: Metric,
    rater: Annotated[str, Query(max_length=100)] = "",
    count: Annotated[int, Query(ge=1, le=100)] = 10,
) -> LabelQueue:
    """The samples that a person should label next to calibrate a metric."""
    run = find_run(store, name)
    calibrated = calibration(store, run, metric)
    known = None if isinstance(calibrated, str) else calibrated.verdicts[-1].agreement
    chosen, left = next_to_label(store, run, metric, rater or caller.name, count)
    entries = entries_of(store, [one.test_id for one, _ in chosen], metric)
    return LabelQueue(
        items=[
            QueueEntry(test=TestEntry(**sendable(entries[one.test_id])), reason=sendable(reason))
            for one, reason in chosen
        ],
        left=left,
        is_enough=is_enough(known),
        agreement=_estimate(known),
    )


@router.get("/v1/runs/{name:path}/calibration", operation_id="get_calibration")
@role("read")
def get_calibration(
    store: TheStore,
    name: str,
    metric: Metric,
    threshold: Annotated[float | None, Query(allow_inf_nan=False)] = None,
) -> CalibrationEntry:
    """What the labels say about a metric, and which threshold agrees best with them."""
    run = find_run(store, name)
    calibrated = calibration(store, run, metric, threshold)
    if isinstance(calibrated, str):
        return CalibrationEntry(
            metric=metric,
            problem=calibrated,
            labelled=0,
            threshold=None,
            says_pass="",
            auroc=None,
            precision=None,
            recall=None,
            agreement=None,
            pass_rate=None,
            warnings=[],
            details={},
        )
    last = calibrated.verdicts[-1]
    return CalibrationEntry(
        metric=metric,
        problem="",
        labelled=calibrated.labelled,
        threshold=last.threshold,
        says_pass=last.says_positive,
        auroc=_estimate(calibrated.auroc),
        precision=_estimate(last.precision),
        recall=_estimate(last.recall),
        agreement=_estimate(last.agreement),
        pass_rate=_estimate(calibrated.corrected_rate),
        warnings=list(calibrated.warnings),
        details=sendable(calibrated.to_json()),
    )


def _entry(label: StoredLabel) -> LabelEntry:
    return LabelEntry(
        rater=sendable(label.rater),
        label=label.verdict,
        note=sendable(label.note),
        created=iso(label.created),
    )


def _estimate(estimate: Estimate | None) -> EstimateEntry | None:
    if estimate is None:
        return None
    low, high = estimate.interval or (None, None)
    return EstimateEntry(value=estimate.value, low=low, high=high)
