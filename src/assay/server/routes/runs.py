"""Stored runs: lists, results, downloads, removal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import Query
from fastapi.responses import StreamingResponse

from assay import registry
from assay.core import NotFoundError, UsageError
from assay.core.plain import sendable
from assay.core.time_limit import time_limit
from assay.report.csv_file import CsvRows
from assay.report.json_file import JsonLines, JsonReport
from assay.runner.record import stored_summary
from assay.server.access import role
from assay.server.overview import mean_interval
from assay.server.requests import PageRange, TheChange, TheConfig, ThePart, TheStore, make_router
from assay.server.schemas.base import Page
from assay.server.schemas.runs import (
    FlakyQuestionEntry,
    Group,
    GroupCell,
    GroupRow,
    GroupTable,
    MetricValues,
    RunChange,
    RunDetail,
    RunEntry,
    RunMetric,
)
from assay.store import Store
from assay.store.datasets import dataset_of
from assay.store.groups import tests_by
from assay.store.labels import metric_values
from assay.store.questions import FlakyQuestion, flaky_questions
from assay.store.run_list import Run, count_runs, delete_run, find_run, list_runs, read_run
from assay.store.run_notes import note_run, pin_baseline, rename_run, unpin_baseline
from assay.store.statistics import MetricCounts, StatisticsFilter, TestCounts, metric_counts
from assay.store.tests import cut, shown_id
from assay.store.transfer import export_run

router = make_router("runs")

MAX_ROWS = 40
"""Groups of a table, the largest."""
FORMATS = {"jsonl": JsonLines, "csv": CsvRows, "json": JsonReport}
TYPES = {
    "jsonl": "application/x-ndjson",
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "run": "application/x-ndjson",
}


@router.get("/v1/runs", operation_id="list_runs")
@role("read")
def get_runs(store: TheStore, part: ThePart) -> Page[RunEntry]:
    """Runs, the newest first."""
    return page_of_runs(store, part)


def page_of_runs(store: Store, part: PageRange, family: str | None = None) -> Page[RunEntry]:
    """A part of the list of all runs, or of those with metrics of a family."""
    runs = list_runs(store, part.limit, part.offset, family)
    return part.page((RunEntry(**_entry(run)) for run in runs), count_runs(store, family))


def _entry(run: Run) -> dict[str, Any]:
    """The run as a list shows it; of a file on this machine the name, not the folder."""
    name = re.split(r"[/\\]", run.source)[-1]
    fields: dict[str, Any] = sendable({**run.to_json(), "source": name})
    return fields


@router.get("/v1/runs/{name:path}/metrics", operation_id="list_run_metrics")
@role("read")
def get_run_metrics(store: TheStore, name: str) -> list[RunMetric]:
    """Every metric of a run: mean, interval, threshold, distribution; of a running one so far."""
    run = find_run(store, name)
    if run.summary is not None:
        aggregates = run.summary["metrics"].items()
        return [RunMetric(metric=id, **sendable(entry)) for id, entry in aggregates]
    counts = store.read(lambda connection: metric_counts(connection, StatisticsFilter(run=run.id)))
    return [
        _so_far(run, id, counts.get(id, MetricCounts()), signature, threshold)
        for id, (signature, threshold) in run.plan["metrics"].items()
    ]


def _so_far(
    run: Run, id: str, counts: MetricCounts, signature: str, threshold: float | None
) -> RunMetric:
    interval = mean_interval(registry.metrics().get(id), counts)
    return RunMetric(
        metric=id,
        samples=run.tests,
        scored=counts.count,
        missing=counts.missing,
        imputed=counts.imputed,
        errors=counts.errors,
        mean=counts.mean,
        mean_interval=interval,
        weighted_mean=counts.weighted_mean,
        weighted_mean_interval=interval if counts.weighted_mean == counts.mean else None,
        minimum=counts.minimum,
        maximum=counts.maximum,
        passed=counts.passed,
        judged=counts.judged,
        pass_rate=counts.pass_rate,
        pass_rate_interval=counts.verdicts.pass_rate_interval,
        threshold=threshold,
        signature=signature,
        distribution=[],
        reasons={},
        unsure=counts.unsure,
        gates=id not in run.plan["settings"].get("informational", ()),
    )


@router.get("/v1/runs/{name:path}/groups", operation_id="list_run_groups")
@role("read")
def get_run_groups(store: TheStore, name: str) -> GroupTable:
    """A run's tags against its metrics, each cell with its mean, interval, pass rate and count."""
    run = find_run(store, name)
    by_tag = tests_by(store, run.id, "tag")
    shown = dict(islice(by_tag.items(), MAX_ROWS))
    counts = store.read(
        lambda connection: {
            tag: metric_counts(connection, StatisticsFilter(run=run.id, tag=tag)) for tag in shown
        }
    )
    informational = set(run.plan["settings"].get("informational", ()))
    scored = {id for cells in counts.values() for id, cell in cells.items() if cell.count}
    listed = [id for id in run.plan["metrics"] if id in scored]
    return GroupTable(
        metrics=sorted(listed, key=informational.__contains__),
        groups=[
            GroupRow(
                name=sendable(tag),
                total=tests.total,
                cells={id: _cell(id, cell) for id, cell in counts[tag].items() if cell.count},
            )
            for tag, tests in shown.items()
        ],
        left_out=len(by_tag) - len(shown),
    )


