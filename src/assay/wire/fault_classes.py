"""What a failure means: of a status, of a header, of an exception, of the words that came along."""

from __future__ import annotations

import re
import ssl
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Any

from assay.core.jsontext import loads
from assay.wire.call_errors import Fault
from assay.wire.safe_messages import safe_message

MAX_RETRY_AFTER = 1e9
"""Seconds; more than anybody waits, and still a number to reckon with."""
_SECONDS = re.compile(r"\d{1,300}(?:\.\d{1,300})?", re.ASCII)
_ACCESS = frozenset({401, 403, 404, 407})
_SERVER = frozenset({408, 425})


def fault_of_status(status: int) -> Fault:
    """What a status other than success stands for."""
    if status == 429:
        return Fault.RATE
    if status in _ACCESS:
        return Fault.ACCESS
    if status in _SERVER or 500 <= status < 600:
        return Fault.SERVER
    return Fault.REFUSED if 300 <= status < 500 else Fault.UNUSABLE


def retry_after(value: str, now: float) -> float | None:
    """Seconds to wait that a header asks for, as a number or as a date; None for anything else.

    `now` is the time of day in seconds since 1970. A date that has passed asks for no wait.
    """
    value = value.strip()
    if _SECONDS.fullmatch(value):
        return min(float(value), MAX_RETRY_AFTER)
    try:
        date = parsedate_to_datetime(value)
        wait = date.replace(tzinfo=date.tzinfo or UTC).timestamp() - now
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return min(max(wait, 0.0), MAX_RETRY_AFTER)


def fault_of(http: Any, error: Exception) -> Fault:
    """The class of an exception of the HTTP library."""
    if isinstance(error, http.RemoteProtocolError):
        words = str(error)
        if "too long" in words:
            return Fault.TOO_LARGE
        is_broken = "disconnected" in words or "closed connection" in words
        return Fault.CONNECTION if is_broken else Fault.UNUSABLE
    if isinstance(error, http.LocalProtocolError):
        return Fault.REFUSED
    is_unknown = isinstance(_cause(error), ssl.SSLCertVerificationError)
    if is_unknown or isinstance(error, http.UnsupportedProtocol):
        return Fault.ACCESS
    return Fault.CONNECTION


def _cause(error: BaseException) -> BaseException:
    """The first error of a chain."""
    while (before := error.__cause__ or error.__context__) is not None:
        error = before
    return error


def reason_of(error: Exception) -> str:
    """Type and words of an exception; the first one of its chain knows best."""
    words = safe_message(str(error) or str(_cause(error)), ())
    return f"{type(error).__name__} ({words})" if words else type(error).__name__


def message_in(body: str) -> str:
    """The words in an answer about a failure, where it is the usual JSON; else all of it."""
    try:
        node = loads(body)
    except ValueError:
        return body
    for key in ("error", "message", "detail"):
        if isinstance(node, dict) and key in node:
            node = node[key]
    return node if isinstance(node, str) else body
