import multiprocessing

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text

from assay.core import DataError
from assay.store import open_store
from assay.store.migrate import HEAD, migrate, revision, revisions
from assay.store.schema import metadata


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
        return compare_metadata(MigrationContext.configure(connection), metadata)

    assert store.read(differences) == []


def test_every_step_goes_both_ways_twice(store):
    def tables(connection):
        return set(inspect(connection).get_table_names())

    full = store.read(tables)
    for _ in range(2):
        store.write(lambda connection: command.downgrade(configured(connection), "base"))
        assert store.read(tables) == {"alembic_version"}
        for step in revisions():
            store.write(lambda connection, step=step: command.upgrade(configured(connection), step))
        assert store.read(tables) == full
        assert store.read(revision) == HEAD


@pytest.mark.parametrize("version", ["9999", "abc"])
def test_a_store_of_a_newer_version_is_refused_and_left_alone(store, url, version):
    store.write(
        lambda c: c.execute(text("UPDATE alembic_version SET version_num = :v"), {"v": version})
    )
    with pytest.raises(DataError, match=rf"is at version '{version}'.*its own is '{HEAD}'"):
        migrate(store)
    with pytest.raises(DataError, match="use a newer Assay"):
        open_store(url)
    assert store.read(revision) == version


def test_a_store_with_an_empty_version_table_is_refused(store):
    store.write(lambda c: c.execute(text("DELETE FROM alembic_version")))
    with pytest.raises(DataError, match="is at version ''"):
        migrate(store)


def opened(url):
    open_store(url).close()


def test_programs_that_start_at_once_migrate_once(url):
    context = multiprocessing.get_context("spawn")
    starters = [context.Process(target=opened, args=(url,)) for _ in range(4)]
    for starter in starters:
        starter.start()
    for starter in starters:
        starter.join()
    assert [starter.exitcode for starter in starters] == [0] * 4
    store = open_store(url)
    assert store.read(revision) == HEAD
    store.close()
