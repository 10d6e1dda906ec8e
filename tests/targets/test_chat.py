import asyncio
from json import dumps

import pytest
from tests.faults import fault_server
from tests.faults.server import FaultServer
from tests.faults.shapes import TEXT, answer, completion, delta

from assay.core import UsageError
from assay.targets.chat import ChatTarget
from assay.targets.chat_completion import Stream, read_completion
from assay.targets.protocol import Turn
from assay.wire.call_errors import CallError, Fault
from assay.wire.http_client import Wire
from assay.wire.limits import CallLimits

KEY = "sk-secret-0123456789"
LIMITS = CallLimits(first_byte=20.0, idle=20.0, total=60.0)
TURNS = [Turn("system", "Be brief."), Turn("user", "What colour is the sky? السماء")]


@pytest.fixture(scope="module")
def server():
    running = fault_server()
    yield running
    running.stop()


def ask(url, **more):
    async def work():
        target = ChatTarget(url, "m", KEY, limits=LIMITS, **more)
        try:
            return await target.ask(TURNS)
        finally:
            await target.close()

    return asyncio.run(work())


def test_a_model_that_was_offered_tools_and_called_none_has_made_no_call(server):
    tools = [{"type": "function", "function": {"name": "search"}}]
    for stream in (True, False):
        assert ask(server.url("good"), stream=stream).tool_calls is None
        assert ask(server.url("good"), stream=stream, options={"tools": tools}).tool_calls == ()


def test_the_request(server):
    ask(server.url("good"), options={"temperature": 0, "seed": 7, "max_tokens": 20})
    seen = server.seen("good")[-1]
    assert seen.path == "/good/chat/completions"
    assert seen.headers["authorization"] == f"Bearer {KEY}"
    assert seen.headers["content-type"] == "application/json"
    assert seen.json == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "What colour is the sky? السماء"},
        ],
        "temperature": 0,
        "seed": 7,
        "max_tokens": 20,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    ask(server.url("good"), counts_usage=False)
    assert "stream_options" not in server.seen("good")[-1].json
    ask(server.url("good"), stream=False)
    sent = server.seen("good")[-1].json
    assert sent["stream"] is False and "stream_options" not in sent


def test_a_seed_goes_into_every_request_of_its_own_copy(server):
    async def work():
        target = ChatTarget(server.url("good"), "m", KEY, limits=LIMITS)
        try:
            await target.with_seed(7).ask(TURNS)
            await target.ask(TURNS)
        finally:
            await target.close()

    asyncio.run(work())
    seeds = [seen.json.get("seed") for seen in server.seen("good")[-2:]]
    assert seeds == [7, None]


@pytest.mark.parametrize("rest", ["/", "/chat/completions", "/chat/completions/", "?api=1"])
def test_the_address(server, rest):
    ask(server.url("good") + rest)
    path = "/good/chat/completions"
    assert server.seen("good")[-1].path == (path + rest if rest[0] == "?" else path)


@pytest.mark.parametrize("name", ["messages", "model", "n", "stream", "stream_options"])
def test_options_that_are_the_targets_own(name):
    with pytest.raises(UsageError, match=name):
        ChatTarget("http://localhost/v1", "m", options={name: 1})


@pytest.mark.parametrize(
    "wrong",
    [
        {"url": "ftp://localhost"},
        {"url": "http://me:pw@localhost"},
        {"key": "a\nb"},
        {"options": {"a": float("nan")}},
        {"options": {"a": object()}},
    ],
)
def test_what_cannot_be_asked(wrong):
    given = {"url": "http://localhost/v1", "model": "m"} | wrong
    with pytest.raises(UsageError):
        ChatTarget(**given)


def test_the_name_tells_place_and_model():
    target = ChatTarget("http://localhost:8080/v1?key=hidden", "llama", KEY)
    assert target.name == "openai:http://localhost:8080/v1#llama"
    asyncio.run(target.close())


def test_a_wire_that_was_given_stays_open(server):
    async def work():
        async with Wire(LIMITS) as wire:
            for _ in range(2):
                target = ChatTarget(server.url("good"), "m", wire=wire)
                assert (await target.ask(TURNS)).text == TEXT
                await target.close()

    asyncio.run(work())


