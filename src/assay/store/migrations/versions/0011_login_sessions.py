"""Logged-in browsers, by the digest of what their cookie holds."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Nobody is logged in at first."""
    op.create_table(
        "login_sessions",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("holder_kind", sa.Text(), nullable=False),
        sa.Column("holder_id", NUMBER, nullable=False),
        sa.Column("ends", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_login_sessions")),
    )


def downgrade() -> None:
    """Everybody has to log in again."""
    op.drop_table("login_sessions")
