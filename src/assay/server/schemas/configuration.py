"""What a team has chosen, in versions: strategies and profiles; and who changed what."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from assay.server.schemas.base import (
    Body,
    ConfigName,
    JsonObject,
    Label,
    ResponseModel,
    Selector,
    Text,
)


class VersionEntry(ResponseModel):
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


class StrategiesEntry(ResponseModel):
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


class ProfileEntry(ResponseModel):
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


class AuditEntry(ResponseModel):
    """One recorded action."""

    id: int
    created: str
    actor: str
    action: str
    subject: str
    details: dict[str, Any]
