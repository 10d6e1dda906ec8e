"""How the tests of a session went, put together from pytest's reports.

Only pytest and the standard library are imported here: pytest loads this with the plugin.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import pytest

CHECKS = pytest.StashKey[list[str]]()
"""Where a test keeps what it has scored, as JSON text, until its next report."""
ATTRIBUTE = "assay"
"""What the reports of our tests carry the checks under; xdist sends it along as it is."""
MOST_TEXT = 20_000
"""Characters of a message or a stack trace that are kept."""


class UnreadRecord(NamedTuple):
    """Stands for a record of a dataset that is no sample; its test fails and says why."""

    problem: str


class Places(NamedTuple):
    """Where the scores of a session go; nowhere unless something is said."""

    run: str
    """The name of the stored run."""
    prefix: str
    """What the run's name begins with, where it has none; the time follows."""
    store: str
    reports: tuple[str, ...]


@dataclass(slots=True)
class TestOutcome:
    """How one test went."""

    __test__ = False  # not a test case of pytest's

    name: str
    status: str = ""
    """passed, failed or skipped; empty while it runs."""
    duration: float | None = None
    message: str | None = None
    trace: str | None = None
    checks: list[str] = field(default_factory=list)
    is_ours: bool = False
    """Whether it is known to have asked for scores."""
    is_lost: bool = False
    """Whether the worker that ran it died."""


class Outcomes:
    """Takes every report of a session; a test has one outcome, however often it is reported."""

    def __init__(self) -> None:
        self._tests: dict[str, TestOutcome] = {}

    def add(self, report: pytest.TestReport) -> None:
        """Take a report; those of tests that are none of ours leave no trace."""
        checks = vars(report).get(ATTRIBUTE)
        is_lost = report.when not in ("setup", "call", "teardown")
        test = self._tests.get(report.nodeid)
        if checks is None and test is None and not is_lost:
            return
        if test is None or report.when == "setup":  # the test is run, perhaps once more
            test = self._tests[report.nodeid] = TestOutcome(report.nodeid)
        test.is_ours |= checks is not None
        test.is_lost |= is_lost
        test.checks += checks or ()
        _take(test, report)

    def tests(self, *, with_lost: bool) -> Iterator[TestOutcome]:
        """The tests that asked for scores, by name.

        With `with_lost` also those that died before they could ask for any, whatever they are.
        """
        for _, test in sorted(self._tests.items()):
            if test.is_ours or (with_lost and test.is_lost):
                if not test.status:
                    test.status = "failed"
                    test.message = "The session ended before the test did."
                yield test


def _take(test: TestOutcome, report: pytest.TestReport) -> None:
    """What a report adds: a failure stays whatever comes later."""
    if report.when == "call" or test.duration is None:
        test.duration = report.duration
    if test.status == "failed" or (report.passed and (test.status or report.when != "call")):
        return
    test.status = "passed" if report.passed else "skipped" if report.skipped else "failed"
    if report.passed:
        return
    test.message = _failure_text(report)[:MOST_TEXT]
    if report.failed:
        test.trace = report.longreprtext[:MOST_TEXT]


def _failure_text(report: pytest.TestReport) -> str:
    """The message of a failure, or the reason of a skip."""
    representation = report.longrepr
    if isinstance(representation, tuple):
        return representation[2]
    crash = getattr(representation, "reprcrash", None)
    return report.longreprtext if crash is None else str(crash.message)
