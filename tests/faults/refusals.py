"""Rows B3 and B4: too many calls, statuses, and bodies that are no answer."""

import json

from tests.faults.shapes import (
    EVENTS,
    JSON,
    TEXT,
    answer,
    begin,
    chunk,
    completion,
    delta,
    finish,
    head,
    shape,
    whole,
)

from assay.wire.call_errors import Fault

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
