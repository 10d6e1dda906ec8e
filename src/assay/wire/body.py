"""The bytes of an answer: unpacked in small steps, and read as events."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator

STEP = 64 * 2**10
"""At most so many bytes are unpacked at once, so that a bomb is noticed when it begins."""
DONE = "[DONE]"
"""The payload after which a stream has nothing more to say."""
_LINE_END = re.compile(rb"\r\n|\n|\r")
_FIELDS = (b"data", b"event", b"id", b"retry")
_MARK = b"\xef\xbb\xbf"
_EITHER_HEADER = zlib.MAX_WBITS | 32
"""zlib looks at the header itself to tell gzip from deflate."""


class Unpacker:
    """A body that may be packed; raises `ValueError` where it is packed wrongly."""

    def __init__(self, encoding: str) -> None:
        self._is_packed = encoding not in ("", "identity")
        if self._is_packed and encoding not in ("gzip", "x-gzip", "deflate"):
            raise ValueError(f"it is packed as {encoding!r}; expected gzip, deflate or nothing")
        self._member = zlib.decompressobj(_EITHER_HEADER)
        self._has_begun = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """What the bytes unpack to, in pieces of at most `STEP` bytes."""
        if not self._is_packed:
            yield data
            return
        piece = b""
        while data or len(piece) == STEP:  # a full piece may leave bytes inside the unpacker
            if self._member.eof:
                if not data:
                    return
                self._member = zlib.decompressobj(_EITHER_HEADER)
            self._has_begun = True
            try:
                piece = self._member.decompress(data, STEP)
            except zlib.error:
                raise ValueError("it is packed wrongly") from None
            yield piece
            data = self._member.unconsumed_tail or self._member.unused_data

    @property
    def is_whole(self) -> bool:
        """Whether nothing is missing at the end."""
        return not self._has_begun or self._member.eof


class Events:
    """The payloads of a stream of server-sent events, as the bytes come in.

    An event is its `data:` lines, joined; comments, other fields and events without data are
    passed over. Raises `ValueError` for what is not UTF-8.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._scanned = 0
        self._lines: list[str] = []
        self._has_lone_return = False
        self._first: bytes | None = None

    def feed(self, data: bytes) -> Iterator[str]:
        """The events that these bytes complete."""
        if self._has_lone_return and data:
            data = data.removeprefix(b"\n")
            self._has_lone_return = False
        self._buffer += data
        start = 0
        while end := _LINE_END.search(self._buffer, max(start, self._scanned)):
            line = bytes(self._buffer[start : end.start()])
            start = end.end()
            self._has_lone_return = end[0] == b"\r" and start == len(self._buffer)
            if payload := self._line(line):
                yield payload
        del self._buffer[:start]
        self._scanned = len(self._buffer)

    @property
    def is_done(self) -> bool:
        """Whether the bytes break off just behind the last marker, before the end of its line."""
        return self._buffer.replace(b" ", b"") == b"data:[DONE]"

    @property
    def is_foreign(self) -> bool:
        """Whether the bytes do not begin as events do."""
        first = bytes(self._buffer[:80]).removeprefix(_MARK) if self._first is None else self._first
        name = first.partition(b":")[0]
        return not any(known.startswith(name) for known in _FIELDS)

    def _line(self, line: bytes) -> str:
        """The payload, if this line completes one. The last marker needs no blank line after it."""
        if self._first is None:
            line = self._first = line.removeprefix(_MARK)
        if not line:
            payload = "\n".join(self._lines)
            self._lines.clear()
            return payload
        value = _value(line)
        if value == DONE and not self._lines:
            return DONE
        if value is not None:
            self._lines.append(value)
        return ""


def _value(line: bytes) -> str | None:
    """The text of a `data:` line."""
    name, _, value = line.partition(b":")
    if name != b"data":
        return None
    return value.removeprefix(b" ").decode("utf-8")
