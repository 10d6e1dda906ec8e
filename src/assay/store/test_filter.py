"""Which tests are asked for."""

from __future__ import annotations

from dataclasses import dataclass

ORDERS = {
    "name": "test_name",
    "score": "score",
    "duration": "duration",
    "language": "language",
    "status": "status",
    "time": "timestamp",
    "value": "",
}
"""What tests may be ordered by → its column; `value` is that of the metric."""


@dataclass(frozen=True, slots=True)
class TestFilter:
    """Which tests are listed; each part that is not given leaves nothing out."""

    __test__ = False  # not a test case of pytest's

    run: int | None = None
    status: str | None = None
    language: str | None = None
    tag: str | None = None
    since: float | None = None
    text: str | None = None
    """Words that stand in any text of the sample, or in its name."""
    metric: str | None = None
    """Only tests with a result of this metric, the worst first."""
    fails: str | None = None
    """Only tests that fail because of this metric."""
    value: tuple[float | None, float | None] = (None, None)
    """From which value of the metric to which, on its own scale; both belong to it."""
    quality: tuple[float | None, float | None] = (None, None)
    """From which quality of the metric to before which; 1 belongs to the last part."""
    order: str = ""
    """A name of `ORDERS`, with a minus in front for the largest first; empty: the worst first."""
