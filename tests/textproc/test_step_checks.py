"""Checks of reasoning steps: what fails them, what holds, and what they leave alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.textproc.step_checks import check_step

START = ["At the start: Alice: white, Bob: brown, Claire: red."]
LIST = ['We now have: "ant" < "bee" < "cow".']


@pytest.mark.parametrize(
    ("step", "before", "question", "failing"),
    [
        ("So 2 + 2 = 4.", [], "", []),
        ("So 2 + 2 = 5.", [], "", ["equation"]),
        ("So the answer is 5", [], "2 + 2 =", ["answer"]),
        ("So the answer is 4", [], "2 + 2 =", []),
        ('It can be written as "A + B", where A = 2 and B = 3.', [], "(2 + 2) =", ["restated"]),
        ('"ant" < "cow" < "bee"', [], "", ["order"]),
        ('(1) "ant" < (5) "bee" < (3) "cow"', [], "", ["order"]),
        ('"ant" < ["bee" ? "bat"] < "cow"', [], "", []),
        ('"ant" < "cow"', LIST, "", ["items"]),
        ('"ant" < "bee" < "cow" < "dog"', LIST, "", ["items"]),
        ("Alice and Bob swap: Alice: brown, Bob: white, Claire: red.", START, "", []),
        ("Alice and Bob swap: Alice: white, Bob: brown, Claire: red.", START, "", ["state"]),
        ("Alice and Bob swap: Alice: brown, Bob: white.", START, "", ["state"]),
        ("Now: Alice: red, Bob: red, Claire: white.", START, "", ["state"]),
        ("I should look at the first letters.", LIST, "", []),
    ],
)
def test_checks(step, before, question, failing):
    checks = check_step(step, before, question)
    assert [check.kind for check in checks if not check.holds] == failing
    assert all(bool(check.reason) != check.holds for check in checks)


@given(st.text(max_size=200), st.lists(st.text(max_size=80), max_size=3), st.text(max_size=40))
def test_any_text_can_be_checked(step, before, question):
    for check in check_step(step, before, question):
        assert check.holds == (not check.reason)
