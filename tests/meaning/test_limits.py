"""Numbers that a statement allows, beside the limits of its source."""

import pytest

from assay.meaning import ClaimDifference, read
from assay.meaning.limits import (
    beyond_limit,
    freed_by_limit,
    is_case_of,
    is_case_within,
    kept_limit,
)

ITEMS = "Members may borrow up to ten items for four weeks"
CHILDREN = "Children under 12 should not take this medicine"
ADULTS = "Visitors must be 18 or older to enter the casino"
FREE = "Visitors under 18 or over 65 can enter the museum for free"
ALONE = "Children under 10 cannot swim without an adult"


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Yes, members can borrow twelve books", ITEMS),
        ("A nine-year-old child can take this medicine", CHILDREN),
        ("A visitor who is 16 years old can enter the casino", ADULTS),
        ("Bags of 30 kg are allowed in the cabin", "Bags of up to 20 kg are allowed in the cabin"),
        ("A 40-year-old visitor can enter the museum for free", FREE),
        ("يمكن للأعضاء استعارة ١٢ كتابا", "يمكن للأعضاء استعارة حتى ١٠ كتب"),
    ],
)
def test_what_a_limit_excludes_is_a_difference(claim, sentence):
    assert beyond_limit(read(claim), [read(sentence)]) is not None


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Yes, members can borrow eight books", ITEMS),
        ("Members can borrow items for four weeks", ITEMS),
        ("A child of 14 years can take this medicine", CHILDREN),
        ("A nine-year-old child must not take this medicine", CHILDREN),
        ("A visitor who is 30 years old can enter the casino", ADULTS),
        ("You can park here for 30 euros", "Cars of up to 3 tonnes may park here"),
        ("The choir can be heard at 12 concerts", ITEMS),
        ("A 70-year-old visitor can enter the museum for free", FREE),
        ("A child of 8 years can swim with an adult", ALONE),
        ("An 8-year-old can swim if an adult is with them", ALONE),
        ("Twelve members may borrow items", ITEMS),
        ("Room 25 can hold meetings", "Meeting rooms can hold up to 20 people"),
        ("يمكن للأعضاء استعارة ٨ كتب", "يمكن للأعضاء استعارة حتى ١٠ كتب"),
    ],
)
def test_what_lies_within_a_limit_is_none(claim, sentence):
    assert beyond_limit(read(claim), [read(sentence)]) is None


def test_an_age_is_a_case_of_a_limit_without_a_unit():
    claim, rule = read("A 22-year-old student pays less"), read("Students under 26 pay less")
    assert is_case_of(claim.figures[0], claim, rule.figures[0])
    older = read("A 28-year-old student pays less")
    assert not is_case_of(older.figures[0], older, rule.figures[0])


@pytest.mark.parametrize(
    ("claim", "rule", "expected"),
    [
        ("A 30-year-old may donate", "Donors must be between 18 and 65", True),
        ("A 16-year-old may donate", "Donors must be between 18 and 65", False),
        ("A ten-year-old can join", "The course is for children from 6 to 12 years", True),
        ("A ten-year-old can join", "Six children and 12 adults joined", False),
        ("30 may donate", "Donors must be between 18 and 65", False),
    ],
)
def test_an_age_is_a_case_of_a_range(claim, rule, expected):
    claim, rule = read(claim), read(rule)
    assert is_case_within(claim.figures[0], claim, rule) is expected


DRONES = "Drones of 250 g or more must be registered before the first flight"


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("A drone of 200 g need not be registered", True),
        ("A drone of 200 g does not have to be registered", True),
        ("A drone of 300 g need not be registered", "number"),
        ("A drone of 300 g must not be registered", None),
        ("A drone of 300 g must be registered", None),
        ("A drone of 3 years need not be registered", None),
    ],
)
def test_a_duty_with_a_limit_frees_those_beyond_it(claim, expected):
    found = freed_by_limit(read(claim), [read(DRONES)])

    assert (found.kind if isinstance(found, ClaimDifference) else found) == expected


@pytest.mark.parametrize(
    ("claim", "sentence", "is_kept"),
    [
        ("Take at most two tablets.", "Do not take more than two tablets.", True),
        ("A ride costs at most 20 euros.", "A ride never costs more than 20 euros.", True),
        ("Up to five books can be borrowed.", "You can't borrow more than five books.", True),
        ("The trip costs less than 50 euros.", "The trip costs 45 euros.", True),
        ("The firm employs more than 300 people.", "The firm employs 340 people.", True),
        ("The firm employs more than 3 people.", "The firm employs 340 people.", None),
        ("The trip costs more than 50 euros.", "The trip costs 45 euros.", None),
        ("More than half of the pupils are girls.", "52 % of the pupils are girls.", True),
        ("More than half of the pupils are girls.", "48 % of the pupils are girls.", None),
        ("Take more than two tablets.", "Do not take more than two tablets.", None),
        ("Take at most three tablets.", "Do not take more than two tablets.", None),
        ("Take at most two tablets.", "If you are ill, take no more than two tablets.", None),
        ("It costs at most 75 euros.", "It costs up to 75 euros, but never over 200 euros.", None),
    ],
)
def test_a_limit_in_other_words_is_kept(claim, sentence, is_kept):
    assert kept_limit(read(claim), [read(sentence)]) is is_kept
