import pytest
from sqlalchemy import text
from tests.store.scored import NOON, PLAN, RUN_PLAN, UNREADABLE, make_samples, score, stored_run

from assay.core import DataError, UsageError
from assay.engine import Tally
from assay.store.audit import AuditFilter, AuditStamp, list_entries
from assay.store.run_list import (
    COLLECTED,
    LIVE,
    delete_run,
    find_run,
    list_runs,
    prune,
    read_run,
)
from assay.store.run_writer import RunPlan, start_run
from assay.store.test_reader import read_places

ANN = AuditStamp("ann", NOON)
TABLES = [
    "test_results",
    "test_blocks",
    "test_scores",
    "validation_details",
    "quality_checks",
    "failure_analysis",
    "test_tags",
    "metric_rollups",
    "test_rollups",
    "run_metrics",
    "metrics_snapshots",
]


def summary_of(items):
    tally = Tally(PLAN)
    results = iter(score(items))
    for item in items:
        if item is UNREADABLE:
            tally.add_unread(str(item))
        else:
            tally.add(item, next(results))
    return tally.summary().to_json()


def test_a_run_comes_back_as_it_was_written(store):
    items = [*make_samples(5), UNREADABLE, *make_samples(12)[5:]]
    writer = stored_run(store, items, size=4)
    found = read_places(store, writer.id, 0, len(items))
    assert [found[place].is_of(item) for place, item in enumerate(items)] == [True] * len(items)
    read = [found[place].scores for place, item in enumerate(items) if item is not UNREADABLE]
    assert [scores.to_json() for scores in read] == [scores.to_json() for scores in score(items)]
    assert [(s.score, s.passed) for s in read] == [(s.score, s.passed) for s in score(items)]


def test_a_run_can_be_read_from_its_start_to_its_end(store, monkeypatch):
    monkeypatch.setattr("assay.store.run_list.CHUNK", 5)
    samples = make_samples(13)
    stored_run(store, samples)
    stored_run(store, make_samples(3), name="second")
    assert [sample for sample, _ in read_run(store, find_run(store, "first"))] == samples


def test_what_a_run_came_to_is_kept(store):
    items = make_samples(7)
    writer = stored_run(store, items)
    writer.finish(summary_of(items))
    run = find_run(store, "first")
    assert (run.status, run.tests, run.places, run.finished) == ("finished", 7, 7, NOON)
    assert run.summary["metrics"]["text.safety"]["samples"] == 7
    assert [found.name for found in list_runs(store)] == ["first"]
    assert run.to_json()["overall"] == run.summary["overall"]


def test_a_name_that_is_taken_is_refused_and_a_name_is_made_where_none_is_given(store):
    start_run(store, "first", RUN_PLAN)
    with pytest.raises(UsageError, match=r"run 'first' exists already; .* --resume"):
        start_run(store, "first", RUN_PLAN)
    names = {start_run(store, None, RUN_PLAN, now=lambda: NOON).name for _ in range(5)}
    assert len(names) == 5


def test_names_may_come_from_bytes_that_are_no_text(store):
    name = b"\xff".decode(errors="surrogateescape")
    with pytest.raises(UsageError, match="is not Unicode text; expected UTF-8"):
        start_run(store, name, RUN_PLAN)
    with pytest.raises(UsageError, match="is not Unicode text; expected UTF-8"):
        find_run(store, name)
    start_run(store, "run", RUN_PLAN, source=f"{name}.jsonl")
    assert find_run(store, "run").source == r"\udcff.jsonl"


def test_an_interrupted_run_goes_on_where_it_stopped(store):
    items = [*make_samples(6), UNREADABLE, *make_samples(20)[6:]]
    first = start_run(store, "run", RUN_PLAN)
    first.record(items[:8], score(items[:8]))
    again = start_run(store, "run", RUN_PLAN, resume=True)
    rest = iter(items)
    replayed = [(batch, scores) for batch, scores in again.replay(rest, 3)]
    assert [item for batch, _ in replayed for item in batch] == items[:8]
    assert [s.to_json() for _, scores in replayed for s in scores] == [
        s.to_json() for s in score(items[:8])
    ]
    assert list(rest) == items[8:]
    again.record(items[8:], score(items[8:]))
    assert find_run(store, "run").places == len(items)


