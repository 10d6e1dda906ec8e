import multiprocessing
import os
import shutil
import signal
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from time import time

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Column, MetaData, Table, create_engine, inspect, select, text
from tests.attempts import attempt
from tests.store.scored import PLAN, UNREADABLE, make_samples, score, stored_run

from assay.core import DataError
from assay.core.jsontext import dumps
from assay.engine import Tally
from assay.server.api_keys import create_key
from assay.store import open_store, schema
from assay.store.audit import AuditStamp
from assay.store.migrate import HEAD, VERSION_TABLE, migrate, revision, revisions
from assay.store.run_list import find_run, read_run
from assay.store.schema import metadata, run_metrics
from assay.store.snapshots import history
from assay.store.statistics import StatisticsFilter, metric_counts


def configured(connection=None):
    config = Config()
    config.set_main_option("script_location", "assay.store:migrations")
    config.attributes["connection"] = connection
    return config


def test_the_migrations_are_a_line_that_ends_at_head():
    steps = list(ScriptDirectory.from_config(configured()).walk_revisions())
    assert [step.revision for step in reversed(steps)] == revisions()
    assert steps[0].revision == HEAD
    assert [step.down_revision for step in reversed(steps)] == [None, *revisions()[:-1]]


def test_the_migrations_make_the_tables_of_the_schema(store):
    def differences(connection):
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
        return compare_metadata(context, metadata)

    assert store.read(differences) == []


def test_every_step_goes_both_ways_twice(store):
    def tables(connection):
        return set(inspect(connection).get_table_names())

    full = store.read(tables)
    for _ in range(2):
        store.write(lambda connection: command.downgrade(configured(connection), "base"))
        assert store.read(tables) == {VERSION_TABLE}
        for step in revisions():
            store.write(lambda connection, step=step: command.upgrade(configured(connection), step))
        assert store.read(tables) == full
        assert store.read(revision) == HEAD


def test_sums_of_squares_become_squared_deviations(store):
    """An old store is converted as well as its sums allow, within what its extremes permit."""
    old = {
        "spread": ([0.0, 0.5, 1.0], 0.5),
        "equal": ([0.1, 0.1, 0.1], 0.0),
        "close": ([0.999999, 0.9999991], 0.0),
        "none": ([], 0.0),
    }

    def fill(connection):
        command.downgrade(configured(connection), "0002")
        connection.execute(
            text(
                "INSERT INTO runs (id, name, status, created, updated, plan, source, tags, places,"
                " tests, unread) VALUES (1, 'old', 'finished', 0, 0, '{}', '/data/a.jsonl', '[]',"
                " 0, 0, 0)"
            )
        )
        for metric, (values, _) in old.items():
            connection.execute(
                text(
                    "INSERT INTO metric_rollups (run_id, hour, metric_name, tag, count, sum,"
                    " sum_squares, minimum, maximum, passed, judged, missing, imputed, errors)"
                    " VALUES (1, 0, :metric, '', :count, :sum, :squares, :low, :high,"
                    " 0, 0, 0, 0, 0)"
                ),
                {
                    "metric": metric,
                    "count": len(values),
                    "sum": sum(values),
                    "squares": sum(value * value for value in values),
                    "low": min(values, default=None),
                    "high": max(values, default=None),
                },
            )
        connection.execute(
            text(
                "INSERT INTO metrics_snapshots (timestamp, metric_type, metric_name, labels,"
                " run_id) VALUES (0, 'text', 'text.safety', '{}', 1)"
            )
        )
        command.upgrade(configured(connection), "head")

    store.write(fill)
    counts = store.read(lambda connection: metric_counts(connection, StatisticsFilter()))
    for metric, (values, expected) in old.items():
        found = counts[metric]
        assert found.squared_deviation == pytest.approx(expected, abs=5.1e-15), metric
        assert (found.weight_sum, found.weighted_sum) == (len(values), found.sum)
    (snapshot,) = history(store, "text", 0.0, {"run": "old"})
    assert snapshot["labels"] == {"run": "old", "source": "a.jsonl"}


