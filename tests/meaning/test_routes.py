"""Ways from one place to another, and what is made of what."""

import pytest

from assay.meaning import read
from assay.meaning.routes import turned_conversion, turned_route

FLIGHT = read("Flight 418 leaves Oslo at 14:10 and lands in Madrid at 17:50")


@pytest.mark.parametrize(
    "claim", ["The flight goes from Madrid to Oslo", "It departs from Madrid and arrives in Oslo"]
)
def test_the_other_direction_is_a_difference(claim):
    assert turned_route(read(claim), [FLIGHT]).kind == "roles"


@pytest.mark.parametrize(("one", "other"), [("Madrid", "Oslo"), ("Oslo", "Madrid")])
def test_the_way_is_marked_from_its_first_place_to_its_last(one, other):
    claim = f"The flight goes from {one} to {other} today"
    found = turned_route(read(claim), [read(f"It leaves {other} and lands in {one}")])
    assert claim[found.start : found.end] == f"{one} to {other}"


@pytest.mark.parametrize(
    "claim",
    [
        "The flight goes from Oslo to Madrid",
        "The flight goes from Madrid to Lisbon",
        "The flight does not go from Madrid to Oslo",
        "The flight leaves Oslo",
    ],
)
def test_the_same_way_and_others_are_none(claim):
    assert turned_route(read(claim), [FLIGHT]) is None


PLANTS = read("Green plants use sunlight to make sugar from carbon dioxide and water")


@pytest.mark.parametrize(
    ("claim", "is_turned"),
    [
        ("Plants turn sugar into carbon dioxide and water", True),
        ("Plants produce water from sugar", True),
        ("Plants turn carbon dioxide and water into sugar", False),
        ("Plants turn sugar into starch", False),
        ("Plants do not turn sugar into water", False),
    ],
)
def test_what_is_made_of_what(claim, is_turned):
    assert bool(turned_conversion(read(claim), [PLANTS])) is is_turned
