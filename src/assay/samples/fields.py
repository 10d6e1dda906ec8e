"""From one record, as any tool writes it, to a `Sample`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from assay.core import Sample, SampleError
from assay.samples.convert import (
    KINDS,
    Converter,
    PartialValue,
    checks,
    from_milliseconds,
    is_json,
    last_question,
    metadata,
    refusal,
    seconds,
)
from assay.samples.field_names import ChosenColumns, FieldSource, fields, lift, normalise, reading
from assay.samples.promptfoo_columns import checked_record, has_assertions
from assay.samples.transcripts import answer_of, calls_of, transcript_record, usage_of

_Step = tuple[str, str, Converter, bool]
"""Field, name in the record, converter, and whether plain text is taken as it is."""


class _Plan(NamedTuple):
    steps: tuple[_Step, ...]
    rivals: tuple[tuple[_Step, ...], ...]
    """The steps of fields that several names give."""
    unknown: tuple[str, ...]


def to_sample(
    record: Mapping[str, Any],
    default_id: str,
    format: str | None = None,
    *,
    chosen: ChosenColumns = (),
    needs_content: bool = True,
) -> Sample:
    """Read a record under the names that other tools use too.

    The first accepted name that is not null gives the field; two that differ are an error. Where
    `expected` and the response are both JSON text, `expected` gives `expected_json` too. Unknown
    names go to the metadata. Of a document only id, source, content, page and score are kept.
    `format` names the tool whose reading of ambiguous names counts, such as `"deepeval"`; `chosen`
    are fields with the name that gives each, whatever it is called; `needs_content` refuses a
    record without any text or object to score.
    """
    if "traj" in record or "values" in record:
        record = transcript_record(record)
    if has_assertions(record):
        record = checked_record(record)
    if format is not None or chosen:
        record = lift(record, format, chosen)
    plan = _plan(tuple(record), format, chosen)
    values: dict[str, Any] = {}
    aside: list[PartialValue] = []
    for field, key, convert, takes_text in plan.steps:
        value = record[key]
        if value is None:
            continue
        if value.__class__ is not str or not takes_text:
            value = convert(key, value)
            if value.__class__ is PartialValue:
                aside.append(value)
                value = value.value
        values[field] = value
    for steps in plan.rivals:
        _settle(record, steps, values, aside)
    if aside or "conversation" in values:
        aside = _take_conversation(values, aside)
    if format == "promptfoo" and "checks" in values:
        _take_share(record, values)
    if values.get("expected_json") is None and _are_json(values):
        values["expected_json"] = values["expected"]
    if plan.unknown or aside:
        values["metadata"] = _metadata(record, plan.unknown, aside, values.get("metadata", {}))
    if not values.get("id"):
        values["id"] = default_id
    if needs_content and values.get("response") is None and not _has_content(values):
        raise SampleError(nothing_to_score(tuple(record)))
    return Sample(**values)


def _are_json(values: dict[str, Any]) -> bool:
    """Whether expected answer and response are both the JSON text of an object or a list.

    Then the comparison of JSON has its ground truth, and needs no second column for it.
    """
    if values.get("response_json") is not None:
        return is_json(values.get("expected"))
    return is_json(values.get("expected")) and is_json(values.get("response"))


def check_numbers(sample: Sample) -> Sample:
    """A sample that a program made, provided that its weight and its times can be summed.

    Its checks must be such, too.
    """
    metadata("metadata", sample.metadata)
    if sample.checks:
        checks("checks", sample.checks)
    for name in ("duration", "first_token_time"):
        if (value := getattr(sample, name)) is not None:
            seconds(name, value)
    return sample


def _take_conversation(values: dict[str, Any], aside: list[PartialValue]) -> list[PartialValue]:
    """Fill conversation and query from each other; gives what is left for the metadata."""
    for part in aside:
        if part.name == "conversation":
            values.setdefault("conversation", part.whole)
    if values.get("query") is None and values.get("conversation"):
        values["query"] = last_question("conversation", values["conversation"])
    _take_run(values)
    return [part for part in aside if part.name != "conversation"]


def _take_share(record: Mapping[str, Any], values: dict[str, Any]) -> None:
    """A test of promptfoo's with a `threshold` passes when that share of its assertions holds."""
    test = record.get("testCase")
    threshold = (test if isinstance(test, Mapping) else record).get("threshold")
    if threshold is not None:
        whole = {"type": "assert-set", "value": [*values["checks"]], "threshold": threshold}
        values["checks"] = checks("assert", (whole,))


