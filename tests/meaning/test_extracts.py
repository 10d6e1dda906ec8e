"""Statements that are a sentence without one of the things that it names side by side."""

import pytest

from assay.meaning import read
from assay.meaning.extracts import in_part

COVER = "Batteries and wear parts are excluded"
TICKET = "The ticket includes the bus, the cable car, a guide and lunch"
TEACHERS = "Ms Ortega teaches maths and physics; Mr Lind teaches history"
MEMBERS = "Premium members get coffee and may bring one guest"
APP = "The app is free, but support costs 20 euros"


@pytest.mark.parametrize(
    ("claim", "sentence", "expected"),
    [
        ("Batteries are excluded", COVER, True),
        ("Wear parts are excluded", COVER, True),
        ("Batteries and parts are excluded", COVER, None),
        ("Batteries are included", COVER, None),
        ("The app is free", APP, None),  # a figure is left out
        ("Support costs 20 euros", APP, True),
        ("The hall is booked", "If it rains and the hall is booked, we cancel", None),
        ("The hall is booked", "The hall is old and not heated and booked", None),
        ("The hall is booked", "The hall is new and often booked", None),
        ("The ticket includes the bus", TICKET, True),
        ("The ticket includes the cable car", TICKET, True),
        ("The ticket includes a guide", TICKET, True),
        ("The ticket includes the bus and lunch", TICKET, True),
        ("The ticket includes the car", TICKET, None),
        ("The bus includes lunch", TICKET, None),
        ("The pool closes at five", "In winter, the pool closes at five and opens at nine", None),
        ("Premium members may bring a guest", MEMBERS, True),
        ("Ms Ortega teaches physics", TEACHERS, True),
        ("Ms Ortega teaches history", TEACHERS, None),
        ("Premium members may bring guests", MEMBERS, None),
        ("المتحف مفتوح اليوم", "المتحف و الحديقة مفتوح اليوم", True),
    ],
)
def test_what_is_said_of_several_is_said_of_each(claim, sentence, expected):
    assert in_part(read(claim), [read(sentence)]) is expected
