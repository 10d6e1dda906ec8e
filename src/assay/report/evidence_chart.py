"""Pictures of the evidence, as SVG: figures with their intervals on one axis."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

WIDTH, LABELS, RIGHT = 760, 330, 90
ROW, HEAD, FOOT = 20, 26, 44
COLOURS = {
    "ours": "#00796b",
    "published rule": "#8e5bb5",
    "baseline": "#c77700",
}
GREY, INK = "#b8b8b8", "#222222"


class ChartMark(NamedTuple):
    """One figure with its interval."""

    kind: str
    """`ours`, `published rule` or `baseline`."""
    name: str
    value: float
    low: float
    high: float


class ChartBlock(NamedTuple):
    """The figures of one set, and what is to be said of it."""

    title: str
    marks: Sequence[ChartMark]
    note: str = ""


def chart(
    blocks: Sequence[ChartBlock], axis: str, low: float, high: float, line: float | None, title: str
) -> str:
    """A picture: for each set its figures as dots, intervals as bars."""
    parts: list[str] = []
    y = 34.0

    def x(value: float) -> float:
        inside = min(max(value, low), high)
        return LABELS + (inside - low) / (high - low) * (WIDTH - LABELS - RIGHT)

    top = y
    for block in blocks:
        y += HEAD
        parts.append(_text(8, y - 8, block.title, weight="bold"))
        for mark in block.marks:
            colour = COLOURS[mark.kind]
            middle = y + ROW / 2
            parts += [
                _text(18, middle + 4, f"{mark.kind}: {mark.name}", fill=colour),
                f'<line x1="{x(mark.low):.1f}" x2="{x(mark.high):.1f}" y1="{middle:.1f}" '
                f'y2="{middle:.1f}" stroke="{colour}" stroke-width="3" stroke-opacity="0.45"/>',
                f'<circle cx="{x(mark.value):.1f}" cy="{middle:.1f}" r="4.5" fill="{colour}"/>',
                _text(WIDTH - RIGHT + 12, middle + 4, f"{mark.value:.2f}", fill=colour),
            ]
            y += ROW
        if block.note:
            parts.append(_text(18, y + 14, block.note, fill="#555555", style="italic"))
            y += ROW
    ticks = [low + (high - low) * step / 5 for step in range(6)]
    grid = [
        f'<line x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="{top:.1f}" y2="{y:.1f}" '
        f'stroke="{GREY}" stroke-width="0.5"/>'
        + _text(x(tick), y + 16, f"{tick:.2g}", anchor="middle")
        for tick in ticks
    ]
    if line is not None:
        grid.append(
            f'<line x1="{x(line):.1f}" x2="{x(line):.1f}" y1="{top:.1f}" y2="{y:.1f}" '
            f'stroke="{INK}" stroke-width="1" stroke-dasharray="4 3"/>'
        )
    height = y + FOOT
    message = axis + ("; dashed: chance" if line is not None else "")
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" '
            f'width="{WIDTH}" height="{height:.0f}" role="img" font-size="12" '
            f'font-family="system-ui, sans-serif">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{WIDTH}" height="{height:.0f}" fill="#ffffff"/>',
            _text(8, 22, title, weight="bold", size=15),
            *grid,
            *parts,
            _text(LABELS, height - 8, message, fill="#555555"),
            "</svg>",
            "",
        ]
    )


def _text(
    x: float,
    y: float,
    text: str,
    *,
    fill: str = INK,
    weight: str = "normal",
    style: str = "normal",
    anchor: str = "start",
    size: int = 12,
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" fill="{fill}" font-weight="{weight}" '
        f'font-style="{style}" text-anchor="{anchor}" font-size="{size}">{escape(text)}</text>'
    )
