"""The one place that blacks out secrets, before anything is shown, logged, answered or stored.

Known secrets (the values of variables whose names say so, passwords in addresses) are found in
every usual spelling; unknown ones by their form: our own keys, bearer tokens, passwords in URLs,
`key=value` pairs.
"""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from urllib.parse import parse_qsl, quote, quote_plus, unquote, urlsplit

HIDDEN = "[hidden]"
MIN_LENGTH = 6
"""Shorter values are words that stand everywhere."""
MIN_INSIDE = 8
"""What base64 makes of less is too little to be looked for inside of longer texts."""
_NAMES = re.compile(
    r"(?i)(?:key(?!board|map)|token(?!iz)|secret|passw|passphrase|credential|auth(?!or)|dsn|cookie)"
)
"""Variables that hold secrets, by a part of their names; not KEYBOARD, TOKENIZERS or AUTHOR."""
_PASSWORD = re.compile(r"://[^\s/@:]*:([^\s/@]+)@")
"""A password in an address, whatever the variable is called."""
_KEY_LIKE = re.compile(r"(?=.*[0-9])(?=.*[A-Za-z])(?!/)(?!.*://)\S{12,}")
"""Letters and digits, long, and neither a path nor an address."""
_OWN = re.compile(r"assay_(?:read|write|admin)_[A-Za-z0-9_-]+")
_FORMS = (  # each begins with a fixed word, so that the time grows with the length alone
    (_OWN, HIDDEN),
    (
        re.compile(
            r"\b((?i:bearer|basic))(?:\s+|%20)"
            r"(?=[A-Za-z.~-]*(?:[0-9+/=_]|[a-z][A-Z]))[A-Za-z0-9._~+/=-]{6,}"
        ),
        rf"\1 {HIDDEN}",
    ),
    (re.compile(r"(?<=://)[^\s/@'\":]*:[^\s/@'\"]*@"), rf"{HIDDEN}@"),
    (
        re.compile(
            r"(?i)(api[_-]?key|token|secret|passw(?:or)?d|session)"
            r"(['\"]?\s*[=:]\s*['\"]?)[^\s'\"&,;}\]]{4,}"
        ),
        rf"\1\2{HIDDEN}",
    ),
    (re.compile(r"\b(?:sk|pk|ghp|gho|xox[abp]|hf)[-_][A-Za-z0-9_-]{12,}"), HIDDEN),
)


class Redactor:
    """Blacks out known secrets and what looks like one."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        long = [secret for secret in secrets if len(secret) >= MIN_LENGTH]
        self._spelt = {form: spellings(secret) for secret in long for form in spellings(secret)}
        self._known = _pattern(long)
        self._keys = _pattern(filter(_KEY_LIKE.fullmatch, long))

    @classmethod
    def of(cls, environ: Mapping[str, str], *secrets: str) -> Redactor:
        """One that knows the secrets of an environment, and others."""
        return cls([*_secrets(environ), *secrets])

    def known(self, text: str) -> str:
        """The text without known secrets; what only looks like one stays."""
        return self._known.sub(HIDDEN, text) if self._known else text

    def holds(self, text: str) -> bool:
        """Whether a known secret stands in the text, or a key of ours.

        Only one that looks like a key counts: a variable such as AUTH_MODE may hold a word that
        people write.
        """
        return bool((self._keys and self._keys.search(text)) or _OWN.search(text))

    def __call__(self, text: str) -> str:
        """The text without secrets."""
        return self._without_forms(self.known(text))

    def for_sender(self, text: str, sent: str) -> str:
        """The text without secrets, for somebody who sent `sent`.

        What they sent themselves stays as they wrote it: hiding it would tell them that they
        guessed a secret.
        """

        def hide(match: re.Match[str]) -> str:
            is_theirs = any(form in sent for form in self._spelt[match.group()])
            return match.group() if is_theirs else HIDDEN

        return self._without_forms(self._known.sub(hide, text) if self._known else text)

    @staticmethod
    def _without_forms(text: str) -> str:
        for form, replacement in _FORMS:
            text = form.sub(replacement, text)
        return text


def _pattern(secrets: Iterable[str]) -> re.Pattern[str] | None:
    """What finds any spelling of the secrets, the longest first."""
    forms = {form for secret in secrets for form in spellings(secret)}
    longest_first = sorted(forms, key=lambda form: (-len(form), form))
    return re.compile("|".join(map(re.escape, longest_first))) if forms else None


def redactor() -> Redactor:
    """The one that knows the secrets of this process's environment."""
    return _redactor(_secrets(os.environ))


@lru_cache(4)
def _redactor(secrets: tuple[str, ...]) -> Redactor:
    return Redactor(secrets)


def _secrets(environ: Mapping[str, str]) -> tuple[str, ...]:
    """The values that are secret, and passwords inside of others."""
    secrets: list[str] = []
    for name, value in environ.items():
        if _NAMES.search(name):
            secrets.append(value)
        if "://" in value:
            passwords = _PASSWORD.findall(value)
            secrets += [*passwords, *map(unquote, passwords)]
    return tuple(secrets)


def address_secrets(url: str) -> list[str]:
    """What of an address is secret: its password, and parameters whose names say so."""
    given = parse_qsl(urlsplit(url).query)
    parameters = [value for name, value in given if _NAMES.search(name) or name.lower() == "sig"]
    return [*parameters, *map(unquote, _PASSWORD.findall(url))]


def spellings(secret: str) -> set[str]:
    """The secret as it is, in URLs, in base64, and as Python or JSON would print it."""
    data = secret.encode("utf-8", "surrogatepass")
    coded = base64.b64encode(data).decode()
    variants = {
        secret,
        quote(data),
        quote(data, safe=""),
        quote_plus(data),
        coded,
        coded.rstrip("="),
        base64.urlsafe_b64encode(data).decode().rstrip("="),
        repr(secret)[1:-1],
        secret.replace("/", "\\/"),
    }
    return variants | _inside(data) if len(data) >= MIN_INSIDE else variants


def _inside(data: bytes) -> set[str]:
    """What base64 makes of the secret inside of a longer text, by where it starts there."""
    secrets: set[str] = set()
    for before in range(3):
        first, end = -(-8 * before // 6), 8 * (before + len(data)) // 6  # of six bits each
        for code in (base64.b64encode, base64.urlsafe_b64encode):
            secrets.add(code(b"\0" * before + data).decode()[first:end])
    return secrets
