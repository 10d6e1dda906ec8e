"""Views with times as text, for the SQL of the PyAI-Slayer guide."""

from alembic import op

revision = "0005"
down_revision = "0004"
COLUMNS = {
    "test_results": (
        *("test_id", "run_id", "test_name", "status", "duration", "language", "test_type"),
        *("error_message", "stack_trace", "score"),
    ),
    "metrics_snapshots": (
        *("id", "metric_type", "metric_name", "metric_value", "labels", "run_id"),
    ),
}
"""Table → its columns but the time."""
TEXT = {
    "sqlite": "datetime(timestamp, 'unixepoch')",
    "postgresql": "to_char(to_timestamp(timestamp) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')",
}
"""A time in UTC as SQLite's `datetime('now')` writes it, so that the two can be compared."""


def upgrade() -> None:
    """Make `test_results_iso` and `metrics_snapshots_iso` beside the tables."""
    text = TEXT[op.get_bind().dialect.name]
    for table, columns in COLUMNS.items():
        listed = ", ".join(columns)
        query = f"SELECT {listed}, {text} AS timestamp FROM {table}"  # noqa: S608 -- our own names
        op.execute(f"CREATE VIEW {table}_iso AS {query}")


def downgrade() -> None:
    """Drop the views; they hold nothing of their own."""
    for table in COLUMNS:
        op.execute(f"DROP VIEW {table}_iso")
