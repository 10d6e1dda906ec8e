"""A real server over stored runs, and a real browser that looks at it."""

import json
from contextlib import contextmanager
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from time import time

import pytest
from click.testing import CliRunner

pytest.importorskip("fastapi")
from tests.required import chromium
from tests.server.client import Client, live
from tests.store.new_stores import new_sqlite
from tests.web.browser import Visitor
from tests.web.samples import SAMPLES
from tests.web.showcase import DAYS_AGO, MONTHS, SHOWN

from assay import registry
from assay.cli import app
from assay.data.metric_targets import board
from assay.server.config import RequestLimits
from assay.store.run_writer import start_run
from assay.targets.browser import ARGUMENTS

METRICS = (
    "text,chat.hallucination_rate,chat.e2e_latency,chat.source_grounding,chat.task_completion,"
    "chat.context_coverage,chat.ttft"
)

PATIENT = RequestLimits(seconds=600.0)
"""A loaded machine is slow, not wrong: a page complains of a request that ran out of time."""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The address of a server with two runs of the same questions, and what a file's tests add."""
    options = ("-m", METRICS, "--embedder", "none")
    with _served(tmp_path_factory.mktemp("site"), SAMPLES, options) as address:
        yield address


@pytest.fixture(scope="session")
def serve(tmp_path_factory):
    """Serves runs of a test's own: run → samples."""

    def served(runs, metrics=METRICS):
        options = ("-m", metrics, "--embedder", "none")
        return _served(tmp_path_factory.mktemp("served"), runs, options)

    return served


@pytest.fixture(scope="session")
def showcase(tmp_path_factory):
    """The address of a server with what the documentation shows."""
    parts = {*board().radar, *(part for parts in board().categories.values() for part in parts)}
    critical = [name for name in (*board().targets, *parts) if name in registry.metrics()]
    options = ("-m", ",".join((*SHOWN, *critical)))
    with _served(tmp_path_factory.mktemp("showcase"), MONTHS, options, DAYS_AGO) as address:
        yield address


@contextmanager
def _served(folder, runs, options, days_ago=None):
    page = files("assay.server") / "static" / "index.html"
    if not page.is_file():
        pytest.skip('the dashboard is not built; run "make web"')
    store = f"sqlite:///{folder / 'assay.db'}"
    for place, (name, samples) in enumerate(runs.items()):
        path = folder / f"{name if name.isalnum() else place}.jsonl"
        lines = [json.dumps(sample, ensure_ascii=False) for sample in samples]
        path.write_text("\n".join(lines), encoding="utf-8")
        command = ["run", str(path), *options, "--run", name, "--store", store, "-q"]
        with _days_ago((days_ago or {}).get(name, 0)):
            result = CliRunner().invoke(app, command)
        assert result.exit_code == 0, result.output
    client = Client(store, folder, require_key=False, limits=PATIENT)
    client.app.state.now = time
    with live(client.app) as address:
        yield address


@contextmanager
def _days_ago(days):
    """Runs that begin here are stored as of so many days ago."""

    def dated(*given, **named):
        return start_run(*given, **named | {"now": lambda: time() - days * 86_400})

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("assay.runner.record.start_run", dated)
        yield


@pytest.fixture
def locked(tmp_path):
    """A server that asks for a key, and a key for it."""
    client = Client(new_sqlite(tmp_path / "assay.db"), tmp_path, limits=PATIENT)
    with live(client.app) as address:
        yield address, client.key("read")


@pytest.fixture(scope="module")
def browser():
    """One Chromium for the tests of a file; while it is open, nothing else has an event loop."""
    program = chromium()
    api = import_module("playwright.sync_api")
    with api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        yield opened
        opened.close()


@pytest.fixture
def visit(browser, site):
    """Opens a page; at the end nothing may have gone wrong unseen."""
    visitors = []

    def opened(address="", *, width=1280, theme="light"):
        visitor = Visitor(browser, site, width, theme)
        visitors.append(visitor)
        return visitor.open(address)

    yield opened
    for visitor in visitors:
        visitor.close()


@pytest.fixture(scope="session")
def axe():
    """The accessibility checker's script."""
    path = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
    if not path.is_file():
        pytest.skip('axe is not installed; run "make web"')
    return path.read_text(encoding="utf-8")
