"""The tables, the same on SQLite and PostgreSQL.

A test is one scored sample of one run. Its id is the run's number and its place in the run
put together (`test_id`), so rows of a batch refer to each other without a query,
and a batch that is written twice cannot count twice.

Values are in the metric's native scale, times in seconds since 1970 (UTC). JSON is kept as text:
it comes back exactly as it went in, and both databases take every character that way. What is shown
and never searched for is packed (`packed_blocks`).
"""

from __future__ import annotations

from assay.core.extras import require

require("sqlalchemy", "store")
from sqlalchemy import (  # noqa: E402 -- the line above names the extra where it is absent
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    false,
    true,
)

PLACES = 1 << 32
"""Most records of one run: a test's id is `run · PLACES + place`."""

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)
_Number = BigInteger().with_variant(Integer, "sqlite")


def test_id(run: int, place: int) -> int:
    """The number of the test at a place (from 0) of a run."""
    return run * PLACES + place


def tests_of(run: int) -> tuple[int, int]:
    """The lowest id of a run's tests, and the lowest of the next run's."""
    return run * PLACES, (run + 1) * PLACES


runs = Table(
    "runs",
    metadata,
    Column("id", _Number, primary_key=True, autoincrement=True),
    Column("name", Text, nullable=False, unique=True),
    Column("status", Text, nullable=False),  # running, finished
    Column("created", Float, nullable=False),
    Column("updated", Float, nullable=False),
    Column("finished", Float),
    Column("plan", Text, nullable=False),  # JSON: what decides the scores
    Column("source", Text, nullable=False, default=""),  # where the samples came from
    Column("tags", Text, nullable=False, default="[]"),
    Column("places", Integer, nullable=False, default=0),  # records done so far, read or not
    Column("tests", Integer, nullable=False, default=0),
    Column("unread", Integer, nullable=False, default=0),
    Column("total", Integer),  # records in all, where it is known
    Column("summary", Text),  # JSON: the run's results
    Column("owner", Text),  # the program that writes it
    Column("lease", Float),  # until when nobody else may, unless it is renewed
    Column("note", Text, nullable=False, server_default=""),  # what people say about it
    Column("is_baseline", Boolean, nullable=False, server_default=false()),  # others are compared
    Column("folder", Text, nullable=False, server_default=""),  # of a run by blocks: its Parquet
    sqlite_autoincrement=True,  # the number of a removed run is never given again
)

