"""Questions of a run that were answered several times, with different verdicts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from assay.core.time_limit import check_time
from assay.stats.aggregates import counts_as_pass
from assay.stats.repeats import consistency
from assay.store import schema
from assay.store.block_tests import refuse_blocks
from assay.store.connect import Store
from assay.store.row_codec import question_of
from assay.store.run_list import Run
from assay.store.test_reader import read_blocks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

CHUNK = 1000
"""Tests read at a time."""
MAX_ANSWERS = 20
"""Answers that are shown of a question."""


class QuestionAnswer(NamedTuple):
    """One answer to a question."""

    test_id: int
    name: str
    status: str
    score: float | None
    response: str | None


@dataclass(slots=True)
class FlakyQuestion:
    """A question some of whose answers pass and some do not."""

    question: str
    tests: list[int]
    """Its first answers."""
    judged: int = 0
    passed: int = 0
    query: str | None = None
    answers: tuple[QuestionAnswer, ...] = ()

    @property
    def consistency(self) -> float:
        """The chance that two answers get the same verdict; 1 for a single answer."""
        alike = consistency(self.judged, self.passed)
        return 1.0 if alike is None else alike


def flaky_questions(
    store: Store, run: Run, limit: int, offset: int = 0
) -> tuple[list[FlakyQuestion], int]:
    """Questions with different verdicts, the least consistent first, and how many there are."""
    refuse_blocks(store, run.id)
    flaky = [one for one in _questions(store, run).values() if 0 < one.passed < one.judged]
    flaky.sort(key=lambda one: (one.consistency, one.tests[0]))
    page = flaky[offset : offset + limit]
    return store.read(partial(_with_texts, questions=page)), len(flaky)


def _questions(store: Store, run: Run) -> dict[str, FlakyQuestion]:
    """The questions that tests of a run name, with their counts."""
    questions: dict[str, FlakyQuestion] = {}
    first, end = schema.tests_of(run.id)
    while chunk := store.read(partial(_chunk, first=first, end=end)):
        check_time()
        for test_id, status, named in chunk:
            if named is not None:
                _count(questions.setdefault(named, FlakyQuestion(named, [])), test_id, status)
        first = chunk[-1][0] + 1
    return questions


def _count(question: FlakyQuestion, test_id: int, status: str) -> None:
    is_passed = counts_as_pass(None if status == "skipped" else status)
    if len(question.tests) < MAX_ANSWERS:
        question.tests.append(test_id)
    question.judged += is_passed is not None
    question.passed += bool(is_passed)


def _chunk(connection: Connection, first: int, end: int) -> list[tuple[int, str, str | None]]:
    """Some tests with their statuses and the questions that they name."""
    from sqlalchemy import select

    tests, packed = schema.test_results, schema.test_scores
    query = (
        select(tests.c.test_id, tests.c.status, packed.c.block, packed.c.entry)
        .join(packed, packed.c.test_id == tests.c.test_id)
        .where(tests.c.test_id >= first, tests.c.test_id < end)
        .order_by(tests.c.test_id)
        .limit(CHUNK)
    )
    rows = connection.execute(query).all()
    blocks = read_blocks(connection, {row.block for row in rows}, "samples")
    return [
        (row.test_id, row.status, question_of(blocks[row.block].sample(row.entry))) for row in rows
    ]


def _with_texts(connection: Connection, questions: Sequence[FlakyQuestion]) -> list[FlakyQuestion]:
    """The questions with their queries and answers."""
    from sqlalchemy import select

    tests, texts = schema.test_results, schema.validation_details
    query = select(
        tests.c.test_id,
        tests.c.test_name,
        tests.c.status,
        tests.c.score,
        texts.c.actual_response,
        texts.c.query,
    ).join(texts, texts.c.test_id == tests.c.test_id)
    for one in questions:
        rows = connection.execute(query.where(tests.c.test_id.in_(one.tests))).all()
        one.answers = tuple(QuestionAnswer(*row[:5]) for row in sorted(rows))
        one.query = next((row.query for row in rows if row.query), None)
    return list(questions)
