"""Puts the run of a file into a store. The file is checked as a whole before anything is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from assay.core import DataError, Sample, SampleError, Scores, Summary
from assay.core.bounds import MAX_MOMENT, MAX_SECONDS, within
from assay.core.jsontext import loads
from assay.core.plain import sample_from_json, scores_from_json
from assay.core.typed import fits, misfit
from assay.store.answers import StoredAnswer, add_answers, answer_from_json
from assay.store.connect import Store
from assay.store.run_writer import RunPlan, RunWriter, start_run
from assay.store.transfer import BATCH, VERSION

Describe = Callable[[Sample, Scores], Scores]


class _Record(NamedTuple):
    """One line of the file."""

    item: Sample | SampleError
    scores: Scores | None
    answers: list[StoredAnswer]


class _Header(NamedTuple):
    """The run itself, as the first line tells it."""

    name: str
    created: float
    source: str
    tags: Sequence[str]
    plan: RunPlan
    summary: Mapping[str, Any] | None
    records: int | None
    """How many lines follow; files of older versions do not tell."""


def import_run(
    store: Store,
    path: Path,
    name: str | None = None,
    describe: Describe = lambda _, scores: scores,
) -> str:
    """Put the run of a file into the store, under its own name or another; gives the name.

    `describe` adds what scores of older files lack: their language, and why they failed. Raises
    `DataError` that names the first line that is no part of a run; then nothing is stored.
    """
    header = _header(path)
    count = sum(1 for _ in _records(path, header.plan))
    if header.records not in (None, count):
        raise DataError(
            f"{str(path)!r} was cut off: it has {count:,} of {header.records:,} records"
        )
    writer = start_run(
        store,
        name or header.name,
        header.plan,
        source=header.source,
        tags=header.tags,
        lease=True,
        now=lambda: header.created,
    )
    try:
        _store(writer, _records(path, header.plan), describe)
        if header.summary is not None:
            writer.finish(header.summary)
    finally:
        writer.release()
    return writer.name


def _store(writer: RunWriter, records: Iterator[_Record], describe: Describe) -> None:
    batch: list[_Record] = []
    for record in records:
        batch.append(record)
        if len(batch) == BATCH:
            _write(writer, batch, describe)
            batch = []
    if batch:
        _write(writer, batch, describe)


def _write(writer: RunWriter, batch: list[_Record], describe: Describe) -> None:
    answers = [answer for record in batch for answer in record.answers]
    add_answers(writer.store, writer.id, answers, owner=writer.owner)
    scored = [
        describe(record.item, record.scores)
        for record in batch
        if isinstance(record.item, Sample) and record.scores is not None
    ]
    writer.record([record.item for record in batch], scored)


def _header(path: Path) -> _Header:
    line = next(_lines(path), (1, {}))[1]
    if line.get("assay_run") != VERSION:
        raise DataError(f"{str(path)!r} is no exported run of version {VERSION}")
    with_plan = {**line, "plan": _plan(line.get("plan"))}
    fields: dict[str, Any] = {name: with_plan.get(name) for name in _Header._fields}
    header = _Header(**fields)
    problem = misfit(header, _Header)
    if not problem and not 0 <= header.created <= MAX_MOMENT:
        problem = f"'created' is {header.created!r}"
    if not problem and (not header.name or "\0" in header.name):
        problem = f"'name' is {header.name!r}"
    if not problem and header.summary is not None:
        problem = _summary_problem(header.summary)
    if problem:
        raise DataError(f"{str(path)!r}, line 1: {problem}, which is not what a run has there")
    return header


def _plan(given: Any) -> RunPlan | None:
    if not isinstance(given, Mapping):
        return None
    metrics: Any = given.get("metrics")
    if not fits(metrics, Mapping[str, tuple[str, float | None]]):
        return None
    return RunPlan({id: (*entry,) for id, entry in metrics.items()}, given.get("settings", {}))


def _summary_problem(given: Mapping[str, Any]) -> str | None:
    try:
        return misfit(Summary.from_json(given), Summary)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        return f"'summary' lacks something ({type(error).__name__}: {error})"


def _records(path: Path, plan: RunPlan) -> Iterator[_Record]:
    """The records of the file; raises `DataError` for the first that is none."""
    lines = _lines(path)
    next(lines, None)
    for place, (number, line) in enumerate(lines):
        try:
            record = _record(place, line)
            problem = _problem(record, plan)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            problem = f"{type(error).__name__}: {error}"
        if problem:
            raise DataError(f"{str(path)!r}, line {number}, is no record of a run: {problem}")
        yield record


def _record(place: int, line: Mapping[str, Any]) -> _Record:
    answers: list[StoredAnswer] = []
    if "answers" in line:
        question = sample_from_json(line["question"])
        answers = [answer_from_json(place, entry, question) for entry in line["answers"]]
    if "problem" in line:
        return _Record(SampleError(line["problem"]), None, answers)
    sample = sample_from_json(line["sample"])
    return _Record(sample, scores_from_json(sample.id, line), answers)


def _problem(record: _Record, plan: RunPlan) -> str | None:
    """What is wrong with a record; None where nothing is."""
    for answer in record.answers:
        if problem := misfit(answer, StoredAnswer) or _reply_problem(answer):
            return problem
    if isinstance(record.item, SampleError):
        return None if fits(record.item.args, tuple[str]) else "'problem' is no text"
    assert record.scores is not None
    if problem := misfit(record.item, Sample) or misfit(record.scores, Scores):
        return problem
    shares = (("quality", result.quality) for result in record.scores.results.values())
    times = ((name, getattr(record.item, name)) for name in ("duration", "first_token_time"))
    bounded = (
        *((name, share, 1.0) for name, share in (*shares, ("score", record.scores.score))),
        *((name, seconds, MAX_SECONDS) for name, seconds in times),
    )
    for name, value, most in bounded:
        if value is not None and within(value, most) is None:
            return f"{name!r} is {value!r}"
    unknown = next((id for id in record.scores.results if id not in plan.metrics), None)
    return unknown and f"the run has no metric {unknown!r}"


def _reply_problem(answer: StoredAnswer) -> str | None:
    """What is wrong with the replies of a system, which other metrics may score later."""
    if not answer.is_ok and answer.answer is None:
        return None
    is_list = isinstance(answer.answer, list) and answer.answer
    if is_list and all(isinstance(r, Mapping) and fits(r.get("text"), str) for r in answer.answer):
        return None
    return f"'answer' is {answer.answer!r:.60}"


def _lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        with path.open(encoding="utf-8") as file:
            for number, text in enumerate(file, 1):
                try:
                    line = loads(text)
                except ValueError as error:
                    raise DataError(f"{str(path)!r}, line {number}: {error}") from None
                if not isinstance(line, dict):
                    raise DataError(f"{str(path)!r}, line {number}: expected an object")
                yield number, line
    except FileNotFoundError:
        raise DataError(f"no such file: {str(path)!r}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{str(path)!r} cannot be read: {error}") from None