@pytest.mark.parametrize(
    ("items", "message"),
    [
        (make_samples(4, language="en"), "record 1 is not the one that run 'run' has stored"),
        ([UNREADABLE, *make_samples(4)[1:]], "record 1 is not the one"),
        (make_samples(2), "has 4 records and the data has fewer"),
    ],
)
def test_other_data_than_the_run_began_with_is_refused(store, items, message):
    start_run(store, "run", RUN_PLAN).record(make_samples(4), score(make_samples(4)))
    writer = start_run(store, "run", RUN_PLAN, resume=True)
    with pytest.raises(DataError, match=message):
        list(writer.replay(iter(items), 10))


def test_other_metrics_than_the_run_began_with_are_refused(store):
    start_run(store, "run", RUN_PLAN)
    other = RunPlan({**RUN_PLAN.metrics, "text.safety": ("text.safety|v:2", 0.9)}, {"seed": 0})
    with pytest.raises(UsageError, match=r"cannot be resumed: 'text\.safety' was \["):
        start_run(store, "run", other, resume=True)


def test_a_batch_whose_answer_was_lost_counts_once(store):
    samples = make_samples(4)
    writer = start_run(store, "run", RUN_PLAN)
    writer.record(samples, score(samples))
    writer.places = 0  # as if the connection had gone between the commit and its answer
    writer.record(samples, score(samples))
    rows = store.read(lambda c: c.execute(text("SELECT count(*) FROM test_results")).scalar_one())
    counted = "SELECT sum(total) FROM test_rollups WHERE tag = ''"
    assert (rows, store.read(lambda c: c.execute(text(counted)).scalar_one())) == (4, 4)


def test_two_programs_cannot_write_one_run(store):
    samples = make_samples(9)
    one = start_run(store, "run", RUN_PLAN)
    other = start_run(store, "run", RUN_PLAN, resume=True)
    one.record(samples[:5], score(samples[:5]))
    with pytest.raises(DataError, match="is being written by another program"):
        other.record(samples[:3], score(samples[:3]))


def test_a_batch_that_fails_leaves_nothing(store):
    samples = make_samples(4)
    writer = start_run(store, "run", RUN_PLAN)
    broken = [*samples[:3], samples[0]]
    scores = score(broken)
    object.__setattr__(scores[3], "results", {"text.safety": None})
    with pytest.raises(AttributeError):
        writer.record(broken, scores)
    assert find_run(store, "run").places == 0
    writer.record(samples, score(samples))
    assert find_run(store, "run").tests == 4


def test_a_removed_run_leaves_nothing_behind(store):
    samples = make_samples(6)
    writer = stored_run(store, samples)
    writer.finish(summary_of(samples))
    stored_run(store, samples, name="second")
    delete_run(store, "first", ANN)
    left = {
        table: store.read(
            lambda c, table=table: set(
                c.execute(text(f"SELECT * FROM {table}")).scalars().all()  # noqa: S608
            )
        )
        for table in TABLES
    }
    assert not left["metrics_snapshots"]
    other = find_run(store, "second").id
    assert left["test_rollups"] == left["metric_rollups"] == left["run_metrics"] == {other}
    assert {id >> 32 for id in left["test_scores"] | left["test_blocks"]} == {other}


def test_old_runs_can_be_pruned_by_age_and_by_number(store):
    samples = make_samples(3)
    for number in range(4):
        writer = stored_run(store, samples, name=f"run-{number}", at=NOON + number)
        if number < 3:
            writer.finish(summary_of(samples))
    assert prune(store, ANN, before=NOON + 1) == ["run-0"]
    assert prune(store, ANN, keep=1) == ["run-1"]
    assert [run.name for run in list_runs(store)] == ["run-3", "run-2"]
    entries, _ = list_entries(store, AuditFilter(action="run.removed"))
    assert [entry.subject for entry in entries] == ["run-1", "run-0"]


@pytest.mark.parametrize("source", [LIVE, COLLECTED])
def test_runs_that_never_finish_are_pruned_by_age_alone(store, source):
    for number in range(2):
        at = NOON + number
        start_run(store, f"open-{number}", RUN_PLAN, source=source, now=lambda at=at: at)
        start_run(store, f"interrupted-{number}", RUN_PLAN, now=lambda at=at: at)
    assert prune(store, ANN, keep=0) == []
    assert prune(store, ANN, before=NOON + 1) == ["open-0"]
    assert {run.name for run in list_runs(store)} == {"open-1", "interrupted-0", "interrupted-1"}


def test_an_unknown_run_is_named_with_the_nearest(store):
    stored_run(store, make_samples(1), name="nightly")
    with pytest.raises(DataError, match=r"no run 'nihgtly' in the store; did you mean 'nightly'\?"):
        find_run(store, "nihgtly")
