"""The records of a file of results, in which what holds for a metric stands once.

A record is `{"id": …, "metrics": {…}, "scores": {metric: {…}}}`. The first record that has a score
of a metric declares the metric under `metrics`: signature, threshold, unit, and whether it gates;
other records have no `metrics`. That first score has all fields, as an example of the rest; others
leave out what is null or empty, and what their metric's declaration says already. Files of older
versions repeat all fields in every score; both are read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args

from assay.core.result import Result, Scores

Detail = Literal["full", "failing", "values"]
"""Which scores have their reasons: all, those that did not pass, or none."""
DETAILS: tuple[Detail, ...] = get_args(Detail)
_REASONS = ("explanation", "evidence", "details")
_DECLARED = ("threshold", "gates", "signature")
"""What a score repeats only where its metric's declaration says otherwise."""


class ResultRecords:
    """Makes the records of one file, in order."""

    def __init__(self, unit_of: Callable[[str], str], detail: Detail = "full") -> None:
        self._unit_of = unit_of
        self._detail = detail
        self._declared: dict[str, dict[str, Any]] = {}

    def record(self, scores: Scores) -> dict[str, Any]:
        """The record of one sample."""
        new = {
            id: self._declaration(id, result)
            for id, result in scores.results.items()
            if id not in self._declared
        }
        self._declared |= new
        lean = {
            id: result.to_json()
            if id in new and self._detail == "full"
            else self._score(id, result)
            for id, result in scores.results.items()
        }
        metrics = {id: _without_nothing(declared) for id, declared in new.items()}
        return {"id": scores.id, **({"metrics": metrics} if new else {}), "scores": lean}

    def _declaration(self, id: str, result: Result) -> dict[str, Any]:
        return {
            "signature": result.signature,
            "threshold": result.threshold,
            "unit": self._unit_of(id),
            "gates": result.gates,
        }

    def _score(self, id: str, result: Result) -> dict[str, Any]:
        declared = self._declared[id]
        score = {
            name: value
            for name, value in result.to_json().items()
            if (value != declared[name] if name in _DECLARED else _is_something(value))
        }
        if self._detail == "full" or (self._detail == "failing" and _needs_reason(result)):
            return score
        return _brief(score)


def _brief(score: dict[str, Any]) -> dict[str, Any]:
    """A score without its reasons, and without what its other fields tell."""
    told = {*_REASONS}
    told |= {"verdict"} if "passed" in score else set()
    told |= {"quality"} if score.get("quality") == score.get("value") else set()
    told |= {"state"} if score["state"] == "ok" else set()
    return {name: value for name, value in score.items() if name not in told}


def _needs_reason(result: Result) -> bool:
    """Whether a score did not pass, or could not be computed."""
    return result.state == "error" or result.verdict in ("fail", "unsure")


def _without_nothing(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if _is_something(value)}


def _is_something(value: Any) -> bool:
    """Whether a value is neither null nor empty; numbers and truth values are something."""
    return value is not None and value != "" and value != [] and value != {}


class DeclaredMetrics:
    """What the records of a file declared of its metrics so far."""

    def __init__(self) -> None:
        self._declared: dict[str, Mapping[str, Any]] = {}

    def results(self, record: Any) -> Mapping[str, Mapping[str, Any]] | None:
        """The results of a record by metric, with what was declared of them; None without any."""
        scores = record.get("scores") if isinstance(record, Mapping) else None
        if not isinstance(scores, Mapping):
            return None
        if not all(isinstance(score, Mapping) for score in scores.values()):
            return None
        declared = record.get("metrics")
        if isinstance(declared, Mapping):
            known = {id: own for id, own in declared.items() if isinstance(own, Mapping)}
            self._declared |= known
        return {id: {**self._declared.get(id, {}), **score} for id, score in scores.items()}
