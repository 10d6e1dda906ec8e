"""The end of a session: what its tests come to, in the store, in files and on the terminal."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from io import StringIO
from pathlib import Path

import pytest

from assay import registry
from assay.core import AssayError, NotFoundError, Range, Scores, Summary, UsageError
from assay.engine import Tally
from assay.report import About, open_writers, print_summary
from assay.report.figures import count
from assay.report.safe_text import one_line, visible
from assay.runner.arguments import call_settings
from assay.settings import Settings
from assay.store import Store, open_store
from assay.testing.outcomes import Places, TestOutcome
from assay.testing.session_rows import Metrics, SessionRow, gating_of, metrics_of, rows_of

SOURCE = "pytest"
"""Where stored runs say that their samples came from."""
BATCH_SIZE = 256


@dataclass
class SessionResult:
    """What a session came to, and what became of it."""

    summary: Summary | None = None
    lost: int = 0
    """Tests that were lost with their worker."""
    lines: list[str] = field(default_factory=list)
    """Where results were put."""
    problems: list[str] = field(default_factory=list)
    """Why they could not be put somewhere."""


def check(places: Places, folder: Path | None = None) -> None:
    """Raise pytest's usage error when results could not be kept: better now than at the end."""
    try:
        settings = call_settings("auto", {}, folder=folder)
        if "-" in places.reports:
            raise UsageError("--assay-report - is not possible: pytest writes there itself")
        with open_writers(places.reports) as writers:
            for writer in writers:
                writer.abort()
        if _is_stored(places):
            _check_store(places, settings)
    except AssayError as error:
        raise pytest.UsageError(f"assay: {visible(str(error))}") from None


def _is_stored(places: Places) -> bool:
    return bool(places.run or places.prefix or places.store)


def _opened_store(places: Places, settings: Settings) -> Store:
    """The store that was named, else the one that is set."""
    url = places.store or settings.store
    if url == "none":
        raise UsageError("no store is set; name one with --assay-store")
    return open_store(url)


def _check_store(places: Places, settings: Settings) -> None:
    store = _opened_store(places, settings)
    try:
        from assay.store.run_list import find_run  # needs what `open_store` has asked for

        with suppress(NotFoundError):
            if places.run:
                find_run(store, places.run)
                raise UsageError(f"run {places.run!r} exists already; choose another --assay-run")
    finally:
        store.close()


def finish(
    tests: Sequence[TestOutcome], places: Places, folder: Path | None = None
) -> SessionResult:
    """Sum up the tests and keep them in all places; one that fails does not hinder the others.

    Where results are to be redacted, nothing is kept or shown before personal data is masked in it:
    messages and traces of pytest hold texts too.
    """
    try:
        settings = call_settings("auto", {}, folder=folder)
    except AssayError as error:
        return SessionResult(problems=[str(error)])
    rows = [row for test in tests for row in rows_of(test)]
    if settings.redact:
        rows = [row.masked() for row in rows]
    if not rows:
        return SessionResult(lines=["No test asked for scores; nothing is kept."])
    metrics, gating = metrics_of(rows), gating_of(rows)
    tally = Tally(
        {id: (*entry, _range(id), id in gating, _inputs(id)) for id, entry in metrics.items()},
        include_imputed=settings.include_imputed,
        seed=settings.seed,
    )
    for row in rows:
        tally.add(row.sample, row.scores)
    summary = tally.summary()
    finished = SessionResult(summary, lost=sum(test.is_lost for test in tests))
    jobs = [partial(_write, path, rows, summary) for path in places.reports]
    if _is_stored(places):
        jobs.insert(0, partial(_store, places, settings, rows, metrics, summary))
    for job in jobs:
        try:
            finished.lines.append(job())
        except AssayError as error:
            finished.problems.append(str(error))
    return finished


def _range(metric: str) -> Range:
    """The range of an installed metric; open for one that a test made itself."""
    known = registry.metrics().get(metric)
    return known.range if known else (None, None)


def _inputs(metric: str) -> tuple[str, ...]:
    """The fields that an installed metric needs."""
    known = registry.metrics().get(metric)
    return known.inputs if known else ()


def _store(
    places: Places,
    settings: Settings,
    rows: Sequence[SessionRow],
    metrics: Metrics,
    summary: Summary,
) -> str:
    """Keep the rows as one run of the store; says where."""
    store = _opened_store(places, settings)
    try:
        from assay.store.run_writer import RunPlan, start_run

        decided = {
            "include_imputed": settings.include_imputed,
            "seed": settings.seed,
            "redact": settings.redact,
            "weights": {},
        }
        plan = RunPlan(metrics, decided)
        name = places.run or _name(places.prefix)
        writer = start_run(store, name, plan, source=SOURCE, total=len(rows))
        for start in range(0, len(rows), BATCH_SIZE):
            samples, scores, outcomes = zip(*rows[start : start + BATCH_SIZE], strict=True)
            writer.record(samples, scores, outcomes)
        writer.finish(summary.to_json())
        return f"Stored: run {writer.name} in {writer.url}"
    finally:
        store.close()


def _name(prefix: str) -> str | None:
    """A name that begins so and is taken by nobody else; None leaves it to the store."""
    return f"{prefix}-{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}" if prefix else None


def _write(path: str, rows: Iterable[SessionRow], summary: Summary) -> str:
    """Write the rows to a file; says where."""
    about = About(name=Path(path).stem, source=SOURCE)
    with open_writers([path], about) as (writer,):
        for sample, scores, _ in rows:
            writer.write(sample, scores.completed(summary.metrics))
        writer.close(summary)
    return f"Written: {path}"


def _is_low(scores: Scores) -> bool:
    return scores.passed is False or (scores.score or 0.0) < 1.0


def show(finished: SessionResult, terminal: pytest.TerminalReporter) -> None:
    """Print the summary as a section of pytest's own."""
    from rich.console import Console

    terminal.write_sep("=", "assay")
    if finished.summary:
        page = StringIO()
        width = terminal.config.get_terminal_writer().fullwidth
        console = Console(file=page, width=width, force_terminal=terminal.hasmarkup)
        worst = [(sample, scores) for sample, scores in finished.summary.worst if _is_low(scores)]
        print_summary(replace(finished.summary, worst=worst), console)
        terminal.write(page.getvalue())
    if finished.lost:
        message = f"{count(finished.lost, 'test')} lost with a worker that died; counted as failed."
        terminal.write_line(message, red=True)
    for line in finished.lines:
        terminal.write_line(one_line(line, 500))
    for problem in finished.problems:
        terminal.write_line(f"Not kept: {one_line(problem, 500)}", red=True)
