"""A chat page in a real browser, well-behaved and not."""

import asyncio
import os
import signal

import pytest
from tests.required import chromium
from tests.targets.chat_page import SHOWN, chat_page, listening, trapped

from assay.core import Sample
from assay.core.errors import ProfileError
from assay.runner.answer_collector import AnswerCollector, TargetCallOptions
from assay.targets.browser import MAX_PAGES, BrowserSpec, BrowserTarget
from assay.targets.browser_supply import BrowserSupply
from assay.targets.protocol import Turn
from assay.wire.call_errors import CallError, Fault
from assay.wire.limits import CallLimits


@pytest.fixture(scope="module")
def trap():
    with trapped() as found:
        yield found


@pytest.fixture(scope="module")
def page(trap):
    with chat_page(trap[0]) as address:
        yield address


def spec_of(page, behaviour="plain", **rest):
    known = {"input": "#q", "answer": ".bot", "send": "#send", "quiet": 0.1}
    known["program"] = chromium()
    return BrowserSpec(f"{page}/{behaviour}", **{**known, **rest})


def ask(spec, *conversations, limits=None):
    """The answers of a target to each conversation, or the fault in its place."""

    async def talk():
        target = BrowserTarget(spec, limits=limits)
        found = []
        try:
            for turns in conversations or ([Turn("user", "hello")],):
                try:
                    found.append(await target.ask(turns))
                except CallError as error:
                    found.append(error)
        finally:
            await target.close()
        return found

    return asyncio.run(talk())


def test_an_answer_is_what_the_page_shows(page):
    (answer,) = ask(spec_of(page))
    assert answer.text == "You said: hello"
    assert 0 <= answer.first_token_time <= answer.duration
    assert answer.metadata["browser"] == {
        "device": "desktop",
        "direction": "ltr",
        "is_direction_right": True,
        "is_wider_than_window": False,
    }


def test_enter_sends_where_no_button_is_named(page):
    (answer,) = ask(spec_of(page, send=""))
    assert answer.text == "You said: hello"


def test_a_conversation_goes_on_in_its_own_page(page):
    first, other = [Turn("user", "a")], [Turn("user", "b")]
    second = [*first, Turn("assistant", "turn 1"), Turn("user", "c")]
    answers = ask(spec_of(page, "counting"), first, other, second)
    assert [answer.text for answer in answers] == ["turn 1", "turn 1", "turn 2"]


def test_a_conversation_whose_page_is_gone_is_not_pretended(page):
    turns = [Turn("user", "a"), Turn("assistant", "turn 1"), Turn("user", "c")]
    (fault,) = ask(spec_of(page, "counting"), turns)
    assert fault.fault is Fault.UNUSABLE  # to ask once more would fail too


def test_as_many_conversations_stay_open_as_go_on_at_a_time(page):
    turns = ({"role": "user", "content": "a"}, {"role": "user", "content": "b"})
    target = BrowserTarget(spec_of(page, "counting"))
    asker = AnswerCollector(target, TargetCallOptions(attempts=1))
    items = list(asker.items(Sample(f"c{n}", conversation=turns) for n in range(MAX_PAGES + 4)))
    assert [getattr(item, "response", item) for item in items] == ["turn 2"] * (MAX_PAGES + 4)


def test_an_answer_that_is_being_written_is_waited_for(page):
    (answer,) = ask(spec_of(page, "pieces", busy="#typing", quiet=0.05))
    assert answer.text == "one" + " more" * 5
    assert answer.first_token_time < answer.duration


@pytest.mark.parametrize(
    ("behaviour", "device", "direction", "is_right", "is_wide"),
    [
        ("arabic", "phone", "rtl", True, False),
        ("arabic_left", "desktop", "ltr", False, False),
        ("wide", "phone", "ltr", True, True),
    ],
)
def test_direction_and_width_are_looked_at(page, behaviour, device, direction, is_right, is_wide):
    (answer,) = ask(spec_of(page, behaviour, device=device))
    seen = answer.metadata["browser"]
    assert (seen["device"], seen["direction"]) == (device, direction)
    assert (seen["is_direction_right"], seen["is_wider_than_window"]) == (is_right, is_wide)


@pytest.mark.parametrize(
    ("behaviour", "text"),
    [
        ("markup", '<img src=x onerror="alert(1)">'),
        ("alert", "after: hello"),
        ("confirm", "confirmed: false"),
        ("popup", "opened"),
        ("beacon", "sent"),
        ("socket", "tried"),
        ("download", "downloaded"),
    ],
)
def test_a_rude_page_gets_nowhere(page, trap, behaviour, text):
    del trap[1][:]
    (answer,) = ask(spec_of(page, behaviour))
    assert answer.text == text
    assert trap[1] == []


