from collections.abc import Iterable, Mapping
from typing import Any

from assay.core import rule

TIMEOUT = 30.0
"""Seconds after which a test counts as timed out; the documented heuristic."""


def share(verdicts: Iterable[bool | None]) -> float | None:
    """How many of 100 are true, of those that are there; None when there is none."""
    present = [verdict for verdict in verdicts if verdict is not None]
    return 100 * sum(present) / len(present) if present else None


@rule("chat.agg.pass_rate")
def pass_rate(statuses: Iterable[str | None] | None) -> float | None:
    """The share of tests that passed, in percent; skipped tests stay in the denominator."""
    return share(status == "passed" for status in statuses or () if status is not None)


@rule("chat.agg.timeout_rate")
def timeout_rate(
    tests: Iterable[Mapping[str, Any]] | None, timeout: float = TIMEOUT
) -> float | None:
    """The share of tests that took longer than the timeout or were skipped, in percent.

    A test of exactly that duration is in time, and so is one whose duration is not known.
    """
    return share(_timed_out(test, timeout) for test in tests or ())


def _timed_out(test: Mapping[str, Any], timeout: float) -> bool:
    return test.get("status") == "skipped" or (test.get("duration") or 0.0) > timeout


@rule("chat.agg.hallucination_rate")
def hallucination_rate(detected: Iterable[bool | None] | None) -> float | None:
    """The share of tests with a detected hallucination, in percent."""
    return share(detected or ())
