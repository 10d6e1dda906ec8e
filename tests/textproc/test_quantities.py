import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.features.normal import normal
from assay.textproc.quantities import figures


def read(text):
    return figures(normal.feature(text).lower)


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("₹50 crore", 5e8, "inr"),
        ("Rs. 500 million", 5e8, "inr"),
        ("five hundred million rupees", 5e8, "inr"),
        ("50,00,00,000 rupees", 5e8, "inr"),
        ("$2.5bn", 2.5e9, "usd"),
        ("12.5 per cent", 12.5, "%"),
        ("12.5%", 12.5, "%"),
        ("twenty five thousand", 25_000, ""),
        ("٥٠ مليون", 5e7, ""),
        ("५० करोड़", 5e8, ""),
        ("3 lakh", 3e5, ""),
        ("1,250.75", 1250.75, ""),
    ],
)
def test_an_amount_however_it_is_written(text, value, unit):
    (found,) = read(text).quantities
    assert (found.value, found.unit) == (pytest.approx(value), unit)


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("12 March 2019", [(2019, 3, 12)]),
        ("on the 12th of March, 2019", [(2019, 3, 12)]),
        ("March 12, 2019", [(2019, 3, 12)]),
        ("2019-03-12", [(2019, 3, 12)]),
        ("12/03/2019", [(2019, 3, 12)]),
        ("March 2019", [(2019, 3, 0)]),
        ("in 2019-20", [(2019, 0, 0), (2020, 0, 0)]),
        ("it may rain", []),
        ("1999 dollars", []),
    ],
)
def test_a_date_however_it_is_written(text, dates):
    assert [found[:3] for found in read(text).dates] == dates


@pytest.mark.parametrize(
    ("claimed", "known", "is_same"),
    [
        ("50 crore", "500 million", True),
        ("50 crore", "60 crore", False),
        ("5%", "5 rupees", False),
        ("5", "5%", True),
        ("about 50", "52", True),
        ("about 50", "60", False),
        ("more than 100,000", "258,000", True),
        ("more than 300,000", "258,000", False),
        ("less than 5", "4", True),
        ("at most 5", "6", False),
    ],
)
def test_which_amounts_are_the_same(claimed, known, is_same):
    (one,), (other,) = read(claimed).quantities, read(known).quantities
    assert one.equals(other) is is_same


@pytest.mark.parametrize(
    ("claimed", "known", "is_same"),
    [
        ("in 2019", "on 12 March 2019", True),
        ("12 March", "12 March 2019", True),
        ("March 2018", "12 March 2019", False),
        ("the 1970s", "in 1975", True),
        ("the 1970s", "in 1985", False),
    ],
)
def test_which_dates_are_the_same(claimed, known, is_same):
    (one,), (other,) = read(claimed).dates, read(known).dates
    assert one.equals(other) is is_same


def test_numbers_inside_words_are_none():
    assert read("T2 and Uranium-235 and B12").quantities == ()


@given(st.integers(0, 10**12))
def test_a_whole_number_is_itself(number):
    found = read(f"it is {number:,} units").quantities
    assert [one.value for one in found] == [float(number)]


@given(st.text())
def test_places_lie_in_the_text(text):
    lower = normal.feature(text).lower
    found = figures(lower)
    for one in (*found.quantities, *found.dates):
        assert 0 <= one.start < one.end <= len(lower)
