"""Days on which something is open or closed."""

import pytest

from assay.meaning import ClaimDifference, read
from assay.meaning.opening_days import other_days, other_hours

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
        ("I do not know when the shop opens on Sundays", WEEK),
    ],
)
def test_what_names_no_day_or_another_thing_is_left_open(claim, sentence):
    assert verdict(claim, sentence) is None


HOLIDAYS = "It is closed on Mondays except on public holidays"


def test_what_is_excepted_besides_days_is_left_open():
    sentences = [read(WEEK), read(HOLIDAYS)]

    assert other_days(read("The shop is open on Sundays on public holidays"), sentences) is None


def test_days_prove_no_hours():
    assert verdict("The shop is open on Fridays until 9 pm", WEEK) is None


EVENING = "Open Tuesday to Sunday, 10 am to 6 pm, and until 9 pm on Thursdays"
BEHIND = "10 am to 6 pm, Monday to Friday; 11 am to 4 pm, Saturday"


@pytest.mark.parametrize(
    ("claim", "sentence", "day"),
    [
        ("On Fridays it is open until 9 pm", EVENING, "Thursdays"),
        ("On Saturdays it opens at 10 am", BEHIND, "Monday"),
        ("On Fridays it is open until 6 pm", EVENING, None),
        ("On Thursdays it closes at 9 pm", EVENING, None),
        ("On Mondays it is open until 9 pm", EVENING, None),
        ("On Saturdays it opens at 11 am", BEHIND, None),
        ("On Fridays it is not open until 9 pm", EVENING, None),
    ],
)
def test_hours_belong_to_their_days(claim, sentence, day):
    found = other_hours(read(claim), [read(sentence)])

    assert (found and found.expected) == day
