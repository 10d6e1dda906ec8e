"""The chat target against a real server with a real model."""

import asyncio

import pytest

from assay.targets.chat import ChatTarget
from assay.targets.http import HttpSpec, HttpTarget
from assay.targets.protocol import Turn
from assay.wire.call_errors import CallError, Fault
from assay.wire.limits import CallLimits

PATIENT = CallLimits(first_byte=120.0, idle=120.0, total=300.0)
FIXED = {"temperature": 0, "seed": 1, "max_tokens": 24, "cache_prompt": False}
SKY = [Turn("user", "What colour is the sky?")]


def ask(target, *conversations):
    """The answers, asked all at once."""

    async def work():
        try:
            return await asyncio.gather(*map(target.ask, conversations))
        finally:
            await target.close()

    return asyncio.run(work())


def chat(small_model, **more):
    given = {"limits": PATIENT, "options": FIXED} | more
    return ChatTarget(small_model.url, small_model.name, **given)


def test_a_stream_is_measured(small_model):
    (answer,) = ask(chat(small_model), SKY)
    assert answer.text.strip()
    assert answer.model == small_model.name
    assert 0 < answer.first_token_time < answer.duration
    assert answer.prompt_tokens > 5
    assert 1 < answer.completion_tokens <= 24
    assert answer.completion_tokens / (answer.duration - answer.first_token_time) > 0
    assert answer.metadata == {}


def test_streamed_and_whole_are_the_same_answer(small_model):
    (streamed,) = ask(chat(small_model), SKY)
    (whole,) = ask(chat(small_model, stream=False), SKY)
    assert whole.text == streamed.text
    assert whole.completion_tokens == streamed.completion_tokens
    assert whole.prompt_tokens == streamed.prompt_tokens
    assert whole.finish_reason == streamed.finish_reason
    assert (whole.first_token_time, whole.duration > 0) == (None, True)


def test_usage_is_not_invented(small_model):
    (answer,) = ask(chat(small_model, counts_usage=False), SKY)
    assert (answer.prompt_tokens, answer.completion_tokens) == (None, None)


def test_an_answer_that_was_cut_says_so(small_model):
    (answer,) = ask(chat(small_model, options=FIXED | {"max_tokens": 3}), SKY)
    assert (answer.finish_reason, answer.completion_tokens) == ("length", 3)


def test_a_conversation(small_model):
    target = chat(small_model)

    async def work():
        first = await target.ask([Turn("system", "Answer briefly."), *SKY])
        turns = [*SKY, Turn("assistant", first.text), Turn("user", "And at night?")]
        second = await target.ask(turns)
        await target.close()
        return first, second

    first, second = asyncio.run(work())
    assert second.text.strip()
    assert second.prompt_tokens > first.prompt_tokens


def test_several_at_once(small_model):
    answers = ask(chat(small_model), SKY, [Turn("user", "Name a fruit.")], SKY)
    assert len(answers) == 3
    assert all(answer.text.strip() for answer in answers)


def test_by_description(small_model):
    spec = HttpSpec(
        f"{small_model.url}/chat/completions",
        body={"messages": "{{turns}}", **FIXED},
        answer="choices[0].message.content",
        prompt_tokens="usage.prompt_tokens",
        completion_tokens="usage.completion_tokens",
        finish_reason="choices[0].finish_reason",
        model="model",
    )
    (answer,) = ask(HttpTarget(spec, limits=PATIENT), SKY)
    assert answer.text.strip()
    assert answer.model == small_model.name
    assert answer.completion_tokens > 1
    assert answer.finish_reason in ("length", "stop")


@pytest.mark.parametrize("stream", [True, False])
def test_a_wrong_request_is_refused_with_the_reason(small_model, stream):
    target = chat(small_model, stream=stream, options={"temperature": "hot"})
    with pytest.raises(CallError) as caught:
        ask(target, SKY)
    assert caught.value.fault in (Fault.REFUSED, Fault.SERVER)
    assert "saying" in str(caught.value)


def test_a_wrong_address_concerns_all_calls(small_model):
    target = ChatTarget(small_model.url + "/nowhere", small_model.name, limits=PATIENT)
    with pytest.raises(CallError) as caught:
        ask(target, SKY)
    assert caught.value.fault is Fault.ACCESS


def test_a_call_that_takes_too_long_is_ended(small_model):
    hasty = CallLimits(first_byte=120.0, idle=120.0, total=0.05)
    with pytest.raises(CallError) as caught:
        ask(chat(small_model, limits=hasty, options=FIXED | {"max_tokens": 500}), SKY)
    assert caught.value.fault is Fault.TIMEOUT
