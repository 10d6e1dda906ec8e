"""Where blocks are scored: in processes of this machine, or on a Ray cluster.

An engine gives back each block as soon as it is finished, in any order. A process that ends takes
nothing with it: its block is scored again by another. A block that ends process after process is
scored in small steps in the end, which finds the samples that do it.
"""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, Protocol

from assay.core import UsageError
from assay.core.extras import require
from assay.runner.block_task import Block, BlockTask, score_block
from assay.runner.workers import prepare_process, sheltered

ATTEMPTS = 3
"""Processes that a block may end before it is scored in small steps."""
WAITING = 2
"""Blocks for each process that are sent before it asks for them."""
LOCAL, RAY = "local", "ray"
ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",  # nothing is sent anywhere
    "RAY_worker_niceness": "0",  # its processes are the work itself, as those of the local engine
}
"""How Ray is started on this machine, unless the environment says otherwise."""


class BlockEngine(Protocol):
    """Scores blocks, and gives each back when it is finished."""

    def finished(self, task: BlockTask, blocks: Iterable[Block]) -> Iterator[Block]: ...


def open_engine(name: str, workers: int) -> BlockEngine:
    """The engine that is called `local`, `ray`, or `ray:ADDRESS` for a cluster that runs."""
    kind, _, address = name.partition(":")
    if name == LOCAL:
        return LocalEngine(workers)
    if kind == RAY:
        return RayEngine(address or None, workers)
    raise UsageError(f"unknown engine {name!r}; expected {LOCAL}, {RAY} or {RAY}:ADDRESS")


class LocalEngine:
    """Processes of this machine."""

    def __init__(self, workers: int) -> None:
        self._workers = workers

    def finished(self, task: BlockTask, blocks: Iterable[Block]) -> Iterator[Block]:
        """Each block when it is finished."""
        if self._workers == 1:
            for block in blocks:
                score_block(task, block)
                yield block
        else:
            yield from self._in_processes(task, deque(blocks))

    def _in_processes(self, task: BlockTask, waiting: deque[Block]) -> Iterator[Block]:
        ended = Counter[int]()
        pool = self._pool()
        running: dict[Future[None], Block] = {}
        is_broken = False
        try:
            while waiting or running:
                while waiting and len(running) < WAITING * self._workers and not is_broken:
                    block = waiting.popleft()
                    if ended[block.number] >= ATTEMPTS:
                        score_block(task, block, workers=2)
                        yield block
                        continue
                    try:
                        with sheltered():
                            running[pool.submit(score_block, task, block)] = block
                    except BrokenProcessPool:  # while a finished block was taken in
                        is_broken = True
                        waiting.appendleft(block)
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    block = running.pop(future)
                    try:
                        future.result()
                    except BrokenProcessPool:
                        is_broken = True
                        ended[block.number] += 1
                        waiting.append(block)
                    else:
                        yield block
                if is_broken and not running:  # all were lost with the pool
                    pool.shutdown()
                    pool, is_broken = self._pool(), False
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._workers, get_context("spawn"), prepare_process)


class RayEngine:
    """Actors of a Ray cluster, one for each core, in which models are loaded once (extra `ray`)."""

    def __init__(self, address: str | None, workers: int) -> None:
        self._address, self._workers = address, workers

    def finished(self, task: BlockTask, blocks: Iterable[Block]) -> Iterator[Block]:
        """Each block when it is finished."""
        ray = require("ray", "ray")
        was_there = ray.is_initialized()
        if not was_there:
            self._connect(ray)
        try:
            yield from self._run(ray, ray.put(task), deque(blocks), task)
        finally:
            if not was_there:
                ray.shutdown()

    def _connect(self, ray: Any) -> None:
        """Join the cluster, or start one on this machine with as many cores as workers."""
        for name, value in ENVIRONMENT.items():
            os.environ.setdefault(name, value)
        options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
        if self._address:
            try:
                ray.init(address=self._address, **options)
            except (ConnectionError, ValueError) as error:
                reason = str(error).splitlines()[0]
                raise UsageError(f"no Ray cluster at {self._address!r}: {reason}") from None
            return
        cores = self._workers if self._workers > 1 else None
        ray.init(address="local", num_cpus=cores, include_dashboard=False, **options)

    def _run(
        self, ray: Any, task_ref: Any, waiting: deque[Block], task: BlockTask
    ) -> Iterator[Block]:
        cores = int(ray.cluster_resources().get("CPU", 1))
        size = min(cores, self._workers if self._workers > 1 else cores, len(waiting))
        actors = _Actors(ray, task_ref, size)
        running: dict[Any, tuple[Any, Block]] = {}
        ended = Counter[int]()
        while waiting or running:
            while waiting and actors.idle:
                block = waiting.popleft()
                if ended[block.number] >= ATTEMPTS:
                    score_block(task, block, workers=2)
                    yield block
                    continue
                one = actors.idle.pop()
                running[one.score.remote(block)] = (one, block)
            for done in ray.wait([*running, *actors.starting], num_returns=1)[0]:
                if done in actors.starting:
                    actors.started(done)
                    continue
                one, block = running.pop(done)
                try:
                    ray.get(done)
                except ray.exceptions.RayActorError:
                    ended[block.number] += 1
                    waiting.append(block)
                    actors.start()
                except ray.exceptions.RayTaskError as error:
                    raise error.as_instanceof_cause() from None
                else:
                    actors.idle.append(one)
                    yield block


class _Actors:
    """The processes of a run on Ray; one that is lost is replaced as soon as there is a place.

    After the loss of a node there may be none, so that no block is given to a process before it
    runs.
    """

    def __init__(self, ray: Any, task_ref: Any, size: int) -> None:
        self._ray, self._task_ref = ray, task_ref
        self._kind = ray.remote(num_cpus=1)(_BlockActor)
        self._failures = ATTEMPTS * size
        """How many may fail to start before the run is given up."""
        self.idle: list[Any] = []
        self.starting: dict[Any, Any] = {}
        for _ in range(size):
            self.start()

    def start(self) -> None:
        """Ask for another process."""
        one = self._kind.remote(self._task_ref)
        self.starting[one.is_ready.remote()] = one

    def started(self, ready: Any) -> None:
        """Take a process that runs, or ask again for one that was lost before it did."""
        one = self.starting.pop(ready)
        try:
            self._ray.get(ready)
        except self._ray.exceptions.RayActorError:
            self._failures -= 1
            if self._failures < 0:
                raise
            self.start()
        else:
            self.idle.append(one)


class _BlockActor:
    """A process of a Ray cluster that scores blocks one after the other."""

    def __init__(self, task: BlockTask) -> None:
        self._task = task

    def is_ready(self) -> bool:
        return True

    def score(self, block: Block) -> None:
        score_block(self._task, block)
