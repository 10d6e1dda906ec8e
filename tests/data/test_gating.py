"""Which metrics decide passes."""

import pytest

from assay.core import Result, metric
from assay.data import gating
from assay.data.gating import gates, is_ahead, standing
from assay.data.measured_agreement import MeasuredAgreement


def agreement(*, is_ahead=False, interval=(0.6, 0.7), statistic="auroc"):
    return MeasuredAgreement("Is it?", "set", 100, statistic, 0.65, interval, is_ahead, {})


@pytest.fixture
def measured(monkeypatch):
    """Sets what was measured of the metric `own.plain`; of others nothing was."""

    def put(*found):
        monkeypatch.setattr(gating, "measured", lambda name: found if name == "own.plain" else ())

    return put


@metric(id="own.plain", inputs=(), range=(0, 1), polarity="higher")
def plain(response):
    return Result(1.0)


@metric(id="own.exact", inputs=(), range=(0, 1), polarity="higher", exact=True)
def exact(response):
    return Result(1.0)


@metric(id="own.whole", inputs=(), range=(0, 1), polarity="higher")
def whole(scores, *, metrics=("own.plain",)):
    return Result(1.0)


def test_a_metric_gates_when_it_is_chosen_exact_or_ahead(measured):
    measured()
    assert not gates(plain)
    assert gates(plain, is_chosen=True)
    assert gates(exact)
    measured(agreement(), agreement(is_ahead=True))
    assert gates(plain)


def test_a_composite_never_gates(monkeypatch):
    monkeypatch.setattr(gating, "measured", lambda _: (agreement(is_ahead=True),))
    assert not gates(whole, is_chosen=True)


@pytest.mark.parametrize(
    ("found", "ahead"),
    [
        ((), False),
        ((agreement(),), False),
        ((agreement(is_ahead=True),), True),
        ((agreement(is_ahead=True), agreement(interval=(0.45, 0.55))), True),
        ((agreement(is_ahead=True), agreement(interval=(0.3, 0.49))), False),
        ((agreement(is_ahead=True), agreement(interval=(0.3, 0.5))), True),
        ((agreement(is_ahead=True), agreement(interval=(-0.2, -0.1), statistic="spearman")), False),
    ],
)
def test_ahead_on_one_set_and_behind_chance_on_none(measured, found, ahead):
    measured(*found)
    assert is_ahead("own.plain") is ahead


def test_why_it_decides_is_said(measured):
    measured()
    assert standing(plain) == "informational"
    assert standing(exact) == "decides passes (exact check)"
    measured(agreement(is_ahead=True))
    assert standing(plain) == "decides passes (by its evidence)"
