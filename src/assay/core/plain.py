"""Values as plain data, which a file, a page or an answer can hold."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from math import isfinite
from operator import attrgetter
from typing import Any

from assay.core.result import FailureAnalysis, Result, Scores, Span, Verdict
from assay.core.sample import Document, Sample

HALVES = re.compile("[\ud800-\udfff]")
"""Half a surrogate pair, which is no character."""


def sendable(value: Any) -> Any:
    """The value with a stand-in for each half of a surrogate pair, which no answer can hold.

    One character stands for one, so that evidence keeps its place. Values may be nested as deep as
    our reader lets them be, so nothing here calls itself.
    """
    top = [value]
    waiting: list[tuple[Any, Any]] = [(top, 0)]  # our own containers, with places to look at
    while waiting:
        holder, place = waiting.pop()
        part = holder[place]
        if isinstance(part, str):
            holder[place] = HALVES.sub("\ufffd", part)
        elif isinstance(part, Mapping):
            copy = {HALVES.sub("\ufffd", str(key)): value for key, value in part.items()}
            holder[place] = copy
            waiting += [(copy, key) for key in copy]
        elif isinstance(part, list | tuple):
            holder[place] = list(part)
            waiting += [(holder[place], number) for number in range(len(part))]
    return top[0]


def with_finite_numbers(value: Any) -> Any:
    """The value with None for each number that is not finite, which JSON cannot hold."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: with_finite_numbers(part) for key, part in value.items()}
    return [*map(with_finite_numbers, value)] if isinstance(value, list | tuple) else value


def sample_json(sample: Sample) -> dict[str, Any]:
    """The sample as plain data; fields that say nothing are left out."""
    given = zip(_DEFAULTS.items(), _given(sample), strict=True)
    changed = {name: value for (name, default), value in given if value != default}
    if sample.contexts:
        changed["contexts"] = [_document(document) for document in sample.contexts]
    return changed


def sample_from_json(stored_fields: Mapping[str, Any]) -> Sample:
    """The sample again, from what `sample_json` gave."""
    fields: dict[str, Any] = {
        name: tuple(value) if name in _TUPLES and value is not None else value
        for name, value in stored_fields.items()
    }
    if "contexts" in fields:
        fields["contexts"] = tuple(Document(**entry) for entry in fields["contexts"])
    return Sample(**fields)


def scores_json(scores: Scores) -> dict[str, Any]:
    """The scores of a sample as plain data, without its id."""
    return {
        "score": scores.score,
        "passed": scores.passed,
        "is_skipped": scores.is_skipped,
        "is_unsure": scores.is_unsure,
        "language": scores.language,
        "failure": scores.failure and scores.failure.to_json(),
        "results": {id: result.to_json() for id, result in scores.results.items()},
    }


def scores_from_json(id: str, data: Mapping[str, Any]) -> Scores:
    """The scores of the sample with that id again, from what `scores_json` gave.

    Files of older versions do not say of a result whether it gates, as every threshold decided.
    """
    results = {
        metric: Result(
            **{
                "gates": True,
                "verdict": _VERDICTS.get(entry["passed"]),
                **entry,
                "metric": metric,
                "evidence": tuple(Span(**span) for span in entry["evidence"]),
            }
        )
        for metric, entry in data["results"].items()
    }
    failure = data.get("failure")
    return Scores(
        id,
        results,
        data["score"],
        data["passed"],
        failure and FailureAnalysis.from_json(failure),
        data.get("language", ""),
        is_skipped=data.get("is_skipped", False),
        is_unsure=data.get("is_unsure", False),
    )


_VERDICTS: Mapping[bool | None, Verdict] = {True: "pass", False: "fail"}


def _document(document: Document) -> dict[str, Any]:
    given = {name: getattr(document, name) for name in Document.__slots__}
    return {name: value for name, value in given.items() if value is not None}


_DEFAULTS = {field.name: getattr(Sample(), field.name) for field in fields(Sample)}
_given = attrgetter(*_DEFAULTS)
"""The values of all fields of a sample."""
_TUPLES = {field.name for field in fields(Sample) if field.default == ()} | {
    "tools",
    "tools_used",
    "tools_succeeded",
    "tool_calls",
    "expected_tool_calls",
    "steps",
}
"""Fields that are tuples, which JSON gives back as lists."""
