"""What pytest loads: only pytest and the standard library are imported here.

Nothing happens unless a test has the fixture `assay`, calls `assert_quality` or is marked with
`assay_dataset`; nothing is written unless an option or a setting says where to.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest

from assay.testing.outcomes import ATTRIBUTE, CHECKS, Outcomes, Places, UnreadRecord

if TYPE_CHECKING:
    from assay.testing.quality import Quality
    from assay.testing.session_end import SessionResult

_MARKER = (
    "assay_dataset(path, limit=None, tags=()): run the test once for every sample of a golden "
    "dataset, given to it as the argument `sample`; the path starts at the test's folder."
)
_running: list[pytest.Item] = []
"""The test that runs now, for `assert_quality` without the fixture; last in, first out, because
a test may itself run pytest."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Where results go; without these they are shown and thrown away."""
    group = parser.getgroup("assay", "quality of answers (assay)")
    group.addoption(
        "--assay-run",
        metavar="NAME",
        help="Keep the scores of this session in the store, as the run of this name.",
    )
    group.addoption(
        "--assay-store",
        metavar="URL",
        help="The store: a path, sqlite:///PATH or postgresql://…. Default: the one that is set, "
        "else .assay/assay.db",
    )
    group.addoption(
        "--assay-report",
        metavar="FILE",
        action="append",
        default=[],
        help="Write the scores to a file: .jsonl .json .csv .parquet .html .md .xml. Repeatable.",
    )
    parser.addini("assay_run", "Keep every session in the store; the time is added to this name.")
    parser.addini("assay_store", "As --assay-store.")


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known, and listen to reports where they come together."""
    config.addinivalue_line("markers", _MARKER)
    if not hasattr(config, "workerinput"):  # a worker of xdist sends its reports on
        config.pluginmanager.register(_Session(config), "assay_session")


@pytest.fixture(name="assay")
def assay_fixture(request: pytest.FixtureRequest) -> Quality:
    """Score answers, assert their quality and keep the scores with the test."""
    from assay.testing.quality import Quality

    return Quality(request.node)


def running_test() -> pytest.Item | None:
    """The test that runs now."""
    return _running[-1] if _running else None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each sample of the dataset that the marker names."""
    marker = metafunc.definition.get_closest_marker("assay_dataset")
    if marker is not None:
        from assay.testing.golden_cases import parametrize

        parametrize(metafunc, marker)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Know which test runs."""
    _running.append(item)
    try:
        return (yield)
    finally:
        _running.pop()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Fail the test of a record that could not be read."""
    callspec: Any = getattr(item, "callspec", None)
    record = callspec.params.get("sample") if callspec else None
    if isinstance(record, UnreadRecord):
        item.stash.setdefault(CHECKS, [])
        pytest.fail(record.problem, pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Give the report what the test has scored since the last one."""
    report = yield
    if CHECKS in item.stash or _has_our_fixture(item):
        vars(report)[ATTRIBUTE] = item.stash.get(CHECKS, [])
        item.stash[CHECKS] = []
    return report


def _has_our_fixture(item: pytest.Item) -> bool:
    """Whether the test asks for `assay`, and a conftest.py has no other fixture of that name."""
    info: Any = getattr(item, "_fixtureinfo", None)
    fixtures = info.name2fixturedefs.get("assay", ()) if info else ()
    return any(getattr(fixture.func, "__module__", "") == __name__ for fixture in fixtures[-1:])


class _Session:
    """Takes the reports of all tests and, when the session ends, keeps what they hold."""

    def __init__(self, config: pytest.Config) -> None:
        self._outcomes = Outcomes()
        self._finished: SessionResult | None = None
        self._places = Places(
            run=config.getoption("assay_run") or "",
            prefix=config.getini("assay_run"),
            store=config.getoption("assay_store") or config.getini("assay_store"),
            reports=tuple(config.getoption("assay_report")),
        )
        self._folder = config.invocation_params.dir
        self._is_kept = any(self._places) and not config.option.collectonly

    def pytest_sessionstart(self) -> None:
        """Refuse a store or a file that cannot be used before any test runs."""
        if self._is_kept:
            from assay.testing.session_end import check

            check(self._places, self._folder)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._outcomes.add(report)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Sum up, store and write."""
        tests = list(self._outcomes.tests(with_lost=self._is_kept))
        if not tests and not self._is_kept:
            return
        from assay.testing.session_end import finish

        self._finished = finish(tests, self._places, self._folder)
        if self._finished.problems and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.INTERNAL_ERROR

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Show what the scores come to."""
        if self._finished:
            from assay.testing.session_end import show

            show(self._finished, terminalreporter)