@pytest.mark.parametrize("stream", [True, False])
def test_a_key_that_comes_back_is_in_no_answer(stream):
    pieces = [delta("key: sk-secret"), delta("-0123456789"), delta(finish="stop"), "[DONE]"]
    running = FaultServer({"echo": answer(completion(f"key: {KEY}"), *pieces)})
    got = ask(running.url("echo"), stream=stream)
    running.stop()
    assert got.text == "key: [secret]"
    assert KEY not in repr(got)


# -- the pieces of a stream ----------------------------------------------------------------------


def stream_of(*payloads, times=None):
    clock = iter(times or range(100))
    stream = Stream(lambda: float(next(clock)), lambda text: text)
    news = [
        stream.take(payload if isinstance(payload, str) else dumps(payload)) for payload in payloads
    ]
    return stream, news


def test_times_are_those_of_text():
    stream, news = stream_of(
        delta("", role="assistant"),
        delta(reasoning_content="hm"),
        delta("The"),
        delta(" sky"),
        delta(finish="stop"),
        delta(),
        {"choices": [], "usage": {"completion_tokens": 2}},
        times=[0, 1, 2, 3, 4, 5, 6, 7],
    )
    assert news == [False, True, True, True, True, False, True]
    assert (stream.first_token_time, stream.duration) == (3.0, 7.0)


def test_halves_of_a_character_are_put_together():
    stream, _ = stream_of(delta("\ud83c"), delta("\udf24"), delta("\ud800"), delta(finish="stop"))
    assert stream.completion().text == "\U0001f324\ufffd"


def test_only_the_first_choice_is_the_answer():
    other = delta("no")
    other["choices"][0]["index"] = 1
    stream, _ = stream_of(other, delta("yes"), delta(finish="stop"))
    assert stream.completion().text == "yes"


def test_tool_calls_in_pieces():
    parts = [
        [{"index": 1, "id": "b", "function": {"name": "second", "arguments": "{"}}],
        [{"index": 0, "id": "a", "function": {"name": "first", "arguments": "{}"}}],
        [{"index": 1, "function": {"arguments": '"x": 1}'}}],
    ]
    stream, _ = stream_of(*(delta(tool_calls=part) for part in parts), delta(finish="tool_calls"))
    found = stream.completion()
    assert found.text == ""
    assert [(call["id"], call["function"]) for call in found.tool_calls] == [
        ("a", {"name": "first", "arguments": "{}"}),
        ("b", {"name": "second", "arguments": '{"x": 1}'}),
    ]


@pytest.mark.parametrize("index", [-1, 10**9, True, "0", None, 0.0])
def test_a_tool_call_without_a_place(index):
    with pytest.raises(CallError) as caught:
        stream_of(delta(tool_calls=[{"index": index}]))
    assert caught.value.fault is Fault.UNUSABLE


def test_content_in_parts():
    parts = [{"type": "text", "text": "The "}, {"type": "image"}, {"type": "text", "text": "sky"}]
    assert read_completion(dumps(completion(parts))).text == "The sky"
    stream, _ = stream_of(delta(parts), delta(finish="stop"))
    assert stream.completion().text == "The sky"


def test_the_older_form_of_a_tool_call():
    call = {"name": "look", "arguments": "{}"}
    found = read_completion(dumps(completion(None, "function_call", function_call=call)))
    assert found.tool_calls == ({"type": "function", "function": call},)
    stream, _ = stream_of(delta(function_call=call), delta(finish="function_call"))
    assert stream.completion().tool_calls[0]["function"] == call


def test_an_empty_answer_is_an_answer():
    assert read_completion(dumps(completion(""))).text == ""
    stream, _ = stream_of(delta(""), delta(finish="stop"))
    assert stream.completion().text == ""


def test_an_answer_that_was_all_thought():
    assert read_completion(dumps(completion(None, "length"))).finish_reason == "length"


def test_hidden_thought_is_counted():
    usage = {"prompt_tokens": 9, "completion_tokens": 900}
    assert read_completion(dumps(completion("4", usage=usage))).completion_tokens == 900


def test_a_refusal_beside_an_empty_text_is_the_answer() -> None:
    message = {"role": "assistant", "content": "", "refusal": "I cannot help with that."}
    body = dumps({"choices": [{"message": message, "finish_reason": "stop"}]})
    assert read_completion(body).text == "I cannot help with that."
