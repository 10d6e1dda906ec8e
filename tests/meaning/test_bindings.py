"""What belongs to what: things of one kind, each with what is said of it."""

import pytest

from assay.meaning import read
from assay.meaning.bindings import moved_amount, other_thing
from assay.meaning.parts import parts_of
from assay.meaning.refutations import refuted


def readings(*texts):
    return [read(text) for text in texts]


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        (
            "Beginners swim on the big lanes",
            ["Beginners use the small pool", "Advanced swim on the big lanes"],
        ),
        (
            "Version 4 supports printers",
            ["Version 4 is out", "Support for printers comes with version 5"],
        ),
        (
            "The children's pool is heated",
            ["The children swim in the cold pool", "The adults' pool is heated"],
        ),
        (
            "Carter died of a mosquito bite",
            ["Howard Carter worked for Lord Carnarvon", "Carnarvon died of a mosquito bite"],
        ),
        ("يدفع الأطفال عشرين ريالا", ["يدخل الأطفال مجانا ويدفع الكبار عشرين ريالا"]),
    ],
)
def test_what_is_said_of_another_thing_is_a_difference(claim, passage):
    found = other_thing(read(claim), readings(*passage))

    assert found is not None
    assert found.kind == "binding"


def test_what_is_said_of_the_thing_itself_is_none():
    passage = readings("Adults pay 12 euros, children 6 euros")

    assert other_thing(read("Children pay 6 euros"), passage) is None
    assert other_thing(read("Adults pay 12 euros"), passage) is None


def test_a_list_of_things_shares_what_is_said_of_them():
    (part,) = parts_of(read("Adults and children pay 5 euros"))

    assert len(part.things) == 2


def test_a_time_that_stands_with_another_day_is_a_difference():
    hours = readings("Opening hours: Monday to Friday 6:30 to 18:00, Saturday 7:00 to 13:00")

    assert moved_amount(read("On Saturdays it opens at 6:30"), hours) is not None
    assert moved_amount(read("On Saturdays it opens at 7:00"), hours) is None


def test_what_stands_behind_a_date_in_its_sentence_goes_with_it():
    tower = readings(
        "It was automated in 1979, when the last keeper left.",
        "Since 2005 the cottage of the keeper has been let.",
    )

    assert moved_amount(read("It has run without a keeper since 1979"), tower) is None
    assert moved_amount(read("The cottage of the keeper was let in 1979"), tower) is not None


def test_what_stands_behind_another_time_goes_with_that():
    closing = readings("Shops close at 18:00; the supermarkets stay open until 21:00.")

    assert moved_amount(read("Supermarkets close at 18:00"), closing) is not None


def test_what_stands_with_a_day_without_a_verb_is_said_of_it():
    buses = readings(
        "On weekdays the bus runs every quarter of an hour, at weekends every half hour."
    )

    assert other_thing(read("At weekends there is a bus every thirty minutes"), buses) is None
    assert other_thing(read("At weekends there is a bus every quarter of an hour"), buses)


def test_every_other_day_is_no_rest():
    club = readings("The chess club meets every other Thursday at 7 pm. Everyone else waits.")

    assert [thing.kind for thing in parts_of(club[0])[0].things] == []
    assert parts_of(read("Everyone else pays 5 euros"))[0].things


def test_a_word_is_refuted_by_its_opposite_with_the_same_words():
    entry = readings("Entry to the garden is free for residents; the tower costs 2 euros")

    assert refuted(read("Residents pay for entry to the garden"), entry) is not None
    assert refuted(read("Entry to the garden is free for residents"), entry) is None


def test_alone_is_refuted_by_company():
    rules = readings(
        "Visitors may enter the lab", "In the lab visitors must be accompanied by staff"
    )

    assert refuted(read("In the lab visitors may be alone"), rules) is not None
    assert refuted(read("In the lab visitors are accompanied"), rules) is None


def test_another_name_of_the_statement_is_no_other_thing():
    passage = readings(
        "Howard Carter, working for Lord Carnarvon, found the tomb", "Carnarvon died in 1923"
    )

    assert other_thing(read("Howard Carter worked for Lord Carnarvon"), passage) is None


def test_a_prize_that_a_pronoun_won_is_not_what_the_sentence_is_about():
    passage = readings("Her first novel was The Salt Road", "It won the Harper Prize")

    assert other_thing(read("The Salt Road won the Harper Prize"), passage) is None


def test_a_price_of_the_same_is_no_other_charge():
    passage = readings("Children enter free; families (two adults and children) pay 25 €")

    assert refuted(read("A family with children pays 25 euros"), passage) is None


def test_a_figure_moved_only_where_a_word_is_the_same():
    passage = readings(
        "The bridge was closed on 4 March after inspectors found cracks",
        "Repairs take until the end of October",
    )

    assert moved_amount(read("The repairs last until late October"), passage) is None


def test_whose_consent_is_needed_is_not_what_is_spoken_of():
    passage = readings("Employees may work from home if their manager agrees")

    assert other_thing(read("With your manager's consent you can work from home"), passage) is None


def test_a_limit_in_other_words_has_not_moved():
    passage = readings("Repairs up to 75 euros are paid by the tenant, but no more than 200 euros")

    assert moved_amount(read("A tenant pays at most 200 euros for repairs"), passage) is None
