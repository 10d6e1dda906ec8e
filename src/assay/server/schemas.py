"""What requests and answers look like; the dashboard's types are made from these."""

from __future__ import annotations

from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

Item = TypeVar("Item")


class Answer(BaseModel):
    """Base of all answers."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)


class Body(BaseModel):
    """Base of all request bodies: unknown fields are refused, so that a typing error shows."""

    model_config = ConfigDict(extra="forbid")


class Error(Answer):
    """Why a request was not answered."""

    error: str
    """What is wrong, for people."""
    id: str
    """The number under which the server's log knows the request."""


ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": Error, "description": words}
    for status, words in {
        400: "The request cannot be understood.",
        401: "A key is needed.",
        403: "The key's role does not allow this.",
        404: "There is no such thing.",
        413: "The request is too large.",
        422: "A field of the request is wrong.",
        429: "Too many wrong keys.",
        500: "The server failed; its log says how.",
        501: "An optional package is not installed.",
    }.items()
}


class Page(Answer, Generic[Item]):
    """A part of a list."""

    items: list[Item]
    total: int
    """Entries of the whole list."""
    limit: int
    offset: int


def _storable(text: str) -> str:
    if "\0" in text:
        raise ValueError("a NUL character cannot be stored")
    return text


Text = Annotated[str, AfterValidator(_storable)]
"""Text that both databases can hold."""
Name = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_storable)]
"""The name of something stored."""


class Login(Body):
    """What a browser logs in with."""

    key: Annotated[str, Field(max_length=200)]


class Me(Answer):
    """Who asks."""

    name: str
    role: Literal["read", "write", "admin"]
    is_local: bool
    """Whether it is the user of the server's own machine, who needs no key."""


Ends = tuple[float, float]
"""A lower and an upper end."""


class MetricFigures(Answer):
    """One metric over some tests, in its native scale."""

    count: int
    sum: float
    sum_squares: float
    minimum: float | None
    maximum: float | None
    passed: int
    judged: int
    missing: int
    imputed: int
    errors: int
    mean: float | None
    deviation: float | None


class Trends(Answer):
    """The last 24 hours against the 24 before, in percent; null where nothing can be compared."""

    health_trend: float | None
    duration_trend: float | None
    safety_trend: float | None
    satisfaction_trend: float | None


class StatisticCounts(Answer):
    """How many tests stand behind the rates."""

    judged: int
    with_duration: int


class SystemMetrics(Answer):
    """The server's machine: load in percent, memory of the server in GB."""

    cpu: float | None
    gpu: float | None
    memory: float | None


class Statistics(Answer):
    """What the stored tests come to."""

    total_tests: int
    passed: int
    failed: int
    skipped: int
    pass_rate: float | None
    avg_duration: float | None
    timeout_rate: float | None
    max_duration: float | None
    counts: StatisticCounts
    health: float | None
    safety: float | None
    safety_literal: float | None
    validation_metrics: dict[str, MetricFigures]
    system_metrics: SystemMetrics
    metrics_tracked: int
    data_points: int
    trends: Trends
    security_test_counts: dict[str, int]


class TestBucket(Answer):
    """The tests of one hour."""

    __test__ = False  # not a test case of pytest's

    time_bucket: str
    total: int
    passed: int
    failed: int
    pass_rate: float | None
    avg_duration: float | None


class TrendReport(Answer):
    """Tests by hour, the oldest first, and the four trends."""

    timeseries: list[TestBucket]
    trends: Trends


class Category(Answer):
    """One category of metrics, from 0 to 100."""

    name: str
    score: float | None
    status: Literal["excellent", "good", "fair"] | None
    parts: dict[str, float | None]


class Axis(Answer):
    """One axis of the radar, from 0 to 100."""

    metric: str
    score: float | None


class Critical(Answer):
    """A critical metric against its target."""

    metric: str
    target: float
    value: float | None
    interval: Ends | None
    count: int
    missing: int
    errors: int
    trend: float | None
    """The change against the period before, in percent."""
    ratio: float | None
    status: Literal["excellent", "good", "watch"] | None
    reason: str | None
    """Why there is no value."""


