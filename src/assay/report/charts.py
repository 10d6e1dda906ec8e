"""Small pictures as inline SVG: a mean with its interval, a rate, a distribution."""

from __future__ import annotations

from collections.abc import Sequence

from assay.core import Interval, Range
from assay.report.markup import Markup, element, join

HEIGHT = 28
"""Of a distribution; all pictures are 100 wide and stretch to their place."""
_TRACK = 10
"""Height of a bar's picture."""


def mean_bar(
    mean: float, ends: Interval | None, threshold: float | None, range: Range, said: str
) -> Markup:
    """A mean on its scale with its interval and threshold; nothing for an open scale."""
    low, high = range
    if low is None or high is None:
        return Markup()

    def place(value: float) -> float:
        return round(100 * min(1.0, max(0.0, (value - low) / (high - low))), 2)

    parts = [_rect("track", 0, 100, 3, 4)]
    if ends:
        width = max(1.0, place(ends.high) - place(ends.low))
        parts.append(_rect("interval", min(place(ends.low), 100 - width), width, 1, 8))
    if threshold is not None:
        parts.append(_rect("limit", min(place(threshold), 99.2), 0.8, 0, _TRACK))
    parts.append(_rect("mean", min(max(place(mean) - 0.8, 0), 98.4), 1.6, 0, _TRACK))
    return _picture("bar", _TRACK, said, parts)


def rate_bar(rate: float, said: str) -> Markup:
    """A rate as the filled part of a bar."""
    filled = _rect("good", 0, round(100 * rate, 2), 3, 4)
    kind = "missed" if rate < 1 else "track"
    return _picture("bar", _TRACK, said, [_rect(kind, 0, 100, 3, 4), filled])


def histogram(bins: Sequence[int], said: str) -> Markup:
    """Equal bins from the worst quality on the left to the best on the right."""
    if not any(bins):
        return Markup()
    width, top = 100 / len(bins), max(bins)
    bars = [
        _rect("column", round(place * width + 0.4, 2), round(width - 0.8, 2), HEIGHT - tall, tall)
        for place, amount in enumerate(bins)
        if amount
        # A single sample among thousands stays visible.
        for tall in [round(max(1.5, (HEIGHT - 1) * amount / top), 2)]
    ]
    return _picture("histogram", HEIGHT, said, [_rect("track", 0, 100, HEIGHT - 0.6, 0.6), *bars])


def _rect(kind: str, x: float, width: float, y: float, height: float) -> Markup:
    return element(
        "rect",
        class_=kind,
        x=f"{x:g}",
        y=f"{y:g}",
        width=f"{width:g}",
        height=f"{height:g}",
    )


def _picture(kind: str, height: int, said: str, parts: Sequence[Markup]) -> Markup:
    return element(
        "svg",
        element("title", said),
        join(parts),
        class_=kind,
        viewBox=f"0 0 100 {height}",
        preserveAspectRatio="none",
        role="img",
    )
