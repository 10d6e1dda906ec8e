"""Secrets in a text: known forms of keys, and values that a name calls secret."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from math import log2
from typing import NamedTuple

from assay.data import lexicon
from assay.safety.marks import MAX_MARKS, Mark, overlaps

LEXICON = "secret_values"
MIN_CLASSES = 3
"""Kinds of characters, of four, that a password has at least which no "is" announces."""
SHORTEST = 4
"""Characters that a password has at least; codes of digits may have three."""
LONGEST = 400
"""Characters of a hit that are looked at."""
BARE = "password (bare)"
"""Nothing but a blank stands between the word and its value, which must look the more like one."""
NAMED = frozenset(
    (
        *("named secret", "password", "password (ar)", BARE, f"{BARE} (ar)", "bearer token"),
        *("one-time code", "one-time code (ar)"),
    )
)
"""Kinds whose value must look like a secret, because their form is loose."""
_VALUE = re.compile(r"(?:is|was|to|هي|هو|[:=]|=>|bearer)\s*[\"'`]?([^\s\"'`]+)[\"'`.,;]*$", re.I)
_PLACEHOLDER = re.compile(
    r"your|example|sample|placeholder|changeme|change_me|dummy|redacted|hidden|insert|replace|todo"
    r"|xxx|\*\*\*|\.\.\.|<|>|\{|\}|\$\(|os\.environ|getenv|process\.env|secrets?\.|vault|env\.|_here"
    r"|foo|bar$|abc123|123456$|test[-_]?(?:key|token|secret)|password$|secret$|████",
    re.I,
)
_IN_ADDRESS = re.compile(r"://[^:@]*:(.+)@")
_STAND_INS = frozenset(("pass", "pwd", "passwd", "pw", "secret", "password"))
"""What stands for a password in the pattern of an address."""
_SIGN = re.compile(r"[!@#$%^&*?+=~]")
_DOCUMENTED = re.compile(r"AKIAIOSFODNN7EXAMPLE|wJalrXUtnFEMI", re.I)


class Secret(NamedTuple):
    """A secret, and how likely it is one, from 0 to 1."""

    kind: str
    start: int
    end: int
    probability: float


def find_secrets(text: str, marks: Sequence[Mark], weights: Mapping[str, float]) -> list[Secret]:
    """The secrets of a text, the surest first; placeholders are none."""
    result: list[Secret] = []
    for mark in sorted(marks, key=lambda m: (-weights[m.name], m.start))[:MAX_MARKS]:
        written = text[mark.start : min(mark.end, mark.start + LONGEST)]
        if overlaps(mark, [Mark(s.kind, s.start, s.end) for s in result]):
            continue
        probability = _judge(mark.name, written, weights[mark.name])
        if probability > 0:
            kind = mark.name.partition(" (")[0]
            result.append(Secret(kind, mark.start, mark.end, probability))
    return result


def _judge(name: str, written: str, weight: float) -> float:
    """How likely a form is a secret, given its value."""
    if _DOCUMENTED.search(written):
        return 0.0
    if name == "password in address" and (inner := _IN_ADDRESS.search(written)):
        value = inner.group(1)
        is_stand_in = value.lower() in _STAND_INS or _PLACEHOLDER.search(value)
        return 0.0 if is_stand_in else weight
    if name not in NAMED:
        return 0.0 if _PLACEHOLDER.search(written) and name != "private key" else weight
    match = _VALUE.search(written)
    value = match.group(1).rstrip(".,;:!?") if match else written.split()[-1]
    if _PLACEHOLDER.search(value) or value.lower() in _plain_words():
        return 0.0
    if name.startswith("one-time code"):
        return weight
    if len(value) < SHORTEST:
        return 0.0
    classes = sum(bool(re.search(kind, value)) for kind in ("[a-z]", "[A-Z]", r"\d", r"[^\w\s]"))
    if name.startswith(BARE) and (classes < MIN_CLASSES or not _SIGN.search(value)):
        return 0.0
    if classes < 2:
        return 0.15 if name.startswith("password") else 0.0
    if name == "named secret" and (not re.search(r"\d", value) or entropy(value) < 2.5):
        return 0.2
    return min(0.95, weight + 0.1 * (classes - 2) + (0.1 if len(value) >= 8 else 0.0))


def entropy(value: str) -> float:
    """Bits per character of a text."""
    counts = [value.count(char) for char in set(value)]
    return -sum(c / len(value) * log2(c / len(value)) for c in counts)


@cache
def _plain_words() -> frozenset[str]:
    return frozenset(pattern.name for pattern in lexicon("words_after_password.en").patterns)
