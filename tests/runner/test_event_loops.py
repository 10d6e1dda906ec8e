"""Calls from inside of event loops: they work or say what to call, and leave the loop as it was."""

from __future__ import annotations

import ast
import asyncio
import inspect
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import assay
from assay.core import UsageError

SAMPLES = [{"id": "a", "response": "Fine so far."}, {"id": "b", "response": "Damn."}]
PATCHED_BY_OTHERS = (
    (asyncio, ("run", "get_event_loop", "get_running_loop", "new_event_loop", "Task", "Future")),
    (asyncio.BaseEventLoop, ("run_forever", "run_until_complete", "_run_once", "_check_running")),
    (asyncio.Runner, ("run",)),
)
"""What programs change that let a loop run inside of itself."""


def run_plainly() -> Any:
    return assay.evaluate(SAMPLES, ["text.safety"], settings=None)


async def run_waiting() -> Any:
    return await assay.aevaluate(SAMPLES, ["text.safety"], settings=None)


async def called(call: Callable[[], Any]) -> list[float | None]:
    """What a call gives inside of a running loop, which is the same afterwards."""
    loop = asyncio.get_running_loop()
    kind = type(loop)
    report = call()
    if inspect.isawaitable(report):
        report = await report
    assert asyncio.get_running_loop() is loop
    assert type(loop) is kind
    return qualities(report)


def qualities(report: Any) -> list[float | None]:
    return [scores["text.safety"].quality for scores in report.scores]


def in_asyncio(call: Callable[[], Any]) -> list[float | None]:
    return asyncio.run(called(call))


def in_uvloop(call: Callable[[], Any]) -> list[float | None]:
    uvloop = pytest.importorskip("uvloop")
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(called(call))


def in_fastapi(call: Callable[[], Any]) -> list[float | None]:
    fastapi = pytest.importorskip("fastapi")
    from fastapi.testclient import TestClient

    app = fastapi.FastAPI()

    @app.get("/")
    async def root() -> list[float | None]:
        return await called(call)

    return TestClient(app).get("/").json()


def in_a_notebook(call: Callable[[], Any]) -> list[float | None]:
    """A cell is compiled with `await` at its top level, and runs in the loop of the kernel."""
    code = "found = await called(call)"
    cell = compile(code, "<cell>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    names = {"called": called, "call": call}

    async def kernel() -> None:
        await eval(cell, names)  # noqa: S307 -- the line above

    asyncio.run(kernel())
    return names["found"]  # type: ignore[return-value] # the cell sets it


HOSTS = [in_asyncio, in_uvloop, in_fastapi, in_a_notebook]


@pytest.fixture(autouse=True)
def untouched() -> Iterator[None]:
    """Neither the policy nor a function of asyncio is another one afterwards."""

    def parts() -> list[Any]:
        found = [getattr(owner, name) for owner, names in PATCHED_BY_OTHERS for name in names]
        return [asyncio.get_event_loop_policy(), *found]

    before = parts()
    yield
    assert all(now is then for now, then in zip(parts(), before, strict=True))


@pytest.mark.parametrize("call", [run_plainly, run_waiting])
@pytest.mark.parametrize("host", HOSTS)
def test_a_call_works_in_a_running_loop_and_leaves_it_alone(host, call):
    assert host(call) == qualities(run_plainly())


@pytest.mark.asyncio
@pytest.mark.parametrize("call", [run_plainly, run_waiting])
async def test_a_call_works_in_a_test_of_pytest_asyncio(call):
    assert await called(call) == qualities(run_plainly())


def test_the_plain_call_works_in_trio():
    trio = pytest.importorskip("trio")

    async def main() -> Any:
        return run_plainly()

    assert qualities(trio.run(main)) == qualities(run_plainly())


def test_the_waiting_call_says_what_to_call_in_trio():
    trio = pytest.importorskip("trio")
    with pytest.raises(UsageError, match=r"to_thread\.run_sync\(assay\.evaluate"):
        trio.run(run_waiting)


def test_what_it_says_works():
    trio = pytest.importorskip("trio")
    report = trio.run(trio.to_thread.run_sync, run_plainly)
    assert qualities(report) == qualities(run_plainly())


def test_no_loop_is_made_to_run_inside_of_itself():
    from tests.lock import PINS

    assert "nest" not in PINS.read_text(encoding="utf-8")
