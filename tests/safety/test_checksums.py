"""Check digits of national identifiers, with numbers that their issuers publish as examples."""

import pytest

from assay.safety.checksums import CHECKS, digits, is_example, luhn


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [
        ("brazilian cpf", "529.982.247-25", "529.982.247-26"),
        ("chinese id", "11010519491231002X", "110105194912310021"),
        ("french social security number", "1 84 12 76 451 089 46", "1 84 12 76 451 089 47"),
        ("singapore nric", "S1234567D", "S1234567E"),
        ("social security number", "536-22-8726", "666-22-8726"),
        ("spanish id", "12345678Z", "12345678A"),
        ("spanish id", "X1234567L", "X1234567M"),
        ("swedish personal number", "811228-9874", "811228-9875"),
    ],
)
def test_a_check_digit_tells_a_slip(kind, right, wrong):
    assert CHECKS[kind](right)
    assert not CHECKS[kind](wrong)


@pytest.mark.parametrize("text", ["123-45-6789", "000000", "987654321", "0123456789"])
def test_numbers_of_documents_are_examples(text):
    assert is_example(text)


@pytest.mark.parametrize("text", ["536-22-8726", "12", "4821 7365 9012"])
def test_other_numbers_are_none(text):
    assert not is_example(text)


def test_luhn_holds_for_a_card_number():
    assert luhn(digits("5274 5763 9425 9961"))
    assert not luhn(digits("5274 5763 9425 9962"))
