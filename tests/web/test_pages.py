"""What a person does on each page, on real stored runs."""

import json
from pathlib import Path

import pytest
from tests.web.browser import Visitor

ADDRESSES = (
    "/",
    "/runs",
    "/runs/monday",
    "/runs/monday?tab=samples",
    "/runs/monday?tab=groups",
    "/runs/monday?tab=about",
    "/compare?a=monday&b=tuesday",
    "/compare?a=monday&b=tuesday&tab=samples",
    "/failures",
    "/families?family=text",
    "/metrics",
    "/metrics/text.hallucination",
    "/json",
    "/json?tab=batch",
    "/json?tab=strategies",
    "/try",
    "/try?tab=file",
    "/governance",
    "/governance?tab=sessions",
    "/configuration",
    "/configuration?profile=conservative",
    "/configuration?tab=targets",
    "/configuration?tab=presets",
    "/configuration?tab=policies",
    "/configuration?tab=changes",
)
VIOLATIONS = "axe.run({resultTypes: ['violations']}).then(found => found.violations)"


def test_overview_says_what_was_tested_and_why_something_is_absent(visit):
    page = visit("/").page
    assert page.get_by_role("heading", name="Overview").is_visible()
    assert "28 tests" in page.inner_text("main")
    assert page.locator(".critical-metric", has_text="it needs").first.is_visible()


def test_the_time_range_stands_in_the_address(visit):
    page = visit("/").page
    page.get_by_role("radio", name="24 h").check()
    page.wait_for_url("**hours=24**")
    page.get_by_role("combobox", name="Run").select_option("monday")
    page.wait_for_url("**run=monday**")
    page.get_by_text("14 tests ·").wait_for()
    page.get_by_role("link", name="Failures").click()
    page.wait_for_url("**/failures?hours=24&run=monday")


def test_from_the_runs_to_the_worst_sample_and_its_evidence(visit):
    page = visit("/runs").page
    page.get_by_role("link", name="monday", exact=True).click()
    page.get_by_role("tab", name="Samples (14)").click()
    page.get_by_label("Status").select_option("failed")
    page.get_by_label("Worst by").select_option("text.safety")
    page.get_by_role("link", name="hours-01").click()
    page.get_by_role("heading", name="hours-01").wait_for()
    marked = page.locator(".sample-text.main mark").all_inner_texts()
    assert marked == ["john@example.com"]
    page.get_by_role("button", name="Hallucination").click()
    page.wait_for_url("**metric=text.hallucination**")
    assert "opens" not in page.locator(".sample-text.main mark").all_inner_texts()


def test_marks_stand_where_they_should_behind_an_emoji_and_in_arabic(visit):
    visitor = visit("/runs/monday?tab=samples&metric=text.safety")
    visitor.page.get_by_role("link", name="<b>arabic</b>").click()
    mark = visitor.page.locator(".sample-text.main mark").first
    assert mark.inner_text() == "٥٥٥-١٢٣-٤٥٦٧"
    direction = "element => getComputedStyle(element).direction"
    assert visitor.page.locator(".sample-text.main .data-text").evaluate(direction) == "rtl"


def test_a_comparison_says_what_really_changed(visit):
    page = visit("/compare").page
    page.get_by_label("From A").select_option("monday")
    page.get_by_label("to B").select_option("tuesday")
    page.locator(".compare-said").wait_for()
    assert "14 pairs by id" in page.inner_text(".compare-said")
    assert "too few samples" in page.inner_text("main")
    page.get_by_role("tab", name="Samples that changed most").click()
    assert page.locator(".sides del").first.is_visible()


def test_metrics_are_found_by_words(visit):
    page = visit("/metrics").page
    page.get_by_label("Find").fill("hedging doubt hallucination_rate")
    page.get_by_text("No such metric").wait_for()
    page.get_by_label("Find").fill("text.hallucination")
    page.get_by_role("link", name="Hallucination", exact=True).click()
    page.get_by_role("heading", name="Worked examples").wait_for()
    assert "Blind spots" in page.inner_text("main")


def test_tables_are_saved_without_formulas(visit, tmp_path):
    page = visit("/runs/monday?tab=samples").page
    for kind in ("CSV", "JSON"):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Save Samples of monday as {kind}").click()
        download.value.save_as(tmp_path / f"table.{kind.lower()}")
    records = json.loads(Path(tmp_path, "table.json").read_text(encoding="utf-8"))
    assert len(records) == 14
    assert {"sample", "query", "response", "score"} <= set(records[0])
    lines = Path(tmp_path, "table.csv").read_text(encoding="utf-8").splitlines()
    assert not any(line.startswith(("=", "+", "@")) for line in lines)


def test_charts_are_saved_as_drawings(visit, tmp_path):
    page = visit("/").page
    with page.expect_download() as download:
        page.get_by_role("button", name="Save Radar as SVG").click()
    download.value.save_as(tmp_path / "radar.svg")
    text = (tmp_path / "radar.svg").read_text(encoding="utf-8")
    assert text.startswith("<svg")
    assert "polygon" in text


def test_the_keyboard_reaches_the_page(visit):
    page = visit("/runs").page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "page"


def test_the_colours_are_kept(visit):
    page = visit("/runs").page
    page.get_by_role("button", name="Dark").click()
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_an_unknown_run_is_said_to_be_unknown(visit):
    visitor = visit("/runs/mondy")
    assert "did you mean 'monday'?" in visitor.page.inner_text("main")
    visitor.complaints.clear()  # the browser itself notes the 404


def test_a_key_opens_a_locked_server(browser, locked):
    address, key = locked
    visitor = Visitor(browser, address, 1280, "light").open("/runs")
    page = visitor.page
    page.get_by_label("Key").fill("assay_read_wrong")
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("alert").wait_for()
    page.get_by_label("Key").fill(key)
    page.get_by_role("button", name="Log in").click()
    page.get_by_text("No runs yet").wait_for()
    visitor.complaints.clear()  # the browser itself notes each 401
    visitor.close()


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 390)])
def test_every_page_fits_is_accessible_and_shows_data_as_text(visit, axe, theme, width):
    visitor = visit("/runs/tuesday", width=width, theme=theme)
    page = visitor.page
    page.evaluate(axe)
    for address in ADDRESSES:
        visitor.turn(address)
        assert page.locator("h1").count() == 1, address
        assert visitor.fits(), address
        assert page.locator("main :is(img, iframe, script)").count() == 0, address
        found = page.evaluate(VIOLATIONS)
        serious = [entry for entry in found if entry["impact"] in ("serious", "critical")]
        assert [(entry["id"], entry["nodes"][0]["html"]) for entry in serious] == [], address


def test_hostile_samples_are_shown_as_text(visit):
    visitor = visit("/runs/monday?tab=samples")
    visitor.page.get_by_role("link", name="hostile").click()
    visitor.page.get_by_role("heading", name="hostile").wait_for()
    assert "<script>alert(2)</script>" in visitor.page.inner_text(".sample-text.main")
    assert visitor.page.locator("main img, main iframe, main script").count() == 0
