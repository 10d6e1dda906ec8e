"""A chat endpoint that speaks OpenAI's protocol: `POST …/chat/completions`.

What the answer tells is measured or left out, never guessed: the time to the first piece of text,
the time to the last one, and the tokens that the endpoint itself counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import aclosing
from copy import copy
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from assay.core.errors import UsageError
from assay.core.jsontext import dumps
from assay.core.secrets import address_secrets
from assay.targets.chat_completion import Completion, Stream, read_completion
from assay.targets.protocol import Answer, Turn
from assay.wire.address import check_address, check_headers, place_of
from assay.wire.body import DONE
from assay.wire.call_errors import CallError, Fault
from assay.wire.exchange import Request
from assay.wire.http_client import MAX_PARTIAL, Wire
from assay.wire.limits import CallLimits

PATH = "/chat/completions"
OWN = frozenset({"messages", "model", "n", "stream", "stream_options"})
"""What the target says itself; no option changes it."""


class ChatTarget:
    """One model at one address. `options` go into every request as they are.

    `counts_usage` asks for the tokens of a streamed answer; a few endpoints refuse to be asked.
    """

    returns = frozenset({"tool_calls"})

    def __init__(
        self,
        url: str,
        model: str,
        key: str = "",
        *,
        limits: CallLimits | None = None,
        stream: bool = True,
        counts_usage: bool = True,
        options: Mapping[str, Any] | None = None,
        wire: Wire | None = None,
    ) -> None:
        check_address(url)
        self.name = f"openai:{place_of(url)}#{model}"
        self._url = _completions(url)
        self._headers = {"content-type": "application/json"}
        if key:
            self._headers["authorization"] = f"Bearer {key}"
        check_headers(self._headers)
        self._fixed = _fixed(model, dict(options or {}), stream, counts_usage)
        self._is_streaming = stream
        self._owns_wire = wire is None
        self._wire = wire or Wire(limits, secrets=[key, *address_secrets(url)])

    async def ask(self, turns: Sequence[Turn]) -> Answer:
        """The model's answer to the conversation."""
        messages = [{"role": turn.role, "content": turn.content} for turn in turns]
        body = dumps({**self._fixed, "messages": messages}).encode()
        request = Request("POST", self._url, self._headers, body)
        return await (self._streamed(request) if self._is_streaming else self._whole(request))

    def with_seed(self, seed: int) -> ChatTarget:
        """The same model, told a seed with every request; both share their connections."""
        seeded = copy(self)
        seeded._fixed = {**self._fixed, "seed": seed}
        return seeded

    async def close(self) -> None:
        """Let go of the connections, unless they were given."""
        if self._owns_wire:
            await self._wire.aclose()

    async def _whole(self, request: Request) -> Answer:
        reply = await self._wire.send(request)
        try:
            completion = read_completion(reply.text)
        except CallError as error:
            error.partial = error.partial or reply.text[:MAX_PARTIAL]
            raise self._placed(error) from None
        return self._answer(completion, reply.seconds, None)

    async def _streamed(self, request: Request) -> Answer:
        stream = Stream(self._wire.clock, self._wire.hide)
        try:
            payloads = self._wire.events(request, is_data=stream.take, sent=stream.start)
            async with aclosing(payloads):
                async for payload in payloads:
                    if payload == DONE:
                        stream.is_done = True
            completion = stream.completion()
        except CallError as error:
            # Once the model has said that it is finished, silence afterwards takes nothing away.
            if not (stream.is_finished and error.fault in (Fault.TIMEOUT, Fault.CONNECTION)):
                error.partial = stream.text[:MAX_PARTIAL]
                raise self._placed(error) from None
            completion = stream.completion()
        return self._answer(completion, stream.duration, stream.first_token_time)

    def _answer(self, completion: Completion, duration: float, first: float | None) -> Answer:
        has_called_none = completion.tool_calls is None and bool(self._fixed.get("tools"))
        return Answer(
            text=completion.text,
            tool_calls=() if has_called_none else completion.tool_calls,
            duration=duration,
            first_token_time=first,
            prompt_tokens=completion.prompt_tokens,
            completion_tokens=completion.completion_tokens,
            model=completion.model,
            finish_reason=completion.finish_reason,
            raw=completion.raw,
            metadata=completion.metadata,
        )

    def _placed(self, error: CallError) -> CallError:
        """The error with the address in its message."""
        place = place_of(self._url)
        if not str(error).startswith(place):
            error.args = (self._wire.hide(f"{place}: {error}"),)
        return error


def _completions(url: str) -> str:
    """The address that is asked; a query stays behind it."""
    parts = urlsplit(url)
    path = parts.path.rstrip("/")
    return urlunsplit(parts._replace(path=path if path.endswith(PATH) else path + PATH))


def _fixed(
    model: str, options: dict[str, Any], is_streaming: bool, counts_usage: bool
) -> dict[str, Any]:
    """What is the same in all requests."""
    if taken := sorted(OWN & options.keys()):
        raise UsageError(f"the option {taken[0]!r} is the target's own; leave it out")
    fixed = {**({"model": model} if model else {}), **options, "stream": is_streaming}
    if is_streaming and counts_usage:
        fixed["stream_options"] = {"include_usage": True}
    try:
        dumps(fixed)
    except (TypeError, ValueError) as error:
        raise UsageError(f"the options of the chat target are no JSON: {error}") from None
    return fixed