@pytest.mark.parametrize(
    ("behaviour", "faults", "partial"),
    [
        ("silent", {Fault.TIMEOUT}, ""),
        ("blank", {Fault.TIMEOUT}, ""),
        ("busy_loop", {Fault.TIMEOUT}, ""),
        ("removed", {Fault.TIMEOUT}, ""),
        # leaving the page while it is being watched breaks the connection to it
        ("away", {Fault.TIMEOUT, Fault.CONNECTION}, ""),
        ("reload", {Fault.TIMEOUT, Fault.CONNECTION}, ""),
        ("forger", {Fault.UNUSABLE}, ""),
        ("huge", {Fault.TOO_LARGE}, "xx"),
    ],
)
def test_a_page_without_a_whole_answer_is_a_fault(page, trap, behaviour, faults, partial):
    del trap[1][:]
    seconds = 6 if Fault.TIMEOUT in faults else 120
    (error,) = ask(spec_of(page, behaviour), limits=CallLimits(total=seconds))
    assert isinstance(error, CallError)
    assert error.fault in faults
    assert error.partial.startswith(partial)
    assert trap[1] == []


@pytest.mark.parametrize(("behaviour", "partial"), [("endless", "aa"), ("liar", "lied")])
def test_what_a_page_has_shown_when_time_is_up_is_kept(page, behaviour, partial):
    """Time is up here when the page has shown it, however long the browser took for that."""
    SHOWN.clear()

    async def talk():
        target = BrowserTarget(spec_of(page, behaviour, quiet=60.0))
        exchange = target._exchange

        async def until_shown(*given):
            answer = asyncio.ensure_future(exchange(*given))
            assert await asyncio.to_thread(SHOWN.wait, 120)
            assert not answer.done()
            answer.cancel()
            raise TimeoutError

        target._exchange = until_shown
        try:
            await target.ask([Turn("user", "hello")])
        finally:
            await target.close()

    with pytest.raises(CallError) as caught:
        asyncio.run(talk())
    assert caught.value.fault is Fault.TIMEOUT
    assert caught.value.partial.startswith(partial)


def test_a_browser_that_dies_is_started_again(page):
    async def talk():
        target = BrowserTarget(spec_of(page))
        try:
            before = await target.ask([Turn("user", "one")])
            session = await target._browsers.current.new_browser_cdp_session()
            found = await session.send("SystemInfo.getProcessInfo")
            pid = next(p["id"] for p in found["processInfo"] if p["type"] == "browser")
            gone = asyncio.get_running_loop().create_future()
            target._browsers.current.once("disconnected", lambda _: gone.set_result(None))
            os.kill(pid, signal.SIGKILL)
            await gone
            after = await target.ask([Turn("user", "two")])
        finally:
            await target.close()
        return before.text, after.text

    assert asyncio.run(talk()) == ("You said: one", "You said: two")


def test_a_new_browser_takes_over_after_so_many_pages(page):
    async def talk():
        target = BrowserTarget(spec_of(page, "counting"))
        target._browsers = BrowserSupply(target._start, pages=MAX_PAGES)
        used, texts = [], []
        try:
            for number in range(2 * MAX_PAGES + 1):
                texts.append((await target.ask([Turn("user", f"{number}")])).text)
                used.append(target._browsers.current)
            last = [Turn("user", f"{MAX_PAGES + 1}"), Turn("assistant", "turn 1")]
            texts.append((await target.ask([*last, Turn("user", "more")])).text)
            alive = [browser.is_connected() for browser in dict.fromkeys(used)]
        finally:
            await target.close()
        return texts, alive, [browser.is_connected() for browser in dict.fromkeys(used)]

    texts, alive, after = asyncio.run(talk())
    assert texts == ["turn 1"] * (2 * MAX_PAGES + 1) + ["turn 2"]
    assert alive == [False, True, True]  # pages of the second are still open
    assert after == [False] * 3


def test_an_address_that_does_not_answer_is_a_fault():
    program = chromium()
    with listening(lambda path: (b"", "text/plain")) as (address, _):
        pass
    (error,) = ask(
        BrowserSpec(address, "#q", ".bot", program=program), limits=CallLimits(total=120)
    )
    assert error.fault is Fault.CONNECTION


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"input": "#q", "answer": ".a"}, "no 'url'"),
        ({"url": "http://127.0.0.1", "answer": ".a"}, "no 'input'"),
        ({"url": "http://127.0.0.1", "input": " ", "answer": ".a"}, "empty 'input'"),
        ({"url": "http://127.0.0.1", "input": "#q", "answer": ".a", "answr": ""}, "'answr'"),
        ({"url": "http://127.0.0.1", "input": "#q", "answer": ".a", "device": "tv"}, "'tv'"),
        ({"url": "http://127.0.0.1", "input": "#q", "answer": ".a", "quiet": 0}, "'quiet'"),
        ({"url": "http://127.0.0.1", "input": "#q", "answer": ".a", "quiet": "1"}, "a number"),
        ({"url": "http://127.0.0.1", "input": 3, "answer": ".a"}, "'input' .* is 3; expected text"),
        ({"url": "http://127.0.0.1", "input": "#q", "answer": ".a", "allow": "x"}, "list of texts"),
    ],
)
def test_a_wrong_description_is_explained(given, reason):
    with pytest.raises(ProfileError, match=reason):
        BrowserSpec.from_mapping(given)
