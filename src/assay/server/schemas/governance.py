"""Scorecards, sessions, services and human feedback."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from assay.server.schemas.base import Body, ConfigName, JsonObject, Label, Long, ResponseModel, Text
from assay.server.schemas.tests import SpanEntry


class DocumentBody(Body):
    """A piece of context that the answer may rest on."""

    content: Long
    id: Annotated[Text, Field(max_length=1000)] | None = None
    source: Annotated[Text, Field(max_length=1000)] | None = None
    page: int | None = Field(default=None, ge=-(2**53), le=2**53)
    similarity_score: float | None = Field(default=None, ge=-1e9, le=1e9)


class EvaluateBody(Body):
    """An answer to judge in nine dimensions."""

    query: Long | None = None
    response: Long | None = None
    rag_documents: list[DocumentBody | Long] = Field(default=[], max_length=1000)
    metadata: JsonObject = Field(default={}, max_length=10_000)
    """Model, tokens, session_id, service_id, feedback and what else is known of the call."""
    weights: dict[Label, float] | None = None
    weights_mode: Literal["replace", "merge"] = "replace"
    preset: ConfigName | None = None
    policy: ConfigName | None = None
    compliance_mode: Literal["RTI", "UK_GDPR", "EU_AI_ACT"] | None = None
    """The policy under its name in the Endurance specification."""
    include_imputed: bool = False
    session_id: Label | None = None
    service_id: Label | None = None


class ReasonEntry(ResponseModel):
    """Why a dimension is among the lowest."""

    dimension: str
    score: float
    reason: str


class CardMetricEntry(ResponseModel):
    """One metric on a card."""

    name: str
    dimension: str
    raw_value: float | None
    normalized_score: float | None
    explanation: str
    state: Literal["ok", "missing", "imputed", "error"]
    evidence: list[SpanEntry]


class CardAnswer(ResponseModel):
    """The governance scorecard of one answer, and where it is kept."""

    id: str
    overall_score: float | None
    verdict: Literal["PASS", "REVIEW", "FAIL"] | None
    dimensions: dict[str, float | None]
    verified_claims: int | None
    total_claims: int | None
    hallucinated_claims: int | None
    reasoning: list[ReasonEntry]
    metrics: dict[str, list[CardMetricEntry]]
    alerts: list[str]
    weights: dict[str, float]
    imputed: list[str]
    includes_imputed: bool
    policy: str
    signature: str
    session_id: str
    test_id: str


class PresetEntry(ResponseModel):
    """A department's weights."""

    name: str
    title: str
    weights: dict[str, float]
    policy: str


class ComplianceEntry(ResponseModel):
    """A policy pack and the name of its mode in the Endurance specification."""

    mode: str
    policy: str
    title: str
    jurisdiction: str
    date: str
    source: str
    is_default: bool


class PolicyRule(ResponseModel):
    """One clause of a policy pack with its words, or one pattern."""

    name: str
    title: str
    words: list[str]
    """Phrases that touch the clause; of a pattern, the phrase or the regular expression."""
    weight: float | None
    check: str
    """What the found text must hold besides, by name."""
    matches: list[str]
    """Examples in which it must find something."""
    rejects: list[str]


class PolicySection(ResponseModel):
    """The rules of one kind."""

    section: str
    looked_for_in: Literal["query", "response"]
    rules: list[PolicyRule]


class PolicyPage(ComplianceEntry):
    """A policy pack with all its rules."""

    licence: str
    languages: list[str]
    fingerprint: str
    force_to_zero: str | None
    """The dimension that falls to 0 when an exempt query was answered."""
    sections: list[PolicySection]


class SessionEntry(ResponseModel):
    """A judged answer in a list."""

    session_id: str
    test_id: str
    timestamp: str
    query: str | None
    overall_score: float | None
    verdict: Literal["PASS", "REVIEW", "FAIL"] | None
    has_unsupported_claims: bool
    """Whether claims rest on no document: a pass is then a conditional one."""
    service_id: str | None


Rated = Literal["accuracy", "completeness", "citation", "clarity"]


Rating = Annotated[int, Field(ge=1, le=5)]


class FeedbackBody(Body):
    """Feedback on an answer."""

    ratings: dict[Rated, Rating] = Field(default={}, max_length=10)
    comment: Annotated[Text, Field(max_length=20_000)] = ""


class FeedbackOf(FeedbackBody):
    """Feedback on an answer, with the answer's id."""

    id: Label
    """A session's id or a test's."""


class RespondBody(Body):
    """An answer to feedback."""

    response: Annotated[Text, Field(min_length=1, max_length=20_000)]


class FeedbackEntry(ResponseModel):
    """Feedback as it is kept."""

    id: int
    test_id: str
    created: str
    author: str
    ratings: dict[str, int]
    comment: str
    response: str


class TurnEntry(ResponseModel):
    """One answer of a session with its card."""

    test_id: str
    timestamp: str
    query: str | None
    response: str | None
    card: CardAnswer


class SessionAnswer(ResponseModel):
    """A session: its answers, the newest first, and the feedback on them."""

    session_id: str
    service_id: str | None
    turns: list[TurnEntry]
    total: int
    """Answers in all; the newest are shown."""
    feedback: list[FeedbackEntry]


class ServiceEntry(ResponseModel):
    """A system whose answers were judged."""

    id: str
    sessions: int
    last: str


class DimensionEntry(ResponseModel):
    """One score over many sessions."""

    count: int
    mean: float | None
    minimum: float | None
    maximum: float | None
    deviation: float | None
    reason: str | None
    """Why there is no value."""


class ServiceStats(ResponseModel):
    """Figures of the sessions of a service, or of all services."""

    service_id: str | None
    sessions: int
    overall: DimensionEntry
    verdict: Literal["PASS", "REVIEW", "FAIL"] | None
    """Of the mean."""
    dimensions: dict[str, DimensionEntry]
    metrics: dict[str, DimensionEntry]
