"""Which metrics of a run decide passes, so that sums over runs count only those."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Mark the metrics that a run's plan names as informational."""
    with op.batch_alter_table("run_metrics", schema=None) as batch:
        batch.add_column(sa.Column("gates", sa.Boolean(), nullable=False, server_default=sa.true()))
    runs = sa.table("runs", sa.column("id"), sa.column("plan"))
    metrics = sa.table(
        "run_metrics",
        sa.column("run_id"),
        sa.column("metric_name"),
        sa.column("gates", sa.Boolean()),
    )
    connection = op.get_bind()
    for run, plan in connection.execute(sa.select(runs.c.id, runs.c.plan)).all():
        informational = json.loads(plan).get("settings", {}).get("informational", ())
        if informational:
            connection.execute(
                metrics.update()
                .where(metrics.c.run_id == run, metrics.c.metric_name.in_(informational))
                .values(gates=False)
            )


def downgrade() -> None:
    """Forget it; the plan of each run still names them."""
    with op.batch_alter_table("run_metrics", schema=None) as batch:
        batch.drop_column("gates")
