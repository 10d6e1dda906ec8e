"""Errors that a limit of the system causes are told from mistakes."""

import errno

import pytest

from assay.core.resource_limits import limit_message


@pytest.mark.parametrize(
    ("error", "part"),
    [
        (OSError(errno.EMFILE, "Too many open files"), "ulimit -n"),
        (OSError(errno.ENFILE, "Too many open files in system"), "on this machine"),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), "not enough memory"),
        (BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable"), "ulimit -u"),
        (OSError(errno.ENOSPC, "No space left on device"), "make room"),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), "make room"),
        (OSError(errno.EFBIG, "File too large"), "ulimit -f"),
        (MemoryError(), "not enough memory"),
        (SystemError("error return without exception set"), "not enough memory"),
        (ImportError("x.so: failed to map segment from shared object"), "not enough memory"),
        (RuntimeError("can't start new thread"), "ulimit -u"),
        (FileNotFoundError(errno.ENOENT, "No usable temporary directory found in []"), "TMPDIR"),
    ],
)
def test_a_limit_is_named_with_what_to_do(error, part):
    assert part in (limit_message(error) or "")


@pytest.mark.parametrize(
    "error",
    [
        FileNotFoundError(errno.ENOENT, "No such file"),
        RuntimeError("dictionary changed size"),
        SystemError("bad argument to internal function"),
        ValueError("x"),
        OSError("nothing more is known"),
    ],
)
def test_a_mistake_is_no_limit(error):
    assert limit_message(error) is None


def test_the_cause_of_an_error_counts():
    outer, inner = RuntimeError("it failed"), OSError(errno.EMFILE, "Too many open files")
    outer.__cause__, inner.__cause__ = inner, outer  # a circle ends, too
    assert "ulimit -n" in (limit_message(outer) or "")
    assert limit_message(ValueError("x").with_traceback(None)) is None
