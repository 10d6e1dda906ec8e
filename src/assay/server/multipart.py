"""The one file of a form, taken out of the body as it comes."""

from __future__ import annotations

from python_multipart import MultipartParser
from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import parse_options_header

from assay.core import UsageError

MAX_PARTS = 20
"""Parts of a form; there is one file, and perhaps a few fields that are not read."""
MAX_HEADER = 8192
"""Bytes of the headers of a part."""


class FilePart:
    """Finds the first part with a file name in a body of `multipart/form-data`."""

    def __init__(self, content_type: str) -> None:
        kind, options = parse_options_header(content_type)
        boundary = options.get(b"boundary", b"")
        if kind != b"multipart/form-data" or not 0 < len(boundary) <= 200:
            raise UsageError("the form has no boundary that can be used")
        self.name: str | None = None
        """What the file is called; None while it has not begun."""
        self.is_complete = False
        """Whether the file is complete."""
        self._is_inside = False
        self._parts = 0
        self._header = b""
        self._value = b""
        self._disposition = b""
        self._found: list[bytes] = []
        self._parser = MultipartParser(
            boundary,
            {
                "on_part_begin": self._part_begin,
                "on_part_data": self._part_data,
                "on_part_end": self._part_end,
                "on_header_field": self._header_field,
                "on_header_value": self._header_value,
                "on_header_end": self._header_end,
                "on_headers_finished": self._headers_finished,
            },
        )

    def feed(self, block: bytes) -> bytes:
        """Some more of the body; gives what of it belongs to the file."""
        try:
            self._parser.write(block)
        except MultipartParseError:
            raise UsageError("the form data is invalid") from None
        data, self._found = b"".join(self._found), []
        return data

    def _part_begin(self) -> None:
        self._parts += 1
        self._disposition = b""
        if self._parts > MAX_PARTS:
            raise UsageError(f"the form has more than {MAX_PARTS} parts")

    def _part_data(self, data: bytes, start: int, end: int) -> None:
        if self._is_inside:
            self._found.append(data[start:end])

    def _part_end(self) -> None:
        if self._is_inside:
            self._is_inside, self.is_complete = False, True

    def _header_field(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end]
        self._check_header()

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]
        self._check_header()

    def _check_header(self) -> None:
        if len(self._header) + len(self._value) > MAX_HEADER:
            raise UsageError("a part of the form has too long a header")

    def _header_end(self) -> None:
        if self._header.lower() == b"content-disposition":
            self._disposition = self._value
        self._header = self._value = b""

    def _headers_finished(self) -> None:
        _, options = parse_options_header(self._disposition)
        name = options.get(b"filename")
        if name is None or self.name is not None:
            return
        self.name = name.decode("utf-8", "replace")
        self._is_inside = True
