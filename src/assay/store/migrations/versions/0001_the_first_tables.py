"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "api_keys",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("expires", sa.Float(), nullable=True),
        sa.Column("revoked", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_keys")),
        sa.UniqueConstraint("digest", name=op.f("uq_api_keys_digest")),
        sa.UniqueConstraint("name", name=op.f("uq_api_keys_name")),
    )
    op.create_table(
        "audit_log",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("details", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_log")),
    )
    with op.batch_alter_table("audit_log", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_audit_log_created"), ["created"], unique=False)

    op.create_table(
        "feedback",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("test_id", NUMBER, nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("ratings", sa.Text(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("response", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_feedback")),
    )
    with op.batch_alter_table("feedback", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_feedback_test_id"), ["test_id"], unique=False)

    op.create_table(
        "field_strategies",
        sa.Column("set_name", sa.Text(), nullable=False),
        sa.Column("field", sa.Text(), nullable=False),
        sa.Column("strategy", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("set_name", "field", name=op.f("pk_field_strategies")),
    )
    op.create_table(
        "jobs",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("updated", sa.Float(), nullable=False),
        sa.Column("request", sa.Text(), nullable=False),
        sa.Column("run_name", sa.Text(), nullable=True),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
        sa.UniqueConstraint("run_name", name=op.f("uq_jobs_run_name")),
    )
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_jobs_status"), ["status"], unique=False)

    op.create_table(
        "profiles",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", "version", "kind", name=op.f("pk_profiles")),
    )
    op.create_table(
        "runs",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("updated", sa.Float(), nullable=False),
        sa.Column("finished", sa.Float(), nullable=True),
        sa.Column("plan", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("places", sa.Integer(), nullable=False),
        sa.Column("tests", sa.Integer(), nullable=False),
        sa.Column("unread", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=True),
        sa.Column("summary", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_runs")),
        sa.UniqueConstraint("name", name=op.f("uq_runs_name")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "test_artifacts",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("test_id", NUMBER, nullable=False),
        sa.Column("artifact_type", sa.Text(), nullable=False),
        sa.Column("file_path", sa.Text(), nullable=False),
        sa.Column("timestamp", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_test_artifacts")),
    )
    with op.batch_alter_table("test_artifacts", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_test_artifacts_test_id"), ["test_id"], unique=False)

    op.create_table(
        "metric_rollups",
        sa.Column("run_id", NUMBER, nullable=False),
        sa.Column("hour", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("metric_name", sa.Text(), nullable=False),
        sa.Column("tag", sa.Text(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("sum", sa.Float(), nullable=False),
        sa.Column("sum_squares", sa.Float(), nullable=False),
        sa.Column("minimum", sa.Float(), nullable=True),
        sa.Column("maximum", sa.Float(), nullable=True),
        sa.Column("passed", sa.Integer(), nullable=False),
        sa.Column("judged", sa.Integer(), nullable=False),
        sa.Column("missing", sa.Integer(), nullable=False),
        sa.Column("imputed", sa.Integer(), nullable=False),
        sa.Column("errors", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_metric_rollups_run_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint(
            "run_id", "hour", "metric_name", "tag", name=op.f("pk_metric_rollups")
        ),
    )
    with op.batch_alter_table("metric_rollups", schema=None) as batch_op:
        batch_op.create_index("ix_metric_rollups_hour", ["tag", "hour"], unique=False)

    op.create_table(
        "metrics_snapshots",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("timestamp", sa.Float(), nullable=False),
        sa.Column("metric_type", sa.Text(), nullable=False),
        sa.Column("metric_name", sa.Text(), nullable=False),
        sa.Column("metric_value", sa.Float(), nullable=True),
        sa.Column("labels", sa.Text(), nullable=False),
        sa.Column("run_id", NUMBER, nullable=True),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_metrics_snapshots_run_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_metrics_snapshots")),
    )
    with op.batch_alter_table("metrics_snapshots", schema=None) as batch_op:
        batch_op.create_index(
            "ix_metrics_snapshots_history", ["metric_type", "timestamp"], unique=False
        )

    op.create_table(
        "run_metrics",
        sa.Column("run_id", NUMBER, nullable=False),
        sa.Column("metric_name", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("signature", sa.Text(), nullable=False),
        sa.Column("threshold", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_run_metrics_run_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "metric_name", name=op.f("pk_run_metrics")),
    )
    op.create_table(
        "test_results",
        sa.Column("test_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("run_id", NUMBER, nullable=False),
        sa.Column("test_name", sa.Text(), nullable=False),
        sa.Column("timestamp", sa.Float(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("duration", sa.Float(), nullable=True),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("test_type", sa.Text(), nullable=False),
        sa.Column("error_message", sa.Text(), nullable=True),
        sa.Column("stack_trace", sa.Text(), nullable=True),
        sa.Column("score", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_test_results_run_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("test_id", name=op.f("pk_test_results")),
    )
    with op.batch_alter_table("test_results", schema=None) as batch_op:
        batch_op.create_index("ix_test_results_name", ["run_id", "test_name"], unique=False)
        batch_op.create_index("ix_test_results_run", ["run_id", "status", "score"], unique=False)
        batch_op.create_index("ix_test_results_timestamp", ["timestamp"], unique=False)

    op.create_table(
        "test_rollups",
        sa.Column("run_id", NUMBER, nullable=False),
        sa.Column("hour", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("tag", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("passed", sa.Integer(), nullable=False),
        sa.Column("failed", sa.Integer(), nullable=False),
        sa.Column("skipped", sa.Integer(), nullable=False),
        sa.Column("timed", sa.Integer(), nullable=False),
        sa.Column("duration_sum", sa.Float(), nullable=False),
        sa.Column("duration_max", sa.Float(), nullable=True),
        sa.Column("timeouts", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_test_rollups_run_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "hour", "tag", "language", name=op.f("pk_test_rollups")),
    )
    with op.batch_alter_table("test_rollups", schema=None) as batch_op:
        batch_op.create_index("ix_test_rollups_hour", ["tag", "hour"], unique=False)

    op.create_table(
        "unread_records",
        sa.Column("run_id", NUMBER, nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("problem", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_unread_records_run_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "place", name=op.f("pk_unread_records")),
    )
    op.create_table(
        "evidence",
        sa.Column("test_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("metric_name", sa.Text(), nullable=False),
        sa.Column("spans", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["test_id"],
            ["test_results.test_id"],
            name=op.f("fk_evidence_test_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("test_id", "metric_name", name=op.f("pk_evidence")),
    )
    op.create_table(
        "failure_analysis",
        sa.Column("test_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("root_cause", sa.Text(), nullable=False),
        sa.Column("category", sa.Text(), nullable=False),
        sa.Column("detected_patterns", sa.Text(), nullable=False),
        sa.Column("recommendations", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["test_id"],
            ["test_results.test_id"],
            name=op.f("fk_failure_analysis_test_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("test_id", name=op.f("pk_failure_analysis")),
    )
    with op.batch_alter_table("failure_analysis", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_failure_analysis_category"), ["category"], unique=False
        )

    op.create_table(
        "quality_checks",
        sa.Column("test_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("check_name", sa.Text(), nullable=False),
        sa.Column("result", sa.Boolean(), nullable=False),
        sa.Column("details", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["test_id"],
            ["test_results.test_id"],
            name=op.f("fk_quality_checks_test_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("test_id", "check_name", name=op.f("pk_quality_checks")),
    )
    op.create_table(
        "samples",
        sa.Column("test_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("rest", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["test_id"],
            ["test_results.test_id"],
            name=op.f("fk_samples_test_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("test_id", name=op.f("pk_samples")),
    )
    op.create_table(
        "scoring_details",
        sa.Column("test_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("metric_name", sa.Text(), nullable=False),
        sa.Column("metric_value", sa.Float(), nullable=True),
        sa.Column("threshold", sa.Float(), nullable=True),
        sa.Column("passed", sa.Boolean(), nullable=True),
        sa.Column("quality", sa.Float(), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("explanation", sa.Text(), nullable=False),
        sa.Column("details", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["test_id"],
            ["test_results.test_id"],
            name=op.f("fk_scoring_details_test_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("test_id", "metric_name", name=op.f("pk_scoring_details")),
    )
    op.create_table(
        "test_tags",
        sa.Column("run_id", NUMBER, nullable=False),
        sa.Column("tag", sa.Text(), nullable=False),
        sa.Column("test_id", NUMBER, autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_test_tags_run_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["test_id"],
            ["test_results.test_id"],
            name=op.f("fk_test_tags_test_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("run_id", "tag", "test_id", name=op.f("pk_test_tags")),
    )
    with op.batch_alter_table("test_tags", schema=None) as batch_op:
        batch_op.create_index("ix_test_tags_test", ["test_id"], unique=False)

    op.create_table(
        "validation_details",
        sa.Column("test_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("query", sa.Text(), nullable=True),
        sa.Column("expected_response", sa.Text(), nullable=True),
        sa.Column("actual_response", sa.Text(), nullable=True),
        sa.Column("similarity_score", sa.Float(), nullable=True),
        sa.Column("threshold_used", sa.Float(), nullable=True),
        sa.Column("validation_type", sa.Text(), nullable=False),
        sa.Column("passed", sa.Boolean(), nullable=True),
        sa.ForeignKeyConstraint(
            ["test_id"],
            ["test_results.test_id"],
            name=op.f("fk_validation_details_test_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("test_id", name=op.f("pk_validation_details")),
    )


def downgrade() -> None:
    """Remove the tables."""
    op.drop_table("validation_details")
    with op.batch_alter_table("test_tags", schema=None) as batch_op:
        batch_op.drop_index("ix_test_tags_test")

    op.drop_table("test_tags")
    op.drop_table("scoring_details")
    op.drop_table("samples")
    op.drop_table("quality_checks")
    with op.batch_alter_table("failure_analysis", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_failure_analysis_category"))

    op.drop_table("failure_analysis")
    op.drop_table("evidence")
    op.drop_table("unread_records")
    with op.batch_alter_table("test_rollups", schema=None) as batch_op:
        batch_op.drop_index("ix_test_rollups_hour")

    op.drop_table("test_rollups")
    with op.batch_alter_table("test_results", schema=None) as batch_op:
        batch_op.drop_index("ix_test_results_timestamp")
        batch_op.drop_index("ix_test_results_run")
        batch_op.drop_index("ix_test_results_name")

    op.drop_table("test_results")
    op.drop_table("run_metrics")
    with op.batch_alter_table("metrics_snapshots", schema=None) as batch_op:
        batch_op.drop_index("ix_metrics_snapshots_history")

    op.drop_table("metrics_snapshots")
    with op.batch_alter_table("metric_rollups", schema=None) as batch_op:
        batch_op.drop_index("ix_metric_rollups_hour")

    op.drop_table("metric_rollups")
    with op.batch_alter_table("test_artifacts", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_test_artifacts_test_id"))

    op.drop_table("test_artifacts")
    op.drop_table("runs")
    op.drop_table("profiles")
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_jobs_status"))

    op.drop_table("jobs")
    op.drop_table("field_strategies")
    with op.batch_alter_table("feedback", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_feedback_test_id"))

    op.drop_table("feedback")
    with op.batch_alter_table("audit_log", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_audit_log_created"))

    op.drop_table("audit_log")
    op.drop_table("api_keys")
