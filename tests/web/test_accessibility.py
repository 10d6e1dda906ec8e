"""For everybody: roles, contrast, keyboard, phones, and pages that run from the right."""

import pytest
from tests.web.browser import Visitor

ADDRESSES = (
    "/",
    "/targets",
    "/runs",
    "/runs/monday",
    "/runs/monday?tab=samples",
    "/runs/monday?tab=samples&metric=text.safety",
    "/runs/monday?tab=groups",
    "/runs/monday?tab=about",
    "/compare?a=monday&b=tuesday",
    "/compare?a=monday&b=tuesday&tab=samples",
    "/compare?a=monday&b=tuesday&tab=questions",
    "/matrix?runs=monday,tuesday",
    "/failures",
    "/families?family=text",
    "/labels?run=monday&metric=text.safety",
    "/labels?run=monday&metric=text.safety&tab=calibration",
    "/labels?run=monday&tab=raters",
    "/metrics",
    "/metrics/text.hallucination",
    "/json",
    "/json?tab=batch",
    "/json?tab=file",
    "/json?tab=strategies",
    "/try",
    "/try?tab=file",
    "/governance",
    "/governance?tab=sessions",
    "/configuration",
    "/configuration?profile=conservative",
    "/configuration?tab=targets",
    "/configuration?tab=presets",
    "/configuration?tab=strategies",
    "/configuration?tab=policies",
    "/configuration?tab=settings",
    "/configuration?tab=changes",
    "/nowhere",
)
FOUND = """() => Promise.all([
  fetch("v1/tests?run=monday&limit=20").then(answer => answer.json()),
  fetch("v1/evaluate", {
    method: "POST",
    headers: { "content-type": "application/json", "x-assay-client": "dashboard" },
    body: JSON.stringify({ query: "Is it open?", response: "Until 6 PM.", session_id: "axe" }),
  }).then(answer => answer.json()),
]).then(([tests]) => tests.items.map(test => `/tests/${test.test_id}`).slice(0, 2))"""
"""Pages of single things: two samples, and a judged answer."""
VIOLATIONS = "axe.run({resultTypes: ['violations']}).then(found => found.violations)"
FOCUS = """() => {
  const at = document.activeElement;
  const style = getComputedStyle(at.matches("input[type=radio]") ? at.nextElementSibling : at);
  const label = at.getAttribute("aria-label") || at.innerText || at.name || at.type || at.tagName;
  const isOutlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  return [label.trim().split("\\n")[0], isOutlined];
}"""
"""What has the focus, and whether that can be seen."""


def _serious(page):
    found = page.evaluate(VIOLATIONS)
    serious = [entry for entry in found if entry["impact"] in ("serious", "critical")]
    return [(entry["id"], entry["nodes"][0]["html"]) for entry in serious]


@pytest.mark.parametrize(
    ("theme", "width", "language", "direction"),
    [
        ("light", 1440, "en", "ltr"),
        ("dark", 1024, "en", "ltr"),
        ("light", 1024, "ar", "rtl"),
        ("dark", 390, "ar", "rtl"),
    ],
)
def test_every_page_fits_and_is_accessible(visit, axe, theme, width, language, direction):
    """All widths, and each theme in both directions."""
    visitor = visit(f"/runs/tuesday?lang={language}", width=width, theme=theme)
    page = visitor.page
    page.evaluate(axe)
    singles = page.evaluate(FOUND)
    for address in (*ADDRESSES, *singles, "/governance/axe"):
        visitor.turn(address)
        assert page.evaluate("document.documentElement.dir") == direction
        assert page.evaluate("document.documentElement.lang") == language
        assert page.locator("h1").count() == 1, address
        assert visitor.fits(), address
        assert page.locator("main :is(img, iframe, script)").count() == 0, address
        assert _serious(page) == [], address


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_logging_in_is_accessible(browser, locked, axe, theme):
    address, _ = locked
    visitor = Visitor(browser, address, 390, theme).open("/")
    visitor.page.evaluate(axe)
    assert visitor.fits()
    assert _serious(visitor.page) == []
    visitor.complaints.clear()  # the browser itself notes each 401
    visitor.close()


def test_the_keyboard_goes_through_a_page_in_order_and_is_seen(visit):
    page = visit("/runs").page
    seen = []
    while "monday" not in seen and len(seen) < 60:
        page.keyboard.press("Tab")
        label, is_visible = page.evaluate(FOCUS)
        seen.append(label)
        assert is_visible, label
    expected = ["Skip to content", "Assay, first page", "Overview", "Runs", "Compare", "Metrics"]
    places = [seen.index(label) for label in expected]
    assert places == sorted(places)
    assert seen.index("Metrics") < seen.index("As the system") < seen.index("English")
    assert seen.index("English") < seen.index("monday")


def _tab_to(page, start):
    """Press Tab until the focus is on something whose name starts so."""
    for _ in range(120):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUS)[0].startswith(start):
            return
    raise AssertionError(f"the focus never comes to {start!r}")


def test_the_keyboard_alone_leads_from_the_runs_to_the_evidence_of_a_sample(visit):
    visitor = visit("/runs")
    page = visitor.page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "page"
    _tab_to(page, "monday")
    page.keyboard.press("Enter")
    page.get_by_role("tab", name="Metrics").wait_for()
    visitor.settle()
    _tab_to(page, "Metrics (")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**tab=samples**")
    page.get_by_role("tab", name="Samples", selected=True).wait_for()
    visitor.settle()
    page.keyboard.press("/")
    page.keyboard.type("hours-01")
    page.wait_for_url("**text=hours-01**")
    visitor.settle()
    _tab_to(page, "hours-01")
    page.keyboard.press("Enter")
    page.get_by_role("heading", level=1, name="hours-01").wait_for()
    visitor.settle()
    _tab_to(page, "Safety")
    page.keyboard.press("Enter")
    page.wait_for_url("**metric=text.safety**")
    assert page.locator(".sample-text.main mark").all_inner_texts() == ["john@example.com"]


WIDE = """() => [...document.querySelectorAll('main .table-scroll')]
  .filter(table => table.scrollWidth > table.clientWidth + 1).length"""


@pytest.mark.parametrize(
    "address",
    [
        "/compare?a=monday&b=tuesday",
        "/metrics",
        "/metrics/text.hallucination",
        "/runs",
        "/runs/monday",
        "/runs/monday?tab=samples",
        "/runs/monday?tab=samples&metric=text.safety",
        "/families?family=text",
        "/configuration?tab=presets",
        "/failures",
    ],
)
def test_no_column_is_cut_on_a_small_laptop(visit, address):
    page = visit(address, width=1024).page
    assert page.evaluate(WIDE) == 0
