"""Which of two is more, by ranks, amounts and majorities."""

import pytest

from assay.meaning import read
from assay.meaning.comparisons import compared

RANK = "Lake Orna is the second-largest lake of the region after Lake Tessel."
PRICES = "The Orin printer costs 129 euros. The Kea printer costs 99 euros."
SURVEY = (
    "In the survey, 62 percent of the residents were against the plan and 38 percent in favour."
)
AGES = "Anna is two years older than Ben. Their cousin Clara is the youngest"
WEIGHTS = "Ben Roe weighs 70 kg, while Anna Lind weighs 62 kg. Tom Berg weighs 81 kg"
EXAM = "Of the 40 students who sat the exam, 34 passed."


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Lake Tessel is larger", RANK),
        ("The Kea is cheaper than the Orin", PRICES),
        ("The Kea costs less than the Orin", PRICES),
        ("Most residents opposed the plan", SURVEY),
        ("6 students failed the exam", EXAM),
        ("Ben is younger than Anna", AGES),
        ("Anna is older than Ben", AGES),
        ("Anna Lind is the lightest", WEIGHTS),
        ("Tom Berg is not the lightest", WEIGHTS),
    ],
)
def test_a_comparison_that_fits_is_right(claim, passage):
    assert compared(read(claim), [read(one) for one in passage.split(". ")]) is True


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("It is larger than Lake Tessel", RANK),
        ("Lake Orna is the largest lake", RANK),
        ("The Orin is cheaper than the Kea", PRICES),
        ("The Orin costs less than the Kea", PRICES),
        ("Most residents supported the plan", SURVEY),
        ("16 students failed the exam", EXAM),
        ("Anna is younger than Ben", AGES),
        ("Ben is older than Anna", AGES),
        ("Ben Roe is the heaviest", WEIGHTS),
    ],
)
def test_a_comparison_the_other_way_is_a_difference(claim, passage):
    found = compared(read(claim), [read(one) for one in passage.split(". ")])

    assert found is not None
    assert found is not True
    assert found.kind == "opposite"


def test_a_text_that_compares_nothing_is_left():
    assert compared(read("The lake is deep"), [read(RANK)]) is None


@pytest.mark.parametrize(
    "claim",
    ["Ben Roe is the second heaviest", "Eva Holm is the lightest", "Ben Roe is the tallest"],
)
def test_amounts_of_all_are_needed_to_call_one_the_most(claim):
    assert compared(read(claim), [read(one) for one in WEIGHTS.split(". ")]) is None
