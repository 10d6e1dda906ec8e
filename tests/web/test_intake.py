"""The first minute: an empty store, a file that is dropped, its columns, and the verdict."""

from contextlib import closing

import pytest
from tests.judge.chat import Chat, graded
from tests.server.client import Client, live
from tests.web.browser import Visitor
from tests.web.conftest import PATIENT

from assay.settings import Settings

CSV = (
    "Question,GPT Answer,Claude Answer,Correct Answer\n"
    "When does the store open?,The store opens at 9 AM.,The store opens at noon.,At 9 AM.\n"
    "Where is the desk?,The desk is on the first floor.,It is in the cellar.,On the first floor.\n"
)
FILE = """text => {
  const held = new DataTransfer();
  held.items.add(new File([text], "answers.csv", { type: "text/csv" }));
  return held;
}"""


@pytest.fixture(scope="module")
def empty(serve):
    """The address of a server that has nothing yet."""
    with serve({}) as address:
        yield address


@pytest.fixture
def newcomer(browser, empty):
    """Somebody who sees an empty dashboard."""
    visitor = Visitor(browser, empty, 1280, "light")
    yield visitor
    visitor.close()


def drop(page, text):
    """Drag a file over the page, then let it go."""
    held = {"dataTransfer": page.evaluate_handle(FILE, text)}
    page.dispatch_event("main", "dragenter", held)
    page.get_by_text("Drop the file to score it").wait_for()
    page.dispatch_event("main", "drop", held)


@pytest.mark.parametrize("address", ["/", "/runs"])
def test_an_empty_store_offers_three_ways_to_begin(newcomer, address):
    page = newcomer.open(address).page
    ways = page.locator(".ways h3").all_inner_texts()
    assert ways == ["Drop a file", "Load the demo", "Ask a live system"]
    assert "--target" in page.inner_text("main")


@pytest.mark.parametrize("address", ["/failures", "/failures?hours=1", "/families", "/compare"])
def test_no_page_claims_success_where_there_is_nothing(newcomer, address):
    page = newcomer.open(address).page
    assert "No failures" not in page.inner_text("main")


def test_a_dropped_file_is_mapped_and_scored_to_a_verdict(newcomer):
    page = newcomer.open("/runs").page
    drop(page, CSV)
    page.get_by_text("may each be the response").wait_for()
    score = page.get_by_role("button", name="Score the file")
    assert score.is_disabled()
    assert page.get_by_label("Question is read as").input_value() == "query"
    assert page.locator(".preview tbody tr").count() == 2
    page.get_by_label("GPT Answer is read as").select_option("response")
    page.get_by_text("response = GPT Answer").wait_for()
    page.get_by_label("Name of the run").fill("first")
    score.click()
    page.locator(".job .badge", has_text="done").wait_for()
    page.get_by_text("2 of 2 good.").wait_for()
    page.get_by_role("link", name="Open the run").click()
    page.get_by_role("tab", name="Samples (2)").wait_for()


def test_a_file_without_answers_asks_for_them(newcomer):
    page = newcomer.open("/runs").page
    page.locator("input[type=file]").first.set_input_files(
        {"name": "questions.csv", "mimeType": "text/csv", "buffer": b"Question,Note\nOpen?,fine\n"}
    )
    page.get_by_text("No column gives the response").wait_for()
    assert page.get_by_role("button", name="Score the file").is_disabled()
    page.get_by_label("Note is read as").select_option("response")
    page.get_by_text("response = Note").wait_for()
    assert page.get_by_role("button", name="Score the file").is_enabled()


def test_what_cannot_be_read_is_said_before_it_is_scored(newcomer):
    lines = b'{"response": "A"}\n{"response": "B", "duration": -1}\n{"response": "C"}\n{\n'
    page = newcomer.open("/try?tab=file").page
    page.locator("input[type=file]").set_input_files(
        {"name": "a.jsonl", "mimeType": "application/json", "buffer": lines}
    )
    page.get_by_text("2 of 4 records cannot be read").wait_for()
    assert "'duration' is -1" in page.inner_text(".notice")


def test_unsure_samples_go_to_the_judge_that_the_server_has(
    browser, newcomer, tmp_path, monkeypatch
):
    """The form names the judge; where there is none it offers nothing."""
    sent = {
        "name": "a.jsonl",
        "mimeType": "application/json",
        "buffer": b'{"query": "What do you think of me?", "response": "You are no genius."}\n',
    }
    name = "Send unsure samples to the judge"
    newcomer.open("/try?tab=file").page.locator("input[type=file]").set_input_files(sent)
    newcomer.page.get_by_label("Score every answer").wait_for()
    assert newcomer.page.get_by_label(name).count() == 0

    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path / "cache"))
    chat = Chat(graded("yes", "It sneers"))
    given = {"judge": chat.spec, "unsure": {"safety.toxicity": "0:1"}}
    settings = Settings.load(overrides={"store": str(tmp_path / "a.db"), **given})
    client = Client(settings.store, tmp_path, require_key=False, limits=PATIENT, settings=settings)
    with closing(chat), live(client.app) as address:
        visitor = Visitor(browser, address, 1280, "light").open("/try?tab=file")
        page = visitor.page
        page.locator("input[type=file]").set_input_files(sent)
        page.get_by_label(name).check()
        assert f"openai:small@{chat.url.removeprefix('http://')}" in page.inner_text("form")
        page.get_by_role("button", name="Score the file").click()
        page.locator(".job .badge", has_text="done").wait_for()
        page.get_by_text("0 of 1 good").wait_for()
        visitor.close()
    assert any("Is the response toxic?" in asked.system + asked.user for asked in chat.asked)


def test_the_demo_gives_two_runs_to_compare(browser, serve):
    with serve({}) as address:
        visitor = Visitor(browser, address, 1280, "light").open("/")
        visitor.page.get_by_role("button", name="Load the demo").click()
        visitor.page.locator(".welcome").wait_for(state="detached", timeout=60_000)
        visitor.open("/runs")
        said = visitor.page.inner_text("main")
        assert "demo-1" in said
        assert "demo-2" in said
        visitor.close()
