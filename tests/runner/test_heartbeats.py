"""A worker that is stuck is replaced, and nothing that it had counts twice."""

import os
import signal

import pytest
from tests.chaos_scene import expect_whole

from assay.runner import evaluate, heartbeats
from assay.runner.heartbeats import SilenceCount

PLUGIN = """
import os
import signal
from pathlib import Path

import assay

@assay.metric(id="custom.length", inputs=("response",), range=(0, None), polarity="higher")
def length(response: str) -> float:
    '''How long the response is; at some samples the process stops, but only the first time.'''
    if "stop" in response:
        mark = Path({folder!r}, response.split()[1])
        if not mark.exists():
            mark.write_text(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGSTOP)
    return len(response)
"""
RECORDS = 40


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(heartbeats, "INTERVAL", 0.1)
    monkeypatch.setattr(heartbeats, "MAX_SILENCE", 30)


def test_a_worker_that_is_stopped_is_replaced_and_every_record_is_stored_once(tmp_path, quick):
    marks = tmp_path / "marks"
    marks.mkdir()
    plugin = tmp_path / "mine.py"
    plugin.write_text(PLUGIN.format(folder=str(marks)))
    records = [
        {"id": str(n), "response": f"Answer {n}{' stop' if n == 7 else ''}."}
        for n in range(RECORDS)
    ]
    given = {"metrics": ["custom.length", "text.safety"], "plugins": [str(plugin)]}
    url = str(tmp_path / "s.db")
    report = evaluate(
        records, **given, workers=2, batch_size=10, run="stuck", store=url, settings=None
    )
    (stopped,) = (int(mark.read_text()) for mark in marks.iterdir())
    with pytest.raises(ProcessLookupError):
        os.kill(stopped, signal.SIGCONT)  # gone, so it can write nothing late
    plain = evaluate(records, **given, settings=None)
    assert [s.to_json() for s in report.scores] == [s.to_json() for s in plain.scores]
    expect_whole(url, RECORDS, "stuck")


def test_only_those_who_stay_silent_are_stuck():
    count = SilenceCount(3)
    assert count.look({1, 2}) == []
    assert count.look({1}) == []
    assert count.look({1}) == []
    assert count.look({1}) == [2]
    assert count.look({1}) == []  # told once


def test_a_sign_of_life_begins_the_count_again():
    count = SilenceCount(2)
    assert [count.look(heard) for heard in ({1}, set(), {1}, set(), set())] == [[], [], [], [], [1]]


def test_who_was_never_heard_is_not_known_to_be_stuck():
    count = SilenceCount(1)
    assert [count.look(set()) for _ in range(5)] == [[]] * 5
