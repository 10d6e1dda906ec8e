"""Killed at any moment, a run never asks an answered question again, and loses nothing."""

import random
import signal
from collections import Counter

import pytest
from tests.attempts import attempts
from tests.runner.killed_asking import MOMENTS

from assay.store import open_store
from assay.store.answers import all_answers
from assay.store.run_list import find_run, read_run

ORDER = [*MOMENTS]
KILLS = 20
QUESTIONS = 500
CONCURRENCY = 8


@pytest.fixture
def attempt():
    """Works on a run in a process that may kill itself; gives how it ended."""
    with attempts("tests.runner.killed_asking") as ended:
        yield ended


def stored(url):
    """The questions whose answers are safe."""
    store = open_store(url)
    found = {
        place
        for place, answers in all_answers(store, find_run(store, "run").id)
        for answer in answers
        if answer.is_ok
    }
    store.close()
    return found


def put(ledger):
    """The questions that were put so far, in order."""
    return [int(line.split()[1]) for line in ledger.read_text(encoding="utf-8").splitlines()]


def test_a_run_that_is_killed_20_times_asks_nothing_twice(tmp_path, attempt):
    url, ledger = f"sqlite:///{tmp_path / 'assay.db'}", tmp_path / "ledger"
    ledger.touch()
    chance = random.Random(1)  # noqa: S311 -- moments, not secrets
    safe: set[int] = set()
    seen = 0
    died = Counter()
    for _ in range(KILLS):
        moment = chance.choice(ORDER if safe else ORDER[:4])
        most = {"put": 40, "answered": 40, "delete": 40, "read_answers": 1}.get(moment, 4)
        calls = chance.randint(1, most)
        ended = attempt(url, QUESTIONS, str(ledger), moment, calls)
        died[ended] += 1
        asked = put(ledger)
        assert safe.isdisjoint(asked[seen:])
        seen = len(asked)
        kept = stored(url)
        assert kept >= safe
        safe = kept
    assert died[-signal.SIGKILL] == KILLS
    assert attempt(url, QUESTIONS, str(ledger), "never", 0) == 0
    asked = put(ledger)
    assert safe.isdisjoint(asked[seen:])
    assert set(asked) == set(range(QUESTIONS))
    assert len(asked) <= QUESTIONS + KILLS * CONCURRENCY  # those on their way at a kill, no more
    store = open_store(url)
    run = find_run(store, "run")
    assert (run.status, run.tests, run.unread) == ("finished", QUESTIONS, 0)
    responses = [sample.response for sample, _ in read_run(store, run)]
    assert responses == [f"question {n}: yes." for n in range(QUESTIONS)]
    store.close()
