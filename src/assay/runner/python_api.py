"""The calls for Python programs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import fields as dataclass_fields
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from assay.backends import Backends
from assay.core import Aggregate, Result, Sample, SampleError, Scores, Summary, UsageError
from assay.core.extras import require
from assay.core.moment import now
from assay.data import Profile
from assay.data.rubrics import Rubric
from assay.report import About, open_writers
from assay.report.notebook import report_html, scores_html
from assay.runner.arguments import (
    Metrics,
    SettingsChoice,
    call_settings,
    sort_keywords,
    split_metrics,
)
from assay.runner.escalation import EscalationRequest
from assay.runner.event_loops import in_thread
from assay.runner.execute import (
    RecordRequest,
    RunRequest,
    TargetRequest,
    execute,
    execute_one,
)
from assay.runner.job import make_job
from assay.runner.rows import Row, Rows
from assay.runner.stream import Item
from assay.samples import check_numbers, read_samples, to_sample
from assay.samples.columns import (
    LOOKED_AT,
    ColumnReading,
    check_map,
    no_answers,
    read_columns,
)
from assay.samples.convert import shown
from assay.samples.field_names import ChosenColumns
from assay.samples.raw_records import numbered
from assay.samples.reader import OnColumns, samples_from
from assay.samples.tables import check_iterable, is_table, table_records
from assay.settings import Settings

if TYPE_CHECKING:
    from assay.runner.answer_collector import TargetCallOptions
    from assay.targets.protocol import Target

Samples = str | Path | Iterable[Sample | Mapping[str, Any]] | Any
"""A file; samples, or mappings with the names of a sample file; or a table: a data frame of pandas
or Polars, a table of PyArrow, a Hugging Face dataset."""


@dataclass(frozen=True)
class Report:
    """All scores of a run with their summary."""

    samples: Sequence[Sample]
    scores: Sequence[Scores]
    summary: Summary
    columns: str = ""
    """How the columns of a file or table were read, where it has some."""

    @property
    def overall(self) -> float | None:
        """The mean of the samples' (weighted) mean quality of the metrics that gate."""
        return self.summary.overall

    @property
    def pass_rate(self) -> float | None:
        """The share of judged samples that pass all metrics that gate."""
        return self.summary.pass_rate

    @property
    def metrics(self) -> Mapping[str, Aggregate]:
        """The aggregate of each metric."""
        return self.summary.metrics

    @property
    def failures(self) -> list[tuple[Sample, Result]]:
        """Every result that gates and fails, with its sample."""
        return [
            (sample, result)
            for sample, scores in zip(self.samples, self.scores, strict=True)
            for result in scores.results.values()
            if result.gates and result.verdict == "fail"
        ]

    def to_pandas(self) -> Any:
        """A data frame with one row per sample and one column per metric (extra `pandas`)."""
        pandas = require("pandas", "pandas")
        rows = [{id: r.value for id, r in scores.results.items()} for scores in self.scores]
        index = pandas.Index([scores.id for scores in self.scores], name="id")
        return pandas.DataFrame(rows, index=index)

    def _repr_html_(self) -> str:
        """The report as notebooks show it."""
        return report_html(self.samples, self.summary, self.columns)

    def save(self, path: str | Path, *, name: str = "Report") -> None:
        """Write the report; the ending of the path chooses the format, `name` is its title."""
        with open_writers([str(path)], About(name, created=now())) as (writer,):
            for sample, scores in zip(self.samples, self.scores, strict=True):
                writer.write(sample, scores)
            writer.close(self.summary)


@dataclass(frozen=True, eq=False)
class SampleScores(Scores):
    """The scores of one sample together with it: notebooks mark the evidence in its texts."""

    sample: Sample = field(default_factory=Sample, repr=False)

    def _repr_html_(self) -> str:
        """The scores as notebooks show them."""
        return scores_html(self, self.sample)


