"""Words of a passage that a statement puts together otherwise."""

import pytest

from assay.meaning import read
from assay.meaning.attachment import MOST_WORDS, exchanged, is_comparable, is_converse, moved_figure


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
