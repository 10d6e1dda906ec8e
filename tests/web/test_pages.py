"""What a person does on each page, on real stored runs."""

import json
import re
from pathlib import Path

from tests.web.browser import Visitor, wait_for_held
from tests.web.samples import SAMPLES


def test_overview_says_how_it_is_now_against_last_time(visit):
    page = visit("/").page
    page.get_by_role("heading", name="Overview").wait_for()
    said = page.inner_text("main")
    assert re.search(r"\d+ of 1\d good; \d+ to look at\.", said)
    assert "Compared with monday, the run before it: all 14 pairs." in said
    assert "95% interval" in said
    assert "TTFT" not in said  # no sample has a time of the first token
    page.get_by_role("link", name="all 14 pairs").click()
    page.locator(".compare-said").wait_for()
    assert "From monday to tuesday" in page.inner_text(".compare-said")


def test_overview_keeps_datasets_apart(browser, serve):
    other = [
        {"id": f"t{n}", "query": f"Price of {n}?", "response": "It is free."} for n in range(8)
    ]
    with serve({"first": SAMPLES["monday"], "prices": other, "second": SAMPLES["tuesday"]}) as site:
        visitor = Visitor(browser, site, 1280, "light").open("/")
        page = visitor.page
        assert "first, the run before it" in page.inner_text("main")
        assert page.locator(".run-trend a").count() == 2
        page.get_by_label("Dataset").select_option(label="prices.jsonl")
        page.get_by_text("The first run of these questions").wait_for()
        assert page.locator(".run-trend").count() == 0  # one run is no trend
        visitor.close()


def test_targets_say_why_something_is_absent(visit):
    page = visit("/targets").page
    assert "28 tests" in page.inner_text("main")
    page.locator(".critical-metric", has_text="has no 'first_token_time'").first.wait_for()


def test_families_say_why_something_is_absent(visit):
    page = visit("/families?family=chat&group=performance").page
    row = page.locator("tbody tr", has_text="TTFT")
    assert "no 'first_token_time'" in row.inner_text()


def test_no_value_stands_inverted_under_a_plain_name(browser, serve):
    """The radar draws quality; what is written beside a name is the metric's own value."""
    with serve({"monday": SAMPLES["monday"]}, metrics="answer.correctness,safety") as site:
        visitor = Visitor(browser, site, 1280, "light").open("/targets")
        drawn, shown = _radar(visitor.page)
        visitor.close()
    assert {"Toxicity", "Bias", "Harm"} <= set(drawn)
    for label, (value, score) in drawn.items():
        assert shown[label] == f"{value:.3f}"
        assert shown[label] != f"{score:.3f}"


def _radar(page):
    """Value and score of each axis on which less is better, and what the page writes beside it."""
    drawn = page.evaluate(
        """() => Promise.all(["v1/overview", "v1/metrics"].map(path =>
          fetch(path).then(answer => answer.json()))).then(([overview, metrics]) =>
          overview.radar.filter(axis => axis.is_inverted && axis.value !== null).map(axis =>
            [metrics.find(metric => metric.id === axis.metric).label, [axis.value, axis.score]]))"""
    )
    words = page.get_by_role("img", name="Bias").get_attribute("aria-label")
    return dict(drawn), dict(axis.split(": ") for axis in words.split("; "))


def test_a_server_that_is_gone_is_said_to_be_gone(visit):
    visitor = visit("/")
    page = visitor.page
    page.route("**/assets/**", lambda route: route.abort())
    page.evaluate("window.location.hash = '/metrics'")
    page.get_by_role("heading", name="The server cannot be reached").wait_for()
    assert "dynamically imported" not in page.inner_text("main")
    page.unroute("**/assets/**")
    page.get_by_role("button", name="Try again").click()
    page.get_by_role("table", name="Metrics").wait_for()
    visitor.complaints.clear()  # the browser itself notes what could not be loaded


def test_bins_are_named_by_two_different_ends(visit):
    page = visit("/runs/monday").page
    words = page.locator("svg.histogram title").first.text_content().splitlines()[1:]
    ends = [line.partition(":")[0].split("–") for line in words]
    assert ends
    assert all(low != high for low, high in ends)


def test_a_finished_run_without_scores_does_not_promise_any(browser, serve):
    with serve({"bare": [{"id": "a", "query": "Open?"}, {"id": "b", "query": "Closed?"}]}) as site:
        visitor = Visitor(browser, site, 1280, "light").open("/runs/bare")
        assert "Known when the run is finished" not in visitor.page.inner_text("main")
        assert "No metric that decides gave a score" in visitor.page.inner_text("main")
        visitor.close()


def test_every_metric_says_what_it_needs(visit):
    page = visit("/metrics/chat.accuracy").page
    declared = page.locator(".declared div", has_text="Needs").inner_text()
    assert declared.split() == ["Needs", "expected,", "response"]


