"""Row B1: it stalls."""

import json

from tests.faults.right import GOOD, TALK
from tests.faults.shapes import (
    EVENTS,
    JSON,
    begin,
    chunk,
    completion,
    delta,
    event,
    events,
    head,
    shape,
    whole,
)

from assay.wire.call_errors import Fault


@shape("B1", Fault.TIMEOUT)
async def silent(connection):
    await connection.gone()


@shape("B1", Fault.TIMEOUT)
async def dripping_head(connection):
    await connection.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while True:
        await connection.write(b"x")
        await connection.tick()


@shape("B1", Fault.TIMEOUT)
async def head_only(connection):
    await begin(connection, EVENTS if connection.is_stream else JSON)
    await connection.gone()


@shape("B1", Fault.TIMEOUT, partial="The sky")
async def half(connection):
    if connection.is_stream:
        await begin(connection)
        await events(connection, *TALK[:2])
    else:
        body = json.dumps(completion()).encode()
        await connection.write(head(200, (*JSON, ("Content-Length", len(body)))) + body[:40])
    await connection.gone()


@shape("B1", Fault.TIMEOUT)
async def dripping_body(connection):
    """Always something, never enough."""
    await begin(connection, EVENTS if connection.is_stream else JSON)
    await connection.write(chunk(b"data: "))
    while True:
        await connection.write(chunk(b"x"))
        await connection.tick()


@shape("B1", Fault.TIMEOUT, partial="The sky")
async def dripping_text(connection):
    """A piece now and then, without an end."""
    await begin(connection, EVENTS if connection.is_stream else JSON)
    if connection.is_stream:
        await events(connection, delta("The sky"))
    while True:
        await connection.write(chunk(event(delta("")) if connection.is_stream else b" "))
        await connection.tick()


@shape("B1", Fault.TIMEOUT)
async def heartbeats(connection):
    """Comments in a stream, blank lines in a body."""
    await begin(connection, EVENTS if connection.is_stream else JSON)
    while True:
        await connection.write(chunk(b": ping\n\n" if connection.is_stream else b"\n"))
        await connection.tick()


@shape("B1", Fault.TIMEOUT, partial="The sky is")
async def heartbeats_after_text(connection):
    await begin(connection, EVENTS if connection.is_stream else JSON)
    if connection.is_stream:
        await events(connection, *TALK[:3])
    else:
        await connection.write(chunk(b'{"choices": ['))
    while True:
        await connection.write(chunk(b": ping\n\n" if connection.is_stream else b"\n"))
        await connection.tick()


@shape("B1", Fault.TIMEOUT)
async def heartbeats_as_events(connection):
    """Events that carry data and say nothing."""
    await begin(connection, EVENTS if connection.is_stream else JSON)
    while True:
        beat = b'event: ping\ndata: {"type": "ping"}\n\n' + event(delta())
        await connection.write(chunk(beat if connection.is_stream else b"\t"))
        await connection.tick()


@shape("B1", None)
async def left_open(connection):
    """The marker of the end, and then nothing: not even the last chunk."""
    if connection.is_stream:
        await begin(connection)
        await events(connection, *GOOD)
    else:
        await whole(connection, completion(), headers=(*JSON, ("Connection", "close")))
    await connection.gone()


@shape("B1", None)
async def left_open_with_heartbeats(connection):
    """The marker of the end without the blank line after it, and heartbeats for ever."""
    if not connection.is_stream:
        await whole(connection, completion())
        return await connection.gone()
    await begin(connection)
    await events(connection, *GOOD[:-1])
    await connection.write(chunk(b"data: [DONE]\n"))
    while True:
        await connection.write(chunk(b": ping\n\n"))
        await connection.tick()


@shape("B1", None, Fault.TIMEOUT)
async def finished_and_left_open(connection):
    """The model says that it has finished; the marker never comes."""
    if connection.is_stream:
        await begin(connection)
        await events(connection, *TALK)
    else:
        await begin(connection, JSON)
        await connection.write(chunk(json.dumps(completion()).encode()))
    await connection.gone()


@shape("B1", Fault.TIMEOUT)
async def continuing(connection):
    """`100 Continue` for ever."""
    while True:
        await connection.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        await connection.tick()


@shape("B1", Fault.TIMEOUT, is_unread=True)
async def unread(connection):
    """The request is not read, so that it cannot be sent."""
    connection.writer.transport.pause_reading()
    await connection.server.released()
    connection.writer.transport.resume_reading()
    await connection.gone()


@shape("B1", Fault.TIMEOUT)
async def promised_chunk(connection):
    """A chunk is announced and does not come."""
    await connection.write(
        head(200, (("Content-Type", "text/event-stream"), ("Transfer-Encoding", "chunked")))
        if connection.is_stream
        else head(200, (*JSON, ("Transfer-Encoding", "chunked")))
    )
    await connection.write(b"ffff\r\n")
    await connection.gone()
