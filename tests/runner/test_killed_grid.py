"""Killed at any moment, a grid never asks an answered question again, and loses nothing."""

import random
import signal

import pytest
from tests.attempts import attempts
from tests.runner.grid_systems import CELLS, grid
from tests.runner.killed_grid import MOMENTS

from assay.core import NotFoundError
from assay.store import open_store
from assay.store.answers import all_answers
from assay.store.run_list import find_run, read_run

QUESTIONS = 60
CONCURRENCY = 8
MOST = {"start_run": 3, "finish": 1, "read_answers": 1, "record": 3, "insert_rows": 6}
"""Calls after which a moment can still come in an early attempt; 25 for the others."""


@pytest.fixture
def attempt():
    """Works on the experiment in a process that may kill itself; gives how it ended."""
    with attempts("tests.runner.killed_grid") as ended:
        yield ended


def stored(url):
    """The cells and questions whose answers are safe."""
    store = open_store(url)
    safe = set()
    for cell in CELLS:
        try:
            run = find_run(store, f"trial:{cell}")
        except NotFoundError:
            continue
        safe |= {
            (cell, place)
            for place, answers in all_answers(store, run.id)
            for answer in answers
            if answer.is_ok
        }
    store.close()
    return safe


def put(ledger):
    """The cells and questions that were put so far, in order."""
    lines = [line.split() for line in ledger.read_text(encoding="utf-8").splitlines()]
    return [(words[0], int(words[-1])) for words in lines]


def test_a_grid_that_is_killed_at_every_moment_asks_nothing_twice(tmp_path, attempt):
    url, ledger = f"sqlite:///{tmp_path / 'assay.db'}", tmp_path / "ledger"
    ledger.touch()
    chance = random.Random(2)  # noqa: S311 -- moments, not secrets
    order = [moment for moment in MOMENTS if moment not in ("read_answers", "finish")]
    moments = [*order, *order, "read_answers", "finish", "finish", "finish"]
    safe: set[tuple[str, int]] = set()
    seen = kills = 0
    for moment in moments:
        calls = chance.randint(1, MOST.get(moment, 25))
        ended = attempt(url, QUESTIONS, str(ledger), moment, calls)
        assert ended in (-signal.SIGKILL, 0), moment
        kills += ended == -signal.SIGKILL
        asked = put(ledger)
        assert safe.isdisjoint(asked[seen:]), moment
        seen = len(asked)
        kept = stored(url)
        assert kept >= safe, moment
        safe = kept
    assert kills >= len(order) + 4
    assert attempt(url, QUESTIONS, str(ledger), "never", 0) == 0
    asked = put(ledger)
    assert safe.isdisjoint(asked[seen:])
    assert set(asked) == {(cell, n) for cell in CELLS for n in range(QUESTIONS)}
    assert len(asked) <= len(CELLS) * QUESTIONS + kills * CONCURRENCY  # those on their way, no more
    store = open_store(url)
    for cell in grid().cells:
        run = find_run(store, f"trial:{cell.name}")
        assert (run.status, run.tests, run.unread) == ("finished", QUESTIONS, 0)
        assert run.plan["settings"]["cell"] == cell.definition()
        wrong = cell.name == "c"
        assert [sample.response for sample, _ in read_run(store, run)] == [
            "Rome." if wrong and n % 2 else "Paris." for n in range(QUESTIONS)
        ]
    store.close()
