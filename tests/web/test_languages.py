"""The interface in Arabic and English: chosen, kept, whole, and with the reader's own numbers."""

import gzip
import re
from importlib.resources import files

import pytest
from tests.web.browser import Visitor
from tests.web.test_accessibility import ADDRESSES

ARABIC = re.compile(r"[\u0621-\u064a]")
LATIN = re.compile(r"[A-Za-z]{2}")
WORDS = """() => [...document.querySelectorAll(
  'h1, h2, h3, th, legend, label, summary, [role=tab], nav a, main button, dt, caption'
)].filter(element => !element.closest('[dir=auto], [lang=en]')).map(element => {
  const copy = element.cloneNode(true);
  copy.querySelectorAll('[dir=auto], [lang=en], code, .id, select').forEach(data => data.remove());
  return copy.textContent.trim();
}).filter(Boolean)"""
"""What names things: headings, columns, fields, tabs, buttons; without the data in them."""
DATA = """() => Promise.all(
  ['metrics', 'runs', 'profiles', 'compliance-modes', 'settings', 'datasets']
    .map(name => fetch(`v1/${name}`).then(answer => answer.json()))
).then(([metrics, runs, profiles, policies, settings, datasets]) => [
  ...metrics.map(one => one.id),
  ...runs.items.flatMap(one => [one.name, one.source]),
  ...profiles.map(one => one.name),
  ...policies.flatMap(one => [one.title, one.policy]),
  ...settings.map(one => one.name),
  ...datasets.map(one => one.name),
])"""
"""Names that come from runs and profiles, and stay as they are."""
SCRIPTS = """() => performance.getEntriesByType('resource')
  .map(one => one.name.replace(/^.*\\/|[?#].*$/g, '')).filter(name => name.endsWith('.js'))"""
"""The files of script that the page has loaded."""
LARGEST_FIRST_VIEW = 130_000
"""Bytes of compressed script that the first page may load."""
NAMES = {
    "BERTScore",
    "BLEU",
    "ROUGE",
    "MRR",
    "NDCG",
    "Assay",
    "CSV",
    "JSON",
    "SVG",
    "PNG",
    "RAG",
    "RQS",
    "TOML",
    "Holm",
    "English",
}
"""Words that are the same in both languages."""


def _reader(browser, site, locale):
    visitor = Visitor(browser, site, 1280, "light", locale=locale)
    return visitor.open("/runs/monday")


def test_the_browsers_language_is_taken_with_its_digits(browser, site):
    visitor = _reader(browser, site, "ar-EG")
    page = visitor.page
    assert page.evaluate("[document.documentElement.lang, document.documentElement.dir]") == [
        "ar",
        "rtl",
    ]
    assert page.locator("nav.side").bounding_box()["x"] > 900
    page.get_by_role("tab", name="العيّنات (١٤)").wait_for()
    assert "٠ من ١٤ جيدة" in page.locator(".verdict").inner_text()
    assert not re.search(r"[0-9]", page.locator(".figures").first.inner_text())
    visitor.close()


def test_another_language_of_the_browser_gives_english(browser, site):
    visitor = _reader(browser, site, "fr-FR")
    assert visitor.page.evaluate("document.documentElement.lang") == "en"
    assert "0 of 14 good" in visitor.page.locator(".verdict").inner_text()
    visitor.close()


def test_the_language_is_switched_in_place_and_kept(visit):
    visitor = visit("/runs/monday?tab=samples&status=failed")
    page = visitor.page
    page.get_by_role("button", name="العربية").click()
    page.get_by_role("link", name="الجولات").wait_for()
    visitor.settle()
    assert page.url.endswith("#/runs/monday?tab=samples&status=failed")
    assert page.get_by_label("الحالة").input_value() == "failed"
    visitor.open("/")
    assert page.title() == "نظرة عامة · Assay"
    page.get_by_role("button", name="English").click()
    page.get_by_role("link", name="Overview", exact=True).wait_for()
    assert page.evaluate("document.documentElement.dir") == "ltr"


