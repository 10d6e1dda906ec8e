"""Evidence in words: which text a span speaks of, and what it says there.

A span's field is the name of a sample's field; an entry of a list or mapping is named as in
`contexts[0]` or `translations[ar]`. A tool call, such as `tool_calls[2]`, is its JSON text,
a turn, such as `conversation[1]`, its content.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from assay.core import Document, Sample, Span
from assay.core.jsontext import dumps
from assay.report.safe_text import one_line

CALLS = ("tool_calls", "expected_tool_calls")
"""Fields whose entries are objects, which are shown as JSON."""
SNIPPET = 80
"""Characters of evidence quoted in a sentence."""
_FIELD = re.compile(r"(\w+)(?:\[([\w-]+)\])?")
_SAMPLE_FIELDS = frozenset(field.name for field in fields(Sample))


def text_of(sample: Sample, field: str) -> str | None:
    """The text that a span's field names; None when the sample has no such text."""
    match = _FIELD.fullmatch(field)
    if not match or match[1] not in _SAMPLE_FIELDS:
        return None
    value = getattr(sample, match[1])
    if match[2] is not None:
        value = _entry(value, match[2])
    if isinstance(value, Document):
        value = value.content
    if match[1] in CALLS and match[2] is not None and not (value is None or isinstance(value, str)):
        value = dumps(value)
    if match[1] == "conversation" and isinstance(value, Mapping):
        value = value.get("content")
    return value if isinstance(value, str) else None


def _entry(value: Any, key: str) -> Any:
    if isinstance(value, Mapping):
        return value.get(key)
    is_place = isinstance(value, tuple) and key.isdecimal() and int(key) < len(value)
    return value[int(key)] if is_place else None


def quoted(sample: Sample, span: Span) -> str:
    """The words of a span on one line, or its label when they cannot be shown."""
    text = text_of(sample, span.field)
    return one_line((text or "")[span.start : span.end], SNIPPET) or one_line(span.label, SNIPPET)


def snippets(sample: Sample, evidence: Iterable[Span], most: int = 3) -> list[str]:
    """The first distinct pieces of evidence, quoted."""
    quotes: dict[str, None] = {}
    for span in evidence:
        if words := quoted(sample, span):
            quotes[words] = None
        if len(quotes) == most:
            break
    return list(quotes)
