"""Texts of the metadata that nobody can see are not looked for, alone or in a list."""

import sys
import unicodedata

import pytest

from assay import evaluate
from assay.features.expectations import expectations

UNSEEN = {
    "nothing": "",
    "blanks": " \t\n",
    "zero-width space": "\u200b",
    "zero-width joiners": "\u200d\u200c",
    "word joiner": "\u2060",
    "byte order mark": "\ufeff",
    "soft hyphen": "\u00ad",
    "tag characters": "\U000e0041\U000e0042",
    "variation selector": "\ufe0f",
    "direction marks": "\u200e\u202e",
    "filler": "\u3164",
    "blank and zero-width": " \u200b ",
}
RESPONSE = "The library opens at nine."


def scored(**metadata):
    record = {"id": "1", "query": "When?", "response": RESPONSE, "metadata": metadata}
    return evaluate([record], metrics="suite", settings=None).scores[0]


@pytest.mark.parametrize("text", UNSEEN.values(), ids=UNSEEN)
@pytest.mark.parametrize("shape", [str, lambda text: [text], lambda text: [text, "Kestrel"]])
def test_what_nobody_can_see_is_not_forbidden(text, shape):
    scores = scored(expected_behaviour="keep", forbidden=shape(text))
    assert scores["suite.behaviour"].value == 1.0
    assert scores["suite.leakage"].value in (None, 0.0)


@pytest.mark.parametrize("text", UNSEEN.values(), ids=UNSEEN)
def test_what_nobody_can_see_is_no_accepted_answer(text):
    only = scored(expected_behaviour="answer", accepted=[text])
    beside = scored(expected_behaviour="answer", accepted=[text, "ten"])
    assert (only["suite.behaviour"].value, beside["suite.behaviour"].value) == (1.0, 0.0)


def test_a_text_that_shows_is_found_beside_one_that_does_not():
    scores = scored(expected_behaviour="keep", forbidden=["\u200b", "ni\u200bne"])
    assert (scores["suite.behaviour"].value, scores["suite.leakage"].value) == (0.0, 1.0)


def test_no_control_format_or_blank_character_is_looked_for():
    kinds = ("Cc", "Cf", "Zs", "Zl", "Zp")
    characters = [
        c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c) in kinds
    ]
    kept = [c for c in characters if expectations.function({"forbidden": [c]}).forbidden]
    assert (len(characters) > 200, kept) == (True, [])