def test_an_old_run_keeps_what_its_plan_says_of_gating(store):
    def fill(connection):
        command.downgrade(configured(connection), "0005")
        plan = dumps({"metrics": {}, "settings": {"informational": ["own.told"]}})
        connection.execute(
            text(
                "INSERT INTO runs (id, name, status, created, updated, plan, source, tags, places,"
                " tests, unread) VALUES (1, 'old', 'finished', 0, 0, :plan, '', '[]', 0, 0, 0)"
            ),
            {"plan": plan},
        )
        for position, metric in enumerate(("own.told", "own.share")):
            connection.execute(
                text(
                    "INSERT INTO run_metrics (run_id, metric_name, position, signature)"
                    " VALUES (1, :metric, :position, '')"
                ),
                {"metric": metric, "position": position},
            )
        command.upgrade(configured(connection), "head")

    store.write(fill)
    rows = store.read(lambda c: c.execute(run_metrics.select()).all())
    assert {row.metric_name: row.gates for row in rows} == {"own.told": False, "own.share": True}


@pytest.mark.parametrize("version", ["9999", "abc"])
def test_a_store_of_a_newer_version_is_refused_and_left_alone(store, url, version):
    store.write(
        lambda c: c.execute(text("UPDATE assay_version SET version_num = :v"), {"v": version})
    )
    with pytest.raises(DataError, match=rf"is at version '{version}'.*its own is '{HEAD}'"):
        migrate(store)
    with pytest.raises(DataError, match="use a newer Assay"):
        open_store(url)
    assert store.read(revision) == version


def test_a_store_with_an_empty_version_table_is_refused(store):
    store.write(lambda c: c.execute(text("DELETE FROM assay_version")))
    with pytest.raises(DataError, match="is at version ''"):
        migrate(store)


FOREIGN = {
    "other": ["CREATE TABLE orders (id INTEGER)"],
    "alembic": [
        "CREATE TABLE orders (id INTEGER)",
        "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)",
        "INSERT INTO alembic_version VALUES ('0003')",
    ],
    "version alone": [
        "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)",
        "INSERT INTO alembic_version VALUES ('ab12')",
    ],
    "same names": ["CREATE TABLE runs (id INTEGER)", "CREATE TABLE samples (id INTEGER)"],
}


@pytest.mark.parametrize("statements", FOREIGN.values(), ids=FOREIGN)
def test_a_database_of_another_program_is_refused_and_left_alone(empty_url, statements):
    engine = create_engine(empty_url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))
    path = None if "postgres" in empty_url else Path(empty_url.removeprefix("sqlite:///"))
    before = path.read_bytes() if path else None
    with pytest.raises(DataError, match="is a database of another program"):
        open_store(empty_url)
    with engine.connect() as connection:
        tables = set(inspect(connection).get_table_names())
    engine.dispose()
    assert tables == {statement.split()[2] for statement in statements if "CREATE" in statement}
    if path:
        assert path.read_bytes() == before
        assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_store_with_the_first_name_of_the_version_table_is_ours(store, url):
    def turn_back(connection):
        command.downgrade(configured(connection), "0005")
        connection.execute(text("ALTER TABLE assay_version RENAME TO alembic_version"))

    store.write(turn_back)
    opened(url)
    assert store.read(revision) == HEAD
    tables = store.read(lambda connection: set(inspect(connection).get_table_names()))
    assert (VERSION_TABLE in tables, "alembic_version" in tables) == (True, False)
    store.write(lambda c: c.execute(text("ALTER TABLE assay_version RENAME TO alembic_version")))
    opened(url)
    assert store.read(revision) == HEAD


def opened(url):
    open_store(url).close()


def test_programs_that_start_at_once_migrate_once(empty_url):
    context = multiprocessing.get_context("spawn")
    starters = [context.Process(target=opened, args=(empty_url,)) for _ in range(4)]
    for starter in starters:
        starter.start()
    for starter in starters:
        starter.join()
    assert [starter.exitcode for starter in starters] == [0] * 4
    store = open_store(empty_url)
    assert store.read(revision) == HEAD
    store.close()


SNAPSHOTS = """
SELECT timestamp, metric_name, metric_value, labels
FROM metrics_snapshots_iso
WHERE metric_type = 'text'
AND timestamp >= {now}
ORDER BY timestamp ASC
"""
BUCKETS = """
SELECT timestamp, status, duration FROM test_results_iso WHERE timestamp >= {now}
"""
SINCE = {
    "sqlite": "datetime('now', '-24 hours')",
    "postgresql": "to_char((now() - interval '24 hours') AT TIME ZONE 'UTC', "
    "'YYYY-MM-DD HH24:MI:SS')",
}


