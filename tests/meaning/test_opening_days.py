"""Days on which something is open or closed."""

import pytest

from assay.meaning import ClaimDifference, read
from assay.meaning.opening_days import other_days

WEEK = "The shop is open from Monday to Saturday"
MOST = "The museum is open daily except Mondays"
OFFICE = "The office is open on weekdays from 9 to 5"


def verdict(claim, sentence):
    return other_days(read(claim), [read(sentence)])


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The shop is closed on Sundays", WEEK),
        ("The shop is not open on Sundays", WEEK),
        ("The shop is open on Fridays", WEEK),
        ("The shop is open on Tuesdays", "The shop is closed on Mondays"),
        ("The museum is closed on Mondays", MOST),
        ("The museum is open on Tuesdays", MOST),
        ("The office is open from Monday to Friday", OFFICE),
        ("The office is closed at the weekend", OFFICE),
    ],
)
def test_days_that_follow_are_right(claim, sentence):
    assert verdict(claim, sentence) is True


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The shop is closed on Fridays", WEEK),
        ("The shop isn't open on Fridays", WEEK),
        ("The shop is open on Sundays", WEEK),
        ("The museum is open on Mondays", MOST),
        ("The office is open on Saturdays", OFFICE),
    ],
)
def test_other_days_are_a_difference(claim, sentence):
    assert isinstance(verdict(claim, sentence), ClaimDifference)


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The shop is open", WEEK),
        ("The bank is closed on Sundays", WEEK),
        ("The post office is closed on Sundays", "All shops are open on Sundays but the bakery"),
        ("The shop is cheap on Sundays", WEEK),
    ],
)
def test_what_names_no_day_or_another_thing_is_left_open(claim, sentence):
    assert verdict(claim, sentence) is None
