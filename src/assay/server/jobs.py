"""Evaluations in the background: one at a time, in the order in which they were asked for.

A job is a stored run in the making. The results of a batch are safe before the next begins, so a
job that was cut off, by a kill or by a power cut, continues where it stopped when the server starts
again, and ends as if nothing had happened.
"""

from __future__ import annotations

import logging
import os
import secrets
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from threading import Event, Thread

from assay.core import AssayError, NotFoundError, UsageError
from assay.core.secrets import Redactor
from assay.engine import Tally
from assay.runner.escalation import EscalationRequest
from assay.runner.execute import Observer, RecordRequest, RunRequest, execute
from assay.samples.columns import LOOKED_AT
from assay.server.choices import Choices, chosen
from assay.server.column_choice import find_columns
from assay.server.config import ServerConfig
from assay.server.uploads import Uploads
from assay.store import Store
from assay.store.audit import AuditStamp
from assay.store.connect import WAIT
from assay.store.jobs import (
    ENDED,
    WAITING,
    Status,
    StoredJob,
    add_job,
    find_job,
    move_job,
    next_job,
    requeue_jobs,
)

log = logging.getLogger("assay.server.jobs")

MAX_WAITING = 100
"""Jobs that are queued or running at a time."""
POLL = 2.0
"""Seconds between two looks at the queue, where nothing signals a new job."""
RESUME_SECONDS = 120.0
"""How long a job waits for the server that had it before; twice as long as its claim holds."""
STOP_SECONDS = 10.0
"""How long an ending server waits for the batch in work."""
RESERVED = "live-"
"""What the names of the server's own runs begin with."""


class _Stopped(Exception):  # noqa: N818 -- a turn, not an error
    """The job goes no further now."""


