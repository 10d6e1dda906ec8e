"""Recognises errors that mean a limit of the system was reached, and says what to do about it."""

from __future__ import annotations

import errno
from collections.abc import Iterator

_MEMORY = "there is not enough memory; use fewer --workers or a smaller --batch-size"
_PROCESSES = (
    "the system refuses another process or thread; use fewer --workers, or raise the limits of "
    "processes and memory (ulimit -u, ulimit -v)"
)
_SPACE = "no space is left to write to; make room, or set TMPDIR to a folder that has some"
_TEMPORARY = "no folder for temporary files can be written to; set TMPDIR to one that can"
_MESSAGES = {
    errno.EMFILE: "too many files are open; use fewer --workers or raise ulimit -n",
    errno.ENFILE: "too many files are open on this machine; try again when it does less",
    errno.ENOMEM: _MEMORY,
    errno.EAGAIN: _PROCESSES,
    errno.ENOSPC: _SPACE,
    errno.EDQUOT: _SPACE,
    errno.EFBIG: "a file would grow beyond the limit for one file; raise ulimit -f",
}
_NO_THREAD = "can't start new thread"
_NO_TEMPORARY = "No usable temporary directory found"
_NOT_MAPPED = "failed to map segment"
"""What Python and the loader of shared libraries say, without a number."""
_LOST = ("error return without exception set", "returned NULL without setting an exception")
"""What Python says where it could not even make an error, nearly always for want of memory."""


def limit_message(error: BaseException) -> str | None:
    """What to do about an error that a limit of the system caused; None for any other error."""
    return next(filter(None, map(_message, _chain(error))), None)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error, then what caused it; each once."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__


def _message(error: BaseException) -> str | None:
    if isinstance(error, MemoryError) or (
        isinstance(error, ImportError) and _NOT_MAPPED in str(error)
    ):
        return _MEMORY
    if isinstance(error, SystemError) and any(lost in str(error) for lost in _LOST):
        return _MEMORY
    if isinstance(error, RuntimeError) and _NO_THREAD in str(error):
        return _PROCESSES
    if isinstance(error, FileNotFoundError) and _NO_TEMPORARY in str(error):
        return _TEMPORARY
    return _MESSAGES.get(error.errno or 0) if isinstance(error, OSError) else None