def test_the_sql_of_the_guide_reads_the_views(store):
    now = time()
    run = {"id": 1, "name": "r", "status": "finished", "created": now, "updated": now, "plan": "{}"}
    test = {"run_id": 1, "test_name": "t", "status": "passed", "language": "en", "test_type": ""}
    shot = {"metric_type": "text", "metric_name": "text.safety", "metric_value": 1.0, "run_id": 1}
    ages = (60.0, 25 * 3600.0)

    def fill(connection):
        connection.execute(schema.runs.insert(), [run])
        for number, age in enumerate(ages, start=1):
            own = {"timestamp": now - age}
            connection.execute(schema.test_results.insert(), [{**test, **own, "test_id": number}])
            connection.execute(schema.metrics_snapshots.insert(), [{**shot, **own, "id": number}])

    store.write(fill)
    expected = f"{datetime.fromtimestamp(now - ages[0], UTC):%Y-%m-%d %H:%M:%S}"
    for query in (SNAPSHOTS, BUCKETS):
        sql = text(query.format(now=SINCE[store.engine.dialect.name]))
        (row,) = store.read(lambda connection, sql=sql: connection.execute(sql).all())
        assert row.timestamp == expected


def filled(store):
    """A row or more in every table, with texts that are hard to keep."""
    for number, name in enumerate(("hostile", "plain")):
        samples = make_samples(6, metadata={"deep": [{"\ud800": "\0", "n": 10**300}]})
        if name == "hostile":
            samples = [
                replace(s, response=f"{s.response} \0\ud800\u202e\uffff مرحبا") for s in samples
            ]
        writer = stored_run(store, [*samples, UNREADABLE], name)
        tally = Tally(PLAN)
        for sample, scores in zip(samples, score(samples), strict=True):
            tally.add(sample, scores)
        writer.finish(tally.summary().to_json())
        stamp = AuditStamp("ann \0", 10.0 + number)
        create_key(store, f"key {number}", "read", stamp)
        store.write(lambda c: fill_others(c, number))  # noqa: B023 -- done at once


def fill_others(connection, number):
    """Rows in the tables that runs do not write to, made of the types of their columns."""
    for table in metadata.sorted_tables:
        if connection.execute(table.select().limit(1)).first() is None:
            row = {}
            for column in table.columns:
                if column.foreign_keys:
                    (key,) = column.foreign_keys
                    row[column.name] = connection.execute(select(key.column).limit(1)).scalar()
                elif not (column.primary_key and column.autoincrement is True):
                    kind = column.type.python_type
                    row[column.name] = {str: f"x{number}", int: 1, float: 0.5, bool: True}[kind]
            connection.execute(table.insert(), [row])


def contents(connection):
    """Table → column → its values, in the order of all of them."""
    tables = {}
    for name in inspect(connection).get_table_names():
        if name == VERSION_TABLE:
            continue
        columns = [column["name"] for column in inspect(connection).get_columns(name)]
        table = Table(name, MetaData(), *(Column(column) for column in columns))
        rows = sorted(connection.execute(table.select()).all(), key=repr)
        tables[name] = {column: [row[i] for row in rows] for i, column in enumerate(columns)}
    return tables


def shared(one, other):
    """What two states of a store both have, sorted by column, so that rows may lose cells."""
    return {
        (table, column): (sorted(values, key=repr), sorted(other[table][column], key=repr))
        for table, columns in one.items()
        if table in other
        for column, values in columns.items()
        if column in other[table]
    }


def test_no_step_loses_or_changes_a_stored_value(store):
    """Every table is filled; each step down and up again, twice, keeps what both sides have."""
    filled(store)
    before = store.read(contents)
    assert all(next(iter(columns.values())) for columns in before.values()), "every table has rows"
    steps = [*reversed(revisions()[:-1]), *revisions()[1:]]
    for step in steps * 2:
        current = store.read(revision)
        move = command.downgrade if step < current else command.upgrade
        store.alter(lambda c, move=move, step=step: move(configured(c), step))
        after = store.read(contents)
        for place, (old, new) in shared(before, after).items():
            assert old == new, (current, step, place)
        before = after
    assert store.read(revision) == HEAD
    for run in ("hostile", "plain"):
        assert len(list(read_run(store, find_run(store, run)))) == 6


