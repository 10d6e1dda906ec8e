"""One metric's scores in SQL: columns of `test_scores` at the metric's position in the run."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Float, and_, func
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from assay.store import schema
from assay.store.packed_scores import ABSENT, DECIDED, FAILS


class NumberAt(FunctionElement[float]):
    """The number at a position, from 0, of a JSON array in a text column; NULL for null."""

    type = Float()
    inherit_cache = True
    name = "number_at"


@compiles(NumberAt, "sqlite")
def _in_sqlite(element: NumberAt, compiler: Any, **given: Any) -> str:
    text, position = (compiler.process(part, **given) for part in element.clauses)
    return f"json_extract({text}, '$[' || {position} || ']')"


@compiles(NumberAt, "postgresql")
def _in_postgresql(element: NumberAt, compiler: Any, **given: Any) -> str:
    text, position = (compiler.process(part, **given) for part in element.clauses)
    return f"CAST(CAST({text} AS json) ->> {position} AS double precision)"


class MetricColumns:
    """The scores by one metric, to be joined to `test_results`.

    `joined` leaves tests that have a result of it, `outer_joined` all, with NULL for the others.
    """

    def __init__(self, metric: str) -> None:
        self._metric = metric
        self._scores = schema.test_scores.alias()
        self._plan = schema.run_metrics.alias()
        position = self._plan.c.position
        self.position = position
        self.metric_values = self._scores.c.metric_values
        self.block, self.entry = self._scores.c.block, self._scores.c.entry
        self.value = NumberAt(self._scores.c.metric_values, position)
        self.quality = NumberAt(self._scores.c.qualities, position)
        self.code = func.substr(self._scores.c.outcomes, position + 1, 1)
        """The outcome, as in `packed_scores`."""
        self.is_there = and_(position.is_not(None), self.code != ABSENT)
        self.fails = self.code.in_(list(FAILS))

    def joined(self, read: Any, tests: Any = schema.test_results) -> Any:
        """The tables with those of the scores; `is_there` must be a condition of the query."""
        return read.join(self._scores, self._of_test(tests)).join(self._plan, self._of_run(tests))

    def outer_joined(self, read: Any, tests: Any = schema.test_results) -> Any:
        """The tables with those of the scores where there are any."""
        with_scores = read.outerjoin(self._scores, self._of_test(tests))
        return with_scores.outerjoin(self._plan, self._of_run(tests))

    def _of_test(self, tests: Any) -> Any:
        return self._scores.c.test_id == tests.c.test_id

    def _of_run(self, tests: Any) -> Any:
        named = self._plan.c.metric_name == self._metric
        return and_(self._plan.c.run_id == tests.c.run_id, named)


def state_of(code: str | None) -> str | None:
    """The state that an outcome says; None without one."""
    return DECIDED[code].state if code in DECIDED else None


def verdict_of(code: str | None) -> str | None:
    """The verdict that an outcome says; None without one."""
    return DECIDED[code].verdict if code in DECIDED else None
