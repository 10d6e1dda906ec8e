import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.features.normal import normal
from assay.features.words import words
from assay.textproc.words import SEPARATORS


def make(text):
    return words.feature(normal.feature(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" .,;:!?()[]{}\"' \t\r\n", []),
        ("One, two; THREE!", ["one", "two", "three"]),
        ("(a) [b] {c} \"d\" 'e'", ["a", "b", "c", "d", "e"]),
        ("real-time e_mail a/b", ["real-time", "e_mail", "a/b"]),
        ("It’s “so”", ["it", "s", "so"]),
        ("3.14 and 1,000", ["3", "14", "and", "1", "000"]),
        ("مرحبا، كيف حالك؟", ["مرحبا", "كيف", "حالك"]),
        ("٪٥٠؛ نعم۔", ["50", "نعم"]),
        ("नमस्ते। दुनिया॥", ["नमस्ते", "दुनिया"]),
        ("你好，「世界」！", ["你好", "世界"]),
        ("café CAFE\u0301", ["café", "café"]),
        ("zero\u200bwidth", ["zerowidth"]),
        ("a\u00a0b\u2028c", ["a", "b", "c"]),
        ("Straße", ["straße"]),
    ],
)
def test_words(text, expected):
    assert make(text).all == expected


def test_terms_have_three_characters_or_more():
    found = make("The cat, the CAT and an ox")
    assert found.counts == {"the": 2, "cat": 2, "and": 1}
    assert found.distinct == {"the", "cat", "and", "an", "ox"}


@pytest.mark.parametrize(
    ("text", "wanted", "limit", "expected"),
    [
        ("the cat sat; the cat", {"cat", "the"}, 9, ["the", "cat"]),
        ("the cat sat", {"cat", "sat"}, 1, ["cat"]),
        ("category cat", {"cat"}, 9, ["cat"]),
        ("nothing here", {"cat"}, 9, []),
        ("a c\u200bat", {"cat"}, 9, ["c\u200bat"]),
        ("قال نَعَم", {"نعم"}, 9, ["نَعَم"]),
    ],
)
def test_spans_mark_the_first_place_of_each_word(text, wanted, limit, expected):
    spans = make(text).spans(wanted, limit, "response", "seen")
    assert [text[span.start : span.end] for span in spans] == expected
    assert {(span.field, span.label) for span in spans} <= {("response", "seen")}


def test_a_first_place_is_that_of_the_whole_word():
    (span,) = make("category cat").spans({"cat"}, 1, "response", "")
    assert (span.start, span.end) == (9, 12)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.text() | st.text(st.sampled_from("aB .,'\u200b\u0301سَ،。")))
def test_words_hold_no_separator_and_every_word_has_a_place(text):
    found = make(text)
    assert all(word and not set(word) & set(SEPARATORS) for word in found.all)
    assert len(found.blanked) == len(normal.feature(text).text)
    spans = found.spans(found.distinct, len(found.all), "query", "")
    assert len(spans) == len(found.distinct)
    assert all(0 <= span.start < span.end <= len(text) for span in spans)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    text=st.text(st.sampled_from("ab ,.-’ﬁé\n\u00a0\u200bسع؟。")),
    limit=st.integers(0, 4),
)
def test_each_wanted_word_is_marked_where_it_first_stands(text, limit):
    found = make(text)
    wanted = {word for word in found.all if "a" in word or "س" in word}
    spans = found.spans(wanted, limit, "response", "x")
    marked = [make(text[span.start : span.end]).all for span in spans]
    assert marked == [[word] for word in dict.fromkeys(found.all) if word in wanted][:limit]
    assert [span.start for span in spans] == sorted(span.start for span in spans)
    assert all(span.field == "response" and span.label == "x" for span in spans)
