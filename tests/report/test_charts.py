from __future__ import annotations

import re

from assay.core import Interval
from assay.report.charts import histogram, mean_bar, rate_bar


def _rects(picture: str) -> dict[str, tuple[float, float]]:
    """Kind → left end and width."""
    found = re.findall(r'class="(\w+)" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', picture)
    return {kind: (float(x), float(width)) for kind, x, width in found}


def test_a_mean_stands_at_its_place() -> None:
    rects = _rects(mean_bar(50, Interval(40, 70), 80, (0, 100), ""))
    assert rects["interval"] == (40, 30)
    assert rects["limit"][0] == 80
    assert rects["mean"] == (49.2, 1.6)


def test_the_ends_of_the_scale_stay_inside() -> None:
    for value in (0.0, 1.0, 7.0):
        picture = mean_bar(value, Interval(value, value), value, (0, 1), "")
        assert all(x >= 0 and x + width <= 100 for x, width in _rects(picture).values())


def test_an_open_scale_has_no_bar() -> None:
    assert mean_bar(5, None, None, (0, None), "") == ""


def test_a_rate_is_filled() -> None:
    assert _rects(rate_bar(0.25, ""))["good"] == (0, 25)
    assert "missed" not in _rects(rate_bar(1.0, ""))


def test_a_single_sample_among_thousands_is_visible() -> None:
    picture = histogram([1, 0, 100_000], "said")
    heights = [float(h) for h in re.findall(r'class="column".*?height="([\d.]+)"', picture)]
    assert heights == [1.5, 27]
    assert "<title>said</title>" in picture


def test_nothing_has_no_histogram() -> None:
    assert histogram([], "") == histogram([0, 0], "") == ""
