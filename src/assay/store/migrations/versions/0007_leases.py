"""Which program writes a run, and until when."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Nobody holds a run that was there before."""
    with op.batch_alter_table("runs", schema=None) as batch:
        batch.add_column(sa.Column("owner", sa.Text(), nullable=True))
        batch.add_column(sa.Column("lease", sa.Float(), nullable=True))


def downgrade() -> None:
    """Forget both."""
    with op.batch_alter_table("runs", schema=None) as batch:
        batch.drop_column("lease")
        batch.drop_column("owner")