run_metrics = Table(
    "run_metrics",
    metadata,
    Column("run_id", _Number, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("metric_name", Text, primary_key=True),
    Column("position", Integer, nullable=False),
    Column("signature", Text, nullable=False),
    Column("threshold", Float),
    Column("gates", Boolean, nullable=False, server_default=true()),  # whether it decides passes
)

run_parts = Table(
    "run_parts",
    metadata,
    Column("run_id", _Number, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("place", BigInteger, primary_key=True, autoincrement=False),  # of the first record
    Column("number", Integer, nullable=False),  # of the block, which names its files
    Column("written", Float, nullable=False),
)
"""The finished blocks of a run whose samples stay in Parquet, in the run's folder."""

metric_sketches = Table(
    "metric_sketches",
    metadata,
    Column("run_id", _Number, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("metric_name", Text, primary_key=True),
    Column("bins", Text, nullable=False),  # JSON: a value of each bin, and how many it holds
)
"""The distribution of the values of each metric of a run by blocks (see `quantile_sketch`)."""

test_results = Table(
    "test_results",
    metadata,
    Column("test_id", _Number, primary_key=True, autoincrement=False),
    Column("run_id", _Number, ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
    Column("test_name", Text, nullable=False),
    Column("timestamp", Float, nullable=False),
    Column("status", Text, nullable=False),  # passed, failed, unsure, skipped, unjudged
    Column("duration", Float),
    Column("language", Text, nullable=False),
    Column("test_type", Text, nullable=False),
    Column("error_message", Text),
    Column("stack_trace", Text),
    Column("score", Float),
    Index("ix_test_results_run", "run_id", "status", "score"),
    Index("ix_test_results_timestamp", "timestamp"),
    Index("ix_test_results_name", "run_id", "test_name"),
)


def _of_test() -> Column[int]:
    test = ForeignKey("test_results.test_id", ondelete="CASCADE")
    return Column("test_id", _Number, test, primary_key=True, autoincrement=False)


test_tags = Table(
    "test_tags",
    metadata,
    Column("run_id", _Number, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("tag", Text, primary_key=True),
    _of_test(),
    Index("ix_test_tags_test", "test_id"),
)

unread_records = Table(
    "unread_records",
    metadata,
    Column("run_id", _Number, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("problem", Text, nullable=False),
)

answers = Table(
    "answers",
    metadata,
    Column("run_id", _Number, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("repeat", Integer, primary_key=True, autoincrement=False),  # from 0
    Column("state", Text, nullable=False),  # ok, error
    Column("question", Text),  # JSON: the sample as it was read; with the first repeat only
    Column("answer", Text),  # JSON: what the target said to each turn
    Column("error", Text),
    Column("fault", Text),
    Column("attempts", Integer, nullable=False),
    Column("asked_at", Float, nullable=False),
    Column("duration", Float),  # seconds with all waits and repetitions
)
"""What a system under test said, kept before it is scored."""


validation_details = Table(
    "validation_details",
    metadata,
    _of_test(),
    Column("query", Text),
    Column("expected_response", Text),
    Column("actual_response", Text),
    Column("similarity_score", Float),
    Column("threshold_used", Float),
    Column("validation_type", Text, nullable=False),
    Column("passed", Boolean),
)

test_blocks = Table(
    "test_blocks",
    metadata,
    Column(
        "first_test",
        _Number,
        ForeignKey("test_results.test_id", ondelete="CASCADE"),
        primary_key=True,
        autoincrement=False,
    ),
    # packed, an entry for each test (see `packed_blocks`)
    Column("samples", LargeBinary, nullable=False),  # all fields but those of validation_details
    Column("explanations", LargeBinary, nullable=False),
    Column("details", LargeBinary, nullable=False),
    Column("evidence", LargeBinary, nullable=False),
)
"""What is shown of some tests and never searched for by the database."""

test_scores = Table(
    "test_scores",
    metadata,
    _of_test(),
    Column("block", _Number, nullable=False),  # the first test of its row of test_blocks
    Column("entry", Integer, nullable=False),  # its place there, from 0
    Column("metric_values", Text, nullable=False),  # JSON: by position in run_metrics
    Column("qualities", Text, nullable=False),  # JSON: by position
    Column("outcomes", Text, nullable=False),  # a character for each (see `packed_scores`)
    Column("thresholds", Text, nullable=False),  # JSON: position → one that is not the run's
)
"""The scores of a test: one row for all metrics of its run."""

quality_checks = Table(
    "quality_checks",
    metadata,
    _of_test(),
    Column("check_name", Text, primary_key=True),
    Column("result", Boolean, nullable=False),
    Column("details", Text, nullable=False, default="{}"),  # JSON
)

failure_analysis = Table(
    "failure_analysis",
    metadata,
    _of_test(),
    Column("root_cause", Text, nullable=False),
    Column("category", Text, nullable=False, index=True),
    Column("detected_patterns", Text, nullable=False, default="[]"),  # JSON
    Column("recommendations", Text, nullable=False, default="[]"),  # JSON
)

test_artifacts = Table(
    "test_artifacts",
    metadata,
    Column("id", _Number, primary_key=True, autoincrement=True),
    Column("test_id", _Number, nullable=False, index=True),
    Column("artifact_type", Text, nullable=False),
    Column("file_path", Text, nullable=False),
    Column("timestamp", Float, nullable=False),
)

metrics_snapshots = Table(
    "metrics_snapshots",
    metadata,
    Column("id", _Number, primary_key=True, autoincrement=True),
    Column("timestamp", Float, nullable=False),
    Column("metric_type", Text, nullable=False),
    Column("metric_name", Text, nullable=False),
    Column("metric_value", Float),
    Column("labels", Text, nullable=False, default="{}"),  # JSON
    Column("run_id", _Number, ForeignKey("runs.id", ondelete="CASCADE")),
    Index("ix_metrics_snapshots_history", "metric_type", "timestamp"),
)

metric_rollups = Table(
    "metric_rollups",
    metadata,
    Column("run_id", _Number, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("hour", Integer, primary_key=True, autoincrement=False),  # hours since 1970
    Column("metric_name", Text, primary_key=True),
    Column("tag", Text, primary_key=True),  # empty: all tests
    Column("count", Integer, nullable=False),
    Column("sum", Float, nullable=False),
    Column("squared_deviation", Float, nullable=False),  # sum of (value - mean)², by Chan's merge
    Column("weight_sum", Float, nullable=False),
    Column("weighted_sum", Float, nullable=False),  # of value · weight of the sample
    Column("minimum", Float),
    Column("maximum", Float),
    Column("passed", Integer, nullable=False),
    Column("judged", Integer, nullable=False),
    Column("missing", Integer, nullable=False),
    Column("imputed", Integer, nullable=False),
    Column("errors", Integer, nullable=False),
    Column("unsure", Integer, nullable=False, server_default="0"),
    Index("ix_metric_rollups_hour", "tag", "hour"),
)

test_rollups = Table(
    "test_rollups",
    metadata,
    Column("run_id", _Number, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("hour", Integer, primary_key=True, autoincrement=False),
    Column("tag", Text, primary_key=True),
    Column("language", Text, primary_key=True),
    Column("total", Integer, nullable=False),
    Column("passed", Integer, nullable=False),
    Column("failed", Integer, nullable=False),
    Column("skipped", Integer, nullable=False),
    Column("timed", Integer, nullable=False),  # tests with a duration
    Column("duration_sum", Float, nullable=False),
    Column("duration_max", Float),
    Column("timeouts", Integer, nullable=False),  # longer than 30 s, or skipped
    Column("unsure", Integer, nullable=False, server_default="0"),
    Index("ix_test_rollups_hour", "tag", "hour"),
)

profiles = Table(
    "profiles",
    metadata,
    Column("name", Text, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("kind", Text, primary_key=True),  # profile, strategies, weights, targets
    Column("body", Text, nullable=False),
    Column("created", Float, nullable=False),
    Column("author", Text, nullable=False, default=""),
)

field_strategies = Table(
    "field_strategies",
    metadata,
    Column("set_name", Text, primary_key=True),
    Column("field", Text, primary_key=True),
    Column("strategy", Text, nullable=False),  # JSON: a word, or an object with options
)

feedback = Table(
    "feedback",
    metadata,
    Column("id", _Number, primary_key=True, autoincrement=True),
    Column("test_id", _Number, nullable=False, index=True),
    Column("created", Float, nullable=False),
    Column("author", Text, nullable=False, default=""),
    Column("ratings", Text, nullable=False, default="{}"),  # JSON: accuracy, clarity, … 1 to 5
    Column("comment", Text, nullable=False, default=""),
    Column("response", Text, nullable=False, default=""),
)

labels = Table(
    "labels",
    metadata,
    _of_test(),
    Column("rater", Text, primary_key=True),
    Column("label", Text, nullable=False),  # pass, fail
    Column("note", Text, nullable=False, server_default=""),
    Column("created", Float, nullable=False),
    Index("ix_labels_rater", "rater"),
)
"""Verdicts of people on samples: one of each rater on each sample."""

label_queue = Table(
    "label_queue",
    metadata,
    _of_test(),
    Column("reason", Text, nullable=False),  # why people should look at it
    Column("created", Float, nullable=False),
)
"""Samples that wait for a person's verdict."""

audit_log = Table(
    "audit_log",
    metadata,
    Column("id", _Number, primary_key=True, autoincrement=True),
    Column("created", Float, nullable=False, index=True),
    Column("actor", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("subject", Text, nullable=False, default=""),
    Column("details", Text, nullable=False, default="{}"),  # JSON
    Column("previous", Text, nullable=False, server_default=""),  # the digest of the entry before
    Column("digest", Text, nullable=False, server_default=""),  # of this entry and that digest
)
"""Append-only: triggers refuse to change or remove a row."""

projects = Table(
    "projects",
    metadata,
    Column("name", Text, primary_key=True),
    Column("created", Float, nullable=False),
)
"""Projects beside the default one; each has a store of its own."""

members = Table(
    "members",
    metadata,
    Column("project", Text, primary_key=True),  # `default` has no row in projects
    Column("member", Text, primary_key=True),  # an e-mail address, or group:NAME
    Column("role", Text, nullable=False),  # read, write, admin
    Column("created", Float, nullable=False),
)

users = Table(
    "users",
    metadata,
    Column("id", _Number, primary_key=True, autoincrement=True),
    Column("issuer", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("email", Text, nullable=False, server_default=""),  # empty unless it is verified
    Column("groups", Text, nullable=False, server_default="[]"),  # JSON
    Column("created", Float, nullable=False),
    Column("seen", Float, nullable=False),  # the last login
    Column("blocked", Float),
    UniqueConstraint("issuer", "subject"),
)
"""People who logged in through an identity provider, as its claims describe them."""

api_keys = Table(
    "api_keys",
    metadata,
    Column("id", _Number, primary_key=True, autoincrement=True),
    Column("name", Text, nullable=False, unique=True),
    Column("role", Text, nullable=False),  # read, write, admin
    Column("digest", Text, nullable=False, unique=True),
    Column("created", Float, nullable=False),
    Column("expires", Float),
    Column("revoked", Float),
    Column("project", Text),  # the one that it opens; none: the default one
)

login_sessions = Table(
    "login_sessions",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("holder_kind", Text, nullable=False),  # key, user
    Column("holder_id", _Number, nullable=False),
    Column("ends", Float, nullable=False),
)
"""Logged-in browsers, by the digest of what their cookie holds."""

jobs = Table(
    "jobs",
    metadata,
    Column("id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("status", Text, nullable=False, index=True),  # queued, running, done, failed, cancelled
    Column("created", Float, nullable=False),
    Column("updated", Float, nullable=False),
    Column("request", Text, nullable=False),  # JSON
    Column("run_name", Text),
    Column("done", Integer, nullable=False, default=0),
    Column("total", Integer),
    Column("error", Text),
    UniqueConstraint("run_name"),
)
