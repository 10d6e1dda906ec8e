"""Stored runs, and what changed between two."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from assay.server.schemas.base import Body, Ends, ResponseModel, RunName, Text
from assay.server.schemas.tests import TestEntry


class RunEntry(ResponseModel):
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
    note: str
    """What people say about it."""
    is_baseline: bool
    """Whether later runs of the same dataset are compared with it."""


class RunChange(Body):
    """What to change about a run; what is absent stays."""

    name: RunName | None = None
    note: Annotated[Text, Field(max_length=2000)] | None = None
    is_baseline: bool | None = None


class RunMetric(ResponseModel):
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
    """Null while a run with weights goes on."""
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
    unsure: int = 0
    applicable: int | None = None
    """Samples that have its inputs; null where that was not counted."""
    gates: bool = True
    """Whether it decides passes and enters the overall score; otherwise it is for information."""
    estimated_pass_rate: float | None = None
    """The share that people would pass, decided or not, by calibrated probabilities, 0 to 1; null
    where its values are none, and while a run goes on."""
    estimated_pass_rate_interval: Ends | None = None
    estimated_samples: int = 0
    """Samples with a calibrated probability, which the estimate is about."""


class Group(ResponseModel):
    """The tests of a run with one tag or in one language."""

    name: str
    total: int
    passed: int
    failed: int
    unsure: int
    skipped: int
    unjudged: int
    """Tests without a verdict; they change no rate."""
    pass_rate: float | None
    """passed / (passed + failed + unsure + skipped), 0 to 1."""
    avg_duration: float | None


class GroupCell(ResponseModel):
    """One metric over the tests of a group."""

    count: int
    mean: float | None
    interval: Ends | None
    quality: float | None
    """The quality of the mean, 0 to 1."""
    passed: int
    judged: int
    pass_rate: float | None


class GroupRow(ResponseModel):
    """The tests of a run with one tag, metric by metric."""

    name: str
    total: int
    cells: dict[str, GroupCell]


class GroupTable(ResponseModel):
    """The groups of a run against its metrics."""

    metrics: list[str]
    """Those that scored, those that decide first."""
    groups: list[GroupRow]
    """The largest first."""
    left_out: int
    """Smaller groups that are not in the answer."""


class MetricValues(ResponseModel):
    """The values of one metric in a run, to look where a threshold should lie."""

    metric: str
    threshold: float | None
    values: list[float]
    """In order; of a large run as many as the limit, evenly drawn."""
    labels: list[Literal["pass", "fail"] | None]
    """What most people said of each sample; null where nobody did, or they disagree."""
    total: int


class GateEntry(ResponseModel):
    """What became of one gate of a run."""

    gate: str
    """The condition as it was written."""
    state: Literal["holds", "flaky", "fails", "undecided"]
    passes: bool
    explanation: str
    """Why, as the end of a sentence."""
    value: float | None
    interval: Ends | None
    samples: int


class JudgeUsage(ResponseModel):
    """What the judge of a run was asked, and what that took."""

    calls: int
    cached: int
    """Verdicts that an earlier run had asked for."""
    prompt_tokens: int
    completion_tokens: int
    is_usage_estimated: bool
    usd: float | None
    """What the calls cost; null where the model's price is not known."""


class RepeatFigureEntry(ResponseModel):
    """A mean over questions, 0 to 1."""

    value: float | None
    interval: Ends | None
    """95 %."""
    questions: int
    """Those that have answers enough."""


class RunRepeats(ResponseModel):
    """What several answers to each question of a run come to."""

    questions: int
    answers: int
    counts: list[tuple[int, int, int]]
    """Answers, how many of them pass, and the questions that have both numbers."""
    figures: dict[str, RepeatFigureEntry]
    """`pass@1`, `pass@k` and `pass^k` for the fewest answers of a question with several, and
    `consistency`."""


class RetryGroupEntry(ResponseModel):
    """The samples on one side of the comparison of those that needed a retry with the others."""

    passed: int
    judged: int
    pass_rate: float | None
    mean_quality: float | None


class RunRetries(ResponseModel):
    """Samples that the target answered only after a retry, compared with the others."""

    samples: int
    """Those with a retry, judged or not."""
    retried: RetryGroupEntry
    others: RetryGroupEntry
    p_value: float | None
    """Fisher's exact test of the two pass rates; none with several answers to a question."""
    differs: bool
    """Whether the pass rates differ at p < 0.01."""


