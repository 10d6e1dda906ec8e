"""Runs, groups and samples: choosing, naming, narrowing and moving by keyboard."""

import re

import pytest
from tests.web.browser import Visitor
from tests.web.samples import SAMPLES


@pytest.fixture
def own(browser, serve):
    """A visitor of runs that may be changed."""
    with serve(SAMPLES) as address:
        visitor = Visitor(browser, address, 1280, "light")
        yield visitor
        visitor.close()


def test_two_chosen_runs_are_compared_the_older_first(visit):
    page = visit("/runs").page
    page.get_by_role("checkbox", name="Choose tuesday").click()
    page.get_by_text("Choose another run").wait_for()
    page.get_by_role("checkbox", name="Choose monday").click()
    page.get_by_role("link", name="Compare", exact=True).last.click()
    page.locator(".compare-said").wait_for()
    assert "From monday to tuesday" in page.inner_text(".compare-said")


def test_runs_stand_by_dataset_and_columns_are_of_choice(visit):
    page = visit("/runs").page
    assert page.get_by_role("table").count() == 1
    assert "tuesday.jsonl and 1 more file" in page.locator("main h2").first.inner_text()
    page.get_by_role("columnheader", name="Metrics").wait_for()
    page.get_by_text("Columns", exact=True).click()
    page.get_by_role("checkbox", name="Metrics").uncheck()
    page.wait_for_url("**hide=metrics**")
    assert page.get_by_role("columnheader", name="Metrics").count() == 0


def test_a_run_is_noted_renamed_and_pinned(own):
    page = own.open("/runs/monday").page
    page.get_by_role("button", name="Pin as baseline").click()
    page.get_by_role("button", name="Unpin").wait_for()
    page.get_by_text("Edit", exact=True).click()
    page.get_by_label("Name").fill("release 1")
    page.get_by_label("Note").fill("First <b>prompt</b>")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("heading", name="release 1").wait_for()
    assert page.locator(".run-note").inner_text() == "First <b>prompt</b>"
    own.turn("/")
    assert "release 1, the baseline" in page.inner_text("main")
    assert "First <b>prompt</b>" in page.inner_text(".trend-notes")
    own.turn("/runs")
    row = page.locator("tbody tr", has_text="release 1")
    assert "baseline" in row.inner_text()


def test_what_samples_fail_because_of_leads_to_them(visit):
    page = visit("/runs/monday").page
    bars = page.locator(".causes li")
    first = bars.first
    count = int(first.locator(".number").inner_text().split()[0])
    name = first.get_by_role("link").inner_text()
    first.get_by_role("link").click()
    page.wait_for_url("**fails=**")
    page.get_by_role("tab", name="Samples", selected=True).wait_for()
    page.locator("tbody tr").first.wait_for()
    assert page.locator("tbody tr").count() == count
    chips = page.locator("tbody tr").first.locator(".chip").all_inner_texts()
    assert name in chips


def test_a_cell_of_the_heat_map_leads_to_its_samples(visit):
    page = visit("/runs/monday?tab=groups").page
    row = page.locator(".heat tbody tr", has_text="hours")
    cell = row.get_by_role("link").first
    assert "95% interval" in cell.get_attribute("title") or "n = 12" in cell.get_attribute("title")
    cell.click()
    page.wait_for_url("**tag=hours**")
    page.get_by_role("tab", name="Samples", selected=True).wait_for()
    page.locator("tbody tr").first.wait_for()
    assert page.locator("tbody tr").count() == 12


def test_samples_are_sorted_by_the_server(visit):
    page = visit("/runs/monday?tab=samples").page
    page.get_by_role("button", name="Sample", exact=True).click()
    page.wait_for_url("**order=name**")
    page.locator("th[aria-sort=ascending]").wait_for()
    page.get_by_role("button", name="Sample", exact=True).click()
    page.wait_for_url("**order=-name**")
    page.wait_for_function(
        "() => document.querySelector('tbody td a').textContent === 'hours-11'"
        " || document.querySelector('tbody td a').textContent === 'hostile'"
    )
    names = page.locator("tbody td:first-child a").all_inner_texts()
    assert names == sorted(names, reverse=True)


