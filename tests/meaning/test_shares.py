"""Parts of a whole, in percent, as fractions and as a majority."""

import pytest

from assay.meaning import ClaimDifference, read
from assay.meaning.shares import other_share, share_in

TRIAL = "It was tested on 240 adults, of whom 60 stopped early"
APPLICANTS = "Of the 50 applicants, 20 were women"
SURVEY = "In the survey, 45 of the 60 patients were satisfied"


@pytest.mark.parametrize(
    ("sentence", "percent"),
    [
        (TRIAL, 25.0),
        (APPLICANTS, 40.0),
        (SURVEY, 75.0),
    ],
)
def test_a_part_and_its_whole_give_a_share(sentence, percent):
    assert share_in(read(sentence)).percent == pytest.approx(percent)


@pytest.mark.parametrize(
    "sentence",
    [
        "The hall has 50 seats and 20 tables",
        "60 of the 45 patients were satisfied",
        "The 3rd of 20 talks begins",
        "He is one of them",
    ],
)
def test_two_numbers_alone_are_no_share(sentence):
    assert share_in(read(sentence)) is None


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("A quarter of the adults stopped early", TRIAL),
        ("25 percent of the adults stopped early", TRIAL),
        ("About a quarter of the adults stopped early", TRIAL),
        ("40% of the applicants were women", APPLICANTS),
        ("Less than half of the applicants were women", APPLICANTS),
        ("Most of the patients were satisfied", SURVEY),
        ("A quarter of the patients were dissatisfied", SURVEY),
    ],
)
def test_a_share_that_can_be_worked_out_is_right(claim, sentence):
    assert other_share(read(claim), [read(sentence)]) is True


@pytest.mark.parametrize(
    ("claim", "quoted", "sentence"),
    [
        ("Half of the adults stopped early", "Half", TRIAL),
        ("30 percent of the adults stopped early", "30 percent", TRIAL),
        ("So most of the applicants were women", "most", APPLICANTS),
        ("More than half of the applicants were women", "More than half", APPLICANTS),
        ("A third of the patients were satisfied", "A third", SURVEY),
    ],
)
def test_another_share_is_a_difference(claim, quoted, sentence):
    difference = other_share(read(claim), [read(sentence)])
    assert isinstance(difference, ClaimDifference)
    assert difference.claimed == quoted
    assert claim[difference.start : difference.end] == quoted


@pytest.mark.parametrize(
    "claim",
    ["Half of the doctors stopped early", "Half of the adults were men", "60 adults stopped early"],
)
def test_a_share_of_other_things_is_left_open(claim):
    assert other_share(read(claim), [read(TRIAL)]) is None
