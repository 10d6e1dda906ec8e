"""Checks on the words of a response."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from assay.checks.expressions import places, text_places
from assay.checks.reading import RecordCheck
from assay.core.wording import counted
from assay.scoring.check_results import CheckResult, decided
from assay.textproc.language import detect, tells_language
from assay.textproc.normal import normalise
from assay.textproc.words import Words

MOST_SHOWN = 60
"""Characters of a text that a sentence shows."""
MOST_OF_CLAUSE = 160
"""Characters of what another part of the program reports."""
MOST_LISTED = 3
"""Texts that a sentence lists."""
UNDETERMINED = "und"
_SENTENCE_END = re.compile("[.!?] (?=[A-Z])")


def quoted(text: str) -> str:
    """A text in quotes as a part of a sentence: on one line, short, not two sentences."""
    return repr(clause(text, MOST_SHOWN))


def clause(text: str, most: int = MOST_OF_CLAUSE) -> str:
    """A text as a part of a sentence: on one line, not too long, not two sentences."""
    plain = "".join(char if char.isprintable() else " " for char in text[: 4 * most])
    shown = _SENTENCE_END.sub("; ", " ".join(plain.split()))
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"


def _listed(texts: Sequence[str]) -> str:
    """Texts in quotes, the first few of them."""
    more = len(texts) - MOST_LISTED
    shown = ", ".join(map(quoted, texts[:MOST_LISTED]))
    return f"{shown} and {more} more" if more > 0 else shown


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
    held = [text for text, own in places.items() if own]
    if check.kind.endswith("-any"):
        none = f"none of {_listed(absent)}" if len(absent) > 1 else f"no {_listed(absent)}"
        fact = f"contains {quoted(held[0]) if held else none}"
        return decided(bool(held), f"the response {fact}", marked)
    fact = f"lacks {_listed(absent)}" if absent else f"contains {_listed(held)}"
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
    fact = f"the response has {counted(length, 'character')}"
    if check.kind == "max-length":
        excess = [(limit, length)] if length > limit else ()
        return decided(length <= limit, f"{fact} (at most {limit:,})", excess)
    marked = _whole(response) if length < limit else ()
    return decided(length >= limit, f"{fact} (at least {limit:,})", marked)


def is_in_language(check: RecordCheck, response: str) -> CheckResult:
    """Whether the response is in the language; what does not tell is unsure."""
    normal = normalise(response)
    words = Words(normal)
    code = detect(normal, words)
    if code == UNDETERMINED:
        return CheckResult("unsure", "the response has no letters, which would tell its language")
    if not tells_language(code, check.value, normal, len(words.all)):
        return CheckResult("unsure", "the response is too short to tell its language")
    other = "" if code == check.value else f", not in {check.value!r}"
    return decided(code == check.value, f"the response is in {code!r}{other}")


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
