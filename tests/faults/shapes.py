"""Everything that a chat endpoint may do wrong, and what it must be called.

A shape is a function that plays one answer. What it leads to stands beside it: a `Fault`, or None
where a usable answer comes out of it. `stream` and `plain` are chat targets, `http` is any other
target (as `plain` where nothing else is said).
"""

import json
from dataclasses import dataclass

from tests.faults.server import Play

from assay.wire.call_errors import Fault

TEXT = "The sky is blue."
PIECES = ("The sky", " is", " blue.")
USAGE = {"prompt_tokens": 12, "completion_tokens": 5, "total_tokens": 17}
EVENTS = (("Content-Type", "text/event-stream"),)
JSON = (("Content-Type", "application/json"),)
AS = "as plain"


@dataclass(frozen=True)
class Shape:
    """One way of answering."""

    name: str
    row: str
    """The row of the list of faults that it stands for."""
    play: Play
    stream: Fault | None
    plain: Fault | None
    http: Fault | None
    partial: str | None = None
    """What a broken stream had said before; None where that does not matter."""
    is_unread: bool = False
    """Whether the server leaves the request's body unread."""


SHAPES: dict[str, Shape] = {}


def shape(row, stream, plain=AS, http=AS, *, name=None, **more):
    """Enter a function into the table."""

    def enter(play):
        title = name or play.__name__
        assert title not in SHAPES
        whole = stream if plain is AS else plain
        other = whole if http is AS else http
        SHAPES[title] = Shape(title, row, play, stream, whole, other, **more)
        return play

    return enter


def head(status=200, headers=JSON, reason="Reason"):
    lines = [f"HTTP/1.1 {status} {reason}", *(f"{name}: {value}" for name, value in headers)]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def completion(text=TEXT, finish="stop", usage=USAGE, **message):
    said = {"role": "assistant", "content": text, **message}
    choice = {"index": 0, "message": said, "finish_reason": finish}
    return {"id": "c", "object": "chat.completion", "model": "m", "choices": [choice]} | (
        {"usage": usage} if usage is not None else {}
    )


def delta(content=None, finish=None, **more):
    part = ({"content": content} if content is not None else {}) | more
    choice = {"index": 0, "delta": part, "finish_reason": finish}
    return {"id": "c", "object": "chat.completion.chunk", "model": "m", "choices": [choice]}


def event(payload):
    return f"data: {payload if isinstance(payload, str) else json.dumps(payload)}\n\n".encode()


def chunk(data):
    return b"%x\r\n%s\r\n" % (len(data), data)


async def whole(connection, body, status=200, headers=JSON):
    """A body with its length."""
    body = body if isinstance(body, bytes) else json.dumps(body).encode()
    await connection.write(head(status, (*headers, ("Content-Length", len(body)))) + body)


async def begin(connection, headers=EVENTS):
    """The head of an answer in chunks."""
    await connection.write(head(200, (*headers, ("Transfer-Encoding", "chunked"))))


async def events(connection, *payloads):
    for payload in payloads:
        await connection.write(chunk(event(payload)))


async def finish(connection):
    await connection.write(b"0\r\n\r\n")


async def streamed(connection, *payloads):
    """A stream from its head to its end."""
    await begin(connection)
    await events(connection, *payloads)
    await finish(connection)


def answer(plain, *payloads):
    """A shape that gives one body as a whole, and one as a stream."""

    async def play(connection):
        if connection.is_stream:
            await streamed(connection, *payloads)
        else:
            await whole(connection, plain)

    return play


def by_row(row):
    """The shapes of one row."""
    return [found for found in SHAPES.values() if found.row == row]
