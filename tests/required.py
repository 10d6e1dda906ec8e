"""What some tests need beyond Python: skipped without it, or failed where nothing may be skipped.

`ASSAY_REQUIRE_ALL=1`, as in CI, turns every skipped test into a failure, but for those that only
take pictures for the documentation.
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Generator, Iterable
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

import pytest

PICTURES = "pictures"
"""The marker of tests that may be skipped everywhere."""
Report = pytest.CollectReport | pytest.TestReport


def requires_all() -> bool:
    """Whether a skipped test is a failure."""
    return os.environ.get("ASSAY_REQUIRE_ALL") == "1"


def chromium() -> str:
    """The path of a Chromium; skips the test where there is none."""
    from assay.targets.browser import PROGRAMS

    if find_spec("playwright") is None:
        pytest.skip("the package playwright is not installed")
    named = os.environ.get("CHROMIUM")
    program = named or next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip("there is no Chromium; install it or name one in $CHROMIUM")
    return program


NO_REPORT_PAGE = 'the page of reports is not built; run "make web"'


def has_report_page() -> bool:
    """Whether the page of HTML reports is built."""
    return (files("assay.report") / "page" / "report.html").is_file()


def report_page() -> None:
    """Skip the test where the page of HTML reports is not built."""
    if not has_report_page():
        pytest.skip(NO_REPORT_PAGE)


def output_endings(*endings: str) -> tuple[str, ...]:
    """The endings of output files to write: HTML too, where its page is built."""
    return (*endings, "html") if has_report_page() else endings


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"{PICTURES}: takes pictures, checks nothing")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if item.get_closest_marker(PICTURES) is None and not hasattr(report, "wasxfail"):
        _refuse(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    _refuse(report)
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line for each reason: how many tests were skipped, and where they are."""
    counts: Counter[str] = Counter()
    folders: dict[str, set[str]] = {}
    reports: Iterable[Report] = terminalreporter.stats.get("skipped", ())
    for report in reports:
        reason = _reason(report)
        counts[reason] += 1
        folder = Path(report.nodeid.partition("::")[0]).parent.as_posix()
        folders.setdefault(reason, set()).add(folder)
    for reason, count in counts.most_common():
        tests, where = "test" if count == 1 else "tests", ", ".join(sorted(folders[reason]))
        terminalreporter.write_line(f"Skipped {count} {tests} of {where}: {reason}.", yellow=True)


def _refuse(report: Report) -> None:
    """Make a failure of a skipped test, where nothing may be skipped."""
    if report.skipped and requires_all():
        report.outcome = "failed"
        report.longrepr = f"skipped, but ASSAY_REQUIRE_ALL is set: {_reason(report)}"


def _reason(report: Report) -> str:
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return text.removeprefix("Skipped: ")