def evaluate(
    samples: Samples,
    metrics: Metrics = None,
    profile: str | Profile | None = None,
    *,
    map: Mapping[str, str] | None = None,
    thresholds: Mapping[str, float] | None = None,
    workers: int | None = None,
    batch_size: int | None = None,
    include_imputed: bool | None = None,
    seed: int | None = None,
    backends: Backends | None = None,
    rubrics: str | Rubric | Iterable[str | Rubric] = (),
    strategies: Mapping[str, Any] | str | None = None,
    plugins: Iterable[str] = (),
    target: str | Callable[..., Any] | Target | None = None,
    asking: TargetCallOptions | None = None,
    score_repeats: bool = False,
    run: str | None = None,
    resume: bool = False,
    escalate: bool | str | Path = False,
    settings: SettingsChoice = "auto",
    **options: Any,
) -> Report:
    """Score samples and keep everything in memory.

    What is set in `assay.toml` and in the environment counts as it does on the command line; an
    argument goes before it. Every setting is an argument too: `redact=True`, `embedder="none"`.

    With several `workers` all metrics must be installed or bundled. A mapping that is no sample
    raises `SampleError`; a bad record of a file is counted in the summary.

    With a `target` (a function, a text as on the command line, or a `Target`) the samples are
    questions: the target is called first, as `asking` says, and its answers are scored. A question
    that got no answer is counted as unread.

    Args:
        samples: A file; samples, or mappings with the names of a sample file; or a table: a data
            frame of pandas or Polars, a table of PyArrow, a Hugging Face dataset. `report.columns`
            says what was read as what.
        metrics: Selectors such as `"text"`, and metrics of your own.
        profile: A bundled name, a file or a `Profile`.
        map: Field → the column that gives it: `{"response": "Model Answer"}`. Columns with unknown
            names are otherwise found by their words and contents; where that is not certain,
            `DataError` asks.
        thresholds: Metric → threshold, before the profile's.
        workers: Processes to score with; 1 unless given, whatever is set: new processes import
            the program that calls.
        batch_size: Samples scored at a time.
        include_imputed: Whether imputed values count in the means.
        seed: Where the random draws of confidence intervals start.
        backends: The models that metrics may ask, instead of those that are set.
        rubrics: Files with questions to the judge, scored as `judge.<name>`.
        strategies: How JSON fields are compared.
        plugins: Modules or files with further metrics.
        target: The system to ask.
        asking: How the target is called.
        score_repeats: Whether each of several answers to a question is scored as a sample, for
            pass@k and consistency: those of `asking.repeat`, a record's `responses`, records with
            the same question.
        run: Keep the run under this name, in the store that is set or given as `store=`.
        resume: Whether a run of that name goes on where it stopped.
        escalate: Whether unsure samples go to the judge that is set, or wait for people in a
            `.jsonl` file: `unsure.jsonl`, or the one that is named here.
        settings: `"auto"`; None for the defaults alone; a file in place of `assay.toml`; or
            `Settings`.
        options: Any other setting by its name; an unknown one raises `ArgumentError`.

    """
    named = sort_keywords("evaluate", options, _OWN, takes_fields=False).settings
    named |= {"thresholds": thresholds, "workers": workers or 1, "batch_size": batch_size}
    named |= {"include_imputed": include_imputed, "seed": seed, "map": map}
    selectors, own = split_metrics(metrics)
    chosen = call_settings(settings, named, metrics=selectors, profile=profile)
    if resume and not run:
        raise UsageError("resume=True needs the run's name; add run=NAME")
    is_kept = run is not None or chosen.is_explicit("store")
    job = make_job(
        chosen,
        profile=profile if isinstance(profile, Profile) else None,
        rubrics=rubrics,
        strategies=strategies,
        plugins=plugins,
        backends=backends,
    )
    rows, readings = Rows(), list[ColumnReading]()

    def on_columns(reading: ColumnReading) -> None:
        if target is None and not (own or job.names_metrics() or reading.has_answers):
            raise no_answers(str(samples) if is_file else "the samples", reading)
        readings.append(reading)

    is_file = isinstance(samples, str | Path)
    decided_by: dict[str, Any] = {"map": dict(chosen.map)} if chosen.map else {}
    decided_by |= {"score_repeats": True} if score_repeats else {}
    result = execute(
        RunRequest(
            items=_items(samples, chosen, on_columns),
            job=job,
            settings=chosen,
            own_metrics=own,
            source=str(samples) if is_file else "",
            sinks=[rows],
            record=RecordRequest(store=chosen.store, name=run, resume=resume, decided_by=decided_by)
            if is_kept
            else None,
            target=None if target is None else _target(target, asking),
            score_repeats=score_repeats,
            escalation=_escalation(escalate),
        )
    )
    columns = str(readings[0]) if readings else ""
    return Report(rows.samples, rows.scores, result.summary, columns)


_OWN = (
    *("metrics", "profile", "backends", "rubrics", "strategies", "plugins", "settings"),
    *("target", "asking", "score_repeats", "run", "resume", "escalate"),
)
"""Arguments that are neither a setting nor a field."""


def _escalation(escalate: bool | str | Path) -> EscalationRequest | None:
    """Where unsure samples go; None where they stay as they are."""
    if isinstance(escalate, bool):
        return EscalationRequest() if escalate else None
    return EscalationRequest(str(escalate))


