"""Keys of words: phrases, accents, Arabic roots."""

import pytest

from assay.meaning import differences, read
from assay.meaning.words import arabic_root


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
    ],
)
def test_a_prefix_denies(one, other, is_opposite):
    kinds = {d.kind for d in differences(read(one), read(other))}
    assert bool(kinds & {"opposite", "negation"}) is is_opposite
