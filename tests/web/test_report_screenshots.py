"""The pictures of docs/how-to/report.md, made where ASSAY_SCREENSHOTS names a folder for them."""

import os
from pathlib import Path

import pytest
from tests.web.showcase import MONTHS, SHOWN
from tests.web.test_report import Reader

import assay
from assay.report import About, open_writers

FOLDER = os.environ.get("ASSAY_SCREENSHOTS", "")
COMMAND = "assay run march.jsonl --out march.html"
LARGEST = 155_000
METRICS = (*SHOWN, "text.relevance", "text.latency", "chat.hallucination_rate", "chat.e2e_latency")

pytestmark = [
    pytest.mark.pictures,
    pytest.mark.skipif(not FOLDER, reason="ASSAY_SCREENSHOTS names no folder for pictures"),
]


@pytest.fixture(scope="module")
def march(tmp_path_factory):
    """The address of a report of what the documentation shows."""
    path = tmp_path_factory.mktemp("march") / "march.html"
    found = assay.evaluate(MONTHS["march"], METRICS, "balanced")
    about = About("march", "march.jsonl", created="2026-03-31T09:30:00+00:00", command=COMMAND)
    with open_writers([str(path)], about) as (writer,):
        for sample, scores in zip(found.samples, found.scores, strict=True):
            writer.write(sample, scores)
        writer.close(found.summary)
    return path.as_uri()


@pytest.fixture
def look(browser, march):
    """A reader of the documentation."""
    reader = Reader(browser, march, 1280, "light")
    reader.page.set_viewport_size({"width": 1280, "height": 720})
    yield reader
    reader.close()


def _keep(reader, name):
    page = reader.settle().page
    path = Path(FOLDER) / f"{name}.png"
    page.evaluate("document.activeElement.blur()")
    page.mouse.move(0, 0)
    page.screenshot(path=path, animations="disabled")
    assert path.stat().st_size <= LARGEST, name


def test_the_first_page(look):
    _keep(look.open("/"), "report")


def test_a_sample(look):
    page = look.open("/?tab=samples&metric=text.safety&status=failed").page
    page.get_by_role("link", name="renewal").first.click()
    page.get_by_role("heading", name="renewal").wait_for()
    _keep(look, "report-sample")
