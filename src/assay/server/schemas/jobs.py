"""Evaluations: of one sample now, of a file in the background."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from assay.server.schemas.base import (
    MAX_BATCH,
    STRATEGIES,
    Body,
    ConfigName,
    JsonObject,
    Label,
    ResponseModel,
    RunName,
    Selector,
    Strategies,
    UploadId,
)
from assay.server.schemas.tests import ResultEntry
from assay.store.jobs import Status


class Choice(Body):
    """How an evaluation is done; what is absent is as the server was started."""

    metrics: list[Selector] = Field(default=[], max_length=200)
    """Ids, families (`text`), tags (`@rules`), `all`; a leading `-` leaves out."""
    profile: ConfigName | None = None
    """A bundled or a stored profile."""
    policy: ConfigName | None = None
    """A bundled policy pack, such as `rti`."""
    strategies: Strategies | None = Field(default=None, validation_alias=STRATEGIES)


class UploadEntry(ResponseModel):
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


Columns = Annotated[dict[Label, ConfigName], Field(max_length=2000)]
"""Column → the field that it gives, or `metadata`; the others are read by their names."""


class PreviewBody(Body):
    """What is already known of a file's columns."""

    columns: Columns = Field(default={})
    format: ConfigName | None = None


class ColumnEntry(ResponseModel):
    """A column of an uploaded file."""

    name: str
    field: str | None
    """The field that it gives; null for one that goes to the metadata."""
    values: list[str]
    """What the first records hold in it, cut."""


class ColumnDoubt(ResponseModel):
    """What has to be said about the columns before the file can be scored."""

    field: str
    columns: list[str]
    """The columns that may give the field."""
    problem: str


class UploadPreview(ResponseModel):
    """How an uploaded file is read: its columns, its first records, and what is wrong with it."""

    columns: list[ColumnEntry]
    fields: list[str]
    """The fields that a column may give, the most used first."""
    doubt: ColumnDoubt | None
    has_answers: bool
    """Whether a column says what the system answered."""
    checked: int
    """The first records, which were read as a run would read them."""
    unreadable: int
    problems: list[str]
    """Why records cannot be read; one line a reason."""


class JobBody(Choice):
    """An evaluation to do in the background: of an upload, or of samples posted along."""

    upload: UploadId | None = None
    samples: list[JsonObject] | None = Field(default=None, min_length=1, max_length=MAX_BATCH)
    run: RunName | None = None
    """The name of the stored run; made from the job's id when absent."""
    format: ConfigName | None = None
    """The tool whose reading of ambiguous field names counts."""
    columns: Columns = Field(default={})
    """What columns of the upload give, where their names do not tell."""
    limit: int | None = Field(default=None, ge=1, le=1_000_000_000)
    score_repeats: bool = False
    """Whether each of several answers to a question is scored, for pass@k and consistency: a
    sample's `responses`, and samples with the same question."""
    escalate: bool = False
    """Whether samples whose verdict is unsure go to the judge of the server, whose verdict then
    counts."""


class JobEntry(ResponseModel):
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


class ScoreAnswer(ResponseModel):
    """All scores of one sample."""

    id: str
    score: float | None
    passed: bool | None
    verdict: Literal["pass", "fail", "unsure"] | None
    selection: str
    """What was chosen by the fields of the sample, and why; empty where the request chose."""
    scores: dict[str, ResultEntry]
