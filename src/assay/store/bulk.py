"""Many rows into one table, in the quickest way that each database has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Connection, Table


def insert_rows(connection: Connection, table: Table, rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert rows that have a value for every column, in the table's order."""
    if not rows:
        return
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    if connection.dialect.name == "postgresql":
        copied = f'COPY "{table.name}" ({names}) FROM STDIN'
        driver: Any = connection.connection.driver_connection
        with driver.cursor() as cursor, cursor.copy(copied) as copy:
            for row in rows:
                copy.write_row(row)
    else:
        marks = ", ".join("?" * len(table.columns))
        statement = f'INSERT INTO "{table.name}" ({names}) VALUES ({marks})'  # noqa: S608 -- our own names
        connection.exec_driver_sql(statement, list(rows))
