"""Checks on what a pattern found, where an expression is not enough.

Each takes the found text in its normalised form, so that digits are 0 to 9; case is as written. A
pattern names one by its key in `CHECKS`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

CARD_LENGTHS = range(13, 20)
"""Digits that a payment card number may have (ISO/IEC 7812)."""
_DIGITS = "0123456789"
_PERMUTED = "1576283094"
"""Verhoeff's permutation: 0→1→5→8→9→4→2→7→0 and 3→6→3."""
_PAN = re.compile(r"[A-Z]{5}[0-9]{4}[A-Z]")
_NI_NUMBER = re.compile(r"[A-CEGHJ-PRSTW-Z][A-CEGHJ-NPRSTW-Z][0-9]{6}[A-D]")
_NI_UNUSED = frozenset(("BG", "GB", "KN", "NK", "NT", "TN", "ZZ"))
"""Prefixes that no National Insurance number has (HMRC, manual NIM39110)."""


def is_card_number(text: str) -> bool:
    """Whether the digits have a card's length, hold the Luhn sum and are not all the same."""
    digits = _digits(text)
    if len(digits) not in CARD_LENGTHS or len(set(digits)) == 1:
        return False
    doubled = (2 * digit for digit in digits[-2::-2])
    return (sum(digits[-1::-2]) + sum(d - 9 if d > 9 else d for d in doubled)) % 10 == 0


def is_ip_address(text: str) -> bool:
    """Whether the text is four numbers of at most 255, parted by dots."""
    parts = text.split(".")
    return len(parts) == 4 and all(p.isascii() and p.isdigit() and int(p) <= 255 for p in parts)


def is_private_ip_address(text: str) -> bool:
    """Whether the text is an address of a network of one's own (RFC 1918)."""
    if not is_ip_address(text):
        return False
    first, second = map(int, text.split(".")[:2])
    return first == 10 or (first, second) == (192, 168) or (first == 172 and 16 <= second <= 31)


def is_aadhaar(text: str) -> bool:
    """Whether there are twelve digits, not beginning with 0 or 1, that hold Verhoeff's sum."""
    digits = _digits(text)
    return len(digits) == 12 and digits[0] > 1 and verhoeff(digits) == 0


def is_twelve_digits(text: str) -> bool:
    """Whether there are twelve digits, not beginning with 0 or 1."""
    digits = _digits(text)
    return len(digits) == 12 and digits[0] > 1


def verhoeff(digits: list[int]) -> int:
    """The check sum of Verhoeff (1969), in the dihedral group of ten elements; 0 holds."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        total = _combined(total, _permuted(digit, place % 8))
    return total


def is_pan(text: str) -> bool:
    """Whether the text has the form of a Permanent Account Number, in capitals."""
    return bool(_PAN.fullmatch(text))


def is_nhs_number(text: str) -> bool:
    """Whether there are ten digits that hold the sum modulo 11."""
    digits = _digits(text)
    if len(digits) != 10 or len(set(digits)) == 1:
        return False
    weighted = sum(digit * weight for digit, weight in zip(digits, range(10, 1, -1), strict=False))
    return (weighted + digits[-1]) % 11 == 0


def is_ni_number(text: str) -> bool:
    """Whether the text has the form of a National Insurance number with a prefix that is in use."""
    joined = "".join(char for char in text.upper() if char.isalnum())
    return bool(_NI_NUMBER.fullmatch(joined)) and joined[:2] not in _NI_UNUSED


def is_iban(text: str) -> bool:
    """Whether the text holds the sum of an international account number (ISO 13616)."""
    joined = "".join(char for char in text.upper() if char.isalnum())
    if not 15 <= len(joined) <= 34 or not joined.isascii():
        return False
    return int("".join(str(int(char, 36)) for char in joined[4:] + joined[:4])) % 97 == 1


def is_capitalised(text: str) -> bool:
    """Whether the last word begins with a capital, as a name does, or its script has none."""
    words = text.split()
    return bool(words) and words[-1][0].isalpha() and not words[-1][0].islower()


CHECKS: Mapping[str, Callable[[str], bool]] = {
    "aadhaar": is_aadhaar,
    "capitalised": is_capitalised,
    "card_number": is_card_number,
    "iban": is_iban,
    "ip_address": is_ip_address,
    "nhs_number": is_nhs_number,
    "ni_number": is_ni_number,
    "pan": is_pan,
    "private_ip_address": is_private_ip_address,
    "twelve_digits": is_twelve_digits,
}
"""The checks by the name that a pattern gives."""


def _digits(text: str) -> list[int]:
    return [int(char) for char in text if char in _DIGITS]


def _combined(one: int, other: int) -> int:
    """The product of two elements of the dihedral group: 0 to 4 turn, 5 to 9 reflect."""
    if one < 5:
        return (one + other) % 5 if other < 5 else 5 + (one + other) % 5
    return 5 + (one - other) % 5 if other < 5 else (one - other) % 5


def _permuted(digit: int, times: int) -> int:
    for _ in range(times):
        digit = int(_PERMUTED[digit])
    return digit
