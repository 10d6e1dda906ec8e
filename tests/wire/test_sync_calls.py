"""The door for plain code: many calls at once, in order, whatever thread or loop asks."""

import asyncio
import gc
import threading

import pytest
from tests.judge.chat import Chat, Instant, numbers

from assay.wire import sync_calls
from assay.wire.budget import Budget
from assay.wire.call_errors import CallError, Fault
from assay.wire.exchange import Request
from assay.wire.http_client import Reply
from assay.wire.sync_calls import Calls


@pytest.fixture
def chat():
    server = Chat(numbers(0.5))
    yield server
    server.close()


def request(chat, text="x"):
    nonce = "0" * 32
    body = f'{{"messages": [{{"content": ""}}, {{"content": "<<<{nonce}\\n{text}"}}]}}'
    return Request("POST", f"{chat.url}/chat", {"content-type": "application/json"}, body.encode())


def test_answers_come_in_the_order_of_the_requests(chat):
    chat.answer = lambda asked: asked.user[-3:]
    found = Calls().ask_all([request(chat, f"{n:03}") for n in range(50)])
    assert all(isinstance(one, Reply) for one in found)
    assert [f'"content": "{n:03}"' in one.text for n, one in enumerate(found)] == [True] * 50
    assert Calls().ask_all([]) == []


def test_an_error_stands_in_the_place_of_its_answer(chat):
    chat.answer = lambda asked: (400, "no") if asked.user.endswith("bad") else "fine"
    good, bad, other = Calls().ask_all([request(chat, text) for text in ("a", "bad", "b")])
    assert isinstance(bad, CallError)
    assert bad.fault is Fault.REFUSED
    assert isinstance(good, Reply)
    assert isinstance(other, Reply)


def test_it_works_inside_a_running_loop(chat):
    async def work():
        before = asyncio.get_running_loop()
        (found,) = Calls().ask_all([request(chat)])
        assert asyncio.get_running_loop() is before
        return found

    assert isinstance(asyncio.run(work()), Reply)


def test_several_threads_may_ask(chat):
    shared, found = Calls(), []
    threads = [
        threading.Thread(target=lambda: found.extend(shared.ask_all([request(chat)] * 5)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 20
    assert all(isinstance(one, Reply) for one in found)


def test_there_is_one_loop_for_all(chat):
    for _ in range(3):
        Calls().ask_all([request(chat)])
    assert sum(t.name == "assay-calls" for t in threading.enumerate()) == 1


def test_a_budget_binds_all_calls(chat):
    own = Calls(budget=Budget(max_calls=3), concurrency=1)
    found = own.ask_all([request(chat)] * 5)
    assert [isinstance(one, Reply) for one in found].count(True) == 3
    assert {one.fault for one in found if isinstance(one, CallError)} == {Fault.BUDGET}
    assert own.ask_all([request(chat)])[0].fault is Fault.BUDGET


def test_only_the_pacer_repeats(chat):
    chat.answer = lambda asked: (503, "busy")
    (found,) = Calls(attempts=3, **Instant().waits).ask_all([request(chat)])
    assert found.fault is Fault.SERVER
    assert found.attempts == len(chat.asked) == 3


def test_denied_access_ends_all_calls_until_some_time_has_passed(chat):
    time = Instant()
    own = Calls(concurrency=1, **time.waits)
    chat.answer = lambda asked: (401, "who are you?")
    found = own.ask_all([request(chat)] * 10)
    assert {one.fault for one in found} == {Fault.ACCESS}
    assert len(chat.asked) == 1
    chat.answer = lambda asked: "fine"
    assert own.ask_all([request(chat)])[0].fault is Fault.ACCESS
    time.now += sync_calls.REST_SECONDS + 1
    assert isinstance(own.ask_all([request(chat)])[0], Reply)


def test_a_failure_of_the_work_reaches_the_caller():
    async def broken(item):
        raise ZeroDivisionError(item)

    with pytest.raises(ZeroDivisionError):
        Calls().map(broken, [1])


def test_connections_are_closed_when_nobody_holds_them(chat):
    closed = threading.Event()
    own = Calls()
    own.ask_all([request(chat)])
    close = own._wire.aclose

    async def noted():
        await close()
        closed.set()

    own._wire.aclose = noted
    del own
    gc.collect()
    assert closed.wait(120)


def test_nothing_is_imported_or_started_before_the_first_call():
    import subprocess
    import sys

    code = (
        "import sys, threading\n"
        "import assay.wire.sync_calls, assay.backends.judge, assay.backends.openai\n"
        "assert 'httpx2' not in sys.modules\n"
        "assert threading.active_count() == 1\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
