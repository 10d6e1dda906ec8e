"""Keeping secrets out of what is shown or stored, and making foreign words harmless."""

from __future__ import annotations

from collections.abc import Iterable

from assay.core.secrets import redactor, spellings

HIDDEN = "[secret]"
MIN_SECRET = 4
"""Shorter texts are no secrets: hiding them would only make messages unreadable."""
MAX_SAID = 200
"""How many characters of what the other side said are repeated."""


def hide(text: str, secrets: Iterable[str], shortest: int = MIN_SECRET) -> str:
    """The text with every secret replaced, also where it stands encoded."""
    forms = {form for secret in secrets if len(secret) >= shortest for form in spellings(secret)}
    for form in sorted(forms, key=len, reverse=True):
        text = text.replace(form, HIDDEN)
    return text


def safe_message(text: str, secrets: Iterable[str]) -> str:
    """Foreign words on one line: no control characters, no secrets, not many.

    Besides the secrets that are given, those of this process's environment are hidden too, and what
    looks like one.
    """
    head = text[: 20 * MAX_SAID]
    printable = "".join(char if char.isprintable() else " " for char in head)
    words = redactor()(hide(" ".join(printable.split()), secrets))
    return words if len(words) <= MAX_SAID else words[: MAX_SAID - 1] + "…"
