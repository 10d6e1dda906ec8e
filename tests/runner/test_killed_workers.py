"""Workers that die in a stored run: every record is there once, with its own scores."""

import pytest
from sqlalchemy import text

from assay.runner import evaluate
from assay.store import open_store

pytest.importorskip("sqlalchemy")

PLUGIN = """
import os
import signal
from pathlib import Path

import assay

@assay.metric(id="custom.length", inputs=("response",), range=(0, None), polarity="higher")
def length(response: str) -> float:
    '''How long the response is; some samples are fatal, but only the first time.'''
    if "fatal" in response:
        mark = Path({folder!r}, response.split()[1])
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
    return len(response)
"""
KILLS, RECORDS = 4, 80


def test_each_record_is_stored_once_however_many_workers_die(tmp_path):
    marks = tmp_path / "marks"
    marks.mkdir()
    plugin = tmp_path / "mine.py"
    plugin.write_text(PLUGIN.format(folder=str(marks)))
    step = RECORDS // KILLS
    records = [
        {"id": str(n), "response": f"Answer {n}{' fatal' if n % step == 7 else ''}."}
        for n in range(RECORDS)
    ]
    given = {"metrics": ["custom.length", "text.safety"], "plugins": [str(plugin)]}
    url = str(tmp_path / "s.db")
    report = evaluate(
        records, **given, workers=2, batch_size=10, run="killed", store=url, settings=None
    )
    assert len(list(marks.iterdir())) == KILLS
    plain = evaluate(records, **given, settings=None)
    assert [s.to_json() for s in report.scores] == [s.to_json() for s in plain.scores]
    store = open_store(url)
    counts = [
        "SELECT count(*) FROM test_results",
        "SELECT count(DISTINCT test_name) FROM test_results",
        "SELECT count(*) FROM test_scores",
        "SELECT sum(total) FROM test_rollups WHERE tag = ''",
    ]
    found = store.read(lambda c: [c.execute(text(query)).scalar_one() for query in counts])
    store.close()
    assert found == [RECORDS] * 4


def test_samples_that_are_fatal_once_are_not_given_up_for_others_of_their_batch(tmp_path):
    """Two in each batch: what ended the batch before says nothing about the second of them."""
    marks = tmp_path / "marks"
    marks.mkdir()
    plugin = tmp_path / "mine.py"
    plugin.write_text(PLUGIN.format(folder=str(marks)))
    records = [
        {"id": str(n), "response": f"Answer {n}{' fatal' if n % 10 in (3, 7) else ''}."}
        for n in range(20)
    ]
    given = {"metrics": ["custom.length"], "plugins": [str(plugin)], "settings": None}
    report = evaluate(records, **given, workers=2, batch_size=10)
    assert len(list(marks.iterdir())) == 4
    assert {s.results["custom.length"].state for s in report.scores} == {"ok"}
