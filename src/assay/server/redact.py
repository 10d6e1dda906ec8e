"""The one place that blacks out secrets, before anything is logged or answered.

Known secrets (the values of variables whose names say so) are found in every usual spelling;
unknown ones by their form: our own keys, bearer tokens, passwords in URLs, `key=value` pairs.
"""

from __future__ import annotations

import base64
import logging
import re
from collections.abc import Iterable, Mapping
from urllib.parse import quote, quote_plus

from assay.report.safe_text import visible

HIDDEN = "[hidden]"
MIN_LENGTH = 6
"""Shorter values are words that stand everywhere."""
_NAMES = re.compile(r"(?i)(?:key|token|secret|passw|credential|auth|dsn|cookie)")
"""Variables that hold secrets, by a part of their names."""
_FORMS = (
    (re.compile(r"assay_(?:read|write|admin)_[A-Za-z0-9_-]+"), HIDDEN),
    (re.compile(r"(?i)\b(bearer|basic)(\s+|%20)[A-Za-z0-9._~+/=-]{6,}"), rf"\1 {HIDDEN}"),
    (re.compile(r"(?i)([a-z][a-z0-9+.-]*://)[^\s/@'\"]*:[^\s/@'\"]*@"), rf"\1{HIDDEN}@"),
    (
        re.compile(
            r"(?i)\b([a-z0-9_-]*(?:api[_-]?key|token|secret|passw(?:or)?d|session))"
            r"(['\"]?\s*[=:]\s*['\"]?)[^\s'\"&,;}\]]{4,}"
        ),
        rf"\1\2{HIDDEN}",
    ),
    (re.compile(r"\b(?:sk|pk|ghp|gho|xox[abp]|hf)[-_][A-Za-z0-9_-]{12,}"), HIDDEN),
)


class Redactor:
    """Blacks out known secrets and what looks like one."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        spellings = {form for secret in secrets for form in _spellings(secret)}
        longest_first = sorted(spellings, key=lambda form: (-len(form), form))
        known = "|".join(map(re.escape, longest_first))
        self._known = re.compile(known) if known else None

    @classmethod
    def of(cls, environ: Mapping[str, str], *secrets: str) -> Redactor:
        """One that knows the secrets of an environment, and others."""
        found = [value for name, value in environ.items() if _NAMES.search(name)]
        return cls([*found, *secrets])

    def __call__(self, text: str) -> str:
        """The text without secrets."""
        if self._known:
            text = self._known.sub(HIDDEN, text)
        for form, replacement in _FORMS:
            text = form.sub(replacement, text)
        return text


def _spellings(secret: str) -> Iterable[str]:
    """The secret as it is, in URLs, in base64, and as Python or JSON would print it."""
    if len(secret) < MIN_LENGTH:
        return ()
    data = secret.encode("utf-8", "replace")
    coded = base64.b64encode(data).decode()
    return (
        secret,
        quote(secret),
        quote(secret, safe=""),
        quote_plus(secret),
        coded,
        coded.rstrip("="),
        base64.urlsafe_b64encode(data).decode().rstrip("="),
        repr(secret)[1:-1],
    )


class RedactingFormatter(logging.Formatter):
    """One event is one line, without secrets and without characters that act on a terminal."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._redactor = redactor

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        return visible(self._redactor(super().format(record))).replace("\n", "\\n")


def set_up_logging(redactor: Redactor, level: str = "INFO") -> None:
    """Send all events of this process through the redactor to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(RedactingFormatter(redactor))
    logging.basicConfig(handlers=[handler], level=level, force=True)
