"""Jobs as they stand in the store."""

from dataclasses import replace

import pytest
from tests.store.scored import RUN_PLAN, make_samples, score, stored_run

from assay.core import NotFoundError, UsageError
from assay.store.audit import AuditStamp
from assay.store.jobs import (
    WAITING,
    FullError,
    StoredJob,
    add_job,
    find_job,
    list_jobs,
    move_job,
    next_job,
    requeue_jobs,
    uploads_in_use,
)
from assay.store.run_list import delete_run
from assay.store.run_writer import start_run

ANN = AuditStamp("ann", 10.0)
JOB = StoredJob(
    "a", "evaluation", "queued", 1.0, 1.0, {"owner": "us", "upload": "u"}, "first", 0, 9, None
)


def add(store, id="a", run="first", created=1.0, **request):
    request = {**JOB.request, **request}
    job = replace(JOB, id=id, run_name=run, created=created, request=request)
    add_job(store, job, ANN, max_waiting=3)


def test_a_job_goes_from_queued_to_done(store):
    add(store)
    assert find_job(store, "a") == JOB
    assert next_job(store, "us") == JOB
    assert move_job(store, "a", ("queued",), "running", 2.0)
    assert not move_job(store, "a", ("queued",), "running", 3.0)
    assert next_job(store, "us") is None
    assert uploads_in_use(store) == {"u"}
    assert move_job(store, "a", WAITING, "failed", 4.0, error="no\0")
    found = find_job(store, "a")
    assert (found.status, found.updated, found.error) == ("failed", 4.0, "no\ufffd")
    assert found.has_ended
    assert uploads_in_use(store) == set()


def test_how_far_a_job_is_is_what_its_run_has_kept(store):
    add(store)
    writer = start_run(store, "first", RUN_PLAN, now=lambda: 7.0)
    batch = make_samples(4)
    writer.record(batch, score(batch))
    found = find_job(store, "a")
    assert (found.done, found.total, found.updated) == (4, 9, 7.0)
    assert [job.id for job in list_jobs(store, since=6.0)[0]] == ["a"]
    assert list_jobs(store, since=7.0) == ([], 0)
    move_job(store, "a", WAITING, "cancelled", 8.0)
    delete_run(store, "first", ANN)
    assert find_job(store, "a").done == 4


def test_the_oldest_of_its_own_comes_first(store):
    add(store, "b", "r2", created=2.0)
    add(store, "a", "r1", created=1.0)
    add(store, "c", "r0", created=0.0, owner="others")
    assert next_job(store, "us").id == "a"
    assert next_job(store, "nobody") is None
    assert [job.id for job in list_jobs(store, ("queued",))[0]] == ["b", "a", "c"]
    assert list_jobs(store, ("done",)) == ([], 0)


def test_what_was_running_is_queued_again_for_its_owner(store):
    add(store, "a", "r1")
    add(store, "b", "r2", owner="others")
    for id in "ab":
        move_job(store, id, ("queued",), "running", 2.0)
    assert requeue_jobs(store, "us", 3.0) == ["a"]
    assert [find_job(store, id).status for id in "ab"] == ["queued", "running"]


def test_the_queue_is_bounded_and_names_are_taken_once(store):
    add(store)
    add(store)  # the answer to the first attempt was lost
    with pytest.raises(UsageError, match="'first' exists already"):
        add(store, "b", "first")
    stored_run(store, make_samples(1), "second")
    with pytest.raises(UsageError, match="'second' exists already"):
        add(store, "b", "second")
    add(store, "b", "r2")
    add(store, "c", "r3")
    with pytest.raises(FullError, match="3 jobs"):
        add(store, "d", "r4")


def test_the_name_of_a_removed_run_can_be_used_again(store):
    add(store)
    move_job(store, "a", WAITING, "done", 2.0)
    add(store, "b", "first")
    assert [find_job(store, id).run_name for id in "ab"] == [None, "first"]


def test_what_is_not_there_is_told(store):
    with pytest.raises(NotFoundError, match="no job"):
        find_job(store, "x\0")
    with pytest.raises(NotFoundError, match="no job"):
        move_job(store, "x", WAITING, "done", 1.0)
