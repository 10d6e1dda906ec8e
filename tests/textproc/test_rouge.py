import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.features.normal import normal
from assay.features.words import words
from assay.textproc import rouge
from assay.textproc.rouge import (
    common_length,
    is_foreign,
    rouge_scores,
    rouge_tokens,
    text_tokens,
    unicode_tokens,
)

WORDS = st.lists(st.sampled_from("abc"), max_size=14)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("The cats' RUNNING, 1,000!", ["the", "cat", "run", "1", "000"]),
        ("niño", ["ni", "o"]),
        ("القاهرة 2020", ["2020"]),
        ("\u212aelvin \ud800x", ["kelvin", "x"]),
    ],
)
def test_documented_tokens(text, expected):
    assert rouge_tokens(text) == expected


def test_tokens_of_any_script():
    text = "Running cats القَاهِرَة niños!"
    expected = ["run", "cat", "القاهرة", "niños"]
    assert unicode_tokens(words.feature(normal.feature(text))) == expected
    assert text_tokens(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("القاهرة", True), ("القاهرة API", True), ("el niño", False), ("123", False), ("", False)],
)
def test_foreign_is_another_script(text, expected):
    assert is_foreign(text) is expected


def by_table(a, b):
    """The textbook's way, a table of all prefixes."""
    row = [0] * (len(b) + 1)
    for x in a:
        above = row
        row = [0]
        for place, y in enumerate(b):
            row.append(above[place] + 1 if x == y else max(row[-1], above[place + 1]))
    return row[-1]


@settings(max_examples=300, deadline=None, derandomize=True)
@given(a=WORDS, b=WORDS)
def test_the_longest_common_sequence_is_that_of_the_textbook(a, b):
    assert common_length(a, b) == by_table(a, b)


def test_scores_without_tokens_are_0():
    for reference, candidate in (([], []), (["a"], []), ([], ["a"])):
        assert rouge_scores(reference, candidate) == (0.0,) * 5 + (False,)


@pytest.mark.parametrize(
    ("reference", "candidate", "expected", "is_cut"),
    [
        ("abcdef", "abcdef", 1.0, False),
        ("abcdexy", "abxdezz", 0.8, True),
        ("xbc", "ybc", 2 / 3, False),
        ("xbcdef", "ybc", 2 / 3, True),
    ],
)
def test_very_long_texts_are_cut_after_their_common_start(
    monkeypatch, reference, candidate, expected, is_cut
):
    monkeypatch.setattr(rouge, "LONGEST", 3)
    found = rouge_scores(reference, candidate)
    assert found.rougeL_f1 == pytest.approx(expected)
    assert found.truncated is is_cut
