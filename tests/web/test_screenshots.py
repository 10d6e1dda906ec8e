"""The pictures of docs/how-to/dashboard.md, made where ASSAY_SCREENSHOTS names a folder."""

import os
from pathlib import Path

import pytest
from tests.web.browser import Visitor

FOLDER = os.environ.get("ASSAY_SCREENSHOTS", "")
HEIGHT = 720
LARGEST = 165_000

pytestmark = [
    pytest.mark.pictures,
    pytest.mark.skipif(not FOLDER, reason="ASSAY_SCREENSHOTS names no folder for pictures"),
]


@pytest.fixture
def look(browser, showcase):
    """A reader of the documentation."""
    visitor = Visitor(browser, showcase, 1280, "light")
    visitor.page.set_viewport_size({"width": 1280, "height": HEIGHT})
    yield visitor
    visitor.close()


def _keep(visitor, name, at=None):
    """Make a picture; the pointer is out of the way, or `at` the button of that name."""
    page = visitor.settle().page
    path = Path(FOLDER) / f"{name}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    page.evaluate("document.activeElement.blur()")
    page.mouse.move(0, 0)
    if at:
        page.get_by_role("button", name=at).hover()
    page.screenshot(path=path, animations="disabled")
    assert path.stat().st_size <= LARGEST, name


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("overview", "/"),
        ("targets", "/targets"),
        ("runs", "/runs"),
        ("run", "/runs/march"),
        ("samples", "/runs/march?tab=samples&metric=text.safety"),
        ("groups", "/runs/march?tab=groups"),
        ("compare", "/compare?a=march&b=may"),
        ("matrix", "/matrix"),
        ("failures", "/failures?run=may"),
        ("families", "/families?family=chat&scored=yes"),
        ("metrics", "/metrics?text=ground"),
        ("metric", "/metrics/text.factuality"),
        ("configuration", "/configuration?profile=conservative"),
        ("policies", "/configuration?tab=policies"),
        ("arabic", "/runs/march?lang=ar"),
    ],
)
def test_a_page(look, name, address):
    _keep(look.open(address), name)


def test_what_a_metric_is_worth(look):
    page = look.open("/targets").page
    page.locator(".critical-metric", has_text="Context coverage").scroll_into_view_if_needed()
    _keep(look, "evidence", at="Evidence for Context coverage")


def test_a_phone_in_the_dark(browser, showcase):
    visitor = Visitor(browser, showcase, 390, "dark")
    _keep(visitor.open("/runs/march?tab=samples"), "phone")
    visitor.close()


def test_a_sample(look):
    page = look.open("/runs/march?tab=samples&metric=text.safety").page
    page.get_by_label("Status").select_option("failed")
    page.get_by_role("link", name="renewal").first.click()
    page.get_by_role("heading", name="renewal").wait_for()
    _keep(look, "sample")


def test_json(look):
    page = look.open("/json").page
    page.get_by_role("button", name="Try an example").click()
    heading = page.get_by_role("heading", name="Field by field")
    heading.evaluate("heading => heading.scrollIntoView({ block: 'center' })")
    _keep(look, "json")


def test_try_it(look):
    page = look.open("/try").page
    page.get_by_role("checkbox", name="Text", exact=False).first.check()
    page.get_by_role("button", name="Try an example").click()
    page.locator(".part-scores").evaluate("part => part.scrollIntoView()")
    _keep(look, "try-it")


def test_governance(look):
    page = look.open("/governance").page
    page.get_by_role("button", name="Fill in an example").click()
    page.get_by_role("button", name="Judge it").click()
    page.get_by_role("heading", name="Audit trail").wait_for()
    _keep(look, "governance")
