"""People's verdicts: thumbs on a sample, a queue, and the threshold that follows."""

import re

import pytest
from tests.web.browser import Visitor

GOOD = "The store opens at 9 AM and closes at 6 PM."


@pytest.fixture
def labelling(browser, serve):
    """A visitor of a run of thirty answers, every second of them wrong."""
    samples = [
        {
            "id": f"s{n:02}",
            "query": f"When does store {n} open?",
            "response": GOOD if n % 2 else f"Perhaps it may seem so, {n}. Write to a@b.example.",
            "expected": GOOD,
        }
        for n in range(30)
    ]
    with serve({"answers": samples}) as address:
        visitor = Visitor(browser, address, 1280, "light")
        yield visitor
        visitor.close()


def test_twenty_labels_become_a_threshold(labelling):
    page = labelling.open("/labels?run=answers&metric=text.safety").page
    page.get_by_label("Your name").fill("Anna")
    labelling.settle()
    page.locator("h1").click()
    for count in range(20):
        text = page.locator(".sample-text.main .data-text").inner_text()
        page.keyboard.press("1" if text == GOOD else "2")
        words = "samples labelled" if count else "sample labelled"
        page.get_by_text(f"{count + 1} {words}").wait_for()
        labelling.settle()
    page.get_by_role("tab", name="Calibration").click()
    page.get_by_role("heading", name="Best threshold").wait_for()
    cells = [int(cell) for cell in page.locator(".confusion td .number").all_inner_texts()]
    assert sum(cells) == 20
    assert cells[1] == cells[2] == 0
    said = page.locator(".calibration [role=status]").inner_text()
    assert "precision 100%, recall 100%" in said
    page.get_by_role("slider").fill("1")
    page.get_by_label("Profile").fill("ours")
    page.get_by_role("button", name="Save as threshold").click()
    page.get_by_text("text.safety ≥ 1 is in the profile ours").wait_for()
    page.get_by_role("link", name="Open it").click()
    page.get_by_role("heading", name="ours").wait_for()
    assert page.get_by_label("Value of text.safety").input_value() == "1"
    labelling.complaints.clear()  # the browser itself notes that the profile was not there


def test_thumbs_and_notes_of_several_raters(labelling):
    page = labelling.open("/runs/answers?tab=samples").page
    page.locator("tbody td:first-child a").first.click()
    box = page.locator(".label-box")
    box.wait_for()
    for name, key in (("Anna", "2"), ("Ben", "1")):
        box.get_by_label("Your name").fill(name)
        page.locator("h1").click()
        page.keyboard.press(key)
        box.locator("li", has_text=name).wait_for()
    box.get_by_label("Note").fill("Not <b>so</b> bad")
    box.get_by_label("Your name").focus()
    box.get_by_text("Ben: Not <b>so</b> bad").wait_for()
    assert (
        box.get_by_role("button", name=re.compile("^Good")).get_attribute("aria-pressed") == "true"
    )
    labelling.turn("/labels?run=answers&tab=raters")
    said = page.inner_text("main")
    assert "1 disputed" in said
    assert "Anna" in said
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the labels").click()
    assert download.value.suggested_filename == "labels.jsonl"


def test_labels_show_the_threshold_on_the_samples_page(labelling):
    page = labelling.open("/runs/answers?tab=samples&metric=text.safety").page
    page.locator("tbody td:first-child a").first.click()
    page.locator(".label-box").wait_for()
    page.keyboard.press("2")
    page.locator(".label-list li").wait_for()
    labelling.turn("/runs/answers?tab=samples&metric=text.safety")
    page.locator(".threshold-view", has_text="against 1 label:").wait_for()


def test_only_metrics_with_scores_can_be_calibrated(visit):
    visitor = visit("/labels?run=monday")
    page = visitor.page
    offered = page.get_by_label("Metric", exact=True).locator("option")
    values = [option.get_attribute("value") for option in offered.all()]
    listed = page.evaluate("fetch('v1/runs/monday/metrics').then(answer => answer.json())")
    scored = {one["metric"] for one in listed if one["scored"]}
    assert set(values) <= scored < {one["metric"] for one in listed}
    assert page.get_by_text("All samples are labelled").count() == 0
