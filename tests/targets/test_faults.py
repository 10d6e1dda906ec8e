"""Every fault of the fault server is called by its right name, whoever asks."""

import asyncio
import json
import os
import resource
import subprocess
import sys

import pytest
from tests.faults import SHAPES, fault_server
from tests.faults.breaks import WRONG_USAGE
from tests.faults.refusals import RETRY_AFTER
from tests.faults.shapes import TEXT, by_row
from tests.held_clock import run_held

from assay.targets.chat import ChatTarget
from assay.targets.http import HttpSpec, HttpTarget
from assay.targets.protocol import Turn
from assay.wire.body import Unpacker
from assay.wire.call_errors import CallError, Fault
from assay.wire.limits import CallLimits

KEY = "sk-secret-0123456789"
CAP = 256 * 2**10
QUICK = CallLimits(
    connect=5.0, first_byte=0.2, idle=0.1, total=0.3, max_bytes=CAP, max_pieces=5_000
)
"""For shapes that stall."""
QUIET = CallLimits(first_byte=20.0, idle=0.2, total=60.0, max_bytes=CAP, max_pieces=5_000)
"""For streams that say something before they stall."""
PATIENT = CallLimits(first_byte=20.0, idle=20.0, total=60.0, max_bytes=CAP, max_pieces=5_000)
"""For all others, however busy the machine is."""
STALLING = {"failing_and_stalled", *(shape.name for shape in by_row("B1"))} - {
    "left_open",
    "left_open_with_heartbeats",
}
KINDS = ("stream", "plain", "http")


@pytest.fixture(scope="module")
def server():
    running = fault_server()
    yield running
    running.stop()


def make_target(kind, url, limits):
    if kind == "http":
        body = {"messages": "{{turns}}", "padding": "{{query}}"}
        spec = HttpSpec(f"{url}/chat", body=body, answer="choices[0].message.content")
        return HttpTarget(spec, KEY, limits=limits)
    return ChatTarget(url, "m", KEY, limits=limits, stream=kind == "stream")


def limits_of(name, kind="stream"):
    if name not in STALLING:
        return PATIENT
    speaks = SHAPES[name].partial is not None or name == "finished_and_left_open"
    return QUIET if speaks and kind == "stream" else QUICK


def ask(server, kind, name, limits, query="What colour is the sky?"):
    """The answer or the error of one question."""

    async def work():
        target = make_target(kind, server.url(name), limits)
        try:
            return await target.ask([Turn("user", query)])
        except CallError as error:
            return error
        finally:
            await target.close()

    if limits is PATIENT:
        return asyncio.run(work())
    before = server.stalls
    return run_held(work(), lambda: server.stalls > before)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", SHAPES)
def test_fault(server, name, kind):
    shape = SHAPES[name]
    expected = getattr(shape, kind)
    query = "a" * 20_000_000 if shape.is_unread else "What colour is the sky?"
    before = len(server.seen(name))
    got = ask(server, kind, name, limits_of(name, kind), query)
    assert server.is_settled(), "a connection was left open"
    assert len(server.seen(name)) == before + 1, "asked once, never repeated here"
    if expected is None:
        assert not isinstance(got, CallError), str(got)
    else:
        assert isinstance(got, CallError), got
        assert got.fault is expected, str(got)
        assert KEY not in str(got) + got.partial
        assert str(got).startswith("http://127.0.0.1") and str(got).isprintable()


@pytest.mark.parametrize("name", [s.name for s in SHAPES.values() if s.partial is not None])
def test_what_had_come_is_kept_and_is_no_answer(server, name):
    got = ask(server, "stream", name, limits_of(name))
    assert isinstance(got, CallError)
    assert got.partial == SHAPES[name].partial


def test_part_of_a_body_is_kept(server):
    got = ask(server, "plain", "half", QUIET)
    assert got.partial.startswith('{"id": "c"')


def test_the_table_is_as_long_as_it_should_be():
    assert len(by_row("B1")) >= 12
    assert len(by_row("B2")) >= 8
    assert len(by_row("B3")) >= 10
    assert len(by_row("B4")) >= 60


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", [shape.name for shape in by_row("ok")])
def test_good_answers(server, name, kind):
    got = ask(server, kind, name, PATIENT)
    assert got.text == TEXT
    assert got.duration >= 0
    if kind == "stream":
        assert 0 <= got.first_token_time <= got.duration


@pytest.mark.parametrize("kind", ["stream", "plain"])
def test_what_is_measured(server, kind):
    got = ask(server, kind, "good", PATIENT)
    assert (got.prompt_tokens, got.completion_tokens, got.model) == (12, 5, "m")
    assert (got.finish_reason, got.tool_calls, got.metadata) == ("stop", None, {})
    assert got.raw["choices"][0]["message"]["content"] == TEXT
    json.dumps(got.raw)
    got = ask(server, kind, "no_usage", PATIENT)
    assert (got.prompt_tokens, got.completion_tokens) == (None, None)
    assert ask(server, kind, "cut_by_length", PATIENT).finish_reason == "length"


