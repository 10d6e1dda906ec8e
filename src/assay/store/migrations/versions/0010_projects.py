"""Projects, their members, people who log in, and an audit trail that nobody can edit."""

import hashlib
import json

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
APPEND_ONLY = "the audit trail is append-only"


def upgrade() -> None:
    """Existing keys are those of the default project; existing entries are chained in order."""
    op.add_column("api_keys", sa.Column("project", sa.Text(), nullable=True))
    for name in ("previous", "digest"):
        op.add_column("audit_log", sa.Column(name, sa.Text(), nullable=False, server_default=""))
    op.create_table(
        "projects",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_projects")),
    )
    op.create_table(
        "members",
        sa.Column("project", sa.Text(), nullable=False),
        sa.Column("member", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("project", "member", name=op.f("pk_members")),
    )
    op.create_table(
        "users",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False, server_default=""),
        sa.Column("groups", sa.Text(), nullable=False, server_default="[]"),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("seen", sa.Float(), nullable=False),
        sa.Column("blocked", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("issuer", "subject", name=op.f("uq_users_issuer")),
    )
    _chain(op.get_bind())
    for statement in _triggers(op.get_bind().dialect.name):
        op.execute(statement)


def _chain(connection: sa.Connection) -> None:
    """Give every entry the digest of itself and of the one before."""
    table = sa.table("audit_log", *map(sa.column, ("id", *FIELDS, "previous", "digest")))
    previous = ""
    for row in connection.execute(sa.select(table).order_by(table.c.id)).all():
        fields = [previous, *(getattr(row, name) for name in FIELDS)]
        digest = hashlib.sha256(json.dumps(fields).encode()).hexdigest()
        values = {"previous": previous, "digest": digest}
        connection.execute(sa.update(table).where(table.c.id == row.id).values(values))
        previous = digest


FIELDS = ("created", "actor", "action", "subject", "details")


def _triggers(dialect: str) -> list[str]:
    if dialect == "sqlite":
        return [
            f"CREATE TRIGGER audit_log_no_{word.lower()} BEFORE {word} ON audit_log "
            f"BEGIN SELECT RAISE(ABORT, '{APPEND_ONLY}'); END"
            for word in ("UPDATE", "DELETE")
        ]
    return [
        "CREATE FUNCTION audit_log_append_only() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{APPEND_ONLY}'; END $$",
        "CREATE TRIGGER audit_log_no_change BEFORE UPDATE OR DELETE ON audit_log "
        "FOR EACH ROW EXECUTE FUNCTION audit_log_append_only()",
        "CREATE TRIGGER audit_log_no_truncate BEFORE TRUNCATE ON audit_log "
        "FOR EACH STATEMENT EXECUTE FUNCTION audit_log_append_only()",
    ]


def downgrade() -> None:
    """Forget all of it but the entries themselves."""
    if op.get_bind().dialect.name == "sqlite":
        for word in ("update", "delete"):
            op.execute(f"DROP TRIGGER audit_log_no_{word}")
    else:
        for word in ("change", "truncate"):
            op.execute(f"DROP TRIGGER audit_log_no_{word} ON audit_log")
        op.execute("DROP FUNCTION audit_log_append_only()")
    for name in ("users", "members", "projects"):
        op.drop_table(name)
    for name in ("digest", "previous"):
        op.drop_column("audit_log", name)
    op.drop_column("api_keys", "project")
