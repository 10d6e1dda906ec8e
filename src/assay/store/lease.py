"""Who writes a run: one program at a time.

A program that begins or resumes a run takes a lease on it, under a name of its own that every write
checks. The lease is renewed while the program lives and ends with it: at once where it can be seen
that the program is gone, which is so on the same machine, else when it expires.
"""

from __future__ import annotations

import os
import secrets
import socket
import time
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from assay.core import AssayError
from assay.core.errors import RunBusyError
from assay.store import schema

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection

    from assay.store.connect import Store

SECONDS = 60.0
"""How long a lease holds after its last renewal; it is renewed three times as often."""


class Lease:
    """The right to write one run, until `release`."""

    def __init__(self, store: Store, run: int, owner: str) -> None:
        self.owner = owner
        self._store = store
        self._run = run
        self._released = Event()
        self._thread = Thread(target=self._keep, name="lease", daemon=True)
        self._thread.start()

    def release(self) -> None:
        """Let others go on with the run; done again it does nothing."""
        if self._released.is_set():
            return
        self._released.set()
        self._thread.join()
        with suppress(AssayError):  # it expires by itself
            self._store.write(self._end)

    def _end(self, connection: Connection) -> None:
        runs = schema.runs
        connection.execute(
            runs.update()
            .where(runs.c.id == self._run, runs.c.owner == self.owner)
            .values(owner=None, lease=None)
        )

    def _keep(self) -> None:
        while not self._released.wait(SECONDS / 3):
            with suppress(AssayError):  # the next write tells, or the next renewal succeeds
                self._store.write(lambda connection: renew(connection, self._run, self.owner))


def new_owner() -> str:
    """A name for a writer of this process that nobody else has."""
    return f"{_machine()}/{os.getpid()}/{_started(os.getpid())}/{secrets.token_hex(8)}"


def take(connection: Connection, run: Any, owner: str) -> None:
    """Take a lease on a run, given by its row; raises `RunBusyError` while another holds one."""
    left = (run.lease or 0.0) - _now(connection)
    if run.owner is not None and left > 0 and not _is_gone(run.owner):
        raise RunBusyError(
            f"run {run.name!r} is being written by another program ({_shown(run.owner)}); add "
            f"--wait to go on when it ends, or choose another name. Should it be gone, its claim "
            f"ends within {left:.0f} seconds"
        )
    runs = schema.runs
    same = runs.c.owner.is_(None) if run.owner is None else runs.c.owner == run.owner
    taken = connection.execute(
        runs.update()
        .where(runs.c.id == run.id, same)
        .values(owner=owner, lease=_now(connection) + SECONDS)
    )
    if taken.rowcount != 1:
        raise RunBusyError(f"run {run.name!r} was just taken by another program; try again")


def renew(connection: Connection, run: int, owner: str | None) -> bool:
    """Prolong a lease; whether it is still the owner's. Without an owner nobody may hold one."""
    runs = schema.runs
    values = {"owner": owner, "lease": None if owner is None else _now(connection) + SECONDS}
    renewed = connection.execute(
        runs.update().where(runs.c.id == run, held_by(connection, owner)).values(values)
    )
    return renewed.rowcount == 1


def held_by(connection: Connection, owner: str | None) -> ColumnElement[bool]:
    """The condition that a run is the owner's; without an owner, that it is nobody's by now."""
    runs = schema.runs
    if owner is None:
        return runs.c.owner.is_(None) | (runs.c.lease < _now(connection))
    return runs.c.owner == owner


def _now(connection: Connection) -> float:
    """The time by one clock for all programs that share the store."""
    from sqlalchemy import text

    if connection.dialect.name != "postgresql":  # one machine
        return time.time()
    query = text("SELECT extract(epoch FROM clock_timestamp())")
    return float(connection.execute(query).scalar_one())


def _is_gone(owner: str) -> bool:
    """Whether the program behind a name is known to have ended."""
    machine, pid, started, _ = owner.split("/")
    if machine != _machine():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except OSError:  # somebody else's, so it lives
        return False
    return bool(started) and _started(int(pid)) != started


def _machine() -> str:
    """The machine since it was started, with its own numbering of processes."""
    parts = [socket.gethostname().replace("/", "-")]
    with suppress(OSError):
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip())
    with suppress(OSError):
        parts.append(str(Path("/proc/self/ns/pid").readlink()))
    return ",".join(parts)


def _started(pid: int) -> str:
    """When a process began, where the system tells: its number alone may be given again."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    fields = status.rpartition(")")[2].split()
    return "" if fields[0] == "Z" else fields[19]


def _shown(owner: str) -> str:
    machine, pid, *_ = owner.split("/")
    return f"process {pid} on {machine.partition(',')[0]}"