def test_the_address_can_ask_for_a_language(visit):
    visitor = visit("/?lang=ar")
    page = visitor.page
    assert page.get_by_role("heading", name="نظرة عامة").count() == 1
    page.evaluate("window.location.hash = '#/metrics?lang=en'")  # as a link does
    page.get_by_role("heading", name="Metrics").wait_for()
    assert page.url.endswith("#/metrics")


def test_arrow_keys_go_on_to_the_left_where_pages_run_from_the_right(visit):
    visitor = visit("/runs/monday?lang=ar")
    page = visitor.page
    page.get_by_role("tab").first.focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_url("**tab=samples**")
    links = page.locator("tbody td:first-child a")
    links.nth(1).wait_for()
    visitor.settle()
    names = links.all_inner_texts()
    links.first.click()
    page.get_by_role("heading", name=names[0]).wait_for()
    page.get_by_text(f"1 من {len(names)}").wait_for()
    page.keyboard.press("ArrowLeft")
    page.get_by_role("heading", name=names[1]).wait_for()
    page.keyboard.press("ArrowRight")
    page.get_by_role("heading", name=names[0]).wait_for()


def _unsaid(text, data):
    """Whether a name of something is left in English."""
    parts = re.split(r"[()·:,\u2066-\u2069]| \d+$", text)
    return any(
        LATIN.search(part) and not ARABIC.search(part) and part.strip(" ↑↓") not in data
        for part in parts
    )


def test_every_page_speaks_arabic(visit):
    visitor = visit("/nowhere?lang=ar")
    page = visitor.page
    data = NAMES | set(page.evaluate(DATA))
    for address in ADDRESSES:
        visitor.turn(address)
        unsaid = {text for text in page.evaluate(WORDS) if _unsaid(text, data)}
        assert unsaid == set(), address


def test_metrics_are_named_and_described_in_arabic_and_found_by_both_names(visit):
    for words in ("faithfulness", "الأمانة"):
        row = visit(f"/metrics?lang=ar&text={words}").page.locator("tbody tr")
        assert row.locator("a").first.inner_text() == "الأمانة للسياق"
        assert "احتمال أن تدعم السياقات" in row.first.inner_text()


def test_sentences_that_stay_english_say_so(visit):
    visitor = visit("/runs/monday?tab=samples&lang=ar")
    page = visitor.page
    page.locator("tbody td:first-child a").first.click()
    page.locator("li.result").first.wait_for()
    visitor.settle()
    for words in page.locator("li.result > p.small").all():
        said = words.locator("[lang=en][dir=ltr]")
        assert not LATIN.search(words.inner_text().replace(said.inner_text(), ""))


def test_failures_of_the_server_are_said_in_arabic(visit):
    visitor = visit("/runs/nobody?lang=ar")
    alert = visitor.page.get_by_role("alert").inner_text()
    assert "غير موجود: " in alert
    assert "there is no run 'nobody'" in alert
    visitor.complaints.clear()  # of the browser, about the status 404


def test_a_failed_login_is_a_page(visit):
    page = visit("/?login=expired&request=0123456789abcdef").page
    alert = page.get_by_role("alert").inner_text()
    assert "it was started in another browser" in alert
    assert "0123456789abcdef" in alert
    forged = visit("/?login=<b>pay</b>&request=x").page
    assert forged.get_by_role("alert").count() == 0


@pytest.mark.parametrize("locale", ["en-GB", "ar-EG"])
def test_the_first_view_loads_little_script_in_each_language(browser, site, locale):
    visitor = Visitor(browser, site, 1280, "light", locale=locale).open("")
    loaded = visitor.page.evaluate(SCRIPTS)
    visitor.close()

    other = "ar-" if locale == "en-GB" else "en-"
    assert loaded and not any(name.startswith(other) for name in loaded)
    folder = files("assay.server") / "static" / "assets"
    packed = [len(gzip.compress((folder / name).read_bytes(), mtime=0)) for name in loaded]
    assert sum(packed) <= LARGEST_FIRST_VIEW
