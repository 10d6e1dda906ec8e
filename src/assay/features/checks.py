"""Checks on what a pattern found, where an expression is not enough.

Each takes the found text in its normalised form, so that digits are 0 to 9.
"""

from __future__ import annotations

CARD_LENGTHS = range(13, 20)
"""Digits that a payment card number may have (ISO/IEC 7812)."""


def is_card_number(text: str) -> bool:
    """Whether the digits have a card's length, hold the Luhn sum and are not all the same."""
    digits = [int(char) for char in text if char in "0123456789"]
    if len(digits) not in CARD_LENGTHS or len(set(digits)) == 1:
        return False
    doubled = (2 * digit for digit in digits[-2::-2])
    return (sum(digits[-1::-2]) + sum(d - 9 if d > 9 else d for d in doubled)) % 10 == 0


def is_ip_address(text: str) -> bool:
    """Whether the text is four numbers of at most 255, parted by dots."""
    parts = text.split(".")
    return len(parts) == 4 and all(p.isascii() and p.isdigit() and int(p) <= 255 for p in parts)
