"""Addresses and headers: which may be asked or sent, and how a place is named without secrets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from assay.core.errors import UsageError

_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_VALUE = re.compile(r"(?:[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?")


def check_address(url: str) -> None:
    """Raise `UsageError` unless a text is an address that may be asked, without a password."""
    try:
        parts = urlsplit(url)
        is_whole = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        is_whole = False
    if not is_whole or not url.isprintable() or " " in url:
        raise UsageError("this is no address; expected one such as 'http://localhost:8080/v1'")
    if parts.scheme not in ("http", "https"):
        raise UsageError(
            f"the scheme {parts.scheme!r} is not supported; expected 'http' or 'https'"
        )
    if parts.username is not None or parts.password is not None:
        raise UsageError("the address contains a name or password; pass a key in its variable")


def check_headers(headers: Mapping[str, str]) -> None:
    """Raise `UsageError` unless names and values can stand in a request."""
    for name, value in headers.items():
        if not _HEADER_NAME.fullmatch(name):
            raise UsageError(f"{name!r} is no name of a header")
        if not _HEADER_VALUE.fullmatch(value):
            raise UsageError(
                f"the value of the header {name!r} cannot be sent; expected printable ASCII "
                "characters without blanks around them"
            )


def place_of(url: str) -> str:
    """An address without what may be secret in it: user, query and fragment."""
    try:
        parts = urlsplit(url)
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "the address"
    return f"{parts.scheme}://{host}{port}{parts.path}"
