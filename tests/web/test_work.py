"""What a person does on the pages that work: compare JSON, score, judge, configure."""

import json
from pathlib import Path

import pytest
from tests.web.browser import wait_for_held
from tests.web.samples import ARABIC, HOSTILE, RIGHT

ANSWERS = "\n".join(
    json.dumps({"id": f"a{place}", "query": "When does it open?", "response": RIGHT})
    for place in range(3)
)


def _file(name, text):
    return {"name": name, "mimeType": "application/octet-stream", "buffer": text.encode()}


def test_two_documents_are_compared_field_by_field(visit):
    page = visit("/json").page
    page.get_by_label("Expected", exact=True).fill("{")
    page.get_by_role("button", name="Compare").click()
    page.get_by_text("This is not JSON").wait_for()
    page.get_by_label("Expected", exact=True).fill('{"name": "Omar", "city": "Dubai", "age": 41}')
    page.get_by_label("Output", exact=True).fill('{"name": "Omar", "city": "دبي", "job": "chef"}')
    page.get_by_role("button", name="Compare").click()
    page.get_by_role("heading", name="Field by field").wait_for()
    said = page.inner_text("main")
    assert all(field in said for field in ("name", "city", "age", "job"))


def test_outputs_are_ranked_and_a_broken_one_is_said_to_be_broken(visit):
    page = visit("/json?tab=batch").page
    page.get_by_label("Expected", exact=True).fill('{"name": "Omar", "age": 41}')
    page.get_by_label("Output 1", exact=True).fill('{"name": "Omar H.", "age": 40}')
    page.get_by_label("Output 2", exact=True).fill('{"name":')
    page.get_by_role("button", name="Rank 2 outputs").click()
    page.get_by_text("Best RQS").wait_for()
    first, second = page.get_by_role("table", name="Ranking").locator("tbody tr").all()
    assert "Output 1 best" in " ".join(first.inner_text().split())
    assert "not JSON" not in first.inner_text()
    assert "Output 2" in second.inner_text()
    assert "the output is not JSON" in second.inner_text()


def test_field_strategies_are_imported_changed_and_exported(visit, tmp_path):
    page = visit("/json?tab=strategies").page
    page.get_by_role("textbox", name="New set").fill("invoices")
    given = _file("s.json", '{"a": {"b": "FUZZY"}, "c": "EXACT"}')
    page.locator("input[type=file]").first.set_input_files(given)
    page.get_by_text("was imported").wait_for()
    page.get_by_label("Strategy of a.b").select_option("IGNORE")
    page.get_by_text("a.b uses IGNORE").wait_for()
    page.get_by_label("Remove c").click()
    page.get_by_text("by its type again").wait_for()
    with page.expect_download() as download:
        page.get_by_role("link", name="Export").click()
    download.value.save_as(tmp_path / "s.json")
    text = Path(tmp_path, "s.json").read_text(encoding="utf-8")
    assert "IGNORE" in text
    assert "EXACT" not in text
    page.get_by_role("button", name="Delete the set").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_text("was deleted").wait_for()


def test_an_answer_is_scored_where_it_is_written(visit):
    page = visit("/try").page
    page.get_by_label("Query").fill("How do I reach you?")
    page.get_by_label("Answer", exact=True).fill(ARABIC)
    page.get_by_role("checkbox", name="Text", exact=False).first.check()
    page.get_by_role("button", name="Score it").click()
    page.locator(".part-scores li").first.wait_for()
    page.get_by_role("radio", name="Scored").click()
    page.get_by_role("button", name="Safety").click()
    assert page.locator(".sample-text.main mark").first.inner_text() == "٥٥٥-١٢٣-٤٥٦٧"


@pytest.mark.parametrize("has_events", [True, False])
def test_a_file_is_scored_by_a_job_to_its_end(visit, has_events):
    """Without events, as behind some proxies, the page asks again and again."""
    page = visit("/try?tab=file").page
    if not has_events:
        page.route("**/events", lambda route: route.fulfill(status=204))
    page.locator("input[type=file]").set_input_files(_file("answers.jsonl", ANSWERS))
    page.get_by_text("Metrics: chosen by what the file has").click()
    page.get_by_role("checkbox", name="Text", exact=False).first.check()
    page.get_by_role("button", name="Score the file").click()
    page.locator(".job .badge", has_text="done").wait_for()
    page.get_by_role("link", name="Open the run").click()
    page.get_by_role("tab", name="Samples (3)").wait_for()


def test_a_file_of_another_kind_is_refused_in_words(visit):
    visitor = visit("/try?tab=file")
    visitor.page.locator("input[type=file]").set_input_files(_file("x.exe", "abc"))
    visitor.page.locator(".notice.tone-bad").wait_for()
    visitor.complaints.clear()  # the browser itself notes the refusal


