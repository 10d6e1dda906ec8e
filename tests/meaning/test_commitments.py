"""How far a statement commits itself, beside what its source does."""

import pytest

from assay.meaning import read
from assay.meaning.causes import causal_order
from assay.meaning.commitments import (
    denied_alike,
    done_already,
    done_by_none,
    exempted,
    met_condition,
    overstated,
    permitted_to_excluded,
    said_of_all,
    said_of_denied,
)
from assay.meaning.limits import is_case_of


@pytest.mark.parametrize(
    ("check", "claim", "sentence"),
    [
        (
            overstated,
            "The line will definitely open in 2031",
            "The city plans to open the line in 2031",
        ),
        (
            overstated,
            "Bikes are covered whether locked or not",
            "Bikes are covered if they were locked",
        ),
        (
            overstated,
            "You can renew a loan even if somebody else reserved it",
            "A loan can be renewed unless somebody else reserved it",
        ),
        (
            overstated,
            "Goods can be swapped even without the receipt",
            "Goods can be swapped if the receipt is shown",
        ),
        (
            overstated,
            "يمكن تبديل السلعة حتى من دون الفاتورة",
            "يحق للعميل استبدال المنتج بشرط إحضار الفاتورة",
        ),
        (
            met_condition,
            "The council has approved the budget",
            "It opens in May, provided that the council approves the budget",
        ),
        (met_condition, "The river flooded", "An alarm sounds if the river floods"),
        (done_already, "The city has built a stadium", "The city plans to build a stadium"),
        (done_already, "The museum opened in May", "The museum will open in May"),
        (done_already, "The line opened in 2029", "The line is to open in 2029"),
        (done_already, "افتتحت الشركة فرعا", "تعتزم الشركة افتتاح فرع"),
        (
            permitted_to_excluded,
            "Members and guests can use the gym",
            "Guests are not admitted",
        ),
        (
            permitted_to_excluded,
            "Non-profits and individuals can apply",
            "Individuals and companies are not eligible",
        ),
        (
            permitted_to_excluded,
            "يمكن إرجاع المنتجات المخفضة",
            "لا تقبل الملابس الداخلية ولا المنتجات المخفضة",
        ),
        (done_by_none, "Several people were injured", "Nobody was injured"),
        (said_of_all, "Both pools are heated", "One pool is heated, the other pool is not"),
        (said_of_denied, "Bikes go on express trains", "They are not permitted on express trains"),
    ],
)
def test_more_than_the_source_says_is_a_difference(check, claim, sentence):
    assert check(read(claim), [read(sentence)]) is not None


@pytest.mark.parametrize(
    ("check", "claim", "sentence"),
    [
        (met_condition, "The alarm sounded", "An alarm sounds if the river floods"),
        (met_condition, "If the river flooded, it rang", "An alarm sounds if the river floods"),
        (overstated, "The line could open in 2031", "The city plans to open the line in 2031"),
        (permitted_to_excluded, "Guests cannot use the gym", "Guests are not admitted"),
        (done_already, "Dana sends the offer", "Dana will send the offer"),
        (done_already, "A stadium is to be built", "The city plans to build a stadium"),
        (done_already, "The city wants to build a stadium", "The city plans to build a stadium"),
        (done_already, "The city built a pool", "The city built a pool and plans to build a hall"),
        (done_already, "ستفتتح الشركة فرعا", "تعتزم الشركة افتتاح فرع"),
        (
            permitted_to_excluded,
            "Members can use it",
            "Members are happy and guests are not admitted",
        ),
        (done_by_none, "Nobody was hurt", "Nobody was injured"),
        (said_of_all, "One pool is heated", "One pool is heated, the other pool is not"),
    ],
)
def test_what_the_source_says_is_none(check, claim, sentence):
    assert check(read(claim), [read(sentence)]) is None


def test_those_who_are_exempt_are_free_of_a_rule():
    rule = [read("Workers must wear a helmet"), read("Drivers are exempt from this rule")]

    assert exempted(read("Drivers do not have to wear a helmet"), rule) is True
    assert exempted(read("Drivers must wear a helmet"), rule) is not None
    assert exempted(read("Workers must wear a helmet"), rule) is None

    fee = [read("رسوم الدورة 60 دينارا ويعفى منها الطلبة")]
    assert exempted(read("رسوم الدورة 60 دينارا"), fee) is None
    assert exempted(read("لا يدفع الطلبة رسوم الدورة"), [*fee, read("تدفع الرسوم نقدا")]) is None
    due = [read("تدفع رسوم الدورة عند أول حصة، ويعفى منها الطلبة")]
    assert exempted(read("لا يدفع الطلبة رسوم الدورة"), due) is True
    assert exempted(read("يدفع الطلبة رسوم الدورة"), due) is not None

    tax = [read("All guests pay a tax"), read("Children and business travellers are exempt")]
    assert exempted(read("Business travellers do not have to pay the tax"), tax) is True
    assert exempted(read("Business travellers pay the tax"), tax) is not None


def test_a_denial_in_other_words_is_the_same():
    assert denied_alike(read("There were no injuries"), [read("Nobody was injured")])
    assert not denied_alike(read("There were no survivors"), [read("Nobody was injured")])


def test_cause_and_effect_keep_their_places():
    sentence = [read("The road was closed because of a landslide")]

    assert causal_order(read("A landslide led to the closed road"), sentence) is None
    assert causal_order(read("The closed road led to a landslide"), sentence) is not None


def test_a_single_case_lies_within_a_limit():
    (limit,) = read("Dogs over 20 kg need a muzzle").figures
    heavy, light = read("A dog of 25 kg needs a muzzle"), read("A dog of 15 kg needs a muzzle")

    assert is_case_of(heavy.figures[0], heavy, limit)
    assert not is_case_of(light.figures[0], light, limit)


def test_who_leads_causes_nothing_and_a_passive_names_its_cause_behind():
    assert causal_order(read("Anna leads the team"), [read("The team is led by Anna")]) is None
    sentence = [read("The flood was caused by a burst pipe")]
    assert causal_order(read("A burst pipe caused the flood"), sentence) is None
    assert causal_order(read("The flood caused a burst pipe"), sentence) is not None


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Even if it rains, the concert takes place", "The concert takes place, even if it rains"),
        ("The pump works even when the power fails", "The pump works if the power fails"),
    ],
)
def test_even_if_is_no_overstatement_of_the_same_condition(claim, sentence):
    assert overstated(read(claim), [read(sentence)]) is None


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("You get a refund even if you cancel late", "You get a refund if you cancel early"),
        ("The warranty holds even if the seal broke", "The warranty holds unless the seal broke"),
        ("Members get in even if they have no card", "Members get in if they have a card"),
    ],
)
def test_even_if_is_an_overstatement_of_another_condition(claim, sentence):
    assert overstated(read(claim), [read(sentence)]) is not None
