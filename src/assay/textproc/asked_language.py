"""The language that a request asks for: "translate into Spanish", "answer in French".

English and Arabic requests are read. Blind spots: other wordings, and a request in the system
prompt.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal, NamedTuple

from assay.data import languages

LOOKED_AT = 2000
"""Characters of a request that are read."""
_QUOTED = re.compile(
    r"\"[^\"\n]{1,300}\"|«[^»\n]{1,300}»|“[^”\n]{1,300}”|(?<!\w)'[^'\n]{1,300}'(?!\w)"
)
_END = r"(?=\s*(?:$|[.,;:!?)\n-]|please|and|for|so|with|only|to me|in))"


Purpose = Literal["translation", "wording", "answer"]
"""What is wanted in that language: a text, how something is said, or the answer itself."""


class AskedLanguage(NamedTuple):
    """The language in which the response is wanted."""

    code: str
    """`und` for one that cannot be told by its words."""
    purpose: Purpose
    quoted: tuple[str, ...] = ()
    """What stands in quotation marks: most often the text to translate."""


def asked_language(text: str) -> AskedLanguage | None:
    """The language that a request asks for; None where it names none."""
    head = text[:LOOKED_AT]
    lower = head.lower()
    if not _names().search(lower):
        return None
    quoted = tuple(match.group()[1:-1] for match in _QUOTED.finditer(lower))
    plain = _QUOTED.sub(" … ", lower)
    for pattern, purpose in _requests():
        if match := pattern.search(plain):
            return AskedLanguage(languages().names[match.group("name")], purpose, quoted)
    return None


@cache
def _names() -> re.Pattern[str]:
    return re.compile("|".join(sorted(languages().names, key=len, reverse=True)))


@cache
def _requests() -> tuple[tuple[re.Pattern[str], Purpose], ...]:
    """The forms of a request, each with what is wanted."""
    name = f"(?P<name>{_names().pattern})"
    words = languages().requests
    arabic = rf"(?:إلى|الى|ب)\s?(?:اللغة )?(?:ال)?{name}(?!\w)"
    into, inside = rf"\b(?:in|into|to) {name}\b{_END}", rf" in {name}\b{_END}"
    forms: tuple[tuple[str, Purpose], ...] = (
        (rf"\b(?:{words['translating']})\b[^\n]{{0,200}}?{into}", "translation"),
        (rf"(?:{words['arabic_translating']})(?!\w)[^\n]{{0,200}}?{arabic}", "translation"),
        (rf"\b(?:{words['wording']})\b[^\n]{{0,200}}?{inside}", "wording"),
        (rf"\b(?:what is|what's)[^\n.?!]{{0,60}}…[^\n.?!]{{0,10}}{inside}", "wording"),
        (rf"(?:{words['arabic_wording']})(?!\w)[^\n]{{0,200}}?{arabic}", "wording"),
        (rf"\b(?:{words['answering']})\b[^\n.?!]{{0,60}}?{inside}", "answer"),
        (rf"^in {name},? please\b", "answer"),
        (rf"(?:{words['arabic_answering']})(?!\w)[^\n]{{0,60}}?{arabic}", "answer"),
    )
    return tuple((re.compile(pattern), purpose) for pattern, purpose in forms)
