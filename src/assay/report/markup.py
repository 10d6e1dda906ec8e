"""Elements of XML, safe by construction.

Text that is not `Markup` already is escaped when it enters an element, so nobody can forget to.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from assay.report.safe_text import visible


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


def element(tag: str, /, *children: str, **attributes: str | float | bool | None) -> Markup:
    """One element. `class_` is written `class`, `_` elsewhere as `-`; None and False are left out.

    An attribute that is True stands without a value.
    """
    start = f"<{tag}{''.join(_attribute(*pair) for pair in attributes.items())}"
    return Markup(f"{start}>{join(children)}</{tag}>")


def join(parts: Iterable[str], separator: str = "") -> Markup:
    """The parts one after the other, escaped where they are plain text."""
    return Markup(separator.join(_escaped(part) for part in parts))


def _escaped(text: str) -> str:
    return text if isinstance(text, Markup) else escape(visible(text))


def _attribute(name: str, value: str | float | bool | None) -> str:
    if value is None or value is False:
        return ""
    name = name.removesuffix("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escape(visible(str(value)))}"'
