"""Every payload of the corpus on every page that shows text of a model: nothing comes of it."""

import json

import pytest
from tests.web.browser import Visitor
from tests.web.corpus import hostile_samples, payloads

MARKUP = "main :is(img, iframe, script, object, embed, link, style, video, audio, form[action])"
"""Elements that no page of ours makes out of data."""
EVERY = "\n".join(payloads())


@pytest.fixture(scope="session")
def attacked(serve):
    """The address of a server whose runs hold nothing else."""
    samples = hostile_samples()
    turned = [
        {**sample, "response": other["response"]}
        for sample, other in zip(samples, samples[1:] + samples[:1], strict=True)
    ]
    with serve({"<script>alert(1)</script>": samples, "later": turned}) as address:
        yield address


@pytest.fixture
def victim(browser, attacked):
    """Somebody who looks at these runs; at the end it is asked whether anything ran."""
    visitor = Visitor(browser, attacked, 1280, "light")
    yield visitor
    visitor.close()


def _is_text(visitor, *words):
    assert visitor.page.locator(MARKUP).count() == 0
    said = visitor.page.inner_text("main")
    assert all(word in said for word in words), [word for word in words if word not in said]


def test_the_corpus_is_large():
    assert len(payloads()) >= 300


def test_every_payload_is_text_on_the_page_of_its_sample(victim):
    victim.open("/runs/later?tab=samples")
    links = victim.page.locator("tbody tr a[href*='/tests/']")
    addresses = [link.get_attribute("href").removeprefix("#") for link in links.all()]
    _is_text(victim)
    assert len(addresses) == len(hostile_samples())
    for address in addresses:
        victim.turn(address)
        victim.page.evaluate("document.querySelectorAll('details').forEach(it => it.open = true)")
        _is_text(victim)
    said = victim.page.inner_text(".sample-texts")
    assert "alert(1)" in said or "beacon.example" in said


@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/runs",
        "/runs/%3Cscript%3Ealert(1)%3C%2Fscript%3E",
        "/runs/later?tab=groups",
        "/runs/later?tab=about",
        "/runs/later?tab=samples&metric=text.safety",
        "/runs/later?tab=samples&text=%3Cscript%3E",
        "/failures",
        "/compare?a=%3Cscript%3Ealert(1)%3C%2Fscript%3E&b=later",
        "/compare?a=%3Cscript%3Ealert(1)%3C%2Fscript%3E&b=later&tab=samples",
        "/families?family=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E",
        "/metrics?text=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E",
    ],
)
def test_lists_and_comparisons_show_text(victim, address):
    victim.open(address)
    _is_text(victim)


def test_what_is_typed_is_text_too(victim):
    page = victim.open("/try").page
    page.get_by_label("Query").fill(EVERY)
    page.get_by_label("Answer", exact=True).fill(EVERY)
    page.get_by_role("checkbox", name="Text", exact=False).first.check()
    page.get_by_role("button", name="Score it").click()
    page.locator(".part-scores li").first.wait_for()
    _is_text(victim)
    victim.open("/json")
    page.get_by_label("Expected", exact=True).fill(
        json.dumps({text: text for text in payloads()[:120]})
    )
    given = {text: f"{text} " for text in payloads()[60:180]}
    page.get_by_label("Output", exact=True).fill(json.dumps(given))
    page.get_by_role("button", name="Compare").click()
    page.get_by_role("heading", name="Field by field").wait_for()
    _is_text(victim)


def test_judged_answers_are_text(victim):
    page = victim.open("/governance").page
    page.get_by_label("Query").fill(EVERY[:8000])
    page.get_by_label("Answer", exact=True).fill(EVERY[8000:16000])
    page.get_by_label("Document 1 for the answer").fill(EVERY[:8000])
    page.get_by_role("button", name="Judge it").click()
    page.get_by_role("heading", name="Audit trail").wait_for()
    _is_text(victim)
    victim.open("/governance?tab=sessions")
    _is_text(victim)