def _cell(id: str, counts: MetricCounts) -> GroupCell:
    metric = registry.metrics().get(id)
    return GroupCell(
        count=counts.count,
        mean=counts.mean,
        interval=mean_interval(metric, counts),
        quality=metric.quality(counts.mean) if metric and counts.mean is not None else None,
        passed=counts.passed,
        judged=counts.judged,
        pass_rate=counts.pass_rate,
    )


@router.get("/v1/runs/{name:path}/flaky", operation_id="list_flaky_questions")
@role("read")
def get_flaky_questions(
    store: TheStore, config: TheConfig, part: ThePart, name: str
) -> Page[FlakyQuestionEntry]:
    """Questions of which some answers pass and some do not, the least consistent first."""
    run = find_run(store, name)
    with time_limit(config.limits.seconds):
        found, total = flaky_questions(store, run, part.limit, part.offset)
    return part.page((_flaky(one) for one in found), total)


def _flaky(one: FlakyQuestion) -> FlakyQuestionEntry:
    answers = [
        {**answer._asdict(), "test_id": shown_id(answer.test_id), "response": cut(answer.response)}
        for answer in one.answers
    ]
    return FlakyQuestionEntry(
        **sendable(
            {
                "question": one.question,
                "query": cut(one.query),
                "judged": one.judged,
                "passed": one.passed,
                "answers": [{**own, "test_name": own.pop("name")} for own in answers],
            }
        )
    )


@router.get("/v1/runs/{name:path}/values", operation_id="list_run_values")
@role("read")
def get_run_values(
    store: TheStore,
    name: str,
    metric: Annotated[str, Query(max_length=200)],
    limit: Annotated[int, Query(ge=100, le=100_000)] = 5000,
) -> MetricValues:
    """The values of one metric in a run, with what people said of the samples."""
    run = find_run(store, name)
    if metric not in run.plan["metrics"]:
        raise NotFoundError(f"run {name!r} has no scores of {metric!r}")
    values, total = metric_values(store, run.id, metric, limit)
    return MetricValues(
        metric=metric,
        threshold=run.plan["metrics"][metric][1],
        values=[value for value, _ in values],
        labels=[label for _, label in values],
        total=total,
    )


@router.get(
    "/v1/runs/{name:path}/export",
    operation_id="export_run",
    response_class=StreamingResponse,
    responses={200: {"content": {TYPES["jsonl"]: {}, "text/csv": {}, "application/json": {}}}},
)
@role("read")
def get_run_export(
    store: TheStore, name: str, format: Literal["jsonl", "csv", "json", "run"] = "jsonl"
) -> StreamingResponse:
    """A run as a file: its results (`jsonl`, `csv`, `json`), or all of it to import (`run`)."""
    run = find_run(store, name)
    ending = "run.jsonl" if format == "run" else format
    texts = _whole_run(store, run) if format == "run" else _results(store, run, format)
    return StreamingResponse(
        (text.encode("utf-8", "backslashreplace") for text in texts),
        media_type=TYPES[format],
        headers={"content-disposition": _attachment(f"{run.name}.{ending}")},
    )