class CriticalReport(Answer):
    """All critical metrics."""

    metrics: list[Critical]
    system_health: float | None


class Targets(Answer):
    """The critical metrics and their targets, on the metrics' own scales."""

    targets: dict[str, float]
    version: int
    """How often a team has changed them; 0 for the documented ones."""
    documented: dict[str, float]


class TargetsBody(Body):
    """Metric → its target."""

    targets: dict[Text, Annotated[float, Field(allow_inf_nan=False)]]


class Overview(Answer):
    """All that the first page shows."""

    statistics: Statistics
    critical: CriticalReport
    categories: list[Category]
    radar: list[Axis]
    timeseries: list[TestBucket]


class Current(Answer):
    """The metrics of the last hours."""

    timestamp: str
    hours: int
    metrics: dict[str, MetricFigures]
    categories: list[Category]


class Snapshot(Answer):
    """One value of a metric's history."""

    timestamp: str
    metric_name: str
    value: float | None
    labels: dict[str, Any]


class MetricBucket(MetricFigures):
    """One metric in one hour."""

    time_bucket: str


class MetricEntry(Answer):
    """What is declared of a metric."""

    id: str
    family: str
    group: str
    name: str
    summary: str
    inputs: list[str]
    range: tuple[float | None, float | None]
    unit: str
    polarity: Literal["higher", "lower", "neutral"]
    threshold: float | None
    version: int
    tags: list[str]
    aliases: list[str]
    languages: list[str]
    is_composite: bool


class Example(Answer):
    """A worked example of a metric."""

    why: str
    fields: dict[str, Any]
    options: dict[str, Any]
    value: float | None
    state: Literal["ok", "missing", "imputed", "error"]
    passed: bool | None
    evidence: list[str] | None


class MetricPage(MetricEntry):
    """All that there is to know about one metric."""

    documentation: str
    """Rule and blind spots, in Markdown."""
    parameters: list[str]
    lexicons: list[str]
    options: dict[str, Any]
    examples: list[Example]


class Family(Answer):
    """A family of metrics."""

    name: str
    title: str
    groups: list[str]
    metrics: int


class SettingEntry(Answer):
    """One setting with its value and where that came from."""

    name: str
    group: str
    value: bool | int | float | str | list[str]
    default: bool | int | float | str | list[str]
    source: str
    help: str


class TestEntry(Answer):
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


class Collected(Answer):
    """A test that was scored and added to a run."""

    test_id: str
    run: str
    score: float | None
    passed: bool | None


class DocumentEntry(Answer):
    """A piece of context."""

    content: str
    id: str | None = None
    source: str | None = None
    page: int | None = None
    similarity_score: float | None = None


class SampleEntry(Answer):
    """The sample as it was scored; absent fields are null or empty."""

    id: str
    query: str | None = None
    response: str | None = None
    expected: str | None = None
    contexts: list[DocumentEntry] = []
    gold_context: str | None = None
    expected_sources: list[str] = []
    known_facts: list[str] = []
    candidates: list[str] = []
    responses: list[str] = []
    previous_responses: list[str] = []
    translations: dict[str, str] = {}
    expected_json: Any = None
    response_json: Any = None
    json_schema: Any = None
    duration: float | None = None
    first_token_time: float | None = None
    response_tokens: int | None = None
    task_completed: bool | None = None
    expected_steps: int | None = None
    steps_taken: int | None = None
    errors_encountered: int | None = None
    tools_used: list[str] | None = None
    tools_succeeded: list[str] | None = None
    tool_calls: list[Any] | None = None
    expected_tool_calls: list[Any] | None = None
    steps: list[str] | None = None
    tags: list[str] = []
    language: str | None = None
    metadata: dict[str, Any] = {}


class SpanEntry(Answer):
    """A stretch of a text that caused a score, in characters."""

    field: str
    start: int
    end: int
    label: str


