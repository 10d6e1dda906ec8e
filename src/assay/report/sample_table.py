"""Scored samples as Arrow tables: one row a sample with columns for each metric, and the details.

The first columns are `id`, `score`, `verdict`, `language`, the metrics whose score is an error or
imputed, and the problem of a record that could not be read, which has nothing else. Then follow for
each metric its value under its id, and its verdict under `<id>.verdict`. The schema's metadata has
under `assay` what holds for each metric, as JSON.

The details have a row for each sample and metric whose reasons are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from assay.core import Result, Scores
from assay.core.extras import require
from assay.core.jsontext import dumps
from assay.core.parquet_columns import DETAILS, FORM, LEADING, VERDICT
from assay.core.result_records import Declaration, Detail, needs_reason
from assay.report.json_file import metric_facts
from assay.report.safe_text import storable


class SampleTables(NamedTuple):
    """Some scored samples."""

    samples: Any
    """An Arrow table with a row for each."""
    details: Any
    """An Arrow table with the reasons; None where none are kept."""


class SampleTable:
    """Collects scored samples, until they are taken as tables."""

    def __init__(
        self,
        metrics: Iterable[str],
        detail: Detail = "full",
        declared: Mapping[str, Declaration] | None = None,
    ) -> None:
        self._metrics = tuple(metrics)
        self._detail = detail
        self.schema = self._sample_schema(declared or {})
        self.detail_schema = arrow_schema(DETAILS)
        self._clear()

    def add(self, scores: Scores) -> None:
        """Add the row of a sample, and its reasons."""
        results = scores.results
        self.rows += 1
        row: list[Any] = [
            *(storable(scores.id), scores.score, scores.verdict, scores.language or None),
            *(_in_state(results, "error"), _in_state(results, "imputed"), None),
        ]
        for metric in self._metrics:
            result = results.get(metric)
            row += (None, None) if result is None else (result.value, result.verdict)
        self._samples.append(row)
        if self._detail == "values":
            return
        for metric, result in results.items():
            if self._detail == "full" or needs_reason(result):
                self._add_detail(scores.id, metric, result)

    def add_unread(self, problem: str) -> None:
        """Add the row of a record that could not be read."""
        self.rows += 1
        row = dict.fromkeys(self.schema.names) | {"problem": storable(problem)}
        self._samples.append([*row.values()])

    def take(self) -> SampleTables:
        """The rows that were added since the last call."""
        samples = arrow_table(self._samples, self.schema)
        details = None
        if self._detail != "values":
            details = arrow_table(self._details, self.detail_schema)
        self._clear()
        return SampleTables(samples, details)

    def _clear(self) -> None:
        self.rows = self.characters = 0
        self._samples: list[list[Any]] = []
        self._details: list[tuple[Any, ...]] = []

    def _add_detail(self, sample: str, metric: str, result: Result) -> None:
        row = (
            storable(sample),
            storable(metric),
            result.value,
            result.quality,
            result.passed,
            result.verdict,
            result.gates,
            result.threshold,
            result.state,
            storable(result.explanation),
            dumps([span._asdict() for span in result.evidence]),
            dumps(dict(result.details)),
            storable(result.signature),
        )
        self.characters += sum(len(part) for part in row if isinstance(part, str))
        self._details.append(row)

    def _sample_schema(self, declared: Mapping[str, Declaration]) -> Any:
        scores = {
            name: kind
            for metric in self._metrics
            for name, kind in ((metric, "float64"), (f"{metric}{VERDICT}", "string"))
        }
        about = {
            "form": FORM,
            "metrics": {metric: _facts(metric, declared.get(metric)) for metric in self._metrics},
        }
        return arrow_schema({**LEADING, **scores}).with_metadata({"assay": dumps(about)})


def arrow_schema(kinds: Mapping[str, str]) -> Any:
    """The schema of columns that are given by the names of their types; `strings` is a list."""
    arrow = require("pyarrow", "parquet")
    strings = arrow.list_(arrow.string())
    return arrow.schema(
        [
            (name, strings if kind == "strings" else getattr(arrow, kind)())
            for name, kind in kinds.items()
        ]
    )


def arrow_table(rows: Sequence[Sequence[Any]], schema: Any) -> Any:
    """The table of some rows."""
    arrow = require("pyarrow", "parquet")
    columns = zip(*rows, strict=True) if rows else [()] * len(schema)
    arrays = [
        arrow.array(values, type=column.type)
        for values, column in zip(columns, schema, strict=True)
    ]
    return arrow.Table.from_arrays(arrays, schema=schema)


def _in_state(results: Mapping[str, Result], state: str) -> list[str] | None:
    """The metrics whose score has that state; None where there is none."""
    return [metric for metric, result in results.items() if result.state == state] or None


def _facts(metric: str, declared: Declaration | None) -> dict[str, Any]:
    """What holds for all scores of a metric, as far as it is known."""
    facts = metric_facts(metric)
    if declared is None:
        return {"unit": facts.unit, "range": facts.range, "polarity": facts.polarity}
    return {"unit": facts.unit, **declared._asdict()}
