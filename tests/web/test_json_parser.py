"""Our reader of JSON beside a browser's: what we accept, it reads as the same value."""

import json
import random

from tests.fuzz import json_text

from assay.core.jsontext import dumps, loads

TEXTS, DEEPEST = 3000, 200
PARSE = """texts => texts.map((text) => {
  try { return [JSON.stringify(JSON.parse(text))]; } catch { return []; }
})"""


def _accepted():
    rng = random.Random(8)  # noqa: S311 -- the same texts every time
    found = {}
    while len(found) < TEXTS:
        text = json_text(rng)
        if text.count("[") + text.count("{") > DEEPEST:
            continue
        try:
            value = loads(text)
            text.encode()
        except ValueError:
            continue
        found[text] = value
    return found


def _plain(value):
    """A value as JavaScript has it: every number is a double, and of equal keys the last counts."""
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    try:
        return float(value)
    except OverflowError:  # infinite there, which JSON has no word for
        return None


def test_a_browser_reads_all_that_we_accept_as_the_same(browser):
    accepted = _accepted()
    page = browser.new_page()
    answers = page.evaluate(PARSE, list(accepted))
    page.close()
    refused = [text for text, answer in zip(accepted, answers, strict=True) if not answer]
    assert refused == []
    for (text, value), (other,) in zip(accepted.items(), answers, strict=True):
        ours = _plain(json.loads(dumps(value)))
        assert _plain(json.loads(other)) == ours, text
