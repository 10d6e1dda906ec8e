from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from assay.core import Interval, Result
from assay.report.figures import (
    count,
    interval,
    limit,
    number,
    percent,
    percent_interval,
    threshold_of,
    verdict,
)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "–"),
        (0.0, "0.000"),
        (0.8125, "0.812"),
        (-0.5, "-0.500"),
        (12.34, "12.3"),
        (1234.5, "1,234"),
        (0.00042, "4.20e-04"),
        (1e300, "1.00e+300"),
    ],
)
def test_number(value: float | None, said: str) -> None:
    assert number(value) == said


@pytest.mark.parametrize(
    ("rate", "said"),
    [
        (None, "–"),
        (0.0, "0.0 %"),
        (1.0, "100.0 %"),
        (0.5, "50.0 %"),
        (0.99999, "> 99.9 %"),
        (0.00001, "< 0.1 %"),
    ],
)
def test_percent_never_rounds_to_all_or_nothing(rate: float | None, said: str) -> None:
    assert percent(rate).replace("\u00a0", " ") == said


def test_intervals() -> None:
    assert interval(Interval(0.1, 0.25)) == "[0.100, 0.250]"
    assert percent_interval(Interval(0.1, 0.25)) == "[10.0\u00a0%, 25.0\u00a0%]"
    assert interval(None) == percent_interval(None) == "–"


def test_count() -> None:
    assert count(1, "sample") == "1\u00a0sample"
    assert count(1200, "entry", "entries") == "1,200\u00a0entries"


def test_limit_shows_the_better_side_of_known_metrics() -> None:
    assert limit(0.9, "text.safety") == "≥\u00a00.9"
    assert limit(0.9, "custom.unknown") == "0.9"
    assert limit(None, "text.safety") == "–"


@pytest.mark.parametrize(
    ("result", "word"),
    [
        (Result(1.0, verdict="pass"), "pass"),
        (Result(0.0, verdict="fail"), "fail"),
        (Result(0.5, verdict="unsure"), "unsure"),
        (Result(1.0), ""),
        (Result.missing("x"), "N/A"),
        (Result.imputed(0.1, "x")._replace(verdict="fail"), "imputed"),
        (Result.error("x"), "error"),
    ],
)
def test_verdict(result: Result, word: str) -> None:
    assert verdict(result) == word


@pytest.mark.parametrize(
    ("threshold", "judged", "shown"),
    [(0.9, 3, "≥\xa00.9"), (None, 3, "varies"), (None, 0, "")],
    ids=["one", "several", "nothing was judged"],
)
def test_a_metric_with_verdicts_has_a_threshold(
    threshold: float | None, judged: int, shown: str
) -> None:
    aggregate: Any = SimpleNamespace(metric="text.safety", threshold=threshold, judged=judged)
    assert threshold_of(aggregate) == shown
