"""Everything that a chat endpoint may do wrong, and what it must be called.

A shape is a function that plays one answer. What it leads to stands beside it: a `Fault`, or None
where a usable answer comes out of it. `stream` and `plain` are chat targets, `http` is any other
target (as `plain` where nothing else is said).
"""

import gzip
import json
import zlib
from dataclasses import dataclass

from tests.faults.server import Play

from assay.wire.errors import Fault

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


# -- pieces of answers ---------------------------------------------------------------------------


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


# -- as it should be -----------------------------------------------------------------------------

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


# -- B1: it stalls -------------------------------------------------------------------------------


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


# -- B2: it does not end, or is huge -------------------------------------------------------------


@shape("B2", Fault.TOO_LARGE)
async def endless_text(connection):
    await begin(connection, EVENTS if connection.is_stream else JSON)
    piece = event(delta("la " * 100)) if connection.is_stream else b"la " * 100
    while True:
        await connection.write(chunk(piece) * 10)


@shape("B2", Fault.TOO_LARGE)
async def endless_line(connection):
    """One event, or one text, whose end never comes."""
    await begin(connection, EVENTS if connection.is_stream else JSON)
    await connection.write(chunk(b'data: {"choices": "' if connection.is_stream else b'"'))
    while True:
        await connection.write(chunk(b"a" * 10_000))


@shape("B2", Fault.TOO_LARGE)
async def endless_comments(connection):
    await begin(connection, EVENTS if connection.is_stream else JSON)
    while True:
        await connection.write(chunk(b": ping\n\n" * 1_000))


@shape("B2", Fault.TOO_LARGE)
async def ten_gigabytes(connection):
    """A length that is not even begun."""
    kind = EVENTS if connection.is_stream else JSON
    await connection.write(head(200, (*kind, ("Content-Length", 10 * 2**30))))
    await connection.gone()


@shape("B2", Fault.TOO_LARGE)
async def bomb(connection):
    """A few kilobytes that unpack to very many."""
    kind = EVENTS if connection.is_stream else JSON
    await connection.write(head(200, (*kind, ("Content-Encoding", "gzip"))))
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    while True:
        await connection.write(packer.compress(b" " * 2**20) + packer.flush(zlib.Z_SYNC_FLUSH))


@shape("B2", Fault.TOO_LARGE)
async def empty_packages(connection):
    """Packed bytes without end that unpack to nothing."""
    kind = EVENTS if connection.is_stream else JSON
    await connection.write(head(200, (*kind, ("Content-Encoding", "gzip"))))
    while True:
        await connection.write(gzip.compress(b"") * 500)


@shape("B2", Fault.TOO_LARGE)
async def million_headers(connection):
    await connection.write(b"HTTP/1.1 200 OK\r\n")
    for start in range(0, 1_000_000, 100):
        lines = (f"X-{start + place}: {place}\r\n" for place in range(100))
        await connection.write("".join(lines).encode())
    await connection.gone()


@shape("B2", Fault.TOO_LARGE)
async def endless_header(connection):
    await connection.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
    while True:
        await connection.write(b"x" * 10_000)


@shape("B2", Fault.TOO_LARGE)
async def tiny_chunks(connection):
    """One byte a chunk, so that each costs more than it brings."""
    await begin(connection, EVENTS if connection.is_stream else JSON)
    while True:
        await connection.write(chunk(b":") * 1_000)


@shape("B2", Fault.TOO_LARGE)
async def tiny_events(connection):
    """Events without number."""
    await begin(connection, EVENTS if connection.is_stream else JSON)
    piece = b"data: {}\n\n" if connection.is_stream else b"1"
    while True:
        await connection.write(chunk(piece) * 1_000)


# -- B3: too many calls --------------------------------------------------------------------------

RETRY_AFTER: dict[str, tuple[str | None, float | None]] = {
    "seconds": ("3", 3.0),
    "zero": ("0", 0.0),
    "fraction": ("2.5", 2.5),
    "blanks": ("  7 ", 7.0),
    "long_ago": ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
    "far_future": ("Wed, 21 Oct 2099 07:28:00 GMT", 1e9),
    "billion": ("1000000000", 1e9),
    "digits": ("9" * 200, 1e9),
    "negative": ("-5", None),
    "words": ("soon", None),
    "nothing": ("", None),
    "absent": (None, None),
    "not_a_number": ("nan", None),
    "exponent": ("1e3", None),
}
"""What the header says, and the seconds that it means."""


