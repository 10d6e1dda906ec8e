"""Two programs never mix their data in one run."""

from __future__ import annotations

from pathlib import Path
from threading import Event, Thread

import pytest

from assay.core.errors import RunBusyError
from assay.runner import Job, evaluate, execute
from assay.runner.execute import Observer, RecordRequest, RunRequest
from assay.settings import Settings
from assay.store import open_store
from assay.store.run_list import find_run

ONE = [{"id": f"one-{n}", "response": "One."} for n in range(6)]
OTHER = [{"id": f"other-{n}", "response": "Other."} for n in range(6)]


class Started:
    """A target that says when it is asked, and answers when it may."""

    name = "slow"

    def __init__(self) -> None:
        self.asked, self.may_answer = Event(), Event()

    def __call__(self, query: str) -> str:
        self.asked.set()
        self.may_answer.wait()
        return query


def test_a_second_program_gets_an_error_and_asks_nothing(tmp_path: Path) -> None:
    store, slow, calls = str(tmp_path / "s.db"), Started(), []
    questions = [{"id": str(n), "query": f"Question {n}?"} for n in range(4)]
    common = {"metrics": "text.safety", "run": "r", "resume": True, "store": store}
    first = Thread(
        target=lambda: evaluate(questions, target=slow, settings=None, **common)  # type: ignore[arg-type]
    )
    first.start()
    slow.asked.wait()
    with pytest.raises(RunBusyError, match="run 'r' is being written by another program"):
        evaluate(questions, target=lambda query: calls.append(query), settings=None, **common)  # type: ignore[arg-type]
    slow.may_answer.set()
    first.join()
    assert calls == []
    opened = open_store(store)
    assert find_run(opened, "r").status == "finished"
    opened.close()


def test_a_program_that_waits_goes_on_when_the_first_has_ended(tmp_path: Path) -> None:
    store, slow = str(tmp_path / "s.db"), Started()
    questions = [{"id": str(n), "query": f"Question {n}?"} for n in range(4)]
    settings = Settings.load(overrides={"store": store, "metrics": ["text.safety"]})
    first = Thread(
        target=lambda: evaluate(
            questions, target=slow, settings=settings, run="r", metrics="text.safety"
        )
    )
    first.start()
    slow.asked.wait()

    class Releasing(Observer):
        def waiting(self, reason: str) -> None:
            slow.may_answer.set()

    record = RecordRequest(store=store, name="r", resume=True, wait=60.0)
    request = RunRequest(
        items=[],
        job=Job(metrics=("text.safety",)),
        settings=settings,
        record=record,
        observer=Releasing(),
    )
    with pytest.raises(Exception, match="has 4 records and the data has fewer"):
        execute(request)
    first.join()
