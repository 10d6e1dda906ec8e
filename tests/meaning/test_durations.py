"""How long something takes between two times of day."""

import pytest

from assay.meaning import ClaimDifference, read
from assay.meaning.durations import other_duration

FLIGHT = "Flight 418 leaves Oslo at 14:10 and lands in Madrid at 17:50"


@pytest.mark.parametrize(
    "claim",
    [
        "The flight takes three hours and forty minutes",
        "The flight takes 220 minutes",
        "The flight lasts 3 hours 40 minutes",
    ],
)
def test_the_time_between_is_right(claim):
    assert other_duration(read(claim), [read(FLIGHT)]) is True


def test_a_night_goes_over_midnight():
    train = read("The train leaves at 22:30 and arrives at 6:00 the next morning")
    assert other_duration(read("The train takes seven and a half hours"), [train]) is True


def test_another_time_is_a_difference():
    difference = other_duration(read("The flight takes four hours"), [read(FLIGHT)])
    assert isinstance(difference, ClaimDifference)
    assert (difference.claimed, difference.kind) == ("four hours", "number")


@pytest.mark.parametrize(
    "claim",
    ["The crossing takes four hours", "The flight has a delay of four hours", "It leaves at 14:10"],
)
def test_what_is_about_something_else_is_left_open(claim):
    assert other_duration(read(claim), [read(FLIGHT)]) is None
