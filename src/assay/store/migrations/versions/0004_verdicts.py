"""Verdicts with `unsure`, and which metrics decide passes."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
ROLLUPS = ("metric_rollups", "test_rollups")


def upgrade() -> None:
    """Keep each result's verdict and whether it gates.

    In older runs every metric with a threshold decided, and nothing was unsure.
    """
    with op.batch_alter_table("scoring_details", schema=None) as batch:
        batch.add_column(sa.Column("verdict", sa.Text(), nullable=True))
        batch.add_column(sa.Column("gates", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.execute(
        """
        UPDATE scoring_details SET verdict = CASE WHEN passed THEN 'pass' ELSE 'fail' END
        WHERE passed IS NOT NULL
        """
    )
    for table in ROLLUPS:
        with op.batch_alter_table(table, schema=None) as batch:
            batch.add_column(sa.Column("unsure", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    """Forget both; what was unsure counts as not judged."""
    for table in ROLLUPS:
        with op.batch_alter_table(table, schema=None) as batch:
            batch.drop_column("unsure")
    with op.batch_alter_table("scoring_details", schema=None) as batch:
        batch.drop_column("gates")
        batch.drop_column("verdict")
