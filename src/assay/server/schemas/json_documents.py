"""Comparing JSON documents."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from assay.server.schemas.base import (
    MAX_BATCH,
    STRATEGIES,
    Body,
    Json,
    ResponseModel,
    Strategies,
    Text,
    UploadId,
)


class JsonOptionsBody(Body):
    """Choices of a comparison; an absent one has its default."""

    typed: bool = True
    fuzzy_threshold: float = Field(default=0.85, ge=0, le=1)
    semantic_threshold: float = Field(default=0.80, ge=0, le=1)
    text_threshold: float = Field(default=0.74, ge=0, le=1)
    depth: Literal["top", "nested"] = "top"
    ignore_scope: Literal["accuracy", "all"] = "accuracy"
    vacuous_accuracy: Literal["one", "zero", "none"] = "one"
    count_null_extras: bool = True
    list_alignment: Literal["order", "best", "key"] = "order"
    list_key: Annotated[Text, Field(max_length=200)] = ""
    list_order_matters: bool | None = None
    numeric_tolerance: float | None = Field(default=None, ge=0, le=1e300)
    date: Literal["", "ymd", "dmy", "mdy"] = ""
    number_without_units: bool = False
    ignore_case: bool = True
    ignore_whitespace: bool = False
    w_accuracy: float = Field(default=0.45, ge=0, le=1e6)
    w_completeness: float = Field(default=0.25, ge=0, le=1e6)
    w_hallucination: float = Field(default=0.15, ge=0, le=1e6)
    w_safety: float = Field(default=0.15, ge=0, le=1e6)


class JsonChoice(Body):
    """How documents are compared."""

    strategies: Strategies | None = Field(default=None, validation_alias=STRATEGIES)
    options: JsonOptionsBody = JsonOptionsBody()
    repair: bool = False
    """Whether a damaged output is read as well as it can be."""


class JsonCompareBody(JsonChoice):
    """A ground truth and an output; each a document, or JSON text."""

    ground_truth: Json
    output: Json


class Gates(Body):
    """The limits of a batch."""

    min_accuracy: float = Field(default=0.5, ge=0, le=1)
    min_consistency: float = Field(default=0.5, ge=0, le=1)
    min_rqs: float = Field(default=0.5, ge=0, le=1)
    max_hallucination_rate: float = Field(default=0.5, ge=0, le=1)


class JsonBatchBody(JsonChoice):
    """A ground truth and several outputs."""

    ground_truth: Json
    outputs: list[Json] = Field(min_length=1, max_length=MAX_BATCH)
    gates: Gates = Gates()


class JsonUploadBody(JsonChoice):
    """Pairs of an upload: `expected_json` beside `response_json` or the response's text."""

    upload: UploadId
    limit: int = Field(default=MAX_BATCH, ge=1, le=MAX_BATCH)
    offset: int = Field(default=0, ge=0, le=1_000_000_000)


class JsonText(Body):
    """Text that should be JSON."""

    text: Annotated[str, Field(max_length=5_000_000)]


class FieldEntry(ResponseModel):
    """One field of both documents."""

    field_name: str
    field_type: str
    gt_value: Any
    aio_value: Any
    match_strategy: str
    score: float | None
    similarity: float | None
    bucket: str
    explanation: str


class JsonAnswerEntry(ResponseModel):
    """An output beside its ground truth."""

    completeness: float
    hallucination: float
    accuracy: float | None
    safety_score: float | None
    toxicity: float | None
    tone: str | None
    rqs: float | None
    rqs_normalized: float | None
    consistency: float | None
    field_scores: list[FieldEntry]
    gt_keys: list[str]
    aio_keys: list[str]
    matching_keys: list[str]
    extra_keys: list[str]
    missing_keys: list[str]
    gt_null_aio_has_value: list[str]
    aio_missing_or_null: list[str]
    both_non_null: list[str]
    ignored_keys: list[str]
    is_vacuous: bool
    notes: list[str]
    error: str | None


class JsonBatchAnswer(ResponseModel):
    """Several outputs beside one ground truth."""

    results: list[JsonAnswerEntry]
    best_index: int | None
    best_rqs: float | None
    mean_rqs: float | None
    variance: float | None
    std_dev: float | None
    ranking: list[int]
    consistency: float | None
    mean_accuracy: float | None
    hallucination_rate: float | None
    status: Literal["PASS", "FAIL"]
    reasons: list[str]


class JsonPairEntry(ResponseModel):
    """One pair of a file: its comparison, or why there is none."""

    name: str
    result: JsonAnswerEntry | None
    problem: str | None


class JsonPairsAnswer(ResponseModel):
    """The pairs of a file, compared."""

    items: list[JsonPairEntry]
    compared: int
    problems: int
    mean_accuracy: float | None
    mean_completeness: float | None
    mean_hallucination: float | None
    mean_rqs: float | None


class JsonTextAnswer(ResponseModel):
    """What text says as JSON, and what was done to read it."""

    value: Any
    repairs: list[str]
