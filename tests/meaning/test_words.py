import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.meaning.words import _WORD, plain_words, words_of
from assay.textproc.normal import normalise

CHARACTERS = st.sampled_from([*"abt's_9.,:;!?%$()-\n \té", "و", "ب", "ا", "؟", "٫", "—", "°"])
TEXTS = st.text(CHARACTERS, max_size=40)
INSIDE = re.compile(r"(?<=[^\W_])[.,:](?=[^\W_])")
"""Marks inside of numbers and abbreviations, which part nothing."""


@given(TEXTS)
def test_words_are_those_of_the_expression(text):
    assert plain_words(text) == _WORD.findall(text)


@given(TEXTS.map(lambda text: text.replace("-", "").replace("٫", "")))
def test_clauses_and_sentences_are_counted_by_the_marks_before(text):
    own = normalise(text)
    blanked = INSIDE.sub("x", own.lower)
    for word in words_of(own.text, own.lower):
        before = blanked[: word.start]
        assert word.clause == len(re.findall(r"[.,;:!?()\[\]{}\"\n،؛؟–—]", before))
        assert word.sentence == len(re.findall(r"[.!?\n؟؛;]", before))


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("a - b", [0, 1]),
        ("a-b", [0, 0]),
        ("a -\nb, c", [0, 1, 2]),
        ("3.5 km, U.S. a", [0, 0, 1, 1, 2]),
    ],
)
def test_a_hyphen_between_blanks_parts_clauses(text, clauses):
    assert [word.clause for word in words_of(text, text.lower())] == clauses


@given(TEXTS)
def test_known_words_give_the_same(text):
    own = normalise(text)
    if own.lower.isascii():
        known = plain_words(own.lower)
        assert words_of(own.text, own.lower, known) == words_of(own.text, own.lower)
