"""What stands under which label of a list."""

import pytest

from assay.meaning import read
from assay.meaning.labels import labelled

FARES = ("Light: a small bag. Classic: a small bag and a cabin bag.", "Flex: two suitcases.")
PLANS = (
    "Basic plan: 9 € a month, 3 projects, 5 GB storage, e-mail support",
    "Team plan: 29 € a month, 100 GB storage, phone support from 9 to 5",
)
CLIMATE = ("Mornings: 20 °C; evenings: 12 °C",)


@pytest.mark.parametrize(
    ("claim", "passage", "expected"),
    [
        ("In the evenings it is 12 °C", CLIMATE, True),
        ("In the evenings it is 20 °C", CLIMATE, "binding"),
        ("At night it is 20 °C", CLIMATE, None),
        ("Light has a small bag", FARES, True),
        ("The basic plan has phone support", PLANS, "binding"),
        ("The basic plan has support from 9 to 5", PLANS, None),
        ("The basic plan has 5 GB storage", PLANS, True),
        ("Flex has two suitcases", FARES, True),
        ("Flex does not have a bag", FARES, None),
    ],
)
def test_what_stands_under_another_label_is_a_difference(claim, passage, expected):
    found = labelled(read(claim), [read(one) for one in passage])
    assert (found if found in (True, None) else found.kind) == expected
