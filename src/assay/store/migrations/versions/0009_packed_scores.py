"""The scores of a test as one row, and what is only shown packed in blocks."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import sqlalchemy as sa
from alembic import op

from assay.core import Result, Span
from assay.core.jsontext import dumps, loads
from assay.store.bulk import insert_rows
from assay.store.packed_blocks import BLOCK, PackedBlock, pack_block
from assay.store.packed_scores import in_order, pack_scores, unpack_scores
from assay.store.row_codec import is_safe, safe, unusable_text

revision = "0009"
down_revision = "0008"
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
PLACES = 1 << 32
EXPLANATION = "\0explanation"
"""Where the details of an old row keep an explanation that its column could not hold."""
SCORE = {
    "sqlite": """
        CREATE VIEW scoring_details AS
        SELECT s.test_id, m.metric_name,
          json_extract(s.metric_values, '$[' || m.position || ']') AS metric_value,
          CASE WHEN json_type(s.thresholds, '$."' || m.position || '"') IS NULL THEN m.threshold
            ELSE json_extract(s.thresholds, '$."' || m.position || '"') END AS threshold,
          {passed} AS passed,
          json_extract(s.qualities, '$[' || m.position || ']') AS quality,
          {state} AS state, {verdict} AS verdict, {gates} AS gates
        FROM test_scores s JOIN run_metrics m ON m.run_id = s.test_id / 4294967296
        WHERE substr(s.outcomes, m.position + 1, 1) <> ' '
        """,
    "postgresql": """
        CREATE VIEW scoring_details AS
        SELECT s.test_id, m.metric_name,
          CAST(CAST(s.metric_values AS json) ->> m.position AS double precision) AS metric_value,
          CASE WHEN CAST(s.thresholds AS jsonb) ? CAST(m.position AS text)
            THEN CAST(CAST(s.thresholds AS json) ->> CAST(m.position AS text) AS double precision)
            ELSE m.threshold END AS threshold,
          {passed} AS passed,
          CAST(CAST(s.qualities AS json) ->> m.position AS double precision) AS quality,
          {state} AS state, {verdict} AS verdict, {gates} AS gates
        FROM test_scores s JOIN run_metrics m ON m.run_id = s.test_id / 4294967296
        WHERE substr(s.outcomes, m.position + 1, 1) <> ' '
        """,
}
"""One row for each score again, for the SQL of the PyAI-Slayer guide."""
CODE = {"sqlite": "unicode", "postgresql": "ascii"}


def upgrade() -> None:
    """Pack the scores of every test; one that no reader takes becomes an error that says so."""
    scores, blocks = _make_packed()
    connection = op.get_bind()
    for run in _runs(connection):
        for tests in _old_blocks(connection, run):
            _pack(connection, scores, blocks, run, tests)
    for table in ("evidence", "scoring_details", "samples"):
        op.drop_table(table)
    dialect = connection.dialect.name
    code = f"({CODE[dialect]}(substr(s.outcomes, m.position + 1, 1)) - 33)"
    states = "'ok' WHEN 1 THEN 'missing' WHEN 2 THEN 'imputed' ELSE 'error'"
    view = SCORE[dialect].format(
        state=f"CASE {code} % 4 WHEN 0 THEN {states} END",
        passed=f"CASE {code} / 4 % 3 WHEN 1 THEN TRUE WHEN 2 THEN FALSE END",
        verdict=f"CASE {code} / 12 % 4 WHEN 1 THEN 'pass' WHEN 2 THEN 'fail' "
        "WHEN 3 THEN 'unsure' END",
        gates=f"{code} >= 48",
    )
    op.execute(view)


def downgrade() -> None:
    """Make a row of each score again."""
    op.execute("DROP VIEW scoring_details")
    samples, scoring, evidence = _make_rows()
    connection = op.get_bind()
    for run in _runs(connection):
        _unpack(connection, run, samples, scoring, evidence)
    op.drop_table("test_scores")
    op.drop_table("test_blocks")


class Run(NamedTuple):
    """A run with its metrics."""

    id: int
    thresholds: dict[str, float | None]


def _runs(connection: sa.Connection) -> list[Run]:
    runs = [id for (id,) in connection.execute(sa.text("SELECT id FROM runs ORDER BY id"))]
    query = sa.text(
        "SELECT metric_name, threshold FROM run_metrics WHERE run_id = :run ORDER BY position"
    )
    return [
        Run(id, {row[0]: row[1] for row in connection.execute(query, {"run": id})}) for id in runs
    ]


def _old_blocks(connection: sa.Connection, run: Run) -> Iterator[list[tuple[int, str]]]:
    """The tests of a run with the JSON of their samples, a block at a time."""
    query = sa.text(
        "SELECT test_id, rest FROM samples WHERE test_id >= :first AND test_id < :last "
        "ORDER BY test_id LIMIT :most"
    )
    first, last = run.id * PLACES, (run.id + 1) * PLACES
    while tests := connection.execute(query, {"first": first, "last": last, "most": BLOCK}).all():
        yield [(row.test_id, row.rest) for row in tests]
        first = tests[-1].test_id + 1


def _pack(
    connection: sa.Connection,
    scores: sa.Table,
    blocks: sa.Table,
    run: Run,
    tests: Sequence[tuple[int, str]],
) -> None:
    place = {"first": tests[0][0], "last": tests[-1][0]}
    spans = {
        (row.test_id, row.metric_name): row.spans
        for row in connection.execute(_between("evidence"), place)
    }
    results: dict[int, dict[str, Result]] = {id: {} for id, _ in tests}
    for row in connection.execute(_between("scoring_details"), place):
        if row.metric_name in run.thresholds:  # no reader looked at any other
            own = _result(row, spans.get((row.test_id, row.metric_name)))
            results[row.test_id][row.metric_name] = own
    ordered = [in_order(results[id], run.thresholds) for id, _ in tests]
    first = tests[0][0]
    insert_rows(connection, blocks, [(first, *pack_block([rest for _, rest in tests], ordered))])
    insert_rows(
        connection,
        scores,
        [
            (id, first, entry, *pack_scores(own, run.thresholds.values()))
            for entry, ((id, _), own) in enumerate(zip(tests, ordered, strict=True))
        ],
    )


def _between(table: str) -> sa.TextClause:
    return sa.text(f"SELECT * FROM {table} WHERE test_id BETWEEN :first AND :last")  # noqa: S608 -- our own names


def _result(row: Any, spans: str | None) -> Result:
    try:
        details = loads(row.details)
        evidence = tuple(Span(*span) for span in loads(spans)) if spans else ()
        for number in (row.metric_value, row.quality):
            if number is not None and not math.isfinite(number):
                raise ValueError(f"the value {number} is too large")
    except ValueError as error:
        return Result.error(unusable_text(str(error)))._replace(gates=bool(row.gates))
    return Result(
        value=row.metric_value,
        explanation=details.pop(EXPLANATION, row.explanation),
        evidence=evidence,
        details=details,
        state=row.state,
        passed=None if row.passed is None else bool(row.passed),
        quality=row.quality,
        threshold=row.threshold,
        verdict=row.verdict,
        gates=bool(row.gates),
    )


def _unpack(
    connection: sa.Connection, run: Run, samples: sa.Table, scoring: sa.Table, evidence: sa.Table
) -> None:
    """Make the old rows of a run, a block at a time."""
    end = (run.id + 1) * PLACES
    listed = sa.text("SELECT first_test FROM test_blocks WHERE first_test BETWEEN :a AND :b")
    firsts = sorted(connection.execute(listed, {"a": run.id * PLACES, "b": end - 1}).scalars())
    one = sa.text("SELECT * FROM test_blocks WHERE first_test = :first")
    tests = sa.text(
        "SELECT * FROM test_scores WHERE test_id >= :first AND test_id < :next ORDER BY entry"
    )
    for first, following in pairwise([*firsts, end]):
        block = PackedBlock(connection.execute(one, {"first": first}).one())
        of_block = connection.execute(tests, {"first": first, "next": following}).all()
        old = [(test.test_id, block.sample(test.entry)) for test in of_block]
        insert_rows(connection, samples, [(id, _storable(rest)) for id, rest in old])
        details: list[tuple[Any, ...]] = []
        marked: list[tuple[Any, ...]] = []
        for test in of_block:
            _add_old(details, marked, test, block, run.thresholds)
        insert_rows(connection, scoring, details)
        insert_rows(connection, evidence, marked)


def _storable(rest: str) -> str:
    """The JSON of a sample in a form that both databases take."""
    return rest if is_safe(rest) else dumps(json.loads(rest))


def _add_old(
    details: list[tuple[Any, ...]],
    marked: list[tuple[Any, ...]],
    test: Any,
    block: PackedBlock,
    thresholds: Mapping[str, float | None],
) -> None:
    explanations, every = block.explanations(test.entry), block.details(test.entry)
    spans = block.evidence(test.entry)
    for metric, (place, score) in unpack_scores(test, thresholds).items():
        text, own = explanations[place], every[place]
        if not is_safe(text):
            own = {**own, EXPLANATION: text}
        state, passed, verdict, gates = score.decided
        row = (score.value, score.threshold, passed, score.quality, state, safe(text))
        details.append((test.test_id, metric, *row, dumps(own), verdict, gates))
        if place in spans:
            listed = dumps([list(span) for span in spans[place]])
            marked.append((test.test_id, metric, listed))


def _of_test(table: str) -> sa.ForeignKeyConstraint:
    column = "first_test" if table == "test_blocks" else "test_id"
    name = op.f(f"fk_{table}_{column}")
    return sa.ForeignKeyConstraint(
        [column], ["test_results.test_id"], name=name, ondelete="CASCADE"
    )


def _make_packed() -> tuple[sa.Table, sa.Table]:
    """The new tables: scores and blocks."""
    blocks = op.create_table(
        "test_blocks",
        sa.Column("first_test", NUMBER, autoincrement=False, nullable=False),
        *(
            sa.Column(name, sa.LargeBinary(), nullable=False)
            for name in ("samples", "explanations", "details", "evidence")
        ),
        _of_test("test_blocks"),
        sa.PrimaryKeyConstraint("first_test", name=op.f("pk_test_blocks")),
    )
    scores = op.create_table(
        "test_scores",
        sa.Column("test_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("block", NUMBER, nullable=False),
        sa.Column("entry", sa.Integer(), nullable=False),
        *(
            sa.Column(name, sa.Text(), nullable=False)
            for name in ("metric_values", "qualities", "outcomes", "thresholds")
        ),
        _of_test("test_scores"),
        sa.PrimaryKeyConstraint("test_id", name=op.f("pk_test_scores")),
    )
    return scores, blocks


def _make_rows() -> tuple[sa.Table, sa.Table, sa.Table]:
    """The old tables: samples, scores and evidence."""
    samples = op.create_table(
        "samples",
        sa.Column("test_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("rest", sa.Text(), nullable=False),
        _of_test("samples"),
        sa.PrimaryKeyConstraint("test_id", name=op.f("pk_samples")),
    )
    scoring = op.create_table(
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
        sa.Column("verdict", sa.Text(), nullable=True),
        sa.Column("gates", sa.Boolean(), nullable=False, server_default=sa.true()),
        _of_test("scoring_details"),
        sa.PrimaryKeyConstraint("test_id", "metric_name", name=op.f("pk_scoring_details")),
    )
    evidence = op.create_table(
        "evidence",
        sa.Column("test_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("metric_name", sa.Text(), nullable=False),
        sa.Column("spans", sa.Text(), nullable=False),
        _of_test("evidence"),
        sa.PrimaryKeyConstraint("test_id", "metric_name", name=op.f("pk_evidence")),
    )
    return samples, scoring, evidence
