"""What requests and answers of the working endpoints look like."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from assay.server.plain import HALVES
from assay.server.schemas import Answer, Body, ResultEntry, SpanEntry, Text
from assay.server.uploads import ID
from assay.store.jobs import Status

MAX_BATCH = 500
"""Entries of one batch request, as documented."""


def _plain(value: Any) -> Any:
    """Refuse half a surrogate pair: no file and no answer could hold it."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            if HALVES.search(part):
                raise ValueError("holds half a surrogate pair, which is no character")
        elif isinstance(part, dict):
            waiting += [*part, *part.values()]
        elif isinstance(part, list):
            waiting += part
    return value


Json = Annotated[Any, AfterValidator(_plain)]
"""Any JSON value."""
JsonObject = Annotated[dict[str, Any], AfterValidator(_plain)]
"""A JSON object; keys are data and nothing else."""
UploadId = Annotated[str, Field(pattern=f"^{ID}$")]
JobId = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
ConfigName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")]
"""The name of a profile, a policy or a set of strategies; never a path."""
RunName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9 _.@:+-]{0,119}$")]
Selector = Annotated[Text, Field(min_length=1, max_length=200)]
Label = Annotated[Text, Field(min_length=1, max_length=200)]
Long = Annotated[Text, Field(max_length=1_000_000)]
Strategies = ConfigName | JsonObject
"""The name of a stored set, or strategies as a strategy file has them."""


class Choice(Body):
    """How an evaluation is done; what is absent is as the server was started."""

    metrics: list[Selector] = Field(default=[], max_length=200)
    """Ids, families (`text`), tags (`@rules`), `all`; a leading `-` leaves out."""
    profile: ConfigName | None = None
    """A bundled or a stored profile."""
    policy: ConfigName | None = None
    """A bundled policy pack, such as `rti`."""
    strategies: Strategies | None = None


class UploadEntry(Answer):
    """An uploaded file that is ready to be evaluated."""

    id: str
    name: str
    format: str
    size: int
    rows: int
    problems: int
    """Records that cannot be read; a run reports each."""
    created: str
    author: str


class JobBody(Choice):
    """An evaluation to do in the background: of an upload, or of samples posted along."""

    upload: UploadId | None = None
    samples: list[JsonObject] | None = Field(default=None, min_length=1, max_length=MAX_BATCH)
    run: RunName | None = None
    """The name of the stored run; made from the job's id when absent."""
    format: ConfigName | None = None
    """The tool whose reading of ambiguous field names counts."""
    limit: int | None = Field(default=None, ge=1, le=1_000_000_000)


class JobEntry(Answer):
    """A job and how far it is."""

    id: str
    kind: str
    status: Status
    created: str
    updated: str
    run: str | None
    """The stored run that it makes."""
    upload: str
    source: str
    """What the uploaded file was called."""
    metrics: list[str]
    profile: str | None
    done: int
    """Records that are safe in the run."""
    total: int | None
    error: str | None


class ScoreBody(Choice):
    """One sample to score now."""

    sample: JsonObject
    """Fields of a sample, under any accepted name."""
    format: ConfigName | None = None


class ScoreAnswer(Answer):
    """All scores of one sample."""

    id: str
    score: float | None
    passed: bool | None
    scores: dict[str, ResultEntry]


class JsonOptionsBody(Body):
    """Choices of a comparison; what is absent is as documented."""

    fuzzy_threshold: float = Field(default=0.85, ge=0, le=1)
    semantic_threshold: float = Field(default=0.80, ge=0, le=1)
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
    ignore_case: bool = False
    ignore_whitespace: bool = False
    w_accuracy: float = Field(default=0.45, ge=0, le=1e6)
    w_completeness: float = Field(default=0.25, ge=0, le=1e6)
    w_hallucination: float = Field(default=0.15, ge=0, le=1e6)
    w_safety: float = Field(default=0.15, ge=0, le=1e6)


class JsonChoice(Body):
    """How documents are compared."""

    strategies: Strategies | None = None
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


class FieldEntry(Answer):
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


class JsonAnswerEntry(Answer):
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


class JsonBatchAnswer(Answer):
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


class JsonPairEntry(Answer):
    """One pair of a file: its comparison, or why there is none."""

    name: str
    result: JsonAnswerEntry | None
    problem: str | None


class JsonPairsAnswer(Answer):
    """The pairs of a file, compared."""

    items: list[JsonPairEntry]
    compared: int
    problems: int
    mean_accuracy: float | None
    mean_completeness: float | None
    mean_hallucination: float | None
    mean_rqs: float | None


class JsonTextAnswer(Answer):
    """What text says as JSON, and what was done to read it."""

    value: Any
    repairs: list[str]


class VersionEntry(Answer):
    """One version of something that is configured."""

    name: str
    version: int
    created: str
    author: str
    is_removed: bool


class StrategiesBody(Body):
    """Strategies as a strategy file has them, flat or nested."""

    strategies: JsonObject


class StrategyBody(Body):
    """The strategy of one field; null removes it."""

    field: Annotated[Text, Field(min_length=1, max_length=1000)]
    strategy: Annotated[Text, Field(max_length=40)] | JsonObject | None
    """EXACT, FUZZY, SEMANTIC, IGNORE, AUTO, or an object with options."""