def _take_run(values: dict[str, Any]) -> None:
    """Fill calls, answer and tokens from a conversation that tells them, where no field does."""
    turns = values.get("conversation") or ()
    if values.get("tool_calls") is None and (calls := calls_of(turns)):
        values["tool_calls"] = tuple(calls)
    if values.get("response") is None and (answer := answer_of(turns)) is not None:
        values["response"] = answer
    if usage := usage_of(turns):
        values["metadata"] = {**usage, **values.get("metadata", {})}


def has_known_content(
    names: tuple[str, ...], format: str | None = None, chosen: ChosenColumns = ()
) -> bool:
    """Whether records with these names can have something to score."""
    return any(source.field.scores for source in reading(names, format, chosen).sources)


def nothing_to_score(names: tuple[str, ...]) -> str:
    """The message for names of which none gives something to score."""
    listed = ", ".join(map(repr, names[:10])) + (", …" if len(names) > 10 else "")
    accepted = "; ".join(
        f"{field.name} (also {', '.join(n for n in field.accepted if n != field.name)})"
        for field in fields()
        if field.name in _MAIN
    )
    return (
        f"nothing to score: found {listed or 'no fields'}; expected text under {accepted}; or name "
        "the columns, such as --map response=COLUMN"
    )


_MAIN = ("query", "response", "expected", "contexts", "expected_json", "response_json")
"""The fields that a message about a record without content names."""

_EMPTY: tuple[Any, ...] = (None, (), {})


@lru_cache(maxsize=1024)
def _plan(keys: tuple[str, ...], format: str | None, chosen: ChosenColumns = ()) -> _Plan:
    plan = reading(keys, format, chosen)
    each = [_steps(source) for source in plan.sources]
    return _Plan(
        steps=tuple(steps[0] for steps in each if len(steps) == 1),
        rivals=tuple(steps for steps in each if len(steps) > 1),
        unknown=plan.unknown,
    )


def _steps(source: FieldSource) -> tuple[_Step, ...]:
    field = source.field
    takes_text = field.kind in ("text", "prompt", "reference", "json")
    return tuple(
        (
            field.name,
            key,
            from_milliseconds if normalise(key) in field.milliseconds else KINDS[field.kind],
            takes_text,
        )
        for key in source.keys
    )


def _settle(
    record: Mapping[str, Any],
    steps: tuple[_Step, ...],
    values: dict[str, Any],
    aside: list[PartialValue],
) -> None:
    """Fill a field that several names give, provided that they agree."""
    given = [
        (key, convert(key, record[key])) for _, key, convert, _ in steps if record[key] is not None
    ]
    if not given:
        return
    field = steps[0][0]
    first, value = given[0]
    for other, rival in given[1:]:
        if rival != value:
            raise SampleError(
                f"{first!r} and {other!r} both give the {field!r} but differ; "
                "keep one of them, or name the format"
            )
    if isinstance(value, PartialValue):
        aside.append(value)
        value = value.value
    values[field] = value


def _metadata(
    record: Mapping[str, Any],
    unknown: tuple[str, ...],
    aside: list[PartialValue],
    given: dict[str, Any],
) -> dict[str, Any]:
    """The metadata as given, with the unknown fields and what did not fit its field."""
    unknown_fields = {key: value for key in unknown if not _is_absent(key, value := record[key])}
    unknown_fields.update((part.name, part.whole) for part in aside)
    for key, value in unknown_fields.items():
        if key in given and given[key] != value:
            raise SampleError(f"{key!r} and 'metadata.{key}' differ; keep one of them")
    return metadata("metadata", {**given, **unknown_fields})


def _is_absent(key: str, value: Any) -> bool:
    """Null, and NaN, which tables of numbers use for it."""
    if not isinstance(value, float):
        return value is None
    if math.isinf(value):
        raise refusal(key, value, "a finite number")
    return math.isnan(value)


def _has_content(values: dict[str, Any]) -> bool:
    return any(field.scores and values.get(field.name) not in _EMPTY for field in fields())
