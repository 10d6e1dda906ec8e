"""Questions against runs: how each run did on each question, and where that changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from assay.store import schema
from assay.store.block_tests import refuse_blocks
from assay.store.connect import Store
from assay.store.run_list import Run
from assay.store.tests import SHOWN_TEXT

if TYPE_CHECKING:
    from sqlalchemy import Connection

Only = Literal["all", "changed", "lost", "gained"]
By = Literal["id", "query"]
DECIDED = ("passed", "failed", "unsure")
SHOWN_ANSWER = 2 * SHOWN_TEXT
"""Characters of an answer that a cell holds."""


class Cell(NamedTuple):
    """How a run did on a question."""

    test_id: int
    status: str
    score: float | None


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One question with a cell for each run; None where a run does not have it."""

    key: str
    cells: tuple[Cell | None, ...]

    @property
    def change(self) -> Only:
        """What became of it from the first run to the last that has it."""
        statuses = [cell.status for cell in self.cells if cell and cell.status in DECIDED]
        if len(set(statuses)) < 2:
            return "all"
        if statuses[0] == "passed" and statuses[-1] != "passed":
            return "lost"
        return "gained" if statuses[-1] == "passed" and statuses[0] != "passed" else "changed"


@dataclass(frozen=True, slots=True)
class Matrix:
    """A page of questions against runs."""

    by: By
    rows: tuple[MatrixRow, ...]
    texts: dict[int, tuple[str | None, str | None]]
    """Test → its query and its answer."""
    counts: dict[str, int]
    """all, changed, lost and gained → questions."""


def read_matrix(
    store: Store, runs: Sequence[Run], only: Only = "all", limit: int = 50, offset: int = 0
) -> Matrix:
    """The questions of some runs, lost ones first; paired by id or, where ids differ, by query."""
    for run in runs:
        refuse_blocks(store, run.id)

    def work(connection: Connection) -> Matrix:
        by: By = "id"
        columns = [_column(connection, run.id, by) for run in runs]
        if _shared(columns) * 2 < min(map(len, columns), default=0):
            by, columns = "query", [_column(connection, run.id, "query") for run in runs]
        keys = dict.fromkeys(key for column in columns for key in column)
        rows = [MatrixRow(key, tuple(column.get(key) for column in columns)) for key in keys]
        kinds = Counter(row.change for row in rows)
        counts = {
            "all": len(rows),
            "changed": len(rows) - kinds["all"],
            "lost": kinds["lost"],
            "gained": kinds["gained"],
        }
        chosen = [row for row in rows if only == "all" or _fits(row.change, only)]
        order = ("lost", "gained", "changed", "all")
        page = sorted(chosen, key=lambda row: order.index(row.change))[offset : offset + limit]
        ids = [cell.test_id for row in page for cell in row.cells if cell]
        return Matrix(by, tuple(page), _texts(connection, ids), counts)

    return store.read(work)


def _fits(change: Only, only: Only) -> bool:
    return change != "all" if only == "changed" else change == only


def _shared(columns: Sequence[dict[str, Cell]]) -> int:
    """How many keys the first run shares with the one that shares fewest."""
    if not columns:
        return 0
    first, *others = columns
    return min((len(first.keys() & other.keys()) for other in others), default=len(first))


def _column(connection: Connection, run: int, by: By) -> dict[str, Cell]:
    """Key → how the run did; the first sample counts where a key stands twice."""
    from sqlalchemy import select

    tests, texts = schema.test_results, schema.validation_details
    first, end = schema.tests_of(run)
    key = tests.c.test_name if by == "id" else texts.c.query
    query = select(tests.c.test_id, tests.c.status, tests.c.score, key)
    if by == "query":
        query = query.join(texts, texts.c.test_id == tests.c.test_id)
    query = query.where(tests.c.test_id >= first, tests.c.test_id < end)
    column: dict[str, Cell] = {}
    for row in connection.execute(query.order_by(tests.c.test_id)):
        if row[3]:
            column.setdefault(row[3], Cell(row[0], row[1], row[2]))
    return column


def _texts(connection: Connection, ids: Iterable[int]) -> dict[int, tuple[str | None, str | None]]:
    from sqlalchemy import select

    texts = schema.validation_details
    query = select(texts.c.test_id, texts.c.query, texts.c.actual_response).where(
        texts.c.test_id.in_(list(ids))
    )
    return {row[0]: (_cut(row[1]), _cut(row[2])) for row in connection.execute(query)}


def _cut(text: str | None) -> str | None:
    if text is None or len(text) <= SHOWN_ANSWER:
        return text
    return text[: SHOWN_ANSWER - 1] + "…"
