"""Runs the cells of a grid side by side, each through `execute`, under one set of limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass, replace
from threading import Lock, Thread
from typing import Any, Protocol

from assay.core import NotFoundError, UsageError
from assay.runner.answer_collector import AnswerCollector, TargetCallOptions
from assay.runner.call_pool import CallPool
from assay.runner.execute import (
    Observer,
    RecordRequest,
    RunRequest,
    RunResult,
    TargetRequest,
    execute,
)
from assay.runner.grid import SEPARATOR, Grid, GridCell
from assay.runner.stream import Item
from assay.store import Store, open_store
from assay.store.run_list import Run, find_run
from assay.targets.protocol import Target, returned_fields

CELL = "cell"
"""Where the settings of a stored run keep the cell's definition."""
EXPERIMENT_TAG = "experiment"
"""Before the experiment's name in the tags of its runs."""
FAILED = "another cell failed"


class OpenTarget(Protocol):
    """Opens the system of a cell."""

    def __call__(self, cell: GridCell) -> Target: ...


@dataclass(frozen=True, kw_only=True)
class GridRequest:
    """All that decides the runs of an experiment."""

    grid: Grid
    run: RunRequest
    """What all cells have in common; its items, target and record are each cell's own."""
    items: Callable[[], Iterator[Item]]
    """The questions; called once for each cell."""
    options: TargetCallOptions
    """Limits for all cells together."""
    open_target: OpenTarget
    store: str
    resume: bool = False
    """Whether cells that were begun go on, and those that changed are asked again."""
    wait: float = 0.0
    decided_by: Mapping[str, Any]
    observer: Callable[[CellCallers], CellObserver] = lambda callers: CellObserver(callers)


class CellCallers:
    """What calls the systems of all cells just now; they are stopped together."""

    def __init__(self) -> None:
        self._callers: list[AnswerCollector] = []
        self._reason = ""
        self._lock = Lock()

    def stop(self, reason: str) -> None:
        """Ask nothing more; what is answered by now is scored."""
        self._reason = reason  # no lock: this may be called from within a handler of signals
        for caller in list(self._callers):
            caller.stop(reason)

    @contextmanager
    def added(self, caller: AnswerCollector) -> Iterator[None]:
        """Stop this caller with the others, while it calls."""
        with self._lock:
            self._callers.append(caller)
        if self._reason:
            caller.stop(self._reason)
        yield


class CellObserver(Observer):
    """Is told how the run of a cell goes; has its calls stopped with those of the others."""

    def __init__(self, callers: CellCallers) -> None:
        self._callers = callers

    @contextmanager
    def asking(self, asker: AnswerCollector) -> Iterator[None]:
        """Surround the calls."""
        with self._callers.added(asker):
            yield


def run_name(store: Store, experiment: str, cell: GridCell) -> str:
    """The run of a cell as it is defined now.

    The first definition has the cell's name; a later one has its own fingerprint behind it.
    """
    plain = f"{experiment}{SEPARATOR}{cell.name}"
    run = _run_or_none(store, plain)
    if run is None or run.plan["settings"].get(CELL) == cell.definition():
        return plain
    return f"{plain}@{cell.fingerprint}"


def run_grid(
    request: GridRequest, cells: Sequence[GridCell], callers: CellCallers
) -> dict[str, RunResult]:
    """Do the runs of some cells; cell → its result. What one cell raises stops all of them."""
    names = _names(request, cells)
    pool = CallPool(request.options, runs=len(request.grid.cells))
    targets = {cell.name: request.open_target(cell) for cell in cells}
    fields = frozenset.intersection(*map(returned_fields, targets.values()))
    requests = [
        _cell_request(request, cell, names[cell.name], targets[cell.name], pool, fields, callers)
        for cell in cells
    ]
    request.run.job.known()  # plugins are loaded once, before there are threads
    pool.start()
    try:
        futures = [_started(one, callers) for one in requests]
        wait(futures)
    finally:
        pool.close()
    return {cell.name: future.result() for cell, future in zip(cells, futures, strict=True)}


def _names(request: GridRequest, cells: Sequence[GridCell]) -> dict[str, str]:
    """Cell → its run; refuses an experiment that exists, unless it is to go on."""
    store = open_store(request.store)
    try:
        names = {cell.name: run_name(store, request.grid.name, cell) for cell in cells}
        if not request.resume:
            taken = next((name for name in names.values() if _run_or_none(store, name)), None)
            later = next((name for name in names.values() if "@" in name), taken)
            if later:
                raise UsageError(
                    f"the experiment {request.grid.name!r} exists already; add --resume to ask "
                    "what is missing or changed, or choose another name with --run"
                )
        return names
    finally:
        store.close()


def _run_or_none(store: Store, name: str) -> Run | None:
    try:
        return find_run(store, name)
    except NotFoundError:
        return None


def _cell_request(
    request: GridRequest,
    cell: GridCell,
    name: str,
    target: Target,
    pool: CallPool,
    fields: frozenset[str],
    callers: CellCallers,
) -> RunRequest:
    own = {"target": target.name, "repeat": request.options.repeat, CELL: cell.definition()}
    return replace(
        request.run,
        items=request.items(),
        settings=request.run.settings.override({"workers": 1}),
        target=TargetRequest(
            target=target, options=request.options, prompt=cell.prompt, pool=pool, fields=fields
        ),
        record=RecordRequest(
            store=request.store,
            name=name,
            resume=request.resume,
            wait=request.wait,
            tags=(f"{EXPERIMENT_TAG}:{request.grid.name}",),
            decided_by={**request.decided_by, **own},
        ),
        observer=request.observer(callers),
    )


def _started(request: RunRequest, callers: CellCallers) -> Future[RunResult]:
    """The run in a thread of its own, which does not keep the program from ending."""
    future: Future[RunResult] = Future()

    def work() -> None:
        try:
            future.set_result(execute(request))
        except BaseException as error:  # the caller raises it, when all cells have ended
            callers.stop(FAILED)
            future.set_exception(error)

    Thread(target=copy_context().run, args=(work,), name="cell", daemon=True).start()
    return future