class ResultEntry(Answer):
    """One metric's score of one sample."""

    value: float | None
    quality: float | None
    passed: bool | None
    threshold: float | None
    state: Literal["ok", "missing", "imputed", "error"]
    explanation: str
    evidence: list[SpanEntry]
    details: dict[str, Any]
    signature: str


class Failure(Answer):
    """Why a test failed, and what may be done."""

    root_cause: str
    category: str
    detected_patterns: list[str]
    recommendations: list[str]


class TestDetail(Answer):
    """One test with all that is known of it."""

    __test__ = False

    test_id: str
    run: str
    timestamp: str
    status: str
    score: float | None
    passed: bool | None
    sample: SampleEntry
    results: dict[str, ResultEntry]
    failure: Failure | None


class FailurePattern(Answer):
    """A kind of failure with its count."""

    category: str
    count: int
    root_cause: str
    recommendations: list[str]


class RunEntry(Answer):
    """A stored run in a list."""

    name: str
    status: str
    created: str
    updated: str
    finished: str | None
    source: str
    tags: list[str]
    tests: int
    unread: int
    total: int | None
    overall: float | None
    pass_rate: float | None
    metrics: list[str]


class RunMetric(Answer):
    """One metric over a whole run, in its native scale."""

    metric: str
    samples: int
    scored: int
    missing: int
    imputed: int
    errors: int
    mean: float | None
    mean_interval: Ends | None
    weighted_mean: float | None
    weighted_mean_interval: Ends | None
    minimum: float | None
    maximum: float | None
    passed: int
    judged: int
    pass_rate: float | None
    pass_rate_interval: Ends | None
    threshold: float | None
    signature: str
    distribution: list[int]
    """Scored samples by quality, in equal bins from 0 to 1; empty for open ranges."""
    reasons: dict[str, int]
    """Why samples have no score, the commonest first."""


class Group(Answer):
    """The tests of a run with one tag or in one language."""

    name: str
    total: int
    passed: int
    failed: int
    skipped: int
    pass_rate: float | None
    avg_duration: float | None


class RunDetail(RunEntry):
    """A stored run."""

    settings: dict[str, Any]
    """What decided the scores beside the metrics: weights, seed."""
    judged: int
    passed: int
    overall_interval: Ends | None
    pass_rate_interval: Ends | None
    problems: list[str]
    """Why records could not be read; the first ones."""
    tag_groups: list[Group]
    language_groups: list[Group]


class MetricChangeEntry(Answer):
    """One metric, the overall score or the pass rate in both runs; a difference is B − A."""

    metric: str
    pairs: int
    changed: int
    """Pairs whose values differ."""
    mean_a: float | None
    mean_b: float | None
    difference: float | None
    interval: Ends | None
    test: str
    p: float | None
    adjusted_p: float | None
    effect: float | None
    detectable: float | None
    tolerance: float
    pairs_needed: int | None
    lost: int
    gained: int
    polarity: Literal["higher", "lower", "neutral"] | None
    verdict: Literal["better", "worse", "higher", "lower", "no real change", "too few samples"]
    rule_changes: list[str]


class ScoreChangeEntry(Answer):
    """One metric of one sample in both runs."""

    metric: str
    value_a: float
    value_b: float
    explanation_a: str
    explanation_b: str


class SampleChangeEntry(Answer):
    """One sample in both runs."""

    id_a: str
    id_b: str
    size: float
    query: str | None
    response_a: str | None
    response_b: str | None
    scores: list[ScoreChangeEntry]


class Comparison(Answer):
    """Run B against run A."""

    a: str
    b: str
    paired_by: str
    pairs: int
    only_a: int
    only_b: int
    repeated: int
    unread: int
    correction: str
    seed: int
    metrics: list[MetricChangeEntry]
    refused: dict[str, list[str]]
    metrics_only_a: list[str]
    metrics_only_b: list[str]
    thresholds: dict[str, tuple[float | None, float | None]]
    samples: list[SampleChangeEntry]
    notes: list[str]