def test_failures_are_grouped_by_what_they_fail_because_of(visit):
    page = visit("/failures?run=monday").page
    first = page.locator(".failure-groups > li").first
    assert re.match(r"\d+ samples", first.locator("h3").inner_text())
    assert "hours" in first.locator("h3").inner_text()
    assert re.match(r"\d+ with much the same text", first.locator("ul li").first.inner_text())
    assert 1 <= first.locator("ul").first.get_by_role("link").count() <= 3
    name = first.get_by_role("link").first.inner_text()
    first.get_by_role("link").first.click()
    page.get_by_role("heading", level=1, name=name).wait_for()


def test_the_time_range_stands_in_the_address(visit):
    page = visit("/targets").page
    page.get_by_role("radio", name="24 h").click()
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
    page.locator(".sides del").first.wait_for()
    folded = page.locator(".changed details:not([open])").first
    assert not folded.locator(".sides, .score-changes").first.is_visible()
    folded.locator("summary").click()
    folded = page.locator(".changed details[open]").nth(1)
    assert folded.locator(".score-changes").is_visible()


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
    page = visit("/targets").page
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
    page = visit("/targets").page
    card = page.locator(".critical-metric", has_text="Context coverage")
    card.get_by_role("link", name="Context coverage").hover()
    said = page.get_by_role("tooltip")
    said.wait_for()
    assert "Agreement with human labels" in said.inner_text()
    assert "AUROC 0.655 [0.636, 0.676]" in said.inner_text()
    said.hover()
    said.wait_for()
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
    page.get_by_role("radio", name="Performance").click()
    page.wait_for_url("**group=performance**")
    page.get_by_role("heading", level=2, name="RAG").wait_for(state="detached")
    page.get_by_role("checkbox", name="Only what was scored").click()
    page.wait_for_url("**scored=yes**")
    page.get_by_role("link", name="TTFT").wait_for(state="detached")
    assert page.get_by_role("link", name="E2E latency").count() == 1


def test_a_family_without_groups_shows_its_metrics(visit):
    page = visit("/families?family=text").page
    tab = page.get_by_role("tab", selected=True).inner_text()
    rows = page.get_by_role("table", name="Text").locator("tbody tr")
    assert tab == f"Text ({rows.count()})"


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
    page.route("**/v1/**", lambda route: held.append(route))
    page.goto(f"{site}/")
    page.wait_for_function("() => window.__asked === 3")
    wait_for_held(page, held, 3)
    asked = sorted(route.request.url.rpartition("/v1/")[2].partition("?")[0] for route in held)
    assert asked == ["me", "metrics", "standing"]
    page.on("request", lambda request: asked.append(request.url))
    for route in held:
        route.continue_()
    visitor.settle()
    assert len(asked) == 3
    visitor.close()


def test_the_first_view_is_light(visit):
    page = visit("/").page
    sizes = page.evaluate(
        "performance.getEntriesByType('resource').filter(entry => entry.name.endsWith('.js'))"
        ".map(entry => entry.encodedBodySize)"
    )
    assert 0 < sum(sizes) <= 120_000


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
    page.get_by_text("Nothing scored yet").wait_for()
    visitor.complaints.clear()  # the browser itself notes each 401
    visitor.close()


def test_hostile_samples_are_shown_as_text(visit):
    visitor = visit("/runs/monday?tab=samples")
    visitor.page.get_by_role("link", name="hostile").click()
    visitor.page.get_by_role("heading", name="hostile").wait_for()
    assert "<script>alert(2)</script>" in visitor.page.inner_text(".sample-text.main")
    assert visitor.page.locator("main img, main iframe, main script").count() == 0


CUT_NAMES = """() => {
  const pen = document.createElement('canvas').getContext('2d');
  const widest = (field) => {
    pen.font = getComputedStyle(field).font;
    return Math.max(...[...field.options].map(option => pen.measureText(option.text).width));
  };
  const edge = document.querySelector('main').getBoundingClientRect().right;
  return [
    ...[...document.querySelectorAll('main .form select')]
      .filter(field => widest(field) > field.clientWidth - 24),
    ...[...document.querySelectorAll('main [role=tab]')]
      .filter(tab => tab.getBoundingClientRect().right > edge),
  ].map(element => element.textContent);
}"""
"""Fields of forms that are narrower than one of their choices, and tabs beyond the edge."""


def test_names_of_policies_and_tabs_are_whole_on_a_small_screen(browser, site):
    visitor = Visitor(browser, site, 1024, "light")
    for address in ("/governance", "/try", "/configuration?tab=policies", "/configuration"):
        page = visitor.open(address).page
        assert page.evaluate(CUT_NAMES) == [], address
        assert visitor.fits(), address
    visitor.close()
