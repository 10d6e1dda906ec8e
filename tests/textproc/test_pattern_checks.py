import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.textproc.pattern_checks import (
    CHECKS,
    is_aadhaar,
    is_capitalised,
    is_card_number,
    is_iban,
    is_ip_address,
    is_nhs_number,
    is_ni_number,
    is_pan,
    is_private_ip_address,
    verhoeff,
)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("4111 1111 1111 1111", True),
        ("4111-1111-1111-1111", True),
        ("378282246310005", True),
        ("30569309025904", True),
        ("4111111111111112", False),
        ("1111111111111114", False),
        ("0000000000000000", False),
        ("411111111111", False),
        ("41111111111111111111", False),
        ("no digits", False),
        ("", False),
    ],
)
def test_a_card_number_holds_the_luhn_sum(text, holds):
    assert is_card_number(text) is holds


@pytest.mark.parametrize("digit", range(10))
def test_only_one_last_digit_makes_a_card_number(digit):
    assert is_card_number(f"411111111111111{digit}") is (digit == 1)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("8.8.8.8", True),
        ("0.0.0.1", True),
        ("255.255.255.255", True),
        ("256.1.1.1", False),
        ("1.2.3", False),
        ("1.2.3.4.5", False),
        ("1..3.4", False),
        ("1.2.3.x", False),
        ("", False),
    ],
)
def test_an_address_has_four_small_numbers(text, holds):
    assert is_ip_address(text) is holds


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("10.0.0.12", True),
        ("172.16.0.1", True),
        ("172.31.255.255", True),
        ("192.168.0.1", True),
        ("172.32.0.1", False),
        ("192.169.0.1", False),
        ("8.8.8.8", False),
        ("10.0.0", False),
    ],
)
def test_a_private_address_is_one_of_three_networks(text, holds):
    assert is_private_ip_address(text) is holds


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("2341 2341 2346", True),
        ("2341-2341-2346", True),
        ("999941057058", True),
        ("234123412347", False),
        ("123412341234", False),
        ("034123412341", False),
        ("23412341234", False),
        ("2341234123460", False),
        ("", False),
    ],
)
def test_an_aadhaar_number_holds_its_check_digit(text, holds):
    assert is_aadhaar(text) is holds


GROUP = [
    "0123456789",
    "1234067895",
    "2340178956",
    "3401289567",
    "4012395678",
    "5987604321",
    "6598710432",
    "7659821043",
    "8765932104",
    "9876543210",
]
POWERS = [
    "0123456789",
    "1576283094",
    "5803796142",
    "8916043527",
    "9453126870",
    "4286573901",
    "2793806415",
    "7046913258",
]
"""The tables as they are published."""


def by_tables(digits):
    total = 0
    for place, digit in enumerate(reversed(digits)):
        total = int(GROUP[total][int(POWERS[place % 8][digit])])
    return total


DIGITS = st.lists(st.integers(0, 9), min_size=1, max_size=20)


@given(digits=DIGITS)
def test_the_sum_is_that_of_the_published_tables(digits):
    assert verhoeff(digits) == by_tables(digits)


@given(digits=DIGITS, data=st.data())
def test_one_wrong_digit_and_two_swapped_ones_are_seen(digits, data):
    last = next(digit for digit in range(10) if verhoeff([*digits, digit]) == 0)
    number = [*digits, last]
    place = data.draw(st.integers(0, len(number) - 1))
    other = data.draw(st.integers(0, 9).filter(lambda digit: digit != number[place]))
    assert verhoeff([*number[:place], other, *number[place + 1 :]])
    if place and number[place] != number[place - 1]:
        swapped = [*number[: place - 1], number[place], number[place - 1], *number[place + 1 :]]
        assert verhoeff(swapped)


@pytest.mark.parametrize(
    ("text", "holds"),
    [("ABCDE1234F", True), ("abcde1234f", False), ("ABCD1234F", False), ("ABCDE12345", False)],
)
def test_a_pan_is_five_letters_four_digits_and_a_letter(text, holds):
    assert is_pan(text) is holds


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("943 476 5919", True),
        ("9434765919", True),
        ("401 023 2137", True),
        ("943 476 5918", False),
        ("943 476 591", False),
        ("0000000000", False),
        ("1111111111", False),
        ("", False),
    ],
)
def test_an_nhs_number_holds_the_sum_modulo_11(text, holds):
    assert is_nhs_number(text) is holds


@given(st.lists(st.integers(0, 9), min_size=9, max_size=9).filter(lambda d: len(set(d)) > 1))
def test_at_most_one_last_digit_makes_an_nhs_number(digits):
    stem = "".join(map(str, digits))
    remainder = 11 - sum(d * w for d, w in zip(digits, range(10, 1, -1), strict=True)) % 11
    expected = {10: None, 11: 0}.get(remainder, remainder)
    found = [digit for digit in range(10) if is_nhs_number(f"{stem}{digit}")]
    assert found == ([] if expected is None else [expected])


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("AB123456C", True),
        ("ab 12 34 56 c", True),
        ("DA123456C", False),
        ("AO123456C", False),
        ("GB123456A", False),
        ("ZZ123456A", False),
        ("AB123456E", False),
        ("AB12345C", False),
    ],
)
def test_a_national_insurance_number_has_a_prefix_in_use(text, holds):
    assert is_ni_number(text) is holds


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("DE89 3704 0044 0532 0130 00", True),
        ("GB82WEST12345698765432", True),
        ("fr14 2004 1010 0505 0001 3m02 606", True),
        ("DE89 3704 0044 0532 0130 01", False),
        ("DE89", False),
        ("DE89" + "0" * 40, False),
        ("дб89 3704 0044 0532 0130 00", False),
    ],
)
def test_an_iban_holds_the_sum_modulo_97(text, holds):
    assert is_iban(text) is holds


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("s/o Mohan", True),
        ("w/o sugar", False),
        ("श्री शर्मा", True),
        ("السيد أحمد", True),
        ("Mr 5", False),
        ("", False),
    ],
)
def test_a_name_begins_with_a_capital_where_there_are_capitals(text, holds):
    assert is_capitalised(text) is holds


@pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS)
@given(text=st.text(st.characters(exclude_categories=()), max_size=60))
def test_no_text_breaks_a_check(check, text):
    assert check(text) in (True, False)
