"""Texts without marks of persons.

Every character of an e-mail address, a telephone, card, account or identity number becomes `█`, so
that all places stay right. The forms and labels are those of `safety.pii`; whose data it is does
not matter here, an institution's and an example's go as well. What the patterns do not know, such
as a person's name, stays.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from assay.data.lexicons import pattern_weights
from assay.safety.checksums import CHECKS, digits
from assay.safety.marks import Mark, sentence_ends
from assay.safety.pii import AFTER, PLACES, REACH, UNLABELLED, Surroundings, number_label
from assay.textproc.normal import Normal, normalise
from assay.textproc.patterns import matcher

BLACK = "█"
FORMS, CONTEXT = "personal_data", "personal_context"
SURE = 0.6
"""The least weight of a form that is personal data wherever it stands."""
LABELS = frozenset(("phone", "national id", "passport", "licence", "medical", "bank account"))
"""What a label may say of the number beside it that makes it personal."""
LEAST_LANDLINE = 9
"""Digits of a national number with its prefix; shorter ones are dates, pages and scores too."""
PHONE_LENGTHS = range(7, 16)
"""Digits of a number that only a label makes a telephone's (E.164 has 15 at most)."""
LONGEST_LABEL = 200
_SEPARATOR = re.compile(r"[ \-./()]")
_TIMESTAMP = re.compile(
    r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[-+]?(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?"
)
_CARD = re.compile(r"3\d{13,14}|4(?:\d{12}|\d{15,18})|(?:2[2-7]|[56]\d)\d{14,17}")
"""How cards begin, by their length; other long numbers hold Luhn's sum one time in ten."""
_VERSION_BEFORE = re.compile(r"(?:\bv|\b(?:version|release|build|section|chapter):?) ?$", re.I)
_VERSION_AFTER = re.compile(r"[+_]\w|-(?!\d{1,3}\.\d)\w")
_JOINED_BEFORE = re.compile(r"\w[-+_.]$")
_JOINED_AFTER = re.compile(r"[-+_]\w|\.\d")
_AMOUNT_BEFORE = re.compile(r"(?:\d[.,]|[$€£])$")
_AMOUNT_AFTER = re.compile(r"[.,]\d| ?[%€]")


def masked(text: str) -> str:
    """The text with marks of persons blacked out."""
    known = normalise(text)
    characters = list(text)
    for mark in structured_data(known):
        start, end = known.span(mark.start, mark.end)
        characters[start:end] = BLACK * (end - start)
    return "".join(characters)


def structured_data(known: Normal) -> Iterator[Mark]:
    """Addresses and numbers of a text that identify somebody."""
    hits = matcher(frozenset({FORMS})).find(known, most=None)
    forms = [Mark(hit.pattern, hit.start, hit.end) for hit in hits]
    numbers = _Numbers(known, forms)
    for mark in forms:
        if "email" in mark.name or (mark.name not in _NO_NUMBERS and numbers.is_personal(mark)):
            yield mark


_NO_NUMBERS = PLACES | {"date"}


class _Numbers:
    """The numbers of a text, and the words and dates around them."""

    def __init__(self, known: Normal, forms: list[Mark]) -> None:
        self._known = known
        self._text = known.text
        self._dates = sorted((m.start, m.end) for m in forms if m.name == "date")

    @cached_property
    def _labels(self) -> list[Mark]:
        hits = matcher(frozenset({CONTEXT})).find(self._known, most=None)
        marks = (Mark(hit.pattern, hit.start, hit.end) for hit in hits)
        return sorted(
            (m for m in marks if m.name.startswith(("label", "reference"))), key=lambda m: m.start
        )

    @cached_property
    def _ends(self) -> list[int]:
        return sentence_ends(self._text)

    def is_personal(self, mark: Mark) -> bool:
        """Whether its label or its form makes a number personal."""
        if mark.name != "ip address" and (self._is_amount(mark) or self._is_date(mark)):
            return False
        text = self._text[mark.start : mark.end]
        if mark.name not in UNLABELLED and self._is_sure(mark, text):
            return True
        label = self._label(mark)
        if label in LABELS:
            return _fits(mark.name, label, text)
        is_weak = label == "reference" or self._is_joined(mark)
        return not is_weak and mark.name in _WEAK and _WEAK[mark.name](text)

    def _is_sure(self, mark: Mark, text: str) -> bool:
        """Whether the form alone is enough, whatever the words beside it say."""
        if mark.name == "ip address":
            return not self._is_version(mark)
        if self._is_joined(mark) or _TIMESTAMP.fullmatch(text):
            return False
        if mark.name in CHECKS and not CHECKS[mark.name](text):
            return False
        rule = _STRONG.get(mark.name)
        return rule(text) if rule else pattern_weights(FORMS)[mark.name] >= SURE

    def _is_amount(self, mark: Mark) -> bool:
        before = _AMOUNT_BEFORE.search(self._text, max(0, mark.start - 2), mark.start)
        return bool(before or _AMOUNT_AFTER.match(self._text, mark.end))

    def _is_date(self, mark: Mark) -> bool:
        """Whether the number is a date, or begins inside of one."""
        place = bisect_left(self._dates, (mark.start + 1, 0)) - 1
        if place < 0:
            return False
        start, end = self._dates[place]
        return mark.end <= end or start < mark.start < end

    def _is_joined(self, mark: Mark) -> bool:
        """Whether the number is only a part of a longer one, or of a name."""
        before = self._text[max(0, mark.start - 2) : mark.start]
        if self._text[mark.start] == "+":
            return before[-1:].isalnum()
        return bool(_JOINED_BEFORE.search(before) or _JOINED_AFTER.match(self._text, mark.end))

    def _is_version(self, mark: Mark) -> bool:
        before = _VERSION_BEFORE.search(self._text, max(0, mark.start - 12), mark.start)
        return bool(before or _VERSION_AFTER.match(self._text, mark.end))

    def _label(self, mark: Mark) -> str:
        first = bisect_left(self._labels, mark.start - REACH - LONGEST_LABEL, key=_start)
        last = bisect_left(self._labels, mark.end + AFTER, key=_start)
        around = Surroundings(self._text, self._labels[first:last], (), self._ends)
        return number_label(mark, *around.sentence(mark.start), around)


def _start(mark: Mark) -> int:
    return mark.start


def _fits(name: str, label: str, text: str) -> bool:
    """Whether a form is one that a label of that kind is said of."""
    if name == "plate":
        return label == "licence"
    if name in ("code", "mixed code"):  # "is 123456" is no code, and its figures are a number
        return label != "phone" and any(char.isupper() for char in text)
    if name == "number":
        return label != "phone" or len(digits(text)) in PHONE_LENGTHS
    return True


def _is_separated(text: str) -> bool:
    return bool(_SEPARATOR.search(text))


def _is_american(text: str) -> bool:
    """Whether an area code of the United States begins it, and no blank parts its figures."""
    return digits(text)[0] > 1 and (" " not in text or "(" in text)


def _is_landline(text: str) -> bool:
    found = digits(text)
    return len(found) >= LEAST_LANDLINE and found[1] != 0


_STRONG: Mapping[str, Callable[[str], bool]] = {
    "international phone": lambda text: text[0] == "+" or _is_separated(text),
    "phone": _is_american,
    "card": lambda text: _is_separated(text) or _CARD.fullmatch(text) is not None,
    "aadhaar": _is_separated,
    "social security number": lambda text: True,
}
"""Form → what makes it personal data whatever stands beside it; others go by their weight."""
_WEAK: Mapping[str, Callable[[str], bool]] = {
    "phone": lambda text: digits(text)[0] > 1,
    "landline": _is_landline,
    "mobile": lambda text: text[0] == "0" or _is_separated(text),
}
"""Form → what makes it personal data unless it is called a reference or part of something."""
