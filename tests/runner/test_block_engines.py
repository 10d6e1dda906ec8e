"""The engine of this machine loses no block with its processes."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import pytest

from assay.runner.block_engines import LocalEngine
from assay.runner.block_task import Block


class Pool:
    """Ends every block at once, until it breaks with a later one: as that is sent, or after it."""

    def __init__(self, blocks: int, *, breaks_after: bool) -> None:
        self._left, self._breaks_after = blocks, breaks_after

    def submit(self, score: Callable[..., None], task: Any, block: Block) -> Future[None]:
        future: Future[None] = Future()
        self._left -= 1
        if self._left >= 0:
            future.set_result(None)
        elif self._breaks_after:
            future.set_exception(BrokenProcessPool())
        else:
            raise BrokenProcessPool
        return future

    def shutdown(self, **options: bool) -> None:
        pass


@pytest.mark.parametrize("breaks_after", [False, True])
@pytest.mark.parametrize("first", [1, 4, 5, 8])
def test_a_pool_that_breaks_at_any_moment_is_replaced(
    monkeypatch: pytest.MonkeyPatch, first: int, breaks_after: bool
) -> None:
    pools = [Pool(amount, breaks_after=breaks_after) for amount in (first, 3, 100)]
    engine = LocalEngine(2)
    monkeypatch.setattr(engine, "_pool", lambda: pools.pop(0))
    nothing: Any = None
    blocks = [Block(number, nothing) for number in range(20)]
    finished = [block.number for block in engine.finished(nothing, blocks)]
    assert sorted(finished) == list(range(20))
    assert not pools
