"""A grid of scripted systems, for tests: who was asked what, and how many at a time."""

from __future__ import annotations

from tests.runner.ledger_system import LedgerSystem

from assay.core import Sample
from assay.runner.answer_collector import TargetCallOptions
from assay.runner.execute import RunRequest
from assay.runner.grid import Grid, GridCell
from assay.runner.grid_run import GridRequest
from assay.runner.job import Job
from assay.runner.prompt_template import PromptTemplate
from assay.settings import Settings
from assay.targets.protocol import Answer

CELLS = ("a", "b", "c")


class System(LedgerSystem):
    """Writes its cell before each question; cell C is often wrong."""

    def __init__(self, cell, ledger):
        super().__init__(f"system:{cell.target}", ledger, cell.name)

    def reply(self, question):
        is_wrong = self.title == "c" and int(question.rsplit(" ", 1)[1]) % 2
        return Answer("Rome." if is_wrong else "Paris.", prompt_tokens=10, completion_tokens=2)


def grid(texts=None):
    """Three cells, each with a prompt of its own."""
    texts = {name: f"{name.upper()}: {{query}}" for name in CELLS} | (texts or {})
    cells = [
        GridCell(name, "bot", PromptTemplate(name, user=text), parts={"prompts": name})
        for name, text in texts.items()
    ]
    return Grid("trial", tuple(cells), "a")


def request(
    url, questions, open_target, *, texts=None, resume=False, score_repeats=False, **options
):
    """The request for all three cells."""
    settings = Settings.load(overrides={"batch_size": 16})
    return GridRequest(
        grid=grid(texts),
        run=RunRequest(
            items=(),
            job=Job(("check.passed",)),
            settings=settings,
            source="questions.jsonl",
            total=questions,
            score_repeats=score_repeats,
        ),
        items=lambda: (
            Sample(str(n), query=f"question {n}", checks=({"type": "contains", "value": "Paris"},))
            for n in range(questions)
        ),
        options=TargetCallOptions(**{"concurrency": 8, **options}),
        open_target=open_target,
        store=url,
        resume=resume,
        decided_by={"limit": None, **({"score_repeats": True} if score_repeats else {})},
    )
