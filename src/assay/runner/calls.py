"""The calls for Python programs."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from assay.backends import Backends
from assay.core import Aggregate, Metric, Result, Sample, Scores, Summary
from assay.core.extras import require
from assay.data import Profile
from assay.data import profile as read_profile
from assay.data.rubrics import Rubric
from assay.data.rubrics import rubric as read_rubric
from assay.engine import score_batch
from assay.report import About, open_writers
from assay.runner.job import Job
from assay.runner.stream import BATCH_SIZE, Item, run_stream
from assay.samples import read_samples, to_sample

if TYPE_CHECKING:
    from assay.runner.asking import Asking
    from assay.targets.protocol import Target

Samples = str | Path | Iterable[Sample | Mapping[str, Any]]
"""A file, or samples, or mappings with the field names of a sample file."""


@dataclass(frozen=True)
class Report:
    """All scores of a run with their summary."""

    samples: Sequence[Sample]
    scores: Sequence[Scores]
    summary: Summary

    @property
    def overall(self) -> float | None:
        """The mean of the samples' (weighted) mean quality."""
        return self.summary.overall

    @property
    def pass_rate(self) -> float | None:
        """The share of samples that pass all their thresholds."""
        return self.summary.pass_rate

    @property
    def metrics(self) -> Mapping[str, Aggregate]:
        """The aggregate of each metric."""
        return self.summary.metrics

    @property
    def failures(self) -> list[tuple[Sample, Result]]:
        """Every result below its threshold, with its sample."""
        return [
            (sample, result)
            for sample, scores in zip(self.samples, self.scores, strict=True)
            for result in scores.results.values()
            if result.passed is False
        ]

    def to_pandas(self) -> Any:
        """A data frame with one row per sample and one column per metric (extra `pandas`)."""
        pandas = require("pandas", "pandas")
        rows = [{id: r.value for id, r in scores.results.items()} for scores in self.scores]
        index = pandas.Index([scores.id for scores in self.scores], name="id")
        return pandas.DataFrame(rows, index=index)

    def save(self, path: str | Path, *, name: str = "Report") -> None:
        """Write the report; the ending of the path chooses the format, `name` is its title."""
        with open_writers([str(path)], About(name)) as (writer,):
            for sample, scores in zip(self.samples, self.scores, strict=True):
                writer.write(sample, scores)
            writer.close(self.summary)


def evaluate(
    samples: Samples,
    metrics: Iterable[str | Metric] | None = None,
    profile: str | Profile | None = None,
    *,
    workers: int = 1,
    batch_size: int = BATCH_SIZE,
    include_imputed: bool = False,
    seed: int = 0,
    backends: Backends | None = None,
    rubrics: Iterable[str | Rubric] = (),
    target: str | Callable[..., Any] | Target | None = None,
    asking: Asking | None = None,
) -> Report:
    """Score samples and keep everything in memory.

    `metrics` are selectors such as `"text"` and metrics of your own; `profile` is a bundled name, a
    file or a `Profile`; `backends` are the models that metrics may ask; `rubrics` are files with
    questions to the judge, scored as `judge.<name>`. With several `workers` all
    metrics must be installed or bundled. A mapping that is no sample raises `SampleError`; a bad
    record of a file is counted in the summary.

    With a `target` (a function, a text as on the command line, or a `Target`) the samples are
    questions: the system is asked first, as `asking` says, and its answers are scored. A question
    that got no answer is counted as unread.
    """
    selectors, own = _split(metrics)
    chosen = with_rubrics(_profile(profile), rubrics)
    job = Job(selectors, chosen, backends=backends or Backends())
    plan = job.plan(own)
    kept = _Kept()
    items = _items(samples)
    summary = run_stream(
        items if target is None else _asked(items, target, asking),
        job,
        plan=plan,
        sinks=[kept],
        workers=1 if own else workers,
        batch_size=batch_size,
        include_imputed=include_imputed,
        seed=seed,
    )
    return Report(kept.samples, kept.scores, summary)


async def aevaluate(samples: Samples, *args: Any, **kwargs: Any) -> Report:
    """`evaluate` for asynchronous programs: works in a thread, so the event loop stays free."""
    return await asyncio.to_thread(evaluate, samples, *args, **kwargs)


def score(
    *,
    metrics: Iterable[str | Metric] | None = None,
    profile: str | Profile | None = None,
    backends: Backends | None = None,
    **fields: Any,
) -> Scores:
    """Score one sample, given by its fields: `score(query="…", response="…", metrics=["text"])`."""
    return score_sample(to_sample(fields, "sample-1"), metrics, profile, backends)


def score_sample(
    sample: Sample,
    metrics: Iterable[str | Metric] | None = None,
    profile: str | Profile | None = None,
    backends: Backends | None = None,
) -> Scores:
    """Score one sample."""
    selectors, own = _split(metrics)
    job = Job(selectors, _profile(profile), backends=backends or Backends())
    return score_batch(job.plan(own), [sample])[0]


def with_rubrics(profile: Profile, rubrics: Iterable[str | Rubric]) -> Profile:
    """The profile with further rubrics: read already, or files to read."""
    given = [rubrics] if isinstance(rubrics, str | Rubric) else rubrics
    read = tuple(one if isinstance(one, Rubric) else read_rubric(one) for one in given)
    return replace(profile, rubrics=profile.rubrics + read) if read else profile


class _Kept:
    """A sink that keeps all."""

    def __init__(self) -> None:
        self.samples: list[Sample] = []
        self.scores: list[Scores] = []

    def write(self, sample: Sample, scores: Scores) -> None:
        self.samples.append(sample)
        self.scores.append(scores)


def _split(metrics: Iterable[str | Metric] | None) -> tuple[tuple[str, ...], tuple[Metric, ...]]:
    """The selectors and the metrics given as such."""
    given = [metrics] if isinstance(metrics, str | Metric) else list(metrics or ())
    return (
        tuple(m for m in given if isinstance(m, str)),
        tuple(m for m in given if isinstance(m, Metric)),
    )


def _profile(profile: str | Profile | None) -> Profile:
    return read_profile(profile) if isinstance(profile, str) else profile or Profile()


def _asked(
    items: Iterator[Item], target: str | Callable[..., Any] | Target, asking: Asking | None
) -> Iterator[Item]:
    """The questions with the answers of a system."""
    from assay.runner.asking import Asker
    from assay.targets.choose import open_target
    from assay.targets.python import PythonTarget

    if isinstance(target, str):
        target = open_target(target, environ=os.environ)
    elif not hasattr(target, "ask"):
        target = PythonTarget(target)
    return Asker(cast("Target", target), asking).items(items)


def _items(samples: Samples) -> Iterator[Item]:
    if isinstance(samples, str | Path):
        yield from read_samples(samples)
        return
    for number, sample in enumerate(samples, 1):
        yield sample if isinstance(sample, Sample) else to_sample(sample, f"sample-{number}")
