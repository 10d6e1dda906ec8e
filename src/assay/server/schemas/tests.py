"""Stored tests: samples, results, failures."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import ConfigDict, Field

from assay.server.schemas.base import ResponseModel


class TestEntry(ResponseModel):
    """A test in a list; long texts are cut."""

    __test__ = False

    test_id: str
    run: str
    test_name: str
    timestamp: str
    status: str
    duration: float | None
    language: str
    test_type: str
    error_message: str | None
    score: float | None
    query: str | None
    response: str | None
    value: float | None = None
    """The result of the metric that was asked for."""
    state: str | None = None
    explanation: str | None = None
    fails: list[str] = Field(default=[])
    """The metrics that it fails because of."""
    found_in: list[str] = Field(default=[])
    """Where the words that were looked for stand, such as `contexts[0]`."""


class PartialSuccess(ResponseModel):
    """Spans of which no test could be made, in the words of OTLP."""

    rejectedSpans: str  # noqa: N815 -- OTLP's own name and type
    errorMessage: str  # noqa: N815


class TracesTaken(ResponseModel):
    """The answer that exporters of traces expect: empty when all is well."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=False)

    partialSuccess: PartialSuccess | None = None  # noqa: N815


class Collected(ResponseModel):
    """A test that was scored and added to a run."""

    test_id: str
    run: str
    score: float | None
    passed: bool | None
    verdict: Literal["pass", "fail", "unsure"] | None


class DocumentEntry(ResponseModel):
    """A piece of context."""

    content: str
    id: str | None = None
    source: str | None = None
    page: int | None = None
    similarity_score: float | None = None


class SampleEntry(ResponseModel):
    """The sample as it was scored; absent fields are null or empty."""

    id: str
    query: str | None = None
    response: str | None = None
    expected: str | None = None
    contexts: list[DocumentEntry] = Field(default=[])
    gold_context: str | None = None
    expected_sources: list[str] = Field(default=[])
    known_facts: list[str] = Field(default=[])
    candidates: list[str] = Field(default=[])
    responses: list[str] = Field(default=[])
    previous_responses: list[str] = Field(default=[])
    conversation: list[dict[str, Any]] = Field(default=[])
    translations: dict[str, str] = Field(default={})
    expected_json: Any = None
    response_json: Any = None
    json_schema: Any = None
    checks: list[Any] = Field(default=[])
    duration: float | None = None
    first_token_time: float | None = None
    response_tokens: int | None = None
    task_completed: bool | None = None
    expected_steps: int | None = None
    steps_taken: int | None = None
    errors_encountered: int | None = None
    tools: list[Any] | None = None
    tools_used: list[str] | None = None
    tools_succeeded: list[str] | None = None
    tool_calls: list[Any] | None = None
    expected_tool_calls: list[Any] | None = None
    trajectory_rules: dict[str, Any] | None = None
    steps: list[str] | None = None
    tags: list[str] = Field(default=[])
    language: str | None = None
    metadata: dict[str, Any] = Field(default={})


class SpanEntry(ResponseModel):
    """A stretch of a text that caused a score, in characters."""

    field: str
    start: int
    end: int
    label: str


class ResultEntry(ResponseModel):
    """One metric's score of one sample."""

    value: float | None
    quality: float | None
    passed: bool | None
    verdict: Literal["pass", "fail", "unsure"] | None
    gates: bool
    """Whether it decides if the sample passes; otherwise it is for information."""
    threshold: float | None
    state: Literal["ok", "missing", "imputed", "error"]
    explanation: str
    evidence: list[SpanEntry]
    details: dict[str, Any]
    signature: str


class Failure(ResponseModel):
    """Why a test failed, and what may be done."""

    root_cause: str
    category: str
    detected_patterns: list[str]
    recommendations: list[str]


class TestDetail(ResponseModel):
    """One test with all that is known of it."""

    __test__ = False

    test_id: str
    run: str
    timestamp: str
    status: str
    score: float | None
    passed: bool | None
    verdict: Literal["pass", "fail", "unsure"] | None
    sample: SampleEntry
    results: dict[str, ResultEntry]
    failure: Failure | None


class FailurePattern(ResponseModel):
    """A kind of failure with its count."""

    category: str
    count: int
    root_cause: str
    recommendations: list[str]


class SimilarTests(ResponseModel):
    """Tests whose questions and answers share most of their words."""

    count: int
    examples: list[TestEntry]
    """The first three of them."""


class FailureGroupEntry(ResponseModel):
    """Failed tests that fail because of the same metrics, and share a tag."""

    metrics: list[str]
    tag: str
    """Empty where they share none."""
    count: int
    kinds: list[SimilarTests]
    """Those of the first hundred whose texts are alike, the largest first."""
