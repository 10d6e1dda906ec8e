"""A run of many samples, one of them of ten million characters: pages hold a bounded part of it."""

import pytest
from tests.web.browser import Visitor

SAMPLES = 2500
HUGE = 10_000_000
"""Characters of one response."""
MOST_ELEMENTS = 5000
MOST_HEAP = 300e6
"""Bytes of a page's JavaScript after what is garbage was collected."""
MOST_ANSWER = 1_000_000
"""Bytes of one answer of the server, but for a sample of its own page."""


def _run():
    text = "The office is open until six. "
    huge = {
        "id": "huge",
        "query": text,
        "expected": text,
        "response": (text * (HUGE // len(text) + 1))[:HUGE],
    }
    many = {
        "id": "many",
        "response": text,
        "conversation": [{"role": "user", "content": text}] * 3000,
        "contexts": [f"{text}{place}" for place in range(3000)],
        "steps": [text] * 3000,
        "tool_calls": [{"name": "look", "arguments": {"place": place}} for place in range(3000)],
        "known_facts": [text] * 3000,
        "tags": [f"t{place}" for place in range(3000)],
    }
    rest = (
        {"id": f"s{place}", "query": f"{text}{place}", "response": text * 40}
        for place in range(SAMPLES)
    )
    return [{**sample, "duration": 1.0} for sample in (huge, many, *rest)]


@pytest.fixture(scope="module")
def large(browser, serve):
    with serve({"large": _run()}, "chat.e2e_latency,chat.exact_match") as address:
        visitor = Visitor(browser, address, 1280, "light")
        yield visitor
        visitor.close()


def _elements(page):
    return page.evaluate("document.querySelectorAll('*').length")


def _heap(page):
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    session.send("Performance.enable")
    metrics = session.send("Performance.getMetrics")["metrics"]
    session.detach()
    return {entry["name"]: entry["value"] for entry in metrics}["JSHeapUsedSize"]


@pytest.mark.parametrize("address", ["/", "/runs", "/runs/large", "/failures", "/compare"])
def test_pages_hold_a_part_of_a_large_run(large, address):
    answers = []
    large.page.on("response", lambda answer: answers.append(answer))
    page = large.open(address).page
    sizes = {answer.url: len(answer.body()) for answer in answers if "/v1/" in answer.url}
    assert sizes
    assert max(sizes.values()) <= MOST_ANSWER, sizes
    assert _elements(page) <= MOST_ELEMENTS
    assert _heap(page) <= MOST_HEAP


@pytest.mark.parametrize(
    ("name", "button"), [("huge", f"Show all {HUGE:,}"), ("many", "Show all 3,000")]
)
def test_a_large_sample_is_shown_in_part(large, name, button):
    large.open("/")
    first = large.page.evaluate("fetch('/v1/tests?run=large').then((a) => a.json())")
    test = next(test for test in first["items"] if test["test_name"] == name)
    page = large.open(f"/tests/{test['test_id']}").page
    shown = page.inner_text("main")
    assert button in shown
    assert len(shown) < HUGE / 100
    assert _elements(page) <= MOST_ELEMENTS
    assert _heap(page) <= MOST_HEAP
