"""Keys of words: phrases, accents, Arabic roots."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.meaning import differences, read
from assay.meaning.words import _WORD, arabic_root, plain_words, words_of
from assay.textproc.normal import normalise

CHARACTERS = st.sampled_from([*"abt's_9.,:;!?%$()-\n \té", "و", "ب", "ا", "؟", "٫", "—", "°"])
TEXTS = st.text(CHARACTERS, max_size=40)
INSIDE = re.compile(r"(?<=[^\W_])[.,:](?=[^\W_])")
"""Marks inside of numbers and abbreviations, which part nothing."""


@pytest.mark.parametrize(
    ("phrase", "word"),
    [
        ("They turned the plan down", "rejected"),
        ("It was put off", "postponed"),
        ("Sales went down", "fell"),
        ("Michel Debré", "Debre"),
    ],
)
def test_the_same_key(phrase, word):
    assert read(word).keys & read(phrase).keys
    assert read(word).keys & {one.key for one in read(phrase).words}


@pytest.mark.parametrize("text", ["He turned left and sat down.", "Turn the page, then go down."])
def test_a_particle_of_another_clause_makes_no_phrase(text):
    assert read("rejected").keys.isdisjoint(read(text.replace(" and ", ", ")).keys)


@pytest.mark.parametrize(
    ("words", "root"),
    [
        (("وصول", "وصل", "وصلت"), "وصل"),
        (("اغلاق", "اغلقت", "مغلق"), "غلق"),
        (("ارتفاع", "ترتفع", "مرتفع"), "رفع"),
        (("تدريب", "درب", "مدربين"), "درب"),
        (("استخدام", "يستخدم"), "خدم"),
        (("اشتراك", "مشترك"), "شرك"),
        (("ورق", "ورقيه"), "ورق"),
        (("تقشير", "بقشرها"), "قشر"),
    ],
)
def test_forms_of_an_arabic_root(words, root):
    assert {arabic_root(word) for word in words} == {root}


def test_no_root_is_made_of_a_word_with_four_consonants():
    assert arabic_root("زخرف") == ""


@pytest.mark.parametrize(
    ("one", "other", "is_opposite"),
    [
        ("The pool is unheated", "The pool is heated", True),
        ("The pool is unheated", "The pool is not heated", False),
        ("The ticket is non-refundable", "The ticket is refundable", True),
        ("The cream is alcohol-free", "The cream contains alcohol", True),
        ("The cream is alcohol-free", "There is no alcohol in the cream", False),
        ("Hang it below the door", "Hang it above the door", True),
        ("لا يشارك إلا الطلاب المسجلون", "يشارك الطلاب المسجلون فقط", False),
    ],
)
def test_a_prefix_denies(one, other, is_opposite):
    kinds = {d.kind for d in differences(read(one), read(other))}
    assert bool(kinds & {"opposite", "negation"}) is is_opposite


@pytest.mark.parametrize(("text", "has_letter"), [("Use lift A today", True), ("A lift", False)])
def test_a_capital_letter_inside_a_sentence_is_a_name(text, has_letter):
    assert ("A" in read(text).keys) is has_letter
    assert ("A" in {word.key for word in read(text).words}) is has_letter


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


@pytest.mark.parametrize(
    "text", ["Take step-A now.", "Lift A is out.", "Go to plan/B first.", "section_C", "It is AB."]
)
def test_keys_are_those_of_the_words_however_they_are_found(text):
    """A reading finds keys of plain texts in one go, without making the words."""
    reading = read(text)
    assert reading.keys == frozenset(word.key for word in reading.words)


@given(
    st.lists(st.sampled_from(["A", "B", "I", "step", "a", "it", "J.", "is", "4"]), max_size=6),
    st.data(),
)
def test_keys_are_those_of_the_words_in_any_text(words, data):
    signs = st.sampled_from([" ", "-", "/", "_", "  ", ". ", "'", "&"])
    text = "".join(word + data.draw(signs) for word in words)
    reading = read(text)
    assert reading.keys == frozenset(word.key for word in reading.words)