async def aevaluate(samples: Samples, *args: Any, **kwargs: Any) -> Report:
    """`evaluate` for programs on asyncio: works in a thread, so the event loop stays free.

    Under another loop, such as trio's, call `evaluate` in a thread of that loop.
    """
    return await in_thread("assay.evaluate", evaluate, samples, *args, **kwargs)


def score(
    *,
    metrics: Metrics = None,
    profile: str | Profile | None = None,
    thresholds: Mapping[str, float] | None = None,
    backends: Backends | None = None,
    rubrics: str | Rubric | Iterable[str | Rubric] = (),
    strategies: Mapping[str, Any] | str | None = None,
    plugins: Iterable[str] = (),
    settings: SettingsChoice = "auto",
    **fields: Any,
) -> Scores:
    """Score one sample, given by its fields: `score(query="…", response="…", metrics=["text"])`.

    Settings count as for `evaluate`, and every one is an argument too: `embedder="none"`. A
    keyword that is neither a field nor a setting raises `ArgumentError`; what is known of a sample
    beside its fields goes into `metadata={…}`.
    """
    given = sort_keywords("score", {"thresholds": thresholds, **fields}, _OWN)
    sample, scores = score_sample(
        to_sample(given.fields, "sample-1"),
        metrics,
        profile,
        backends=backends,
        rubrics=rubrics,
        strategies=strategies,
        plugins=plugins,
        settings=settings,
        options=given.settings,
    )
    own = {part.name: getattr(scores, part.name) for part in dataclass_fields(scores)}
    return SampleScores(**own, sample=sample)


def score_sample(
    sample: Sample,
    metrics: Metrics = None,
    profile: str | Profile | None = None,
    *,
    backends: Backends | None = None,
    rubrics: str | Rubric | Iterable[str | Rubric] = (),
    strategies: Mapping[str, Any] | str | None = None,
    plugins: Iterable[str] = (),
    settings: SettingsChoice = "auto",
    options: Mapping[str, Any] | None = None,
) -> Row:
    """Score one sample; gives it as it leaves the run, with its scores."""
    selectors, own = split_metrics(metrics)
    chosen = call_settings(settings, options or {}, metrics=selectors, profile=profile)
    job = make_job(
        chosen,
        profile=profile if isinstance(profile, Profile) else None,
        rubrics=rubrics,
        strategies=strategies,
        plugins=plugins,
        backends=backends,
    )
    return execute_one(RunRequest(items=[sample], job=job, settings=chosen, own_metrics=own))[0]


def _target(
    target: str | Callable[..., Any] | Target, asking: TargetCallOptions | None
) -> TargetRequest:
    """The system to ask."""
    from assay.runner.answer_collector import TargetCallOptions
    from assay.targets.choose import open_target
    from assay.targets.python import PythonTarget

    if isinstance(target, str):
        target = open_target(target, environ=os.environ)
    elif not hasattr(target, "ask"):
        target = PythonTarget(target)
    return TargetRequest(target=cast("Target", target), options=asking or TargetCallOptions())


def _items(samples: Samples, settings: Settings, on_columns: OnColumns) -> Iterator[Item]:
    map, needs_map = settings.map, settings.is_explicit("map")
    if isinstance(samples, str | Path):
        yield from read_samples(samples, map=map, needs_map=needs_map, on_columns=on_columns)
        return
    named = check_map(map)
    if is_table(samples):
        records = numbered(table_records(samples), "row")
        yield from samples_from(
            "the table", records, None, None, named, on_columns, needs_map=needs_map
        )
        return
    check_iterable(samples)
    yield from _given(iter(samples), named, on_columns, needs_map=needs_map)


def _given(
    samples: Iterator[Sample | Mapping[str, Any]],
    named: ChosenColumns,
    on_columns: OnColumns,
    *,
    needs_map: bool,
) -> Iterator[Item]:
    """Samples as they are, and mappings read by the names of the first; a bad one raises."""
    first = list(islice(samples, LOOKED_AT))
    chosen = named
    if records := [record for record in first if isinstance(record, Mapping)]:
        reading = read_columns("the samples", records, None, named, needs_map=needs_map)
        chosen = reading.chosen
        if len(records) == len(first):
            on_columns(reading)
    for number, sample in enumerate(chain(first, samples), 1):
        if isinstance(sample, Sample):
            yield check_numbers(sample)
        elif isinstance(sample, Mapping):
            yield to_sample(sample, f"sample-{number}", chosen=chosen)
        else:
            raise SampleError(
                f"sample {number} is {shown(sample)}; expected a Sample or a mapping of its fields"
            )
