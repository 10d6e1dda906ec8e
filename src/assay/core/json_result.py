"""What the comparison of two JSON documents says: the fields one by one, and the scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Literal, NamedTuple

Bucket = Literal[
    "both_non_null", "aio_missing_or_null", "extra_keys", "gt_null_aio_has_value", "skipped"
]
"""Where a field belongs; each field is in exactly one. `skipped` is null in the ground truth and
null or absent in the output, or left out by the options."""


class FieldScore(NamedTuple):
    """One field of both documents."""

    field_name: str
    """The key, or the path such as `items[2].price` in a nested comparison."""
    field_type: str
    """Of the ground truth's value, else of the output's: numeric, boolean, date, email, array,
    object, text or null; of a TYPED field what the value was recognised as."""
    gt_value: Any
    """None where it is absent too; the bucket tells."""
    aio_value: Any
    match_strategy: str
    """TYPED, EXACT, FUZZY, SEMANTIC or IGNORE; empty where nothing is compared."""
    score: float | None
    """1 or 0 for a compared field, else None."""
    similarity: float | None
    """What was held against the threshold."""
    bucket: Bucket
    explanation: str
    """One sentence."""

    def to_json(self) -> dict[str, Any]:
        """The field as plain data."""
        return self._asdict()


class Breakdown(NamedTuple):
    """The fields one by one, and their names by where they stand, as `JsonComparison` has them."""

    field_scores: tuple[FieldScore, ...] = ()
    gt_keys: tuple[str, ...] = ()
    aio_keys: tuple[str, ...] = ()
    matching_keys: tuple[str, ...] = ()
    extra_keys: tuple[str, ...] = ()
    missing_keys: tuple[str, ...] = ()
    gt_null_aio_has_value: tuple[str, ...] = ()
    aio_missing_or_null: tuple[str, ...] = ()
    both_non_null: tuple[str, ...] = ()
    ignored_keys: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class JsonComparison:
    """An output beside its ground truth: the scores, and the fields behind them.

    An output that is not JSON, or not the kind of document that the ground truth is, has `error`
    set and the scores of no answer at all: completeness, accuracy and hallucination are 0. All
    fields are compared at once; they are written out when one first looks at them.
    """

    completeness: float
    hallucination: float
    accuracy: float | None
    """None when nothing could be compared and the options say so, or when a model failed."""
    safety_score: float | None = None
    toxicity: float | None = None
    tone: str | None = None
    rqs: float | None = None
    rqs_normalized: float | None = None
    consistency: float | None = None
    is_vacuous: bool = False
    """Whether there was no field to compare, so that accuracy says nothing."""
    notes: tuple[str, ...] = ()
    """What a reader should know: a repaired output, a cheaper alignment, vacuous accuracy."""
    error: str | None = None
    """Why the output could not be compared."""
    write: Callable[[], Breakdown] = field(default=Breakdown, repr=False)
    """Writes the fields out."""

    @cached_property
    def breakdown(self) -> Breakdown:
        """The fields one by one, and their names by where they stand."""
        return self.write()

    @property
    def field_scores(self) -> tuple[FieldScore, ...]:
        """The fields as the documents read, extra ones after their neighbours."""
        return self.breakdown.field_scores

    @property
    def gt_keys(self) -> tuple[str, ...]:
        """The names of the ground truth's fields; all names are sorted."""
        return self.breakdown.gt_keys

    @property
    def aio_keys(self) -> tuple[str, ...]:
        """The names of the output's fields."""
        return self.breakdown.aio_keys

    @property
    def matching_keys(self) -> tuple[str, ...]:
        """The fields that are in both documents, null or not."""
        return self.breakdown.matching_keys

    @property
    def extra_keys(self) -> tuple[str, ...]:
        """The fields that are in the output only."""
        return self.breakdown.extra_keys

    @property
    def missing_keys(self) -> tuple[str, ...]:
        """The fields that are in the ground truth only, null or not."""
        return self.breakdown.missing_keys

    @property
    def gt_null_aio_has_value(self) -> tuple[str, ...]:
        """The fields with a value where the ground truth says null."""
        return self.breakdown.gt_null_aio_has_value

    @property
    def aio_missing_or_null(self) -> tuple[str, ...]:
        """The fields with a value in the ground truth and none in the output."""
        return self.breakdown.aio_missing_or_null

    @property
    def both_non_null(self) -> tuple[str, ...]:
        """The fields with a value in both documents."""
        return self.breakdown.both_non_null

    @property
    def ignored_keys(self) -> tuple[str, ...]:
        """The fields that would be compared but for the strategy IGNORE."""
        return self.breakdown.ignored_keys

    def with_scores(self, **scores: Any) -> JsonComparison:
        """The same comparison with other scores, in a fraction of the time of `replace`."""
        made = object.__new__(JsonComparison)
        made.__dict__.update(self.__dict__, **scores)
        return made

    def to_json(self) -> dict[str, Any]:
        """The comparison as plain data."""
        document: dict[str, Any] = {}
        for name in _NAMES:
            value = getattr(self, name)
            document[name] = list(value) if isinstance(value, tuple) else value
        return {**document, "field_scores": [entry.to_json() for entry in self.field_scores]}

    def __eq__(self, other: object) -> bool:
        """Whether both say the same."""
        if not isinstance(other, JsonComparison):
            return NotImplemented
        return self.to_json() == other.to_json()

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        """With the fields written out: that is all that another process needs."""
        return {**self.__dict__, "breakdown": self.breakdown, "write": Breakdown}


_SCORES = tuple(f.name for f in fields(JsonComparison) if f.name != "write")
_NAMES = (*_SCORES[:-3], *Breakdown._fields, *_SCORES[-3:])
"""In the order in which they are shown."""


@dataclass(frozen=True)
class JsonBatch:
    """Several outputs beside one ground truth."""

    results: tuple[JsonComparison, ...]
    best_index: int | None
    """The output with the highest RQS, the first of equals; None when none has one."""
    best_rqs: float | None
    mean_rqs: float | None
    variance: float | None
    """Of the RQS over all outputs that have one, as a population."""
    std_dev: float | None
    ranking: tuple[int, ...]
    """Places of the outputs, the highest RQS first."""
    consistency: float | None
    """None for fewer than two outputs."""
    mean_accuracy: float | None
    hallucination_rate: float | None
    """The share of outputs whose accuracy is not exactly 1."""
    status: Literal["PASS", "FAIL"]
    reasons: tuple[str, ...]
    """Why it fails."""

    def to_json(self) -> dict[str, Any]:
        """The batch as plain data."""
        document: dict[str, Any] = {f.name: getattr(self, f.name) for f in fields(self)}
        plain = {k: list(v) if isinstance(v, tuple) else v for k, v in document.items()}
        return {**plain, "results": [result.to_json() for result in self.results]}


Similarities = Mapping[str, float]
"""Field → how alike its two values are, as somebody outside says."""
