"""The dashboard: how soon a large run is there in a browser, and what the first view loads."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from importlib.resources import files
from importlib.util import find_spec
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

from assay.core import Sample, Scores
from assay.engine import Tally
from assay.runner import Job
from assay.runner.record import record_run
from assay.runner.stream import run_stream
from assay.store import open_store
from benchmarks.engine import POOL, SCRIPT
from benchmarks.generate import records, samples
from benchmarks.measure import Row, Section, Sizes, at_most

RUN = "large"
BATCH = 1_000
SECONDS = 2
"""In which a run of the largest size should be there."""
SCRIPT_LIMIT = 120
"""Kilobytes of packed script before the first view is there."""
WAIT_MS = 60_000
TAGS = ("billing", "delivery", "login")
LOADED = """() => {
  const entries = performance.getEntriesByType("resource");
  const scripts = entries.filter((entry) => entry.name.endsWith(".js"));
  const asked = entries.filter((entry) => entry.name.includes("/v1/"));
  let rounds = 0, end = -1;
  for (const entry of asked.sort((a, b) => a.startTime - b.startTime))
    if (entry.startTime >= end) { rounds += 1; end = entry.responseEnd; }
  const bytes = scripts.reduce((sum, entry) => sum + entry.encodedBodySize, 0);
  return { bytes, rounds, asked: asked.length };
}"""
"""What was loaded; a request that begins after all earlier ones have ended begins a round."""


class View(NamedTuple):
    """A page of the dashboard, and what has to be in sight."""

    what: str
    address: str
    sight: str
    is_held: bool = True


_SAMPLES = f"/runs/{RUN}?tab=samples"
_ROWS = "table tbody tr"
VIEWS = (
    View("Run page, every metric in sight", f"/runs/{RUN}", _ROWS),
    View("Its worst samples", _SAMPLES, _ROWS),
    View("Its worst samples of one metric", f"{_SAMPLES}&metric=text.safety", _ROWS),
    View("Its last page", f"{_SAMPLES}&offset=LAST", _ROWS),
    View("Its samples with a word in them", f"{_SAMPLES}&text=the", _ROWS, is_held=False),
    View("Overview", "/", ".now-verdict"),
)


def dashboard(sizes: Sizes) -> Section:
    """Seconds from the address to the sight of it, in a browser that has nothing kept."""
    count = max(sizes.scale)
    title = "Dashboard"
    note = (
        f"A stored run of {count:,} samples with the text family's scores (SQLite), served by "
        "`assay serve` and opened in Chromium with an empty cache: from the address to what is "
        f"named being in sight, the median of {sizes.rounds}. Server and browser share the machine."
    )
    if absent := _absent():
        return Section(title, note, [Row("Not measured", absent)])
    with TemporaryDirectory() as folder:
        store = f"sqlite:///{Path(folder) / 'assay.db'}"
        _fill(store, count)
        # in a thread of its own: Playwright wants one where no other loop of events is running
        with _served(store, folder) as site, ThreadPoolExecutor(1) as thread:
            rows = thread.submit(_measured, site, count, sizes.rounds).result()
    return Section(title, note, rows)


def _measured(site: str, count: int, rounds: int) -> list[Row]:
    with _browser() as browser:
        _seconds(browser, site, VIEWS[0])  # warms up both
        rows = [_row(view, count, browser, site, rounds) for view in VIEWS]
        return [*rows, *_first_view(browser, site)]


def _absent() -> str:
    """What is not here, if anything; then nothing can be measured."""
    if find_spec("playwright") is None:
        return "the package playwright is not installed"
    if not (files("assay.server") / "static" / "index.html").is_file():
        return "the dashboard is not built"
    return "" if _chromium() else "there is no chromium"


def _chromium() -> str | None:
    return os.environ.get("CHROMIUM") or shutil.which("chromium")


class _Kept:
    """Keeps what was scored."""

    def __init__(self) -> None:
        self.pairs: list[tuple[Sample, Scores]] = []

    def write(self, sample: Sample, scores: Scores) -> None:
        self.pairs.append((sample, scores))


def _fill(url: str, count: int) -> None:
    """Store a run: some samples are scored, then taken again and again under new ids."""
    plan, kept = Job(("text",)).plan(), _Kept()
    run_stream(samples(records(min(POOL, count), words=40)), Job(), plan=plan, sinks=[kept])
    store = open_store(url)
    writer, tally = record_run(store, RUN, plan, total=count, settings={}), Tally(plan)
    pairs = enumerate(islice(cycle(kept.pairs), count))
    for _ in range(0, count, BATCH):
        named = [_renamed(place, *pair) for place, pair in islice(pairs, BATCH)]
        writer.record([sample for sample, _ in named], [scores for _, scores in named])
        for sample, scores in named:
            tally.add(sample, scores)
    writer.finish(tally.summary().to_json())
    store.close()


def _renamed(place: int, sample: Sample, scores: Scores) -> tuple[Sample, Scores]:
    id, tag = f"sample-{place:06}", TAGS[place % len(TAGS)]
    return replace(sample, id=id, tags=(tag,)), replace(scores, id=id)


@contextmanager
def _served(store: str, folder: str) -> Iterator[str]:
    """The address of a server of its own."""
    command = [SCRIPT, "serve", "--port", "0", "--store", store, "--uploads", f"{folder}/uploads"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=folder) as server:
        try:
            said = server.stderr.readline() if server.stderr else ""
            yield next(word.rstrip("/") for word in said.split() if word.startswith("http"))
        finally:
            server.terminate()


@contextmanager
def _browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=_chromium(), args=["--disable-gpu", "--disable-dev-shm-usage"]
        )
        yield browser
        browser.close()


def _row(view: View, count: int, browser: Any, site: str, rounds: int) -> Row:
    address = view.address.replace("LAST", str((count - 1) // 50 * 50))
    chosen = view._replace(address=address)
    taken = statistics.median(_seconds(browser, site, chosen) for _ in range(rounds))
    if not view.is_held:
        return Row(view.what, f"{taken:.3g} s")
    return at_most(view.what, taken, SECONDS, "s")


def _seconds(browser: Any, site: str, view: View) -> float:
    with _page(browser) as page:
        began = perf_counter()
        page.goto(f"{site}/#{view.address}", wait_until="commit")
        page.wait_for_selector(view.sight, timeout=WAIT_MS)
        return perf_counter() - began


@contextmanager
def _page(browser: Any) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


def _first_view(browser: Any, site: str) -> list[Row]:
    """What the first page loads before it is there."""
    with _page(browser) as page:
        page.goto(f"{site}/", wait_until="commit")
        page.wait_for_selector(".now-verdict", timeout=WAIT_MS)
        found = page.evaluate(LOADED)
    rounds = found["rounds"]
    return [
        at_most("First view: script as sent", found["bytes"] / 1000, SCRIPT_LIMIT, "kB"),
        Row(
            "First view: rounds of requests for data",
            f"{rounds} ({found['asked']} requests)",
            "at most 1",
            rounds <= 1,
        ),
    ]
