"""A process of its own for metrics of plugins, which may crash, hoard memory, print or fork.

It holds nothing of the run: it is given the arguments of one sample, and gives back one result as
JSON text. Where it ends or does not answer in time, all that it started is killed, the sample has
an error, and a new process takes the next one. It contains accidents; it is no sandbox, for the
code in it has the rights of the user.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from threading import Thread
from typing import Any

from assay.core import Metric, Result, Span
from assay.core.jsontext import dumps, loads

MAX_ENDS = 3
"""Processes that a metric may end, one sample after the other, before it is not called again."""
START_SECONDS = 120.0
"""For importing plugins, on a busy machine too."""
ENDING_SECONDS = 5.0
"""For a process that hung up to end by itself, before it is killed."""
MEGABYTE = 2**20
LEFT_OUT = "The metric was not called again: it ended its process {} times in a row."


class MetricProcess:
    """The process that calls the metrics of some plugins; started when the first is asked for."""

    def __init__(self, plugins: Sequence[str], megabytes: int) -> None:
        self._plugins = tuple(plugins)
        self._megabytes = megabytes
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None
        self._ends: dict[str, int] = {}

    def __del__(self) -> None:
        self.close()

    def results(
        self,
        metric: str,
        rows: Sequence[tuple[Any, ...]],
        options: Mapping[str, Any],
        seconds: float,
    ) -> list[Result]:
        """The results of a metric for the arguments of some samples."""
        return [self._result(metric, row, options, seconds) for row in rows]

    def close(self) -> None:
        """End the process, and all that it started."""
        if self._process is not None:
            _kill_group(self._process)
            self._process.join()
        if self._connection is not None:
            self._connection.close()
        self._process = self._connection = None

    def _result(
        self, metric: str, row: tuple[Any, ...], options: Mapping[str, Any], seconds: float
    ) -> Result:
        if self._ends.get(metric, 0) >= MAX_ENDS:
            return Result.error(LEFT_OUT.format(MAX_ENDS))
        problem = f"The metric did not end within {seconds:g} seconds for one sample."
        try:
            request = ForkingPickler.dumps((metric, row, dict(options)))
        except Exception as error:  # whatever a value says against being copied
            return Result.error(f"What the metric reads cannot be sent to its process: {error}")
        try:
            connection = self._started()
            connection.send_bytes(request)
            if _has_answered(connection, seconds):
                result = _read(connection.recv_bytes())
                self._ends[metric] = 0
                return result
        except TimeoutError:
            problem = f"The process of the metric did not start within {START_SECONDS:g} seconds."
        except (EOFError, OSError):
            problem = f"The metric ended its process ({self._ending()})."
        self.close()
        self._ends[metric] = self._ends.get(metric, 0) + 1
        return Result.error(problem)

    def _ending(self) -> str:
        """How the process ended, in words."""
        assert self._process is not None, "it was started"
        self._process.join(ENDING_SECONDS)
        code = self._process.exitcode
        if code is None:
            return "it closed its connection"
        names = {one.value: one.name for one in signal.Signals}
        return names.get(-code, f"signal {-code}") if code < 0 else f"exit code {code}"

    def _started(self) -> Connection:
        if self._connection is None:
            context = get_context("spawn")
            self._connection, theirs = context.Pipe()
            self._process = context.Process(
                target=_serve, args=(theirs, self._plugins, self._megabytes), name="metrics"
            )
            self._process.start()
            theirs.close()
            if not self._connection.poll(START_SECONDS):
                raise TimeoutError
            self._connection.recv_bytes()
        return self._connection


def _has_answered(connection: Connection, seconds: float) -> bool:
    """Wait for an answer, or for the end of the process, which reading tells apart."""
    return connection.poll(seconds)


def _kill_group(process: BaseProcess) -> None:
    """Kill the process and what it forked, which is in its group and may outlive it."""
    assert process.pid is not None, "it was started"
    try:
        if sys.platform != "win32":
            os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:  # it has no group yet, or nothing of the group is left
        pass
    process.kill()


def _written(result: Result) -> bytes:
    """A result as JSON; its value is a text there, for it may be one that JSON has no word for."""
    value = None if result.value is None else repr(result.value)
    return dumps([value, *result[1:]], is_compact=True).encode()


def _read(text: bytes) -> Result:
    value, explanation, evidence, details, *rest = loads(text.decode())
    spans = tuple(Span(*span) for span in evidence)
    number = None if value is None else float(value)
    result = Result(number, explanation, spans, details, *rest)
    unsure = None if result.unsure is None else (result.unsure[0], result.unsure[1])
    return result._replace(unsure=unsure)


def _serve(connection: Connection, plugins: Sequence[str], megabytes: int) -> None:
    """Call metrics until the run hangs up: the work of the process."""
    _confine(megabytes)
    Thread(target=_end_with_run, daemon=True).start()
    known = _metrics(plugins)
    connection.send_bytes(b"ready")
    while True:
        try:
            id, row, options = connection.recv()
        except EOFError:
            return
        answer = _called(known[id].function, row, options)
        connection.send_bytes(_written(answer))


def _metrics(plugins: Sequence[str]) -> Mapping[str, Metric]:
    from assay import registry

    known = dict(registry.metrics())
    for plugin in plugins:
        known |= registry.load_plugin(plugin)
    return known


def _called(function: Callable[..., Any], row: tuple[Any, ...], options: dict[str, Any]) -> Result:
    from assay.engine.foreign import foreign_result

    return foreign_result(function, row, options)


def _confine(megabytes: int) -> None:
    """A group of its own, no interrupts, prints to standard error, a cap on memory."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(2, 1)  # results of the run stand on standard output
    if sys.platform == "win32":
        return
    import resource

    os.setpgid(0, 0)
    resource.setrlimit(resource.RLIMIT_DATA, (megabytes * MEGABYTE, megabytes * MEGABYTE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _end_with_run() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    assert parent is not None
    parent.join()
    if sys.platform != "win32":
        os.killpg(0, signal.SIGKILL)
    os._exit(1)
