"""JSON documents beside their ground truth: one, several, or the pairs of an upload."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from statistics import fmean
from typing import Any

from assay.core import SampleError, UsageError
from assay.core.json_repair import repair
from assay.core.json_result import JsonComparison
from assay.core.jsontext import load_document
from assay.data.json_options import JsonOptions
from assay.runner.json_calls import compare_json, compare_json_batch
from assay.server.access import role
from assay.server.config import ServerConfig
from assay.server.requests import JsonAnswer, TheConfig, ThePart, TheStore, make_router
from assay.server.routes.runs import page_of_runs
from assay.server.schemas.base import Page
from assay.server.schemas.json_documents import (
    JsonAnswerEntry,
    JsonBatchAnswer,
    JsonBatchBody,
    JsonChoice,
    JsonCompareBody,
    JsonPairsAnswer,
    JsonText,
    JsonTextAnswer,
    JsonUploadBody,
)
from assay.server.schemas.runs import RunEntry
from assay.server.shared import TheUploads
from assay.server.uploads import Uploads
from assay.store import Store
from assay.store.configuration import find_strategies

router = make_router("json")

FAMILY = "json"


@router.post("/v1/json/compare", operation_id="compare_json", response_model=JsonAnswerEntry)
@role("write")
def compare(body: JsonCompareBody, store: TheStore, config: TheConfig) -> JsonAnswer:
    """Compare an output with its ground truth, field by field."""
    given = _call(store, config, body)
    return JsonAnswer(compare_json(body.ground_truth, body.output, **given).to_json())


@router.post("/v1/json/batch", operation_id="compare_json_batch", response_model=JsonBatchAnswer)
@router.post("/agent-eval/run-batch", include_in_schema=False, response_model=JsonBatchAnswer)
@router.post(
    "/agent-eval/evaluate-from-json", include_in_schema=False, response_model=JsonBatchAnswer
)
@role("write")
def compare_batch(body: JsonBatchBody, store: TheStore, config: TheConfig) -> JsonAnswer:
    """Compare up to 500 outputs with one ground truth, and with each other."""
    given = {**_call(store, config, body), **body.gates.model_dump()}
    return JsonAnswer(compare_json_batch(body.ground_truth, body.outputs, **given).to_json())


@router.post("/v1/json/upload", operation_id="compare_json_upload", response_model=JsonPairsAnswer)
@router.post(
    "/agent-eval/evaluate-from-paths", include_in_schema=False, response_model=JsonPairsAnswer
)
@role("write")
def compare_upload(
    body: JsonUploadBody, store: TheStore, config: TheConfig, uploads: TheUploads
) -> JsonAnswer:
    """Compare the pairs of an upload, up to 500 at a time; a job scores more with `json`."""
    given = _call(store, config, body)
    items: list[dict[str, Any]] = []
    comparisons: list[JsonComparison] = []
    for pair in islice(_pairs(uploads, body.upload), body.offset, body.offset + body.limit):
        name, ground_truth, output, problem = pair
        result = None
        if problem is None:
            try:
                comparisons.append(result := compare_json(ground_truth, output, **given))
            except SampleError as error:
                problem = str(error)
        shown = None if result is None else result.to_json()
        items.append({"name": name, "result": shown, "problem": problem})
    means = {
        f"mean_{name}": _mean(getattr(result, name) for result in comparisons)
        for name in ("accuracy", "completeness", "hallucination", "rqs")
    }
    problems = len(items) - len(comparisons)
    return JsonAnswer({"items": items, "compared": len(comparisons), "problems": problems, **means})


@router.post("/v1/json/repair", operation_id="repair_json", response_model=JsonTextAnswer)
@router.post("/agent-eval/convert-json", include_in_schema=False, response_model=JsonTextAnswer)
@role("write")
def repair_text(body: JsonText) -> JsonAnswer:
    """Read text as JSON; damaged text is repaired as far as possible, and the repairs are named."""
    try:
        value, repairs = load_document(body.text), []
    except ValueError:
        try:
            value, done = repair(body.text)
        except ValueError as error:
            raise UsageError(f"the text cannot be read as JSON: {error}") from None
        repairs = list(done)
    return JsonAnswer({"value": value, "repairs": repairs})


@router.get("/v1/json/runs", operation_id="list_json_runs")
@router.get("/agent-eval/history", include_in_schema=False)
@role("read")
def get_json_runs(store: TheStore, part: ThePart) -> Page[RunEntry]:
    """Stored runs with metrics of the family `json`, the newest first."""
    return page_of_runs(store, part, FAMILY)


def _call(store: Store, config: ServerConfig, body: JsonChoice) -> dict[str, Any]:
    """What a comparison is called with."""
    strategies = body.strategies
    if isinstance(strategies, str):
        strategies = find_strategies(store, strategies)
    return {
        "strategies": strategies,
        "options": JsonOptions(**body.options.model_dump()),
        "repair": body.repair,
        "backends": config.settings.backends(),
    }


def _pairs(uploads: Uploads, id: str) -> Iterator[tuple[str, Any, Any, str | None]]:
    """Name, ground truth and output of each record, or what is wrong with it."""
    for number, sample in enumerate(uploads.samples(id), start=1):
        if isinstance(sample, SampleError):
            yield f"record {number}", None, None, str(sample)
            continue
        output = sample.response if sample.response_json is None else sample.response_json
        pair: Mapping[str, Any] = {"expected_json": sample.expected_json, "response_json": output}
        absent = [repr(name) for name, value in pair.items() if value is None]
        problem = f"no {' and no '.join(absent)}" if absent else None
        yield sample.id, sample.expected_json, output, problem


def _mean(values: Iterator[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None