@pytest.mark.parametrize("kind", ["stream", "plain"])
@pytest.mark.parametrize("name", WRONG_USAGE)
def test_usage_that_cannot_be_is_not_trusted(server, name, kind):
    got = ask(server, kind, f"usage_{name}", PATIENT)
    assert got.text == TEXT
    assert (got.prompt_tokens, got.completion_tokens) == (None, None)
    assert "prompt_tokens is" in got.metadata["usage_problem"]
    assert "completion_tokens is" in got.metadata["usage_problem"]


@pytest.mark.parametrize("kind", ["stream", "plain"])
def test_a_tool_call_instead_of_text(server, kind):
    got = ask(server, kind, "tool_call", PATIENT)
    assert (got.text, got.finish_reason) == ("", "tool_calls")
    (call,) = got.tool_calls
    assert call["function"] == {"name": "look", "arguments": '{"at": "sky"}'}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", RETRY_AFTER)
def test_retry_after(server, name, kind):
    got = ask(server, kind, f"rate_{name}", PATIENT)
    assert (got.fault, got.status) == (Fault.RATE, 429)
    assert got.retry_after == RETRY_AFTER[name][1]


def test_a_redirect_is_named_and_not_followed(server):
    got = ask(server, "stream", "status_302", PATIENT)
    assert "'http://elsewhere.example/v2'" in str(got)
    assert "hidden" not in str(got)


def test_many_at_once_do_not_disturb_each_other(server):
    names = ["good", "half", "status_500", "good", "heartbeats", "page", "reset_in_body", "good"]

    async def one(name):
        target = make_target("stream", server.url(name), limits_of(name))
        try:
            return (await target.ask([Turn("user", "What?")])).text
        except CallError as error:
            return error.fault
        finally:
            await target.close()

    async def work():
        return await asyncio.gather(*map(one, names * 4))

    expected = [TEXT if SHAPES[name].stream is None else SHAPES[name].stream for name in names]
    assert asyncio.run(work()) == expected * 4
    assert server.is_settled()


def test_a_cancelled_call_leaves_no_connection(server):
    async def work():
        target = make_target("stream", server.url("silent"), PATIENT)
        before = len(server.seen("silent"))
        task = asyncio.create_task(target.ask([Turn("user", "What?")]))
        while len(server.seen("silent")) == before:
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        settled = await asyncio.to_thread(server.is_settled)
        await target.close()
        return settled

    assert asyncio.run(work())


@pytest.mark.parametrize(("kind", "connections"), [("stream", 5), ("plain", 1), ("http", 1)])
def test_one_connection_serves_many_calls(server, kind, connections):
    """Except for streams, after which servers close as they like."""

    async def work():
        target = make_target(kind, server.url("good"), PATIENT)
        for _ in range(5):
            await target.ask([Turn("user", "What?")])
        count = server.connections
        await target.close()
        return count

    before = server.connections
    assert asyncio.run(work()) == before + connections


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", [shape.name for shape in by_row("B2")])
def test_reading_stops_at_the_cap(server, name, kind, monkeypatch):
    taken = {"packed": 0, "unpacked": 0}

    def feed(unpacker, data, feed=Unpacker.feed):
        taken["packed"] += len(data)
        for piece in feed(unpacker, data):
            taken["unpacked"] += len(piece)
            yield piece

    monkeypatch.setattr(Unpacker, "feed", feed)
    assert ask(server, kind, name, PATIENT).fault is Fault.TOO_LARGE
    assert max(taken.values()) <= CAP + 64 * 2**10


CHILD = """
import asyncio, resource, sys
from assay.targets.chat import ChatTarget
from assay.targets.http import HttpSpec, HttpTarget
from assay.targets.protocol import Turn
from assay.wire.call_errors import CallError
from assay.wire.limits import CallLimits

LIMITS = CallLimits(first_byte=60, idle=60, total=120)

async def ask(target):
    try:
        await target.ask([Turn("user", "What?")])
    except CallError as error:
        return error.fault.name
    finally:
        await target.close()

async def work(url):
    good = ChatTarget(url + "/good", "m")
    await good.ask([Turn("user", "What?")])
    await good.close()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    faults = set()
    for shape in sys.argv[2:]:
        faults.add(await ask(ChatTarget(f"{url}/{shape}", "m", limits=LIMITS)))
        faults.add(await ask(ChatTarget(f"{url}/{shape}", "m", limits=LIMITS, stream=False)))
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(sorted(faults), (after - before) // 1024)

asyncio.run(work(sys.argv[1]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured in kilobytes on Linux")
def test_huge_answers_cost_little_memory(server):
    """With the limits that users have: 16 MiB of text may be kept, and not much around it."""
    names = ["bomb", "endless_line", "endless_header", "million_headers", "ten_gigabytes"]
    limit = 2**30  # of addresses; what is in use is measured below
    done = subprocess.run(
        [sys.executable, "-c", CHILD, f"http://{server.address}", *names],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"MALLOC_ARENA_MAX": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )
    faults, _, megabytes = done.stdout.strip().rpartition(" ")
    assert faults == "['TOO_LARGE']"
    assert int(megabytes) <= 50
