"""How much personal data redaction finds, and how much else it blacks out, on generated texts.

The marks are made by rules of their own (check digits, national forms), not by our patterns; the
other texts hold numbers that only look like marks.
"""

import random
import re
import string
from uuid import UUID

import pytest

from assay.runner.redaction import mask
from assay.safety.pii_masking import BLACK

MARKS, OTHERS = 1_200, 1_200
LEAST_RECALL, LEAST_PRECISION = 0.98, 0.95


def digits(chance, count):
    return "".join(chance.choices(string.digits, k=count))


def luhn_digit(body):
    total = 0
    for place, digit in enumerate(reversed(body)):
        value = int(digit) * (2 if place % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    return str(-total % 10)


def card(chance):
    body = chance.choice(("4", "51", "6011"))
    body += digits(chance, 15 - len(body))
    number = body + luhn_digit(body)
    separator = chance.choice(("", " ", "-"))
    return separator.join(number[start : start + 4] for start in range(0, 16, 4))


def iban(chance):
    country, length = chance.choice((("DE", 18), ("GB", 18), ("SA", 20)))
    body = digits(chance, length)
    if country == "GB":
        body = "".join(chance.choices(string.ascii_uppercase, k=4)) + body[4:]
    as_number = "".join(str(int(char, 36)) for char in body + country + "00")
    number = f"{country}{98 - int(as_number) % 97:02}{body}"
    return number if chance.random() < 0.5 else re.sub(r"(.{4})(?=.)", r"\1 ", number)


def email(chance):
    names = ("anna.lee", "j_smith", "omar+work", "k-tanaka", "team42")
    hosts = ("example.com", "mail.example.co.uk", "sub.example.museum", "example.org")
    return f"{chance.choice(names)}{digits(chance, 2)}@{chance.choice(hosts)}"


def phone(chance):
    area, middle, last = (
        str(chance.randint(201, 989)),
        digits(chance, 3),
        digits(chance, 4),
    )
    return chance.choice(
        (
            f"({area}) {middle}-{last}",
            f"{area}-{middle}-{last}",
            f"+1 {area}.{middle}.{last}",
            f"+44 20 {digits(chance, 4)} {last}",
            f"+49 30 {digits(chance, 6)}",
            f"+966 50 {middle} {last}",
            f"+91 98{digits(chance, 3)} {digits(chance, 5)}",
            f"020 {digits(chance, 4)} {last}",
            f"06 {' '.join(digits(chance, 2) for _ in range(4))}",
            f"030/{digits(chance, 4)} {last}",
            f"05{digits(chance, 8)}",
            f"04-{middle} {last}",
        )
    )


def social_security_number(chance):
    return f"{chance.randint(100, 665)}-{chance.randint(10, 99)}-{chance.randint(1000, 9999)}"


def emirates_id(chance):
    return f"784-{chance.randint(1950, 2010)}-{digits(chance, 7)}-{digits(chance, 1)}"


def address(chance):
    return ".".join(str(chance.randint(1, 254)) for _ in range(4))


KINDS = (card, iban, email, phone, social_security_number, emirates_id, address)
TEXTS = (
    "You can reach me at {}, thanks.",
    "Her data: {} (as stored on Monday).",
    "الرقم هو {} كما طلبت.",
    "ref={}; status=open",
    "{}",
)
OTHER_TEXTS = ("See {} for more, thanks.", *TEXTS[1:])
"""Nobody can be reached at a version: beside such words any number is a telephone's."""


def other(chance):
    """A number or name that is nobody's."""
    last = digits(chance, 4)
    return chance.choice(
        (
            f"order {digits(chance, 6)}",
            f"2026-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}",
            f"{chance.randint(1, 12):02}/{chance.randint(1, 28):02}/2026",
            f"{chance.randint(0, 23):02}:{chance.randint(0, 59):02}:30",
            f"version {chance.randint(1, 9)}.{chance.randint(0, 20)}.{chance.randint(0, 9)}",
            f"${chance.randint(1, 999)},{digits(chance, 3)},{digits(chance, 3)}.50",
            f"ISBN 978-3-16-{digits(chance, 6)}-{digits(chance, 1)}",
            f"section {chance.randint(1, 9)}.{chance.randint(1, 9)}",
            f"{chance.randint(1, 99)} of {chance.randint(100, 9999)} records",
            f"@handle{digits(chance, 2)}",
            f"commit {chance.randbytes(4).hex()}",
            f"room {digits(chance, 3)}-{digits(chance, 2)}",
            f"{chance.randint(1, 9)}.{'.'.join(digits(chance, 1) for _ in range(3))}-{last}",
            f"1.{chance.randint(0, 20)}.0+2026{digits(chance, 7)}",
            f"2026-11-{chance.randint(10, 28)}T{chance.randint(10, 23)}:20:30.{digits(chance, 6)}Z",
            f"202611{chance.randint(10, 28)}-{chance.randint(10, 23)}{chance.randint(10, 59)}",
            f"1{chance.randint(5, 8)}{digits(chance, 8)}",
            f"1{chance.randint(5, 8)}{digits(chance, 11)}",
            f"trace {digits(chance, 19)}",
            str(UUID(int=chance.getrandbits(128), version=4)),
        )
    )


def blacked(text, value):
    """Whether nothing of a mark that is worth anything is left."""
    shown = mask(text)
    return not any(value[start : start + 4] in shown for start in range(len(value) - 3))


@pytest.fixture(scope="module")
def chance():
    return random.Random(17)  # noqa: S311 -- the same texts every time


def test_recall_and_precision_of_redaction(chance):
    missed, wrong, right = [], [], 0
    for number in range(MARKS):
        value = KINDS[number % len(KINDS)](chance)
        text = chance.choice(TEXTS).format(value)
        if blacked(text, value):
            right += 1
        else:
            missed.append(text)
    for _ in range(OTHERS):
        text = chance.choice(OTHER_TEXTS).format(other(chance))
        if BLACK in mask(text):
            wrong.append(text)
    assert right / MARKS >= LEAST_RECALL, missed[:10]
    assert right / (right + len(wrong)) >= LEAST_PRECISION, wrong[:10]
