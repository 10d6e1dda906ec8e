"""Words of a passage that a statement puts together otherwise."""

import pytest

from assay.meaning import read
from assay.meaning.attachment import (
    MOST_WORDS,
    exchanged,
    is_comparable,
    is_converse,
    is_inverted,
    is_scrambled,
    moved_figure,
    moved_run,
    other_attribute,
    other_degree,
)


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The mill is older than the chapel", "The chapel is older than the mill"),
        ("Lind played against Varga", "Varga played a long match against Lind"),
        ("المصنع القديم اكبر من المصنع الجديد", "المصنع الجديد اكبر من المصنع القديم بمرتين"),
        ("فاز فريق النجوم علي فريق الهلال", "فاز فريق الهلال علي فريق النجوم بهدفين"),
    ],
)
def test_exchanged_sides_are_found(claim, sentence):
    assert exchanged(read(claim), read(sentence))
    assert not exchanged(read(sentence), read(sentence))


def test_sides_of_another_comparison_are_not_compared():
    assert not exchanged(
        read("The mill is greener than the barn"), read("The barn is older than the mill")
    )


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Children pay 40 euros", "Adults pay 40 euros and children 20 euros"),
        ("سعر تذكرة الاطفال 40 درهما", "سعر تذكرة الكبار 40 درهما وسعر تذكرة الاطفال 20 درهما"),
    ],
)
def test_a_figure_of_another_word_is_found(claim, sentence):
    own = read(claim)
    start, end = moved_figure(own, read(sentence))
    assert own.quote(start, end).startswith("40")


@pytest.mark.parametrize(
    "claim", ["Adults pay 40 euros", "Children pay 20 euros", "Children pay 30 euros"]
)
def test_a_figure_in_its_place_or_of_no_place_has_not_moved(claim):
    assert not moved_figure(read(claim), read("Adults pay 40 euros and children 20 euros"))


@pytest.mark.parametrize("joint", [" to ", " until ", " – "])
def test_both_ends_of_a_range_have_the_same_words(joint):
    sentence = read(f"The pool is open to guests daily from 7 am{joint}10 pm")
    assert not moved_figure(read("Guests can swim daily until 10 pm"), sentence)


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Omar sold the flat to Lea", "Lea bought the flat from Omar"),
        ("خسر فريق النجوم امام فريق الهلال", "فاز فريق الهلال علي فريق النجوم بهدفين"),
    ],
)
def test_the_same_from_two_sides_is_a_converse(claim, sentence):
    assert is_converse(read(claim), read(sentence))
    assert not is_converse(read(sentence), read(sentence))


def test_an_arabic_weekday_behind_the_word_for_day_is_weekly():
    (rate, *_) = read("يعقد السوق كل يوم أربعاء").figures
    assert (rate.kind, rate.value) == ("rate", 7.0)


def test_long_texts_are_not_compared():
    assert not is_comparable(read("word " * (MOST_WORDS + 1)), read("word"))


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The mill is older than the chapel", "The chapel is younger than the mill"),
        ("Orion needs more power than Luma", "Luma needs less power than Orion"),
        ("المصنع اكبر من المخزن", "المخزن اصغر من المصنع"),
    ],
)
def test_exchanged_sides_of_opposites_say_the_same(claim, sentence):
    assert is_inverted(read(claim), read(sentence))
    assert not exchanged(read(claim), read(sentence))
    assert not is_inverted(read(claim), read(claim))


@pytest.mark.parametrize(
    ("claim", "sentence", "is_other"),
    [
        ("Luma uses more power and costs less", "Luma uses less power and costs more", True),
        ("Luma uses less power", "Luma uses less power and costs more", False),
        ("Drink less and smoke more", "Drink more and smoke less", True),
        ("It sold more than 100 records", "It sold less", False),
    ],
)
def test_more_and_less_of_a_thing(claim, sentence, is_other):
    assert bool(other_degree(read(claim), read(sentence))) is is_other


def test_words_without_order_are_found():
    sentence = read("The festival takes place every autumn in the harbour and draws visitors")
    assert is_scrambled(read("harbour draws the place autumn festival every visitors"), sentence)
    assert is_scrambled(read("harbour draws the festival autumn every place visitors"), sentence)
    assert not is_scrambled(
        read("The festival draws visitors in the harbour every autumn"), sentence
    )


def test_the_figure_beside_another_word_is_found():
    sentence = read("Let the dough rest for 45 minutes, then bake it for half an hour")
    assert moved_figure(read("The dough rests 30 minutes before it is baked"), sentence)
    assert not moved_figure(read("The dough rests three quarters of an hour"), sentence)


def test_arabic_words_of_a_later_clause_are_found():
    sentence = read("كتبت سلمى الحداد رواية البحر البعيد، ورسم غلافها كريم منصور")
    claim = read("كتب كريم منصور رواية البحر البعيد")
    start, end = moved_run(claim, sentence)
    assert claim.quote(start, end) == "كريم منصور"
    assert moved_run(read("كتبت سلمى الحداد رواية البحر البعيد"), sentence) is None
    assert moved_run(read("رسم كريم منصور غلاف رواية"), sentence) is None


@pytest.mark.parametrize(
    ("claim", "sentence", "is_moved"),
    [
        (
            "The hall is crowded in the morning",
            "The hall is quiet in the morning and crowded later",
            True,
        ),
        (
            "The land belongs to the city",
            "The land belongs to a family, who lease it to the city",
            True,
        ),
        ("The hall is crowded later", "The hall is quiet in the morning and crowded later", False),
        ("Lund was born in Rome and died in Oslo", "Lund was born in Rome and died in Oslo", False),
    ],
)
def test_words_of_a_later_clause_are_found_in_english(claim, sentence, is_moved):
    assert bool(moved_run(read(claim), read(sentence))) is is_moved


def test_as_long_as_has_two_sides():
    sentence = read("The new bridge is twice as long as the old one")
    assert exchanged(read("The old bridge is twice as long as the new one"), sentence)
    assert not exchanged(sentence, sentence)


def test_another_adjective_of_the_same_noun_is_found():
    sentence = read("أغلقت الشرطة الطريق الساحلي بسبب الضباب")
    own, other = other_attribute(read("أغلق الطريق الجبلي"), sentence)
    assert (own.bare, other.bare) == ("جبلي", "ساحلي")
    assert other_attribute(read("أغلق الطريق الساحلي"), sentence) is None
