"""A run as a file, to move it from one store to another.

The file is JSON lines: the run itself first, then its records in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from assay.core import DataError, Sample, SampleError, Scores
from assay.core.jsontext import dumps, loads
from assay.core.plain import sample_from_json, sample_json, scores_from_json, scores_json
from assay.store.answers import StoredAnswer, add_answers, answer_from_json, read_answers
from assay.store.block_tests import refuse_blocks
from assay.store.connect import Store
from assay.store.run_list import Run
from assay.store.run_writer import RunPlan, start_run
from assay.store.test_reader import StoredRecord, read_places

VERSION = 1
"""Of the file's form."""
BATCH = 500


def export_run(store: Store, run: Run) -> Iterator[str]:
    """The lines of the file; refused at once for a run whose samples are not in the store."""
    refuse_blocks(store, run.id)
    return _exported(store, run)


def _exported(store: Store, run: Run) -> Iterator[str]:
    yield dumps(
        {
            "assay_run": VERSION,
            "name": run.name,
            "created": run.created,
            "source": run.source,
            "tags": list(run.tags),
            "plan": run.plan,
            "summary": run.summary,
        }
    )
    for start in range(0, run.places, BATCH):
        end = min(start + BATCH, run.places)
        records = read_places(store, run.id, start, end)
        answers = read_answers(store, run.id, start, end)
        for place in range(start, end):
            yield dumps(_record(records[place]) | _answers(answers.get(place, ())))


def _answers(given: Sequence[StoredAnswer]) -> dict[str, Any]:
    """What a system said to the question, where one was asked."""
    if not given or given[0].question is None:
        return {}
    return {
        "question": sample_json(given[0].question),
        "answers": [answer.to_json() for answer in given],
    }


def _record(record: StoredRecord) -> dict[str, Any]:
    if record.sample is None or record.scores is None:
        return {"problem": record.problem}
    return {"sample": sample_json(record.sample), **scores_json(record.scores)}


def import_run(
    store: Store,
    path: Path,
    name: str | None = None,
    describe: Callable[[Sample, Scores], Scores] = lambda _, scores: scores,
) -> str:
    """Put the run of a file into the store, under its own name or another; gives the name.

    `describe` adds what scores of older files lack: their language, and why they failed.
    """
    lines = _lines(path)
    header = next(lines, {})
    if header.get("assay_run") != VERSION:
        raise DataError(f"{str(path)!r} is no exported run of version {VERSION}")
    metrics = {id: (entry[0], entry[1]) for id, entry in header["plan"]["metrics"].items()}
    plan = RunPlan(metrics, header["plan"]["settings"])
    writer = start_run(
        store,
        name or header["name"],
        plan,
        source=header["source"],
        tags=header["tags"],
        now=lambda: float(header["created"]),
    )
    batch: list[Sample | SampleError] = []
    scored: list[Scores] = []
    answers: list[StoredAnswer] = []
    for place, line in enumerate(lines):
        if "answers" in line:
            question = sample_from_json(line["question"])
            answers += [answer_from_json(place, entry, question) for entry in line["answers"]]
        if "problem" in line:
            batch.append(SampleError(line["problem"]))
        else:
            sample = sample_from_json(line["sample"])
            batch.append(sample)
            scored.append(describe(sample, scores_from_json(sample.id, line)))
        if len(batch) == BATCH:
            add_answers(store, writer.id, answers)
            writer.record(batch, scored)
            batch, scored, answers = [], [], []
    if batch:
        add_answers(store, writer.id, answers)
        writer.record(batch, scored)
    if header["summary"] is not None:
        writer.finish(header["summary"])
    return writer.name


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                try:
                    yield loads(line)
                except ValueError as error:
                    raise DataError(f"{str(path)!r}, line {number}: {error}") from None
    except FileNotFoundError:
        raise DataError(f"no such file: {str(path)!r}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{str(path)!r} cannot be read: {error}") from None