def test_words_in_contexts_are_found_and_said_to_be_there(visit):
    page = visit("/runs/monday?tab=samples").page
    page.keyboard.press("/")
    page.keyboard.type("handbook.pdf")
    page.wait_for_url("**text=handbook**")
    page.get_by_text("found in contexts[0]").first.wait_for()
    assert page.locator("tbody tr").count() == 12


def test_a_bar_narrows_the_list_and_the_threshold_moves(visit):
    page = visit("/runs/monday?tab=samples&metric=text.safety").page
    view = page.locator(".threshold-view")
    view.wait_for()
    slider = view.get_by_role("slider", name="Threshold")
    before = view.locator("[role=status]").inner_text()
    assert re.search(r"[\d.]+% pass at ≥ [\d.]+", before)
    slider.focus()
    for _ in range(12):
        page.keyboard.press("Shift+ArrowLeft")
    assert view.locator("[role=status]").inner_text().startswith("100.0% would pass")
    view.get_by_role("button", name="Reset").click()
    assert view.locator("[role=status]").inner_text() == before
    bar = view.get_by_role("button", name=re.compile("Show the samples")).first
    count = int(bar.get_attribute("aria-label").rpartition(": ")[2])
    bar.click()
    page.wait_for_url("**to_value=**")
    page.wait_for_function(f"() => document.querySelectorAll('tbody tr').length === {count}")


def test_the_threshold_line_is_dragged(visit):
    page = visit("/runs/monday?tab=samples&metric=text.safety").page
    view = page.locator(".threshold-view")
    line = view.get_by_role("slider", name="Threshold").bounding_box()
    x, y = line["x"] + line["width"] / 2, line["y"] + line["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(view.bounding_box()["x"], y, steps=4)
    page.mouse.up()
    assert view.locator("[role=status]").inner_text().startswith("100.0% would pass at ≥ 0")


def test_a_drag_over_bars_narrows_the_list_to_all_of_them(visit):
    visitor = visit("/runs/monday?tab=samples&metric=text.safety")
    page = visitor.page
    rows = page.locator("tbody tr").count()
    bins = page.locator(".threshold-view .bins")
    bins.wait_for()
    box = bins.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] - 2, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 + 2, middle)
    assert bins.locator(".brush").count() == 1
    page.mouse.up()
    page.wait_for_url("**from_value=0.5&to_value=1**")
    assert bins.locator(".brush").count() == 0
    page.get_by_role("button", name="0.500 to 1.000").click()
    visitor.settle()
    assert page.locator("tbody tr").count() == rows


def test_j_and_k_go_through_rows_and_samples(visit):
    page = visit("/runs/monday?tab=samples").page
    names = page.locator("tbody td:first-child a").all_inner_texts()
    at = "() => document.activeElement.textContent"
    for key, name in (("j", names[0]), ("j", names[1]), ("k", names[0])):
        page.keyboard.press(key)
        assert page.evaluate(at) == name
    page.keyboard.press("Enter")
    page.get_by_role("heading", name=names[0]).wait_for()
    page.get_by_text(f"1 of {len(names)}").wait_for()
    page.keyboard.press("j")
    page.get_by_role("heading", name=names[1]).wait_for()
    page.keyboard.press("ArrowLeft")
    page.get_by_role("heading", name=names[0]).wait_for()


def test_headings_stay_in_sight(visit):
    page = visit("/runs/monday?tab=samples").page
    page.locator("tbody tr").last.scroll_into_view_if_needed()
    box = page.get_by_role("columnheader", name="Sample").bounding_box()
    assert 0 <= box["y"] < 200
