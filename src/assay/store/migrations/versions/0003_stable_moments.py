"""Deviations that do not cancel, sums with the samples' weights, and labels of snapshots."""

import json
import re
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
NEW = ("squared_deviation", "weight_sum", "weighted_sum")


def upgrade() -> None:
    """Keep squared deviations instead of sums of squares.

    Σ(x − mean)² = Σx² − (Σx)²/n is what an old row can give: 0 where all values are equal, and no
    more than n·(max − min)²/4, which bounds what rounding may have added. Old rows know no weights,
    so each of their values weighs 1, as it did before.
    """
    with op.batch_alter_table("metric_rollups", schema=None) as batch:
        for name in NEW:
            batch.add_column(sa.Column(name, sa.Float(), nullable=True))
    op.execute(
        """
        UPDATE metric_rollups SET
          weight_sum = count,
          weighted_sum = sum,
          squared_deviation = CASE
            WHEN count < 2 OR minimum IS NULL OR minimum = maximum THEN 0
            WHEN sum_squares - sum * sum / count < 0 THEN 0
            WHEN sum_squares - sum * sum / count
                 > count * (maximum - minimum) * (maximum - minimum) / 4
              THEN count * (maximum - minimum) * (maximum - minimum) / 4
            ELSE sum_squares - sum * sum / count
          END
        """
    )
    with op.batch_alter_table("metric_rollups", schema=None) as batch:
        for name in NEW:
            batch.alter_column(name, existing_type=sa.Float(), nullable=False)
        batch.drop_column("sum_squares")
    _label_snapshots()


def _label_snapshots() -> None:
    """Give old snapshots the labels that new ones get: the run, and the file or system it read."""
    connection = op.get_bind()
    runs = connection.execute(sa.text("SELECT id, name, source FROM runs")).mappings().all()
    for run in runs:
        connection.execute(
            sa.text("UPDATE metrics_snapshots SET labels = :labels WHERE run_id = :run"),
            {"labels": _labels(run), "run": run["id"]},
        )


def _labels(run: Mapping[Any, Any]) -> str:
    source = re.split(r"[/\\]", run["source"])[-1]
    labels = {"run": run["name"], **({"source": source} if source else {})}
    return json.dumps(labels, ensure_ascii=False)


def downgrade() -> None:
    """Go back to sums of squares; the labels stay, for they were a column before."""
    with op.batch_alter_table("metric_rollups", schema=None) as batch:
        batch.add_column(sa.Column("sum_squares", sa.Float(), nullable=True))
    op.execute(
        """
        UPDATE metric_rollups SET sum_squares = CASE
          WHEN count = 0 THEN 0 ELSE squared_deviation + sum * sum / count END
        """
    )
    with op.batch_alter_table("metric_rollups", schema=None) as batch:
        batch.alter_column("sum_squares", existing_type=sa.Float(), nullable=False)
        for name in NEW:
            batch.drop_column(name)
