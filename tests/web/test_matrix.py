"""Questions against runs, and addresses as people type them."""

import re

import pytest
from tests.web.browser import Visitor
from tests.web.samples import SAMPLES


@pytest.fixture
def judged(browser, serve):
    """A visitor of two runs of which the second gained six answers."""
    with serve(SAMPLES, metrics="text.safety,chat.ttft") as address:
        visitor = Visitor(browser, address, 1280, "light")
        yield visitor
        visitor.close()


def test_a_gained_answer_is_found_and_shown_beside_the_old_one(judged):
    page = judged.open("/matrix").page
    assert page.locator(".matrix tbody tr").count() == 14
    page.get_by_role("radio", name="Lost 0").click()
    page.get_by_text("No question was lost").wait_for()
    page.get_by_role("radio", name="Gained 6").click()
    page.wait_for_url("**only=gained**")
    page.wait_for_function("() => document.querySelectorAll('.matrix tbody tr').length === 6")
    first = page.locator(".matrix-cell").first
    assert "failed" in first.get_attribute("aria-label")
    first.focus()
    page.keyboard.press("ArrowRight")
    label = page.evaluate("() => document.activeElement.getAttribute('aria-label')")
    assert label.startswith("tuesday: passed")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.get_by_role("article", name="Answer of tuesday").wait_for()
    page.locator(".answers ins").first.wait_for()
    page.locator(".answers del").first.wait_for()
    page.get_by_role("article", name="Answer of monday").get_by_role("link").click()
    page.get_by_role("heading", level=1, name="hours-").wait_for()


def test_a_lost_answer_is_found_and_shown_beside_the_old_one(browser, serve):
    runs = {"before": SAMPLES["tuesday"], "after": SAMPLES["monday"]}
    with serve(runs, metrics="text.safety") as address:
        visitor = Visitor(browser, address, 1280, "light").open("/matrix")
        page = visitor.page
        page.get_by_role("radio", name="Lost 6").click()
        page.wait_for_url("**only=lost**")
        page.wait_for_function("() => document.querySelectorAll('.matrix tbody tr').length === 6")
        lost = page.locator(".matrix-cell").nth(1)
        assert lost.get_attribute("aria-label").startswith("after: failed")
        lost.click()
        page.get_by_role("article", name="Answer of before").get_by_text("at 9 AM").wait_for()
        after = page.get_by_role("article", name="Answer of after")
        after.locator("ins").first.wait_for()
        assert "9 AM" in "".join(after.locator("del").all_inner_texts())
        assert "john@example.com" in "".join(after.locator("ins").all_inner_texts())
        after.get_by_role("link").click()
        page.get_by_role("heading", level=1, name="hours-01").wait_for()
        assert page.locator(".sample-text.main mark").all_inner_texts() == ["john@example.com"]
        visitor.close()


def test_the_matrix_of_a_comparison_is_one_click_from_a_metric(judged):
    page = judged.open("/compare?a=monday&b=tuesday").page
    page.locator("td a", has_text="/").first.click()
    page.wait_for_url("**tab=questions**only=changed**")
    page.locator(".matrix-cell").first.wait_for()


def test_metrics_without_scores_are_folded_and_shares_change_by_points(visit):
    page = visit("/compare?a=monday&b=tuesday").page
    folded = page.locator("details.refused", has_text="no score in both runs")
    assert "TTFT" not in page.locator("tbody").first.inner_text()
    folded.locator("summary").click()
    assert "TTFT" in folded.inner_text()
    rate = page.locator("tbody tr", has_text="Pass rate").inner_text()
    assert re.search(r"[+−][\d.]+ pp", rate)


def test_a_typed_address_leads_to_its_page(visit, site):
    visitor = visit("/")
    page = visitor.page
    for path, heading in (("/runs", "Runs"), ("/runs/monday?tab=groups", "monday")):
        page.goto(f"{site}{path}")
        page.get_by_role("heading", level=1, name=heading).wait_for()
    assert page.get_by_role("tab", name="Groups").get_attribute("aria-selected") == "true"
    assert page.title() == "monday · Run · Assay"
