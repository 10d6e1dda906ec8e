"""Whom to turn to for what: a telephone number, e-mail or web address and its purpose."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.reading import TextReading
from assay.meaning.word_coverage import alike, light_keys
from assay.meaning.word_relations import list_keys

_CONTACT = re.compile(
    r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}|(?:https?://|www\.)[^\s,;)]{3,200}"
    r"|(?<![\w.,])\+?\d(?:[ ()/-]{0,2}\d){5,14}(?![\w,])"
)
_SIGNS = re.compile(r"[ ()/-]")


class _Contact(NamedTuple):
    name: str
    """In lower case; a number without blanks and signs."""
    start: int
    end: int


def other_contact(claim: TextReading, sentences: Sequence[TextReading]) -> ClaimDifference | None:
    """A contact of the statement that the passage gives for something else.

    None of what the statement is about stands beside it there, and all of it beside another one.
    """
    own = _contacts(claim)
    if len(own) != 1:
        return None
    (contact,) = own
    subject = {
        key for key, word in claim.content.items() if not contact.start <= word.start < contact.end
    }
    subject -= light_keys() | list_keys("contacting")
    told = [(sentence, _contacts(sentence)) for sentence in sentences]
    here = [sentence for sentence, known in told if contact.name in _names(known)]
    if not subject or not here or any(_has(one, key) for one in here for key in subject):
        return None
    for sentence, known in told:
        if known and contact.name not in _names(known) and all(_has(sentence, k) for k in subject):
            spans = (contact.start, contact.end, known[0].start, known[0].end)
            quoted = claim.quote(*spans[:2]), sentence.quote(*spans[2:])
            return ClaimDifference("binding", *quoted, *spans)
    return None


def _has(sentence: TextReading, key: str) -> bool:
    return key in sentence.keys or bool(alike(key, sentence.keys))


def _names(contacts: Sequence[_Contact]) -> set[str]:
    return {contact.name for contact in contacts}


def _contacts(reading: TextReading) -> list[_Contact]:
    text = reading.text
    if "@" not in text and "www" not in text and "http" not in text and not _has_number(text):
        return []
    found = [(match.group().rstrip("."), match.start()) for match in _CONTACT.finditer(text)]
    return [_Contact(_plain(name), start, start + len(name)) for name, start in found]


def _has_number(text: str) -> bool:
    return sum(map(str.isdecimal, text)) > len("12345")


def _plain(contact: str) -> str:
    is_number = contact.lstrip("+")[0].isdecimal() and "@" not in contact
    return _SIGNS.sub("", contact) if is_number else contact.lower()
