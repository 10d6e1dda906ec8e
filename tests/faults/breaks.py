"""Row B5: the connection breaks; and usage that cannot be."""

import gzip
import json

from tests.faults.right import TALK
from tests.faults.shapes import (
    EVENTS,
    JSON,
    answer,
    begin,
    completion,
    event,
    events,
    head,
    shape,
    streamed,
    whole,
)

from assay.wire.call_errors import Fault


@shape("B5", Fault.CONNECTION)
async def closed_at_once(connection):
    connection.end()


@shape("B5", Fault.CONNECTION)
async def reset_at_once(connection):
    connection.reset()


@shape("B5", Fault.CONNECTION)
async def closed_in_head(connection):
    await connection.write(b"HTTP/1.1 200 OK\r\nContent-Ty")
    connection.end()


def _broken(end):
    async def play(connection):
        if connection.is_stream:
            await begin(connection)
            await events(connection, *TALK[:3])
        else:
            body = json.dumps(completion()).encode()
            await connection.write(head(200, (*JSON, ("Content-Length", len(body)))) + body[:-9])
        end(connection)

    return play


shape("B5", Fault.CONNECTION, name="closed_in_body", partial="The sky is")(
    _broken(lambda connection: connection.end())
)


@shape("B5", Fault.CONNECTION, Fault.UNUSABLE, partial="The sky is")
async def closed_without_length(connection):
    """Nothing in HTTP tells that something is missing."""
    if connection.is_stream:
        await connection.write(head(200, EVENTS) + b"".join(map(event, TALK[:3])))
    else:
        await connection.write(head() + json.dumps(completion()).encode()[:-9])
    connection.end()


@shape("B5", Fault.CONNECTION, Fault.UNUSABLE, partial="The sky is")
async def ended_early(connection):
    """An orderly end in the middle of the answer."""
    if connection.is_stream:
        return await streamed(connection, *TALK[:3])
    return await whole(connection, json.dumps(completion()).encode()[:-9])


@shape("B5", Fault.CONNECTION)
async def reset_in_body(connection):
    """What had come may be lost with the connection."""
    await _broken(lambda _: None)(connection)
    connection.reset()


@shape("B5", Fault.CONNECTION)
async def packed_and_cut(connection):
    kind = EVENTS if connection.is_stream else JSON
    body = gzip.compress(b"".join(map(event, TALK[:3])))
    await whole(connection, body[:-10], headers=(*kind, ("Content-Encoding", "gzip")))


@shape("B5", Fault.CONNECTION)
async def half_closed(connection):
    """Its own side is closed before anything is said; ours stays open."""
    connection.writer.write_eof()
    await connection.gone()


@shape("B5", Fault.CONNECTION, partial="The sky is")
async def half_closed_in_body(connection):
    await _broken(lambda _: None)(connection)
    connection.writer.write_eof()
    await connection.gone()


@shape("B5", Fault.UNUSABLE)
async def http2_goaway(connection):
    """Settings and a farewell in HTTP/2, to somebody who speaks HTTP/1.1."""
    settings = b"\0\0\0\4\0\0\0\0\0"
    goaway = b"\0\0\x08\7\0\0\0\0\0" + b"\0\0\0\0" + b"\0\0\0\2"
    await connection.write(settings + goaway + b"\r\n\r\n")
    connection.end()


@shape("B5", Fault.UNUSABLE)
async def switching(connection):
    """`101 Switching Protocols`, which nobody asked for."""
    await connection.write(head(101, (("Upgrade", "websocket"), ("Connection", "Upgrade"))))
    await connection.gone()


WRONG_USAGE = {
    "negative": {"prompt_tokens": -1, "completion_tokens": -5},
    "flags": {"prompt_tokens": True, "completion_tokens": True},
    "fractions": {"prompt_tokens": 1.5, "completion_tokens": 2.0},
    "texts": {"prompt_tokens": "12", "completion_tokens": "5"},
    "absurd": {"prompt_tokens": 10**12, "completion_tokens": 10**9},
    "lists": {"prompt_tokens": [1], "completion_tokens": {}},
}
for _name, _usage in WRONG_USAGE.items():
    shape("usage", None, name=f"usage_{_name}")(
        answer(completion(usage=_usage), *TALK, {"choices": [], "usage": _usage}, "[DONE]")
    )
shape("usage", None, name="usage_null")(
    answer(
        completion() | {"usage": {"prompt_tokens": None}},
        *TALK,
        {"choices": [], "usage": {"prompt_tokens": None}},
        "[DONE]",
    )
)