def _rate(value):
    async def play(connection):
        headers = JSON if value is None else (*JSON, ("Retry-After", value))
        await whole(connection, {"error": {"message": "slow down"}}, 429, headers)

    return play


for _name, (_value, _) in RETRY_AFTER.items():
    shape("B3", Fault.RATE, name=f"rate_{_name}")(_rate(_value))


# -- B4: statuses and bodies ---------------------------------------------------------------------

STATUSES = {
    Fault.REFUSED: (
        *(300, 301, 302, 303, 304, 307, 308),
        *(400, 402, 405, 406, 409, 410, 411, 412, 413, 414, 415, 416, 417, 418, 421, 422, 423),
        *(424, 426, 428, 431, 451, 499),
    ),
    Fault.ACCESS: (401, 403, 404, 407),
    Fault.SERVER: (408, 425, 500, 501, 502, 503, 504, 505, 507, 508, 511, 520, 524, 529, 599),
    Fault.UNUSABLE: (206, 207, 226, 299, 600, 999),
}


def _status(status):
    async def play(connection):
        place = (*JSON, ("Location", "http://elsewhere.example/v2?key=hidden"))
        body = b"" if status == 304 else {"error": {"message": "it failed"}}
        await whole(connection, body, status, place)

    return play


for _fault, _statuses in STATUSES.items():
    for _status_code in _statuses:
        shape("B4", _fault, name=f"status_{_status_code}")(_status(_status_code))


@shape("B4", Fault.REFUSED)
async def redirect_to_nowhere(connection):
    await whole(connection, b"", 302, (("Location", "http://[::1/\x1b[31m"),))


@shape("B4", Fault.SERVER)
async def failing_and_stalled(connection):
    """A failure whose explanation never comes."""
    await connection.write(head(500, (*JSON, ("Content-Length", 1_000))))
    await connection.gone()


@shape("B4", Fault.SERVER)
async def failing_without_end(connection):
    """A failure that explains itself for ever."""
    await connection.write(head(502, (("Content-Type", "text/html"),)))
    while True:
        await connection.write(b"<p>sorry " * 1_000)


PAGE = b"<!doctype html><html><head><title>Sign in</title></head><body>Welcome</body></html>"


def _bytes(body, headers=None):
    """A shape that gives the same bytes whatever is asked for."""

    async def play(connection):
        kind = headers or (EVENTS if connection.is_stream else JSON)
        await whole(connection, body, headers=kind)

    return play


def _both(body):
    """A JSON value as the whole body, and as the only event of a stream."""
    return answer(body, body, "[DONE]")


UNUSABLE = {
    "page": _bytes(PAGE, (("Content-Type", "text/html; charset=utf-8"),)),
    "page_called_json": _bytes(PAGE, JSON),
    "no_json": answer(b"not json at all", "not json at all"),
    "cut_json": answer(json.dumps(completion()).encode()[:-30], json.dumps(delta("a"))[:-5]),
    "two_documents": answer(
        json.dumps(completion()).encode() * 2, json.dumps(delta("a")) + json.dumps(delta("b"))
    ),
    "same_key_twice": answer(b'{"choices": [], "choices": []}', '{"choices": [], "choices": []}'),
    "not_a_number": answer(b'{"choices": NaN}', '{"choices": NaN}'),
    "deep": answer(b"[" * 100_000, "[" * 100_000),
    "list": _both([1, 2]),
    "number": _both(7),
    "text": answer(b'"hello"', '"hello"'),
    "null": _both(None),
    "other_schema": _both({"answer": TEXT}),
    "no_choices": _both({"choices": []}),
    "null_choices": _both({"choices": None}),
    "choices_object": _both({"choices": {"0": completion()["choices"][0]}}),
    "choices_texts": _both({"choices": [TEXT]}),
    "content_number": answer(completion(7), delta(7), "[DONE]"),
    "content_object": answer(completion({"a": 1}), delta({"a": 1}), "[DONE]"),
    "bad_utf8": answer(b'{"choices": [{"message": {"content": "\xff\xfe"}}]}'),
    "utf16": _bytes(json.dumps(completion()).encode("utf-16")),
    "latin1": _bytes('data: {"choices": "\xe9t\xe9"}\n\n'.encode("latin-1")),
    "wrongly_packed": _bytes(b"this is not packed", (*EVENTS, ("Content-Encoding", "gzip"))),
    "unknown_packing": _bytes(b"??", (*EVENTS, ("Content-Encoding", "br"))),
    "packed_twice": _bytes(b"??", (*EVENTS, ("Content-Encoding", "gzip, gzip"))),
}


