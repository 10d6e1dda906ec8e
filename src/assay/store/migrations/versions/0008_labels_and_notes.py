"""Verdicts of people on samples, and what they say about runs."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Nobody has said anything of a run that was there before.

    The columns are added in place: a batch may make the table anew, and with the old one all that
    refers to it would go.
    """
    op.add_column("runs", sa.Column("note", sa.Text(), nullable=False, server_default=""))
    op.add_column(
        "runs", sa.Column("is_baseline", sa.Boolean(), nullable=False, server_default="0")
    )
    for name, columns in {
        "labels": (
            sa.Column("rater", sa.Text(), nullable=False),
            sa.Column("label", sa.Text(), nullable=False),
            sa.Column("note", sa.Text(), nullable=False, server_default=""),
            sa.Column("created", sa.Float(), nullable=False),
            sa.PrimaryKeyConstraint("test_id", "rater", name=op.f("pk_labels")),
        ),
        "label_queue": (
            sa.Column("reason", sa.Text(), nullable=False),
            sa.Column("created", sa.Float(), nullable=False),
            sa.PrimaryKeyConstraint("test_id", name=op.f("pk_label_queue")),
        ),
    }.items():
        op.create_table(
            name,
            sa.Column("test_id", NUMBER, autoincrement=False, nullable=False),
            *columns,
            sa.ForeignKeyConstraint(
                ["test_id"],
                ["test_results.test_id"],
                name=op.f(f"fk_{name}_test_id"),
                ondelete="CASCADE",
            ),
        )
    with op.batch_alter_table("labels", schema=None) as batch:
        batch.create_index("ix_labels_rater", ["rater"], unique=False)


def downgrade() -> None:
    """Forget all of it."""
    op.drop_table("label_queue")
    op.drop_table("labels")
    op.drop_column("runs", "is_baseline")
    op.drop_column("runs", "note")
