"""What systems under test have said."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the table of answers."""
    op.create_table(
        "answers",
        sa.Column("run_id", NUMBER, nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("repeat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=True),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("fault", sa.Text(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("asked_at", sa.Float(), nullable=False),
        sa.Column("duration", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_answers_run_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "place", "repeat", name=op.f("pk_answers")),
    )


def downgrade() -> None:
    """Remove it."""
    op.drop_table("answers")