async def _bad_utf8_stream(connection):
    data = b'{"choices": [{"message": {"content": "\xff\xfe"}}]}'
    if connection.is_stream:
        await begin(connection)
        await connection.write(chunk(b"data: " + data + b"\n\n"))
        return await finish(connection)
    return await whole(connection, data)


UNUSABLE["bad_utf8"] = _bad_utf8_stream
for _name, _play in UNUSABLE.items():
    shape("B4", Fault.UNUSABLE, name=_name)(_play)

shape("B4", Fault.UNUSABLE, name="json_for_a_stream")(_bytes(b'{"a": 1}', JSON))
shape("B4", Fault.CONNECTION, Fault.UNUSABLE, name="empty")(_bytes(b""))
shape("B4", Fault.UNUSABLE, name="marker_only")(answer(b"[DONE]", "[DONE]"))
shape("B4", None, Fault.UNUSABLE, name="no_content")(
    answer(completion(None), delta(), delta(finish="stop"), "[DONE]")
)
shape("B4", None, Fault.UNUSABLE, name="no_message")(
    answer({"choices": [{"index": 0, "finish_reason": "stop"}]}, delta(finish="stop"), "[DONE]")
)


def _reporting(error, row="B4"):
    return answer({"error": error}, delta("The sky"), {"error": error})


REPORTED = {
    "reports_failure": ({"message": "it broke"}, Fault.SERVER),
    "reports_failure_as_text": ("it broke", Fault.SERVER),
    "reports_overload": ({"message": "busy", "type": "overloaded_error"}, Fault.SERVER),
    "reports_rate": ({"message": "slow", "type": "rate_limit_error"}, Fault.RATE),
    "reports_status": ({"message": "no", "code": 401}, Fault.ACCESS),
    "reports_filter": ({"message": "no", "code": "content_filter"}, Fault.REFUSED),
    "reports_bad_request": ({"message": "no", "type": "invalid_request_error"}, Fault.REFUSED),
}
for _name, (_error, _fault) in REPORTED.items():
    shape("B4", _fault, http=Fault.UNUSABLE, name=_name)(_reporting(_error))

shape("B4", Fault.REFUSED, http=None, name="filtered", partial="The sky")(
    answer(
        completion("The sky", "content_filter"),
        delta("The sky"),
        delta(finish="content_filter"),
        "[DONE]",
    )
)
CALL = {"id": "1", "type": "function", "function": {"name": "look", "arguments": '{"at": "sky"}'}}
shape("B4", None, http=Fault.UNUSABLE, name="tool_call")(
    answer(
        completion(None, "tool_calls", tool_calls=[CALL]),
        delta(tool_calls=[{"index": 0, "id": "1", "function": {"name": "look", "arguments": ""}}]),
        delta(tool_calls=[{"index": 0, "function": {"arguments": '{"at":'}}]),
        delta(tool_calls=[{"index": 0, "function": {"arguments": ' "sky"}'}}]),
        delta(finish="tool_calls"),
        "[DONE]",
    )
)
shape("B4", Fault.UNUSABLE, http=None, name="tool_calls_text")(
    answer(completion(TEXT, tool_calls="look"), delta(tool_calls="look"), "[DONE]")
)
shape("B4", None, http=Fault.UNUSABLE, name="refusal")(
    answer(completion(None, refusal=TEXT), delta(refusal=TEXT), delta(finish="stop"), "[DONE]")
)


@shape("B4", Fault.UNUSABLE)
async def no_http(connection):
    await connection.write(b"220 mail.example ESMTP ready\r\n\r\n")
    connection.end()


@shape("B4", Fault.UNUSABLE)
async def two_lengths(connection):
    lengths = (("Content-Length", 5), ("Content-Length", 7))
    await connection.write(head(200, lengths) + b"12345")
    connection.end()


@shape("B4", Fault.UNUSABLE)
async def broken_chunks(connection):
    await begin(connection, EVENTS if connection.is_stream else JSON)
    await connection.write(b"zz\r\nhello\r\n")
    connection.end()


# -- B5: the connection breaks -------------------------------------------------------------------


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


# -- usage that cannot be ------------------------------------------------------------------------

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


def by_row(row):
    """The shapes of one row."""
    return [found for found in SHAPES.values() if found.row == row]
