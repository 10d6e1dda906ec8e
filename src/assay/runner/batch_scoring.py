"""`score_batch`: an Arrow table of records in, an Arrow table of their scores out.

It is what engines that split data themselves call on each piece: Ray, Spark, Dask.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from assay.backends import Backends
from assay.core import Result, Sample, Scores, UsageError
from assay.core.extras import require
from assay.core.jsontext import dumps
from assay.core.result_records import Detail, needs_reason
from assay.data import Profile
from assay.data.rubrics import Rubric
from assay.engine import Plan
from assay.report.sample_table import SampleTable
from assay.runner.arguments import (
    Metrics,
    SettingsChoice,
    call_settings,
    sort_keywords,
    split_metrics,
)
from assay.runner.execute import Observer, RunPart, RunRequest, declarations, execute
from assay.runner.job import make_job
from assay.samples.columns import check_map
from assay.samples.raw_records import numbered
from assay.samples.reader import samples_from
from assay.samples.tables import is_table, table_records

_OWN = ("metrics", "profile", "detail", "backends", "rubrics", "strategies", "plugins", "settings")
"""Arguments that are no setting."""


def score_batch(
    table: Any,
    metrics: Metrics = None,
    profile: str | Profile | None = None,
    *,
    map: Mapping[str, str] | None = None,
    thresholds: Mapping[str, float] | None = None,
    detail: Detail = "values",
    backends: Backends | None = None,
    rubrics: str | Rubric | Iterable[str | Rubric] = (),
    strategies: Mapping[str, Any] | str | None = None,
    plugins: Iterable[str] = (),
    settings: SettingsChoice = "auto",
    **options: Any,
) -> Any:
    """Score a table of records; gives a `pyarrow.Table` with a row for each, in the same order.

    Settings count as for `evaluate`, and every one is an argument too: `redact=True`. Metrics have
    to be named, by the call, the settings or a profile: what `auto` chooses depends on the data,
    and the pieces of a data set must not have different columns. For the same reason columns with
    names of your own are best given as `map`. A record that cannot be read has a row with its
    `problem`. Ids are checked within the table; without an `id` column they are row numbers.

    Args:
        table: A table of PyArrow, or of another package that `evaluate` takes.
        metrics: Selectors such as `"text"`, and metrics of your own.
        profile: A bundled name, a file or a `Profile`.
        map: Field → the column that gives it.
        thresholds: Metric → threshold, before the profile's.
        detail: Which scores have their reasons, as JSON in the column `details`: `"values"` none,
            `"failing"` those that did not pass, `"full"` all.
        backends: The models that metrics may ask, instead of those that are set.
        rubrics: Files with questions to the judge.
        strategies: How JSON fields are compared.
        plugins: Modules or files with further metrics.
        settings: `"auto"`; None for the defaults alone; a file; or `Settings`.
        options: Any other setting by its name.

    """
    named = sort_keywords("score_batch", options, _OWN, takes_fields=False).settings
    if not is_table(table):
        raise UsageError(f"the table is of type {type(table).__name__!r}; expected pyarrow.Table")
    selectors, own = split_metrics(metrics)
    given = {**named, "map": map, "thresholds": thresholds, "workers": 1}
    chosen = call_settings(settings, given, metrics=selectors, profile=profile)
    job = make_job(
        chosen,
        profile=profile if isinstance(profile, Profile) else None,
        rubrics=rubrics,
        strategies=strategies,
        plugins=plugins,
        backends=backends,
    )
    if not (own or job.names_metrics()):
        raise UsageError(
            "score_batch() needs metrics: by default they are chosen by the data, and the pieces "
            'of a data set may differ; name them: metrics=["text"]'
        )
    rows = TableSink(detail)
    records = list(numbered(table_records(table), "row"))
    if not records:
        rows.planned(job.plan(own))
        return rows.table()
    items = samples_from(
        "the table",
        iter(records),
        None,
        None,
        check_map(chosen.map),
        is_table=True,
        needs_map=chosen.is_explicit("map"),
    )
    execute(
        RunRequest(
            items=items,
            job=job,
            settings=chosen,
            own_metrics=own,
            part=RunPart(),
            sinks=[rows],
            observer=rows,
        )
    )
    return rows.table()


class TableSink(Observer):
    """Keeps the scored samples of a run as tables."""

    def __init__(self, detail: Detail) -> None:
        self._detail = detail
        self._reasons: list[str | None] = []

    def planned(self, plan: Plan) -> None:
        """Take the metrics of the run, which are the columns."""
        declared = declarations(plan)
        self._table = SampleTable(declared, "values", declared)

    def write(self, sample: Sample, scores: Scores) -> None:
        """Add a sample."""
        self._table.add(scores)
        if self._detail != "values":
            self._reasons.append(_reasons(scores, self._detail))

    def write_unread(self, problem: str) -> None:
        """Add a record that could not be read."""
        self._table.add_unread(problem)
        self._reasons.append(None)

    def table(self) -> Any:
        """All rows."""
        rows = self._table.take().samples
        if self._detail == "values":
            return rows
        arrow = require("pyarrow", "parquet")
        return rows.append_column("details", arrow.array(self._reasons, arrow.string()))


def _reasons(scores: Scores, detail: Detail) -> str:
    kept = {
        metric: _reason(result)
        for metric, result in scores.results.items()
        if detail == "full" or needs_reason(result)
    }
    return dumps(kept, is_compact=True)


def _reason(result: Result) -> dict[str, Any]:
    return {
        "state": result.state,
        "explanation": result.explanation,
        "evidence": [span._asdict() for span in result.evidence],
        "details": dict(result.details),
    }