class QuestionAnswerEntry(ResponseModel):
    """One of several answers to a question; a long text is cut."""

    test_id: str
    test_name: str
    status: str
    score: float | None
    response: str | None


class FlakyQuestionEntry(ResponseModel):
    """A question some of whose answers pass and some do not."""

    question: str
    query: str | None
    judged: int
    passed: int
    answers: list[QuestionAnswerEntry]
    """The first ones."""


class RunDetail(RunEntry):
    """A stored run."""

    settings: dict[str, Any]
    """What decided the scores beside the metrics: weights, seed."""
    judged: int
    """Samples with a verdict: passed, failed, unsure or skipped."""
    passed: int
    failed: int
    unsure: int
    unjudged: int
    gating: list[str]
    """The metrics that decide passes and the overall score."""
    causes: dict[str, int]
    """Metric that decides → samples that it fails, the commonest first."""
    selection: str
    """What was chosen by the fields of the data, and why; empty where people chose."""
    overall_interval: Ends | None
    pass_rate_interval: Ends | None
    problems: list[str]
    """Why records could not be read; the first ones."""
    gates: list[GateEntry]
    """What became of its gates, where it had some."""
    judge: JudgeUsage | None
    """What its judge took, where one was asked."""
    repeats: RunRepeats | None
    """What several answers to each question come to, where there are."""
    retries: RunRetries | None
    """Samples that were answered only after a retry, compared with the others, where there are."""
    tag_groups: list[Group]
    language_groups: list[Group]


class MetricChangeEntry(ResponseModel):
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


class ScoreChangeEntry(ResponseModel):
    """One metric of one sample in both runs."""

    metric: str
    value_a: float
    value_b: float
    explanation_a: str
    explanation_b: str


class SampleChangeEntry(ResponseModel):
    """One sample in both runs."""

    id_a: str
    id_b: str
    size: float
    query: str | None
    response_a: str | None
    response_b: str | None
    scores: list[ScoreChangeEntry]


class Comparison(ResponseModel):
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


class RunPoint(ResponseModel):
    """A finished run of a dataset, as a point of its trend."""

    name: str
    created: str
    source: str
    tags: list[str]
    note: str
    is_baseline: bool
    tests: int
    judged: int
    passed: int
    failed: int
    unsure: int
    pass_rate: float | None
    pass_rate_interval: Ends | None
    overall: float | None
    overall_interval: Ends | None


class DatasetEntry(ResponseModel):
    """Finished runs over the same questions."""

    id: str
    """The name of its oldest run."""
    name: str
    runs: list[RunPoint]
    """The newest first."""


class Standing(ResponseModel):
    """How a system does now, against last time: the latest run of a dataset and one before it."""

    datasets: list[DatasetEntry]
    """All of them, the one with the newest run first."""
    dataset: str | None
    """The one that is meant; null while there is no finished run."""
    run: RunPoint | None
    selection: str
    causes: dict[str, int]
    """Metric that decides → samples that it fails, the commonest first."""
    metrics: list[RunMetric]
    """Those that scored."""
    unscored: int
    """How many metrics gave no sample a score."""
    against: RunPoint | None
    """What it is compared with: the baseline, else the run before it."""
    comparison: Comparison | None
    problem: str
    """Why there is no comparison with it; empty where there is one."""
    worst: list[TestEntry]
    """Samples that failed, the worst first."""


class MatrixCell(ResponseModel):
    """How a run did on a question."""

    test_id: str
    status: str
    score: float | None
    response: str | None
    """The answer; a long one is cut."""


class MatrixRowEntry(ResponseModel):
    """One question with a cell for each run; null where a run does not have it."""

    key: str
    query: str | None
    change: Literal["all", "changed", "lost", "gained"]
    """What became of it from the first run to the last; `all` where nothing changed."""
    cells: list[MatrixCell | None]


class MatrixEntry(ResponseModel):
    """Questions against runs; lost questions come first."""

    runs: list[str]
    """The oldest first."""
    paired_by: Literal["id", "query"]
    counts: dict[str, int]
    """all, changed, lost and gained → questions."""
    rows: list[MatrixRowEntry]
    total: int
    limit: int
    offset: int
