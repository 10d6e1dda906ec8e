"""A small file cannot make a huge store, whatever its tags are."""

from dataclasses import replace

from sqlalchemy import func, select
from tests.store.scored import make_samples, stored_run

from assay.core.jsontext import dumps
from assay.core.plain import sample_json
from assay.store import groups as run_groups
from assay.store import open_store, schema
from assay.store.rollups import MAX_GROUPS, OTHER
from assay.store.run_list import find_run
from assay.store.statistics import StatisticsFilter, statistics


def tagged(count, distinct=20):
    return [
        replace(sample, tags=tuple(f"tag-{place}-{n}" for n in range(distinct)))
        for place, sample in enumerate(make_samples(count))
    ]


def rows_of(store, table):
    return store.read(lambda c: c.execute(select(func.count()).select_from(table)).scalar_one())


def test_further_tags_share_one_bucket(store):
    stored_run(store, tagged(60), size=7)
    groups = run_groups.tests_by(store, find_run(store, "first").id, "tag")
    assert len(groups) == MAX_GROUPS + 1
    assert groups["tag-0-0"].total == 1
    assert groups["tag-9-19"].total == 1
    assert "tag-10-0" not in groups
    assert groups[OTHER].total == 50
    found = statistics(store, StatisticsFilter(tag=OTHER), 0.0)
    assert found["validation_metrics"]["text.safety"]["count"] == 50
    assert rows_of(store, schema.metric_rollups) == (MAX_GROUPS + 2) * 3


def test_the_buckets_do_not_depend_on_batches(tmp_path):
    found = []
    for size in (1, 60):
        store = open_store(str(tmp_path / f"{size}.db"))
        stored_run(store, tagged(30, 9), size=size)
        found.append(run_groups.tests_by(store, find_run(store, "first").id, "tag"))
        store.close()
    assert found[0] == found[1]


def test_further_languages_share_one_bucket(store):
    samples = [replace(s, language=f"x{n}") for n, s in enumerate(make_samples(MAX_GROUPS + 10))]
    stored_run(store, samples, size=50)
    assert (
        len(run_groups.tests_by(store, find_run(store, "first").id, "language")) <= MAX_GROUPS + 1
    )


def test_bytes_stored_per_byte_read(tmp_path):
    path = tmp_path / "s.db"
    store = open_store(str(path))
    samples = tagged(1500)
    stored_run(store, samples, size=256)
    store.close()
    read = sum(len(dumps(sample_json(sample))) for sample in samples)
    assert path.stat().st_size / read < 10
