"""Checks on the words of a response."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from assay.checks.expressions import places, text_places
from assay.checks.reading import RecordCheck
from assay.scoring.check_results import CheckResult, decided
from assay.textproc.language import detect, tells_language
from assay.textproc.normal import normalise
from assay.textproc.words import Words

MOST_SHOWN = 60
"""Characters of a text that a sentence shows."""
UNDETERMINED = "und"
_SENTENCE_END = re.compile("[.!?] (?=[A-Z])")


def quoted(text: str) -> str:
    """A text in quotes as a part of a sentence: on one line, short, not two sentences."""
    plain = "".join(char if char.isprintable() else " " for char in text[: 4 * MOST_SHOWN])
    shown = _SENTENCE_END.sub("; ", " ".join(plain.split()))
    return repr(shown if len(shown) <= MOST_SHOWN else f"{shown[: MOST_SHOWN - 1]}…")


def contains(check: RecordCheck, response: str) -> CheckResult:
    """Whether the response holds the text."""
    marked = text_places(check.value, response, ignores_case=check.kind == "icontains")
    verb = "contains" if marked else "does not contain"
    return decided(bool(marked), f"the response {verb} {quoted(check.value)}", marked)


def contains_some(check: RecordCheck, response: str) -> CheckResult:
    """Whether the response holds one, or all, of the texts."""
    ignores_case = check.kind.startswith("i")
    places = {text: text_places(text, response, ignores_case=ignores_case) for text in check.value}
    marked = [place for own in places.values() for place in own]
    absent = [text for text, own in places.items() if not own]
    if check.kind.endswith("-any"):
        is_held = len(absent) < len(places)
        fact = f"contains none of {len(places)} texts"
        if is_held:
            fact = f"contains {quoted(next(text for text, own in places.items() if own))}"
        return decided(is_held, f"the response {fact}", marked)
    fact = f"lacks {quoted(absent[0])}" if absent else f"contains all of {len(places)} texts"
    return decided(not absent, f"the response {fact}", marked)


def equals(check: RecordCheck, response: str) -> CheckResult:
    """Whether the response is the text."""
    if response == check.value:
        return decided(True, "the response is the text", _whole(response))
    start = next(
        (n for n, (a, b) in enumerate(zip(response, check.value, strict=False)) if a != b),
        min(len(response), len(check.value)),
    )
    fact = f"the response differs from {quoted(check.value)} from character {start + 1} on"
    return decided(False, fact, [(start, len(response))] if start < len(response) else ())


def starts_with(check: RecordCheck, response: str) -> CheckResult:
    """Whether the response begins with the text."""
    is_held = response.startswith(check.value)
    fact = f"the response {'begins' if is_held else 'does not begin'} with {quoted(check.value)}"
    end = min(len(check.value), len(response))
    return decided(is_held, fact, [(0, end)] if end else ())


def ends_with(check: RecordCheck, response: str) -> CheckResult:
    """Whether the response ends with the text."""
    is_held = response.endswith(check.value)
    fact = f"the response {'ends' if is_held else 'does not end'} with {quoted(check.value)}"
    start = max(0, len(response) - len(check.value))
    return decided(is_held, fact, [(start, len(response))] if start < len(response) else ())


def matches(check: RecordCheck, response: str) -> CheckResult:
    """Whether the pattern matches somewhere."""
    hits = list(places(check.value, response))
    verb = "matches" if hits else "does not match"
    marked = [(start, end) for start, end in hits if start < end]
    return decided(bool(hits), f"the response {verb} the pattern {quoted(check.value)}", marked)


def has_length(check: RecordCheck, response: str) -> CheckResult:
    """Whether the response is as short, or as long, as asked."""
    length, limit = len(response), check.value
    fact = f"the response has {length:,} characters, and {limit:,} are the "
    if check.kind == "max-length":
        excess = [(limit, length)] if length > limit else ()
        return decided(length <= limit, f"{fact}most", excess)
    return decided(length >= limit, f"{fact}least", _whole(response) if length < limit else ())


def is_in_language(check: RecordCheck, response: str) -> CheckResult:
    """Whether the response is in the language; what does not tell is unsure."""
    normal = normalise(response)
    words = Words(normal)
    code = detect(normal, words)
    if code == UNDETERMINED:
        return CheckResult("unsure", "the response has no letters, which would tell its language")
    if not tells_language(code, check.value, normal, len(words.all)):
        return CheckResult("unsure", "the response is too short to tell its language")
    return decided(code == check.value, f"the response is in {code!r}")


def _whole(response: str) -> list[tuple[int, int]]:
    return [(0, len(response))] if response else []


TEXT_CHECKS: Mapping[str, Callable[[RecordCheck, str], CheckResult]] = {
    "contains": contains,
    "icontains": contains,
    "contains-any": contains_some,
    "contains-all": contains_some,
    "icontains-any": contains_some,
    "icontains-all": contains_some,
    "starts-with": starts_with,
    "ends-with": ends_with,
    "regex": matches,
    "max-length": has_length,
    "min-length": has_length,
    "language": is_in_language,
}
"""Kind → the function that decides it by the response alone."""