def test_hostile_text_is_judged_shown_and_answered_as_text(visit):
    page = visit("/governance").page
    page.get_by_label("Query").fill(HOSTILE)
    page.get_by_label("Answer", exact=True).fill(HOSTILE)
    page.get_by_label("Document 1 for the answer").fill(HOSTILE)
    page.get_by_label("Service").fill("<b>svc</b>")
    page.get_by_role("button", name="Judge it").click()
    page.get_by_role("heading", name="Audit trail").wait_for()
    page.get_by_label("Comment").fill(HOSTILE)
    page.get_by_role("button", name="Send").click()
    page.get_by_text("Thank you").wait_for()
    page.get_by_role("button", name="Answer it").click()
    page.get_by_label("Answer to this feedback").fill(HOSTILE)
    page.get_by_role("button", name="Answer", exact=True).click()
    page.locator("blockquote").wait_for()
    assert page.locator("main :is(img, iframe, script)").count() == 0
    page.get_by_role("link", name="Governance").click()
    page.get_by_role("tab", name="Judged answers").click()
    page.get_by_text("<b>svc</b>").first.wait_for(state="attached")


def test_hostile_text_is_scored_and_compared_as_text(visit):
    visitor = visit("/try")
    page = visitor.page
    page.get_by_label("Query").fill(HOSTILE)
    page.get_by_label("Answer", exact=True).fill(HOSTILE)
    page.get_by_role("checkbox", name="Text", exact=False).first.check()
    page.get_by_role("button", name="Score it").click()
    page.locator(".part-scores li").first.wait_for()
    assert page.locator("main :is(img, iframe, script)").count() == 0
    visitor.open("/json")
    page.get_by_label("Expected", exact=True).fill(json.dumps({HOSTILE: HOSTILE, "b": 1}))
    page.get_by_label("Output", exact=True).fill(json.dumps({HOSTILE: HOSTILE + "!", "c": HOSTILE}))
    page.get_by_role("button", name="Compare").click()
    page.get_by_role("heading", name="Field by field").wait_for()
    assert page.locator("main :is(img, iframe, script)").count() == 0


def test_a_profile_is_copied_changed_taken_back_and_removed(visit):
    page = visit("/configuration?profile=conservative").page
    page.get_by_label("Copy to edit").fill("ours")
    page.get_by_role("button", name="Copy", exact=True).click()
    page.get_by_role("heading", name="ours").wait_for()
    page.get_by_label("Value of text.safety").fill("nine")
    page.get_by_role("button", name="Save the thresholds").click()
    page.get_by_text("Expected a number.").wait_for()
    page.get_by_label("Value of text.safety").fill("0.5")
    page.get_by_role("button", name="Save the thresholds").click()
    page.get_by_text("saved as version 2").wait_for()
    page.get_by_text("History of ours").click()
    page.get_by_role("button", name="View").first.click()
    page.get_by_role("button", name="Restore this version").click()
    page.get_by_text("was restored as version").wait_for()
    page.get_by_role("button", name="Delete", exact=True).first.click()
    page.get_by_role("button", name="Delete", exact=True).first.click()
    page.get_by_text("was deleted").wait_for()
    page.get_by_role("tab", name="Changes").click()
    page.get_by_label("Changes of").select_option("profile.")
    page.locator("tbody tr", has_text="ours").first.wait_for()


def test_targets_are_changed_and_taken_back(visit):
    page = visit("/configuration?tab=targets").page
    first = page.get_by_label("Value of").first
    documented = first.input_value()
    first.fill("0.41")
    held = []
    page.route("**/targets", lambda route: _hold(held, route))
    page.get_by_role("button", name="Save the targets").click()
    page.locator("[aria-busy=true]", has_text="saved as version").wait_for()
    wait_for_held(page, held, 1)
    held.pop().continue_()
    page.unroute("**/targets")
    page.locator("[aria-busy=false]", has_text="version 1, customised").wait_for()
    page.get_by_role("button", name="Reset to defaults").click()
    page.get_by_role("button", name="Reset").click()
    page.get_by_text("default targets apply again").wait_for()
    page.wait_for_function(
        "value => document.querySelector('[aria-label^=\"Value of\"]').value === value",
        arg=documented,
    )


def _hold(held, route):
    if route.request.method == "GET":
        held.append(route)
    else:
        route.continue_()


JUDGE = """body => fetch("v1/evaluate", {
  method: "POST",
  headers: { "content-type": "application/json", "x-assay-client": "dashboard" },
  body: JSON.stringify(body),
}).then(answer => answer.json())"""


def test_live_checks_stand_apart_and_claims_have_their_colours(visit):
    visitor = visit("/runs")
    page = visitor.page
    body = {
        "query": "When does the library open?",
        "response": "The library opens at 10 AM. It was founded by pirates in 1402.",
        "rag_documents": [{"content": "The library opens at 10 AM.", "source": "a"}],
        "session_id": "claims",
    }
    page.evaluate(JUDGE, body)
    visitor.open("/runs")
    assert page.locator("tbody", has_text="live-governance").count() == 0
    page.get_by_text("of live checks").click()
    page.locator(".live-runs a", has_text="live-governance").first.wait_for()
    visitor.turn("/governance/claims")
    page.locator("mark.holds", has_text="opens at 10 AM").first.wait_for()
    assert page.locator("mark.lacks", has_text="pirates").count() == 1
    colour = "mark => getComputedStyle(mark).backgroundColor"
    assert page.locator("mark.holds").first.evaluate(colour) != page.locator(
        "mark.lacks"
    ).first.evaluate(colour)
