"""Traces as they happen: a receiver of OTLP over HTTP, whose answers become tests of a run."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import Annotated, Any

from fastapi import HTTPException, Query, Request
from fastapi.responses import Response

from assay.core import Sample, SampleError
from assay.runner.execute import execute
from assay.samples import to_sample
from assay.samples.genai import span_samples
from assay.samples.otlp_spans import read_spans
from assay.server.access import role
from assay.server.requests import StrictRoute, TheConfig, TheStore, make_router
from assay.server.routes.collect import open_run_request
from assay.server.schemas.base import Error, JsonObject, RunName
from assay.server.schemas.tests import PartialSuccess, TracesTaken

router = make_router("collect")
RUN = "traces"
"""The run that traces go to unless they name another."""


class TraceRoute(StrictRoute):
    """A route that looks at the kind of its body before it reads it."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler, for plain JSON only."""
        handler = super().get_route_handler()

        async def checked(request: Request) -> Response:
            _check_kind(request)
            return await handler(request)

        return checked


def _check_kind(request: Request) -> None:
    """Refuse the other encodings of OTLP with the setting that helps."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise HTTPException(
            415,
            f"traces come as JSON here, not as {kind[:100] or 'text of no type'!r}; set "
            "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/json",
        )
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise HTTPException(
            415, "traces come uncompressed here; set OTEL_EXPORTER_OTLP_TRACES_COMPRESSION=none"
        )


router.route_class = TraceRoute


@router.post(
    "/v1/traces",
    operation_id="take_traces",
    response_model_exclude_none=True,
    responses={415: {"model": Error, "description": "The traces are not plain JSON."}},
)
@role("write")
def take_traces(
    body: JsonObject,
    store: TheStore,
    config: TheConfig,
    run: RunName = RUN,
    metrics: Annotated[str, Query(max_length=5000, description="Selectors, by commas.")] = "",
) -> TracesTaken:
    """Score the answers that spans of generative AI tell, and add them to a run as tests.

    The body is an export request of OTLP in JSON. Each request is read by itself: spans of one
    answer have to come together. Spans that tell no answer are taken and left out.
    """
    samples, problems = _samples(body)
    if samples:
        execute(open_run_request(store, config.settings, samples, run, metrics))
    if not problems:
        return TracesTaken()
    message = "; ".join(problems[:5])
    return TracesTaken(
        partialSuccess=PartialSuccess(rejectedSpans=str(len(problems)), errorMessage=message)
    )


def _samples(body: Mapping[str, object]) -> tuple[list[Sample], list[str]]:
    """The samples of an export, and what is wrong with spans that give none."""
    spans = list(read_spans(body))
    samples: list[Sample] = []
    problems = ["a span has no trace and span id"] * spans.count(None)
    for place, record in span_samples(span for span in spans if span is not None):
        try:
            samples.append(to_sample(record, place))
        except SampleError as error:
            problems.append(f"{place}: {error}")
    return samples, problems