class StrategiesEntry(Answer):
    """A set of field strategies."""

    name: str
    version: int
    created: str
    author: str
    strategies: dict[str, Any]
    """Field or path → its strategy: a word, or an object with options."""


class ProfileBody(Body):
    """A profile, in parts or as the text of a file; a stored one is replaced by a new version."""

    text: Annotated[Text, Field(max_length=1_000_000)] | None = None
    """TOML, instead of all that follows."""
    title: Annotated[Text, Field(max_length=1000)] = ""
    source: Annotated[Text, Field(max_length=1000)] = ""
    metrics: list[Selector] = Field(default=[], max_length=1000)
    thresholds: dict[Label, float] = Field(default={}, max_length=1000)
    options: dict[Label, JsonObject] = Field(default={}, max_length=1000)
    weights: dict[Label, float] = Field(default={}, max_length=1000)
    policy: ConfigName | None = None
    json_options: JsonObject | None = None
    """The table `[json]`: how documents are compared."""
    expected_version: int | None = Field(default=None, ge=0, le=1_000_000_000)
    """The version that the change was made on; a newer one in the store is refused with 409."""


class ThresholdsBody(Body):
    """Thresholds to change; null takes one away, so that the metric's own counts again."""

    thresholds: dict[Label, float | None] = Field(min_length=1, max_length=1000)
    expected_version: int | None = Field(default=None, ge=0, le=1_000_000_000)


class ProfileEntry(Answer):
    """A profile."""

    name: str
    is_bundled: bool
    version: int | None
    created: str | None
    author: str | None
    title: str
    source: str
    metrics: list[str]
    thresholds: dict[str, float]
    options: dict[str, dict[str, Any]]
    weights: dict[str, float]
    policy: str
    text: str
    """The profile as the text of a file."""


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
    """The policy under its documented name."""
    include_imputed: bool = False
    session_id: Label | None = None
    service_id: Label | None = None


class ReasonEntry(Answer):
    """Why a dimension is among the lowest."""

    dimension: str
    score: float
    reason: str


class CardMetricEntry(Answer):
    """One metric on a card."""

    name: str
    dimension: str
    raw_value: float | None
    normalized_score: float | None
    explanation: str
    state: Literal["ok", "missing", "imputed", "error"]
    evidence: list[SpanEntry]


class CardAnswer(Answer):
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


class PresetEntry(Answer):
    """A department's weights."""

    name: str
    title: str
    weights: dict[str, float]
    policy: str


class ComplianceEntry(Answer):
    """A policy pack and the documented name of its mode."""

    mode: str
    policy: str
    title: str
    jurisdiction: str
    date: str
    source: str
    is_default: bool


class SessionEntry(Answer):
    """A judged answer in a list."""

    session_id: str
    test_id: str
    timestamp: str
    query: str | None
    overall_score: float | None
    verdict: Literal["PASS", "REVIEW", "FAIL"] | None
    service_id: str | None


Rated = Literal["accuracy", "completeness", "citation", "clarity"]
Rating = Annotated[int, Field(ge=1, le=5)]


class FeedbackBody(Body):
    """What somebody says of an answer."""

    ratings: dict[Rated, Rating] = Field(default={}, max_length=10)
    comment: Annotated[Text, Field(max_length=20_000)] = ""


class FeedbackOf(FeedbackBody):
    """What somebody says of an answer, with the answer's id."""

    id: Label
    """A session's id or a test's."""


class RespondBody(Body):
    """An answer to feedback."""

    response: Annotated[Text, Field(min_length=1, max_length=20_000)]


class FeedbackEntry(Answer):
    """Feedback as it is kept."""

    id: int
    test_id: str
    created: str
    author: str
    ratings: dict[str, int]
    comment: str
    response: str


class TurnEntry(Answer):
    """One answer of a session with its card."""

    test_id: str
    timestamp: str
    query: str | None
    response: str | None
    card: CardAnswer


class SessionAnswer(Answer):
    """A session: its answers, the newest first, and what people said of them."""

    session_id: str
    service_id: str | None
    turns: list[TurnEntry]
    total: int
    """Answers in all; the newest are shown."""
    feedback: list[FeedbackEntry]


class ServiceEntry(Answer):
    """A system whose answers were judged."""

    id: str
    sessions: int
    last: str


class DimensionEntry(Answer):
    """One score over many sessions."""

    count: int
    mean: float | None
    minimum: float | None
    maximum: float | None
    deviation: float | None


class ServiceStats(Answer):
    """What the sessions of a service, or of all, come to."""

    service_id: str | None
    sessions: int
    overall: DimensionEntry
    verdict: Literal["PASS", "REVIEW", "FAIL"] | None
    """Of the mean."""
    dimensions: dict[str, DimensionEntry]
    metrics: dict[str, DimensionEntry]


class AuditEntry(Answer):
    """One thing that somebody did."""

    id: int
    created: str
    actor: str
    action: str
    subject: str
    details: dict[str, Any]


class AppBody(Body):
    """A program that is to get a key of its own."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9 _.@-]{0,99}$")]
    role: Literal["read", "write", "admin"] = "write"


class AppAnswer(Answer):
    """A program's key; shown once."""

    name: str
    role: Literal["read", "write", "admin"]
    key: str


class PromptEntry(Answer):
    """A question to a judge, as the product asks it."""

    key: str
    text: str
