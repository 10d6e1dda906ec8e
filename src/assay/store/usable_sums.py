"""Roll-ups as figures that can be summed: a row with one that cannot is left out and counted.

An earlier version stored durations, weights and values of any size; a square or a sum of these is
infinite, and PostgreSQL refuses to compute it at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.core.bounds import MAX_SUM
from assay.store import schema

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement

_BOUNDED = {
    "metric_rollups": ("sum", "squared_deviation", "weight_sum", "weighted_sum"),
    "test_rollups": ("duration_sum",),
}
_LEFT_OUT = {
    "metric_rollups": ("count", *_BOUNDED["metric_rollups"]),
    "test_rollups": ("timed", "duration_sum"),
}
_EXTREMES = ("minimum", "maximum", "duration_max")


def metric_columns() -> dict[str, ColumnElement[Any]]:
    """The columns of `metric_rollups`; values that cannot be summed count as errors."""
    from sqlalchemy import case

    columns = _columns("metric_rollups")
    table = schema.metric_rollups
    columns["errors"] = table.c.errors + case((is_usable("metric_rollups"), 0), else_=table.c.count)
    return columns


def test_columns() -> dict[str, ColumnElement[Any]]:
    """The columns of `test_rollups`; durations that cannot be summed count as not given."""
    return _columns("test_rollups")


def is_usable(name: str) -> ColumnElement[bool]:
    """Whether a row of that table can be summed; NaN and infinities cannot."""
    from sqlalchemy import and_, func

    table = schema.metadata.tables[name]
    return and_(*(func.abs(table.c[column]) <= MAX_SUM for column in _BOUNDED[name]))


def _columns(name: str) -> dict[str, ColumnElement[Any]]:
    from sqlalchemy import case

    usable = is_usable(name)
    columns: dict[str, ColumnElement[Any]] = dict(schema.metadata.tables[name].c.items())
    columns |= {left: case((usable, columns[left]), else_=0) for left in _LEFT_OUT[name]}
    return columns | {
        extreme: case((usable, columns[extreme]), else_=None)
        for extreme in _EXTREMES
        if extreme in columns
    }
