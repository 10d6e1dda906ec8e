"""What a person does on each page, on real stored runs."""

import json
import re
from pathlib import Path

from tests.web.browser import Visitor


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
    page.get_by_role("button", name=re.compile(r"^Hallucination\s*\d")).click()
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
    page.get_by_text("No matching metric").wait_for()
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


def test_charts_are_saved_as_drawings_and_as_pictures(visit, tmp_path):
    page = visit("/").page
    for kind in ("SVG", "PNG"):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Save Radar as {kind}").click()
        assert download.value.suggested_filename == f"radar.{kind.lower()}"
        download.value.save_as(tmp_path / f"radar.{kind}")
    text = (tmp_path / "radar.SVG").read_text(encoding="utf-8")
    assert text.startswith("<svg")
    assert "polygon" in text
    picture = (tmp_path / "radar.PNG").read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert int.from_bytes(picture[16:20], "big") > 400


def test_what_a_critical_metric_is_worth_is_one_hover_away(visit):
    page = visit("/").page
    card = page.locator(".critical-metric", has_text="Context coverage")
    card.get_by_role("link", name="Context coverage").hover()
    said = page.get_by_role("tooltip")
    said.wait_for()
    assert "Agreement with human labels" in said.inner_text()
    assert "AUROC 0.655 [0.636, 0.676]" in said.inner_text()
    said.hover()
    assert said.is_visible()
    page.keyboard.press("Escape")
    said.wait_for(state="detached")
    page.get_by_role("button", name="Evidence for TTFT").focus()
    assert "Not yet compared with human labels" in page.get_by_role("tooltip").inner_text()


def test_the_next_sample_of_the_list_is_one_step_away(visit):
    visitor = visit("/runs/monday?tab=samples&status=failed&tag=hours")
    page = visitor.page
    names = page.locator("tbody tr td:first-child a").all_inner_texts()
    page.get_by_role("link", name=names[0], exact=True).click()
    page.get_by_role("heading", name=names[0]).wait_for()
    page.get_by_text(f"1 of {len(names)}").wait_for()
    assert page.get_by_role("link", name="Previous").get_attribute("href") is None
    for name in names[1:3]:
        page.get_by_role("link", name="Next").click()
        page.get_by_role("heading", name=name).wait_for()
    visitor.open(page.url.partition("#")[2])
    page.get_by_role("link", name="Previous").click()
    page.get_by_role("heading", name=names[1]).wait_for()
    page.get_by_role("link", name="Samples of the run").click()
    page.get_by_role("link", name=names[-1], exact=True).wait_for()
    assert page.locator("tbody tr").count() == len(names)


def test_a_conversation_is_shown_turn_by_turn(visit):
    page = visit("/runs/monday?tab=samples").page
    page.get_by_role("link", name="<b>arabic</b>").click()
    page.get_by_role("heading", name="Conversation").wait_for()
    turns = page.locator(".turns > li")
    assert turns.locator("h3").all_inner_texts() == ["User", "Assistant"]
    direction = "element => getComputedStyle(element).direction"
    assert turns.last.locator(".data-text").evaluate(direction) == "rtl"


def test_families_are_narrowed_to_a_group_and_to_what_was_scored(visit):
    page = visit("/families?family=chat").page
    page.get_by_role("radio", name="Performance").check()
    page.wait_for_url("**group=performance**")
    assert page.get_by_role("heading", level=2, name="RAG").count() == 0
    page.get_by_role("checkbox", name="Only what was scored").check()
    page.wait_for_url("**scored=yes**")
    page.get_by_role("link", name="E2E latency").wait_for()
    assert page.get_by_role("link", name="TTFT").count() == 0


def test_a_policy_pack_shows_its_rules(visit):
    page = visit("/configuration?tab=policies").page
    page.get_by_role("heading", name="Right to Information Act").wait_for()
    page.get_by_role("button", name="Regulation (EU) 2024/1689").click()
    page.wait_for_url("**policy=eu_ai_act**")
    page.get_by_text("III(1)", exact=True).wait_for()
    assert "facial recognition" in page.inner_text("main")


def test_the_first_view_asks_for_all_at_once(browser, site):
    """No answer is given before every question is asked, and none is asked after."""
    visitor = Visitor(browser, site, 1280, "light")
    page, held = visitor.page, []
    page.route("**/v1/**", lambda route: _hold(held, route))
    page.goto(f"{site}/")
    page.wait_for_function("window.__asked === 4")
    asked = sorted(route.request.url.rpartition("/v1/")[2].partition("?")[0] for route in held)
    assert asked == ["me", "metrics", "overview", "runs"]
    page.on("request", lambda request: asked.append(request.url))
    for route in held:
        route.continue_()
    visitor.settle()
    assert len(asked) == 4
    visitor.close()


def _hold(held, route):
    held.append(route)


def test_the_first_view_is_light(visit):
    page = visit("/").page
    sizes = page.evaluate(
        "performance.getEntriesByType('resource').filter(entry => entry.name.endsWith('.js'))"
        ".map(entry => entry.encodedBodySize)"
    )
    assert 0 < sum(sizes) <= 120_000


def test_the_pages_run_from_the_right_for_those_who_wish(visit):
    visitor = visit("/")
    page = visitor.page
    page.get_by_role("button", name="Right to left").click()
    page.reload()
    visitor.settle()
    assert page.evaluate("document.documentElement.dir") == "rtl"
    navigation = page.locator("nav.side").bounding_box()
    assert navigation["x"] > 900
    visitor.open("/runs?dir=ltr")
    assert page.evaluate("document.documentElement.dir") == "ltr"
    assert page.locator("nav.side").bounding_box()["x"] == 0


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


def test_hostile_samples_are_shown_as_text(visit):
    visitor = visit("/runs/monday?tab=samples")
    visitor.page.get_by_role("link", name="hostile").click()
    visitor.page.get_by_role("heading", name="hostile").wait_for()
    assert "<script>alert(2)</script>" in visitor.page.inner_text(".sample-text.main")
    assert visitor.page.locator("main img, main iframe, main script").count() == 0