class Jobs:
    """The queue of a server and the thread that works it off."""

    def __init__(
        self,
        store: Store,
        config: ServerConfig,
        uploads: Uploads,
        now: Callable[[], float],
        redactor: Redactor,
    ) -> None:
        self.uploads = uploads
        self._store = store.waiting(WAIT)  # a job has more time than a request
        self._config = config
        self._now = now
        self._redactor = redactor
        self._wake = Event()
        self._stopping = Event()
        self._thread = Thread(target=self._work, name="assay-jobs", daemon=True)

    def start(self) -> None:
        """Begin to work; jobs of an earlier life of this server come first."""
        self.uploads.prepare()
        self._thread.start()

    def stop(self) -> None:
        """End after the batch in work; its job goes on when the server starts again."""
        self._stopping.set()
        self._wake.set()
        self._thread.join(STOP_SECONDS)

    @property
    def is_stopping(self) -> bool:
        """Whether the server is about to end."""
        return self._stopping.is_set()

    def submit(
        self,
        upload: str,
        choices: Choices,
        change: AuditStamp,
        *,
        run: str | None = None,
        format: str | None = None,
        limit: int | None = None,
        columns: Mapping[str, str] | None = None,
        tags: tuple[str, ...] = (),
        score_repeats: bool = False,
        escalate: bool = False,
    ) -> StoredJob:
        """Queue the evaluation of an upload; what cannot work is refused at once."""
        stored_upload = self.uploads.find(upload)
        id = secrets.token_hex(16)
        name = run or f"job-{id[:12]}"
        if name.startswith(RESERVED):
            raise UsageError(f"the run's name is {name!r}; names with {RESERVED!r} are taken")
        job = chosen(self._store, self._config.settings, choices).job
        job.plan()
        if escalate and not job.backends.judge:
            raise UsageError(
                "'escalate' needs a judge, and this server has none; samples that stay unsure are "
                "listed under Labels for people"
            )
        self.uploads.samples(upload, format, columns=columns)
        if not stored_upload.is_posted:
            first = list(islice(self.uploads.records(upload), LOOKED_AT))
            find_columns(stored_upload.name, first, format, columns).check(stored_upload.name)
        request = {
            "upload": upload,
            "name": stored_upload.name,
            "format": format,
            "limit": limit,
            "columns": dict(columns or {}),
            "tags": list(tags),
            "score_repeats": score_repeats,
            "escalate": escalate,
            "choices": choices.to_json(),
            "owner": self.uploads.owner,
        }
        rows = stored_upload.rows if limit is None else min(limit, stored_upload.rows)
        total = None if score_repeats else rows  # a sample may have several answers
        moment = change.now
        stored = StoredJob(
            id, "evaluation", "queued", moment, moment, request, name, 0, total, None
        )
        add_job(self._store, stored, change, MAX_WAITING)
        self._wake.set()
        return stored

    def cancel(self, id: str, change: AuditStamp) -> StoredJob:
        """Stop a job at its next batch; what its run has kept stays."""
        move_job(self._store, id, WAITING, "cancelled", change.now, change=change)
        return find_job(self._store, id)

    def resume(self, id: str, change: AuditStamp) -> StoredJob:
        """Go on with a job that was cancelled or has failed."""
        job = find_job(self._store, id)
        if job.status not in ENDED or job.status == "done":
            raise UsageError(
                f"job {id!r} is {job.status}; only a job that has ended can be resumed"
            )
        self.uploads.find(job.request["upload"])
        move_job(self._store, id, ("cancelled", "failed"), "queued", change.now, change=change)
        self._wake.set()
        return find_job(self._store, id)

    def _work(self) -> None:
        """Do job after job until the server ends."""
        with self._turn() as is_ours:
            is_begun = False
            while is_ours and not self.is_stopping:
                try:
                    if not is_begun:
                        requeue_jobs(self._store, self.uploads.owner, self._now())
                        is_begun = True
                    self._next()
                except AssayError as error:  # the store is away; it may come back
                    log.error("jobs wait: %s", error)
                    self._wait()

    @contextmanager
    def _turn(self) -> Iterator[bool]:
        """Wait until no other server works on this folder; False when this one ends before."""
        if sys.platform == "win32":
            yield True
            return
        import fcntl

        with _opened(self.uploads.folder / "lock") as file:
            while not self.is_stopping:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    self._wait()
                else:
                    break
            yield not self.is_stopping

    def _wait(self) -> None:
        self._wake.wait(POLL)
        self._wake.clear()

    def _next(self) -> None:
        job = next_job(self._store, self.uploads.owner)
        if job is None:
            self._wait()
        elif move_job(self._store, job.id, ("queued",), "running", self._now()):
            self._do(job)

    def _do(self, job: StoredJob) -> None:
        """One job to its end, whatever that is."""
        log.info("job %s begins", job.id)
        error: str | None = None
        try:
            self._evaluate(job)
        except _Stopped:
            log.info("job %s stops", job.id)
            return
        except AssayError as failure:
            error = self._redactor(str(failure))
        except Exception:
            log.exception("job %s failed", job.id)
            error = "the evaluation failed; the server's log says how"
        status: Status = "failed" if error else "done"
        move_job(self._store, job.id, ("running",), status, self._now(), error=error)
        log.info("job %s is %s", job.id, status)
        if status == "done":
            self._tidy(job.request["upload"])

    def _tidy(self, upload: str) -> None:
        """Remove samples that came with a job; those of a file stay until it is removed."""
        with suppress(NotFoundError):
            if self.uploads.find(upload).is_posted:
                self.uploads.remove(upload)

    def _evaluate(self, job: StoredJob) -> None:
        request = job.request
        # jobs of older versions say neither
        score_repeats, escalate = (bool(request.get(k)) for k in ("score_repeats", "escalate"))
        settings = self._config.settings.override({"workers": self._config.workers})
        own = chosen(self._store, settings, Choices.from_json(request["choices"]))
        decided_by = {
            "limit": request["limit"],
            **({"score_repeats": True} if score_repeats else {}),
            **({"escalate": own.job.backends.identity("judge")} if escalate else {}),
        }
        execute(
            RunRequest(
                items=self.uploads.samples(
                    request["upload"], request["format"], request["limit"], request.get("columns")
                ),
                job=own.job,
                settings=own.settings,
                source=request["name"],
                total=job.total,
                record=RecordRequest(
                    store=self._store,
                    name=job.run_name,
                    resume=True,
                    wait=RESUME_SECONDS,
                    tags=tuple(request.get("tags", ())),
                    decided_by=decided_by,
                ),
                score_repeats=score_repeats,
                escalation=EscalationRequest(queue=None) if escalate else None,
                observer=_JobObserver(lambda tally: self._check(job.id, tally)),
            )
        )

    def _check(self, id: str, tally: Tally) -> None:
        """Stop between two batches when the server ends or the job was cancelled."""
        if self.is_stopping or find_job(self._store, id).status != "running":
            raise _Stopped


class _JobObserver(Observer):
    """Looks after each batch whether the job goes on."""

    def __init__(self, check: Callable[[Tally], None]) -> None:
        self._check = check

    def scored(self, tally: Tally) -> None:
        """A batch is safe."""
        self._check(tally)


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        yield file
    finally:
        os.close(file)
