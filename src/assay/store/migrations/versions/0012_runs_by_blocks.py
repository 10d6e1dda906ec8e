"""Runs by blocks, whose samples stay in Parquet."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """No run that was there before has a folder; the column is added in place."""
    op.add_column("runs", sa.Column("folder", sa.Text(), nullable=False, server_default=""))
    for name, key, columns in (
        (
            "run_parts",
            sa.Column("place", sa.BigInteger(), autoincrement=False, nullable=False),
            (
                sa.Column("number", sa.Integer(), nullable=False),
                sa.Column("written", sa.Float(), nullable=False),
            ),
        ),
        (
            "metric_sketches",
            sa.Column("metric_name", sa.Text(), nullable=False),
            (sa.Column("bins", sa.Text(), nullable=False),),
        ),
    ):
        op.create_table(
            name,
            sa.Column("run_id", NUMBER, nullable=False),
            key,
            *columns,
            sa.ForeignKeyConstraint(
                ["run_id"], ["runs.id"], name=op.f(f"fk_{name}_run_id"), ondelete="CASCADE"
            ),
            sa.PrimaryKeyConstraint("run_id", key.name, name=op.f(f"pk_{name}")),
        )


def downgrade() -> None:
    """Forget where samples in Parquet are."""
    op.drop_table("metric_sketches")
    op.drop_table("run_parts")
    op.drop_column("runs", "folder")
