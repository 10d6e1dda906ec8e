"""A run as a file, to move it from one store to another.

The file is JSON lines: the run itself first, then its records in order. The first line tells how
many follow, so that a file that was cut off is noticed. `assay.store.run_import` reads it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from assay.core.jsontext import dumps
from assay.core.plain import sample_json, scores_json
from assay.store.answers import StoredAnswer, read_answers
from assay.store.block_tests import refuse_blocks
from assay.store.connect import Store
from assay.store.run_list import Run
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
            "records": run.places,
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