def as_another_program(store, query):
    """The rows of a query, as people ask who open the database themselves.

    Our own connections trust no function in a view, so that nobody can make them run one.
    """
    if store.is_postgres:
        return store.read(lambda connection: connection.execute(text(query)).all())
    with closing(sqlite3.connect(store.url.removeprefix("sqlite:///"))) as connection:
        return connection.execute(query).fetchall()


def test_scores_survive_the_way_to_rows_and_back(store):
    """What is packed is what was there, and the view shows it a row a score."""
    filled(store)
    columns = (
        "test_id, metric_name, metric_value, threshold, passed, quality, state, verdict, gates"
    )
    listed = f"SELECT {columns} FROM scoring_details ORDER BY test_id, metric_name"  # noqa: S608 -- our own names

    def shown():
        rows = as_another_program(store, listed)
        return [(*row[:4], row[4] and bool(row[4]), *row[5:8], bool(row[8])) for row in rows]

    def read(run):
        return [(sample, scores.to_json()) for sample, scores in read_run(store, run)]

    runs = [find_run(store, name) for name in ("hostile", "plain")]
    packed, whole = shown(), [read(run) for run in runs]
    assert len(packed) == 36
    store.alter(lambda c: command.downgrade(configured(c), "0008"))
    assert shown() == packed
    rows = store.read(contents)
    store.alter(lambda c: command.upgrade(configured(c), "head"))
    assert shown() == packed
    assert [read(run) for run in runs] == whole
    store.alter(lambda c: command.downgrade(configured(c), "0008"))
    assert store.read(contents) == rows


def test_an_old_score_that_no_reader_takes_becomes_an_error_that_says_so(store):
    writer = stored_run(store, make_samples(2), "old")

    def spoil(connection):
        command.downgrade(configured(connection), "0008")
        for place, (column, value) in enumerate((("metric_value", "1e999"), ("details", "'{'"))):
            change = text(f"UPDATE scoring_details SET {column} = {value} WHERE test_id = :id")  # noqa: S608 -- our own
            if not (store.is_postgres and column == "metric_value"):
                connection.execute(change, {"id": writer.id * schema.PLACES + place})
        command.upgrade(configured(connection), "head")

    store.alter(spoil)
    (_, first), (_, second) = read_run(store, find_run(store, "old"))
    spoilt = [second] if store.is_postgres else [first, second]
    for result in (result for scores in spoilt for result in scores.results.values()):
        assert (result.state, result.value) == ("error", None)
        assert result.explanation.startswith("The stored result cannot be used: ")


AVERAGES = """
SELECT metric_name, AVG(metric_value) as avg_value, COUNT(*) as count
FROM scoring_details
GROUP BY metric_name
HAVING count(*) > 0
"""


def test_the_sql_of_the_guide_averages_scores(store):
    samples = make_samples(20)
    stored_run(store, samples, "averages")
    rows = as_another_program(store, AVERAGES)
    scored = score(samples)
    for metric, mean, number in rows:
        values = [own.results[metric].value for own in scored]
        expected = [value for value in values if value is not None]
        assert (mean, number) == (pytest.approx(sum(expected) / len(expected)), 20)
    assert {row[0] for row in rows} == set(scored[0].results)


def migrate_and_die(path, statement):
    """Open a store, which migrates it, and die before a statement of its migration."""
    from sqlalchemy import Engine, event

    left = statement

    @event.listens_for(Engine, "before_cursor_execute")
    def die_in_time(*given):
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    open_store(str(path)).close()


def test_a_migration_that_is_killed_anywhere_leaves_a_store_that_opens(tmp_path):
    """Killed before every third of its statements: the old store or the new one, with all rows."""
    old = tmp_path / "old.db"
    store = open_store(str(old))
    stored_run(store, make_samples(6), "run")
    store.alter(lambda connection: command.downgrade(configured(connection), "0002"))
    store.close()
    for statement in count(1, 3):
        path = tmp_path / "killed.db"
        shutil.copy(old, path)
        ended = attempt(migrate_and_die, (path, statement))
        with closing(sqlite3.connect(path)) as connection:
            (version,) = connection.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchone()  # noqa: S608 -- our own name
        assert version in ("0002", HEAD), statement
        if statement % 10 == 1 or ended == 0:
            store = open_store(str(path))
            assert store.read(revision) == HEAD
            assert len(list(read_run(store, find_run(store, "run")))) == 6, statement
            store.close()
        if ended == 0:
            break
        assert ended == -signal.SIGKILL
    assert statement >= 50
