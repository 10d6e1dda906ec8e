"""Evaluations in the background: start, watch, cancel, go on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from anyio import to_thread
from fastapi import FastAPI, HTTPException, Request

from assay.core import UsageError
from assay.server.access import role
from assay.server.choices import choose
from assay.server.demo import load_demo
from assay.server.events import Event, EventStream
from assay.server.open_projects import OpenProjects
from assay.server.requests import TheChange, ThePart, TheStore, make_router
from assay.server.schemas.base import JobId, Page
from assay.server.schemas.jobs import JobBody, JobEntry
from assay.server.shared import TheJobs
from assay.store.jobs import FullError, Status, StoredJob, find_job, list_jobs
from assay.store.statistics import iso

router = make_router("jobs")


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Work on jobs as long as the server runs."""
    if app.state.store.is_read_only:
        yield
        return
    projects: OpenProjects = app.state.projects
    projects.start()
    try:
        yield
    finally:
        await to_thread.run_sync(projects.stop)


@router.post("/v1/jobs", operation_id="start_job", status_code=202)
@role("write")
def start_job(body: JobBody, jobs: TheJobs, store: TheStore, change: TheChange) -> JobEntry:
    """Evaluate an upload, or up to 500 samples posted along, in the background.

    The job makes a stored run; it goes on by itself when the server is started again.
    """
    if (body.upload is None) == (body.samples is None):
        raise UsageError("expected either 'upload' or 'samples'")
    choices = choose(
        store,
        metrics=tuple(body.metrics),
        profile=body.profile,
        policy=body.policy,
        strategies=body.strategies,
    )
    upload, is_new = body.upload, False
    if upload is None:
        posted = jobs.uploads.add_records(body.samples or (), change, "posted samples")
        upload, is_new = posted.id, True
    try:
        job = jobs.submit(
            upload,
            choices,
            change,
            run=body.run,
            format=body.format,
            limit=body.limit,
            columns=body.columns,
            score_repeats=body.score_repeats,
            escalate=body.escalate,
        )
    except BaseException as error:
        if is_new:
            jobs.uploads.remove(upload)
        if isinstance(error, FullError):
            raise HTTPException(429, str(error)) from None
        raise
    return job_entry(job)


@router.post("/v1/demo", operation_id="load_demo", status_code=202)
@role("write")
def post_demo(jobs: TheJobs, store: TheStore, change: TheChange) -> list[JobEntry]:
    """Score the bundled demo in the background: two versions of one system as two runs."""
    try:
        return [job_entry(job) for job in load_demo(jobs, store, change)]
    except FullError as error:
        raise HTTPException(429, str(error)) from None


@router.get("/v1/jobs", operation_id="list_jobs")
@role("read")
def get_jobs(store: TheStore, part: ThePart, status: Status | None = None) -> Page[JobEntry]:
    """Jobs, the newest first."""
    result, total = list_jobs(store, (status,) if status else (), part.limit, part.offset)
    return part.page(map(job_entry, result), total)


@router.get("/v1/jobs/{job_id}", operation_id="get_job")
@role("read")
def get_job(job_id: JobId, store: TheStore) -> JobEntry:
    """One job and how far it is."""
    return job_entry(find_job(store, job_id))


@router.delete("/v1/jobs/{job_id}", operation_id="cancel_job")
@role("write")
def cancel_job(job_id: JobId, jobs: TheJobs, change: TheChange) -> JobEntry:
    """Cancel a job: it stops at its next batch, and can be resumed; one that ended stays as is."""
    return job_entry(jobs.cancel(job_id, change))


@router.post("/v1/jobs/{job_id}/resume", operation_id="resume_job", status_code=202)
@role("write")
def resume_job(job_id: JobId, jobs: TheJobs, change: TheChange) -> JobEntry:
    """Go on with a job that was cancelled or has failed, where it stopped."""
    return job_entry(jobs.resume(job_id, change))


@router.get(
    "/v1/jobs/{job_id}/events",
    operation_id="watch_job",
    response_class=EventStream,
    status_code=200,
    responses={200: {"content": {"text/event-stream": {}}, "description": "Its progress."}},
)
@role("read")
def watch_job(job_id: JobId, request: Request, store: TheStore) -> EventStream:
    """A job's progress as server-sent events `progress`, and `end` when it has ended."""
    seen: list[JobEntry] = [job_entry(find_job(store, job_id)).model_copy(update={"done": -1})]

    def look() -> tuple[list[Event], bool]:
        job = find_job(store, job_id)
        entry = job_entry(job)
        if entry == seen[0] and not job.has_ended:
            return [], False
        seen[0] = entry
        name = "end" if job.has_ended else "progress"
        return [Event(name, entry.model_dump())], job.has_ended

    return EventStream(request.app, look)


def job_entry(job: StoredJob) -> JobEntry:
    """A job as it is answered."""
    choices = job.request["choices"]
    return JobEntry(
        id=job.id,
        kind=job.kind,
        status=job.status,
        created=iso(job.created),
        updated=iso(job.updated),
        run=job.run_name,
        upload=job.request["upload"],
        source=job.request["name"],
        metrics=list(choices["metrics"]),
        profile=choices["profile"],
        done=job.done,
        total=job.total,
        error=job.error,
    )