def _whole_run(store: Store, run: Run) -> Iterator[str]:
    return (f"{line}\n" for line in export_run(store, run))


def _results(store: Store, run: Run, format: str) -> Iterator[str]:
    """The results as `assay run --out` writes them; rejected before anything is sent."""
    summary = stored_summary(store, run)
    if summary is None:
        raise UsageError(f"run {run.name!r} is not finished; ask for the format 'run'")
    written: Any = FORMATS[format]()

    def parts() -> Iterator[str]:
        for sample, scores in read_run(store, run):
            yield written.sample(sample, scores)
        yield written.end(summary)

    return parts()


def _attachment(name: str) -> str:
    """The header that makes a browser save the answer under a harmless name."""
    plain = re.sub(r"[^A-Za-z0-9._-]", "_", name)
    quoted = quote(name, safe="", errors="replace")
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quoted}"


@router.get("/v1/runs/{name:path}", operation_id="get_run")
@role("read")
def get_run(store: TheStore, name: str) -> RunDetail:
    """One run: its state, its results, its tags and languages."""
    run = find_run(store, name)
    summary = run.summary or {}
    return RunDetail(
        **_entry(run),
        settings=sendable(run.plan["settings"]),
        judged=summary.get("judged", 0),
        passed=summary.get("passed", 0),
        failed=summary.get("failed", summary.get("judged", 0) - summary.get("passed", 0)),
        unsure=summary.get("unsure", 0),
        unjudged=run.tests - summary.get("judged", 0) if summary else 0,
        gating=summary.get("gating", list(run.plan["metrics"])),
        causes=summary.get("causes", {}),
        selection=summary.get("selection", ""),
        overall_interval=summary.get("overall_interval"),
        pass_rate_interval=summary.get("pass_rate_interval"),
        problems=sendable(list(summary.get("problems", ()))),
        gates=sendable(list(summary.get("gates", ()))),
        judge=summary.get("judge"),
        repeats=summary.get("repeats"),
        retries=summary.get("retries"),
        tag_groups=_groups(tests_by(store, run.id, "tag")),
        language_groups=_groups(tests_by(store, run.id, "language")),
    )


def _groups(by_name: dict[str, TestCounts]) -> list[Group]:
    return [
        Group(
            name=sendable(name),
            total=counts.total,
            passed=counts.passed,
            failed=counts.failed,
            unsure=counts.unsure,
            skipped=counts.skipped,
            unjudged=counts.verdicts.unjudged,
            pass_rate=counts.pass_rate,
            avg_duration=counts.avg_duration,
        )
        for name, counts in by_name.items()
    ]


@router.patch("/v1/runs/{name:path}", operation_id="change_run")
@role("write")
def change_run(store: TheStore, change: TheChange, name: str, body: RunChange) -> RunEntry:
    """Rename a run, note something about it, or make it the baseline of its dataset."""
    run = find_run(store, name)
    if body.note is not None and body.note != run.note:
        note_run(store, run, body.note, change)
    if body.is_baseline is not None and body.is_baseline != run.is_baseline:
        if body.is_baseline:
            dataset = dataset_of(store, run)
            pin_baseline(store, run, [one.id for one in dataset.runs] if dataset else [], change)
        else:
            unpin_baseline(store, run, change)
    if body.name is not None:
        rename_run(store, run, body.name, change)
    return RunEntry(**_entry(find_run(store, body.name or name)))


@router.delete("/v1/runs/{name:path}", operation_id="delete_run", status_code=204)
@role("admin")
def remove_run(store: TheStore, change: TheChange, name: str) -> None:
    """Remove a run with all that belongs to it."""
    delete_run(store, name, change)
