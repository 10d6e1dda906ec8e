"""Answers as they should be, in every order that endpoints give them."""

import gzip
import json

from tests.faults.shapes import (
    EVENTS,
    JSON,
    PIECES,
    USAGE,
    answer,
    begin,
    chunk,
    completion,
    delta,
    event,
    events,
    finish,
    head,
    shape,
    whole,
)

TALK = [delta("", role="assistant"), *map(delta, PIECES), delta(finish="stop")]
GOOD = [*TALK, {"choices": [], "usage": USAGE, "model": "m"}, "[DONE]"]
shape("ok", None, name="good")(answer(completion(), *GOOD))
shape("ok", None, name="no_usage")(answer(completion(usage=None), *TALK, "[DONE]"))
shape("ok", None, name="no_marker")(answer(completion(), *TALK))
shape("ok", None, name="no_reason")(answer(completion(finish=None), *map(delta, PIECES), "[DONE]"))
shape("ok", None, name="cut_by_length")(
    answer(completion(finish="length"), *map(delta, PIECES), delta(finish="length"), "[DONE]")
)


@shape("ok", None)
async def slow_start(connection):
    """The head at once, heartbeats while the model thinks, then the answer."""
    if not connection.is_stream:
        body = json.dumps(completion()).encode()
        await begin(connection, JSON)
        for _ in range(3):
            await connection.write(chunk(b"\n"))
            await connection.tick()
        await connection.write(chunk(body))
        return await finish(connection)
    await begin(connection)
    for _ in range(3):
        await connection.write(chunk(b": thinking\n\n"))
        await connection.tick()
    await events(connection, *GOOD)
    return await finish(connection)


@shape("ok", None)
async def closed_at_the_end(connection):
    """No length and no chunks: the end of the connection is the end of the answer."""
    if connection.is_stream:
        await connection.write(head(200, EVENTS) + b"".join(map(event, GOOD)))
    else:
        await connection.write(head() + json.dumps(completion()).encode())
    connection.end()


@shape("ok", None)
async def odd_events(connection):
    """Line ends of all kinds, comments, fields and a byte order mark, cut at every byte."""
    if not connection.is_stream:
        return await whole(connection, b"\xef\xbb\xbf" + json.dumps(completion()).encode())
    ends = ["\r\n", "\n", "\r"]
    text = "\ufeff"
    for place, part in enumerate(GOOD):
        end = ends[place % 3]
        said = part if isinstance(part, str) else json.dumps(part)
        text += f": hm{end}event: message{end}id: {place}{end}data:{said}{end}{end}"
    await begin(connection)
    for byte in text.encode():
        await connection.write(chunk(bytes([byte])))
    return await finish(connection)


@shape("ok", None)
async def packed(connection):
    if connection.is_stream:
        body, headers = b"".join(map(event, GOOD)), EVENTS
    else:
        body, headers = json.dumps(completion()).encode(), JSON
    await whole(connection, gzip.compress(body), headers=(*headers, ("Content-Encoding", "gzip")))
