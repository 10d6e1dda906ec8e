from collections.abc import Iterable, Mapping
from typing import Any

from assay.core import rule
from assay.stats.aggregates import TIMEOUT, Verdicts, percent, share, timed_out


@rule("chat.agg.pass_rate")
def pass_rate(statuses: Iterable[str | None] | None) -> float | None:
    """The share of tests that passed, in percent; skipped tests stay in the denominator.

    Tests without a verdict (`unjudged`, or no status) are neither passed nor failed and stay out.
    """
    return percent(Verdicts.of(statuses or ()).pass_rate)


@rule("chat.agg.timeout_rate")
def timeout_rate(
    tests: Iterable[Mapping[str, Any]] | None, timeout: float = TIMEOUT
) -> float | None:
    """The share of tests that took longer than the timeout or were skipped, in percent.

    A test of exactly that duration is in time, and so is one whose duration is not known.
    """
    late = [timed_out(test.get("status"), test.get("duration"), timeout) for test in tests or ()]
    return percent(share(sum(late), len(late)))


@rule("chat.agg.hallucination_rate")
def hallucination_rate(detected: Iterable[bool | None] | None) -> float | None:
    """The share of tests with a detected hallucination, in percent."""
    present = [verdict for verdict in detected or () if verdict is not None]
    return percent(share(sum(present), len(present)))
