"""Contexts as systems give them with their answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from sys import float_info
from typing import Any

from assay.core import Document

_CONTENT = ("content", "text", "page_content", "pageContent")
_SCORE = ("similarity_score", "score", "similarity")


def read_contexts(value: Any) -> tuple[Document, ...]:
    """Documents from texts and objects, one or a list; raises `ValueError` for anything else."""
    if value is None:
        return ()
    items = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
    return tuple(_document(place, item) for place, item in enumerate(items))


def _document(place: int, item: Any) -> Document:
    if isinstance(item, Document):
        return item
    if isinstance(item, str):
        return Document(item)
    if not isinstance(item, Mapping):
        raise ValueError(f"context {place + 1} is {type(item).__name__}; expected text or object")
    inner = item.get("metadata")
    given = {**(inner if isinstance(inner, Mapping) else {}), **item}
    content = next((given[key] for key in _CONTENT if isinstance(given.get(key), str)), None)
    if content is None:
        raise ValueError(f"context {place + 1} has no text under {' or '.join(_CONTENT[:2])!r}")
    page = given.get("page")
    scores = (_number(given.get(key)) for key in _SCORE)
    return Document(
        content,
        id=_text(given.get("id")),
        source=_text(given.get("source")),
        page=page if type(page) is int and page >= 0 else None,
        similarity_score=next((score for score in scores if score is not None), None),
    )


def _text(value: Any) -> str | None:
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else None


def _number(value: Any) -> float | None:
    is_number = type(value) in (int, float) and abs(value) <= float_info.max
    return float(value) if is_number else None
