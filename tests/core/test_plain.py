import pytest

from assay.core.jsontext import MAX_DEPTH
from assay.core.plain import sendable


@pytest.mark.parametrize(
    ("stored", "sent"),
    [
        ("\ud800a", "\ufffda"),
        ({"a\udfff": ["\ud800", {"b": ("x", None)}]}, {"a\ufffd": ["\ufffd", {"b": ["x", None]}]}),
        ([1, 0.5, True, None, [], {}], [1, 0.5, True, None, [], {}]),
        ("\U0001f600 سلام", "\U0001f600 سلام"),
    ],
)
def test_halves_of_surrogate_pairs_are_replaced_and_all_else_stays(stored, sent):
    assert sendable(stored) == sent


def test_what_is_stored_stays_as_it_is():
    stored = {"b": ["\ud800"], "a": 1}
    assert list(sendable(stored)) == ["b", "a"]
    assert stored == {"b": ["\ud800"], "a": 1}


def test_the_deepest_value_that_can_be_read_can_be_sent():
    value = "\ud800"
    for _ in range(MAX_DEPTH // 2):
        value = {"a": [value]}
    sent = sendable(value)
    for _ in range(MAX_DEPTH // 2):
        (sent,) = sent["a"]
    assert sent == "\ufffd"
