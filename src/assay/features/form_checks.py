"""The documented checks of an answer's form."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping

from assay.core import Result, Span, text_feature

Checks = Mapping[str, bool]
"""Name of a check → whether the text holds it."""
MIN_LENGTH = 10
"""MIN_RESPONSE_LENGTH of the documented settings."""
ENDINGS = (".", "!", "?", ":", ";")
"""The documented marks with which an answer ends properly."""
ENDINGS_OF_ALL_SCRIPTS = (*ENDINGS, *"…؟۔؛。！？：；।॥։።")
_TAG = re.compile(r"</?[a-z][a-z0-9:-]*(?:[\s/][^<>]*)?>|<!--|<!doctype\b", re.IGNORECASE)


@text_feature()
def checks(text: str) -> Checks:
    """The documented checks with their default limits."""
    return quality_checks(text)


def quality_checks(
    text: str, min_length: int = MIN_LENGTH, max_length: int | None = None
) -> dict[str, bool]:
    """The documented checks, by the documented rule; the last only where there is a limit."""
    stripped = text.strip()
    outcome = {
        "has_minimum_length": len(stripped) >= min_length,
        "is_not_empty": bool(stripped),
        "has_no_html_tags": "<" not in text and ">" not in text,
        "ends_properly": stripped.endswith(ENDINGS),
    }
    return (
        outcome if max_length is None else {**outcome, "within_max_length": len(text) <= max_length}
    )


def unicode_checks(
    text: str, min_length: int = MIN_LENGTH, max_length: int | None = None
) -> dict[str, bool]:
    """The checks with the marks of all scripts, and with real tags instead of `<` and `>`."""
    usual = quality_checks(text, min_length, max_length)
    del usual["has_no_html_tags"], usual["ends_properly"]
    return {
        **usual,
        "has_no_html_tags_strict": next(tags(text), None) is None,
        "ends_properly_unicode": without_closing(text.strip()).endswith(ENDINGS_OF_ALL_SCRIPTS),
    }


def quality_share(result: Checks, evidence: tuple[Span, ...]) -> Result:
    """The share of checks that hold, as a result that names the others."""
    failed = [name for name, holds in result.items() if not holds]
    detail = f"; it fails {', '.join(failed)}" if failed else ""
    held = len(result) - len(failed)
    explanation = f"The response holds {held} of {len(result)} checks{detail}."
    return Result(held / len(result), explanation, evidence, result)


def last_character(text: str, label: str) -> list[Span]:
    """The place of the last character that is no blank; nothing in an empty text."""
    end = len(text.rstrip())
    return [Span("response", end - 1, end, label)] if end else []


def tags(text: str) -> Iterator[tuple[int, int]]:
    """Where tags and comments of HTML begin and end."""
    return (tag.span() for tag in _TAG.finditer(text))


def without_closing(stripped: str) -> str:
    """The text without the quotes and brackets that close it."""
    end = len(stripped)
    while end and (stripped[end - 1] in "\"'`*_" or _closes(stripped[end - 1])):
        end -= 1
    return stripped[:end]


def _closes(char: str) -> bool:
    """Whether the character is a closing bracket or quote."""
    return unicodedata.category(char) in ("Pe", "Pf", "Pi")
