"""Repeats as people see them: on a run's page and in a report."""

import json

import pytest
from click.testing import CliRunner
from tests.required import report_page
from tests.web.browser import Visitor
from tests.web.test_report import VIOLATIONS, read  # noqa: F401 -- a fixture of these tests too

from assay.cli import app

ANSWERS = {
    "capital": ("Paris.", "Lyon.", "Paris."),
    "river": ("The Seine in Paris.",) * 3,
}
SAMPLES = [
    {
        "id": f"{question}-{number}",
        "query": f"What about the {question}?",
        "response": text,
        "checks": [{"contains": "Paris"}],
        "repeat_of": question,
    }
    for question, texts in ANSWERS.items()
    for number, text in enumerate(texts)
]


def sees_repeats(page):
    """The figures with their intervals, and the one question whose answers differ."""
    figures = page.get_by_role("region", name="Repeats").inner_text()
    assert "6 answers to 2 questions" in figures
    for name in ("pass@1", "pass@3", "pass^3", "Consistency"):
        assert name in figures
    assert figures.count("95% interval") == 4
    flaky = page.get_by_role("region", name="Flaky questions")
    said = flaky.inner_text()
    assert "1 question with different verdicts" in said
    assert "What about the capital?" in said
    assert "2 of 3 answers pass" in said
    assert "river" not in said
    assert [item.inner_text().split() for item in flaky.get_by_role("listitem").all()] == [
        ["passed", "capital-0", "given", "2", "times", "Paris."],
        ["failed", "capital-1", "Lyon."],
    ]


def leads_to_the_answer(page):
    page.get_by_role("link", name="capital-1").click()
    page.get_by_role("heading", name="capital-1").wait_for()


@pytest.mark.parametrize(("width", "theme"), [(1440, "light"), (390, "dark")])
def test_a_run_shows_its_repeats(browser, serve, axe, width, theme):
    with serve({"tried": SAMPLES}, "check.passed") as site:
        visitor = Visitor(browser, site, width, theme).open("/runs/tried?tab=flaky")
        page = visitor.page
        sees_repeats(page)
        assert visitor.fits()
        page.evaluate(axe)
        assert page.evaluate(VIOLATIONS) == []
        leads_to_the_answer(page)
        visitor.close()


def test_a_run_without_repeats_shows_none(visit):
    page = visit("/runs/monday").page
    page.get_by_role("tab", name="Groups").wait_for()
    assert page.get_by_role("tab", name="Flaky questions").count() == 0
    assert page.get_by_role("region", name="Repeats").count() == 0


def test_a_report_shows_its_repeats(read, tmp_path):  # noqa: F811 -- the fixture
    report_page()
    data, path = tmp_path / "tried.jsonl", tmp_path / "tried.html"
    data.write_text("\n".join(map(json.dumps, SAMPLES)), encoding="utf-8")
    command = ["run", str(data), "-m", "check.passed", "--embedder", "none", "--out", str(path)]
    assert CliRunner().invoke(app, [*command, "-q", "--store", "none"]).exit_code == 0
    page = read(path.as_uri(), "/?tab=flaky").page
    sees_repeats(page)
    leads_to_the_answer(page)


def test_a_file_of_repeats_is_scored_answer_by_answer(visit):
    record = {"id": "q", "query": "Where?", "checks": [{"contains": "Paris"}]}
    lines = json.dumps({**record, "responses": ["Paris.", "Lyon."]})
    page = visit("/try?tab=file").page
    page.locator("input[type=file]").set_input_files(
        {"name": "tried.jsonl", "mimeType": "application/json", "buffer": lines.encode()}
    )
    page.get_by_label("Score every answer to a question").check()
    page.get_by_label("Name of the run").fill("answer by answer")
    page.get_by_role("button", name="Score the file").click()
    page.locator(".job .badge", has_text="done").wait_for()
    page.get_by_role("link", name="Open the run").click()
    page.get_by_role("tab", name="Flaky questions").click()
    page.get_by_text("1 of 2 answers pass").wait_for()
