"""Check digits and forms of national identifiers; each takes the text as written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise

_DNI = "TRWAGMYFPDXBNJZSQVHLCKE"
_NRIC = {"S": "JZIHGFEDCBA", "T": "GFEDCBAJZIH", "F": "XWUTRQPNMLK", "G": "RQPNMLKXWUT"}
_NRIC_WEIGHTS = (2, 7, 6, 5, 4, 3, 2)
_CHINESE_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CHINESE_CHECK = "10X98765432"
_NO_SSN = ("000", "666")
EXAMPLES = frozenset(
    ("123456789", "987654321", "078051120", "219099999", "1234567890", "0123456789", "9876543210")
)
"""Numbers that documents show as examples."""


def digits(text: str) -> list[int]:
    """The digits 0 to 9 of a text."""
    return [int(char) for char in text if char in "0123456789"]


def luhn(numbers: list[int]) -> bool:
    """Whether the check digit of Luhn holds."""
    doubled = (2 * digit for digit in numbers[-2::-2])
    return (sum(numbers[-1::-2]) + sum(d - 9 if d > 9 else d for d in doubled)) % 10 == 0


def is_example(text: str) -> bool:
    """Whether the digits count up or down, repeat one digit, or are a known example."""
    result = digits(text)
    if len(result) < 6:
        return False
    steps = {(b - a) % 10 for a, b in pairwise(result)}
    return steps <= {0} or steps == {1} or steps == {9} or "".join(map(str, result)) in EXAMPLES


def is_social_security_number(text: str) -> bool:
    """Whether the areas are ones that the United States issue."""
    area, group, serial = text.replace(" ", "-").split("-")
    return area not in _NO_SSN and area < "900" and group != "00" and serial != "0000"


def is_french_number(text: str) -> bool:
    """Whether the key of a French social security number holds."""
    compact = text.replace(" ", "").upper().replace("2A", "19").replace("2B", "18")
    return compact.isdigit() and int(compact[-2:]) == 97 - int(compact[:-2]) % 97


def is_spanish_id(text: str) -> bool:
    """Whether the letter of a DNI or NIE fits its number."""
    compact = text.replace("-", "").upper()
    number = compact[:-1].translate(str.maketrans("XYZ", "012"))
    return _DNI[int(number) % 23] == compact[-1]


def is_cpf(text: str) -> bool:
    """Whether both check digits of a Brazilian CPF hold."""
    result = digits(text)
    if len(set(result)) == 1:
        return False
    for length in (9, 10):
        total = sum(d * w for d, w in zip(result, range(length + 1, 1, -1), strict=False))
        if total * 10 % 11 % 10 != result[length]:
            return False
    return True


def is_chinese_id(text: str) -> bool:
    """Whether the check character of a Chinese resident number holds."""
    total = sum(int(d) * w for d, w in zip(text[:17], _CHINESE_WEIGHTS, strict=True))
    return _CHINESE_CHECK[total % 11] == text[-1].upper()


def is_nric(text: str) -> bool:
    """Whether the letter of a Singapore NRIC or FIN fits its number."""
    upper = text.upper()
    total = sum(int(d) * w for d, w in zip(upper[1:8], _NRIC_WEIGHTS, strict=True))
    return _NRIC[upper[0]][total % 11] == upper[-1]


def is_swedish_number(text: str) -> bool:
    """Whether the last ten digits hold Luhn's sum."""
    return luhn(digits(text)[-10:])


CHECKS: Mapping[str, Callable[[str], bool]] = {
    "brazilian cpf": is_cpf,
    "chinese id": is_chinese_id,
    "french social security number": is_french_number,
    "singapore nric": is_nric,
    "social security number": is_social_security_number,
    "spanish id": is_spanish_id,
    "swedish personal number": is_swedish_number,
}
"""Kind of identifier → what must hold for it."""
