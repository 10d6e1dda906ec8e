import pytest

from assay.features.checks import is_card_number, is_ip_address


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
