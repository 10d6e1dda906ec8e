"""Calibrations of scores made up for the purpose, with what a careless one gets wrong."""

from math import nan

import pytest

from assay.core import DataError, Result, UsageError, metric
from assay.runner.calibrate import calibrate
from assay.runner.calibration_report import CalibrationRequest
from assay.runner.human_labels import is_blank, read_positive
from assay.runner.ratings import Ratings


@metric(id="own.quality", inputs=(), range=(0, 1), polarity="higher", threshold=0.5)
def quality(response):
    return Result(0.0)


@metric(id="own.harm", inputs=(), range=(0, 1), polarity="lower", threshold=0.5)
def harm(response):
    return Result(0.0)


def ratings(rows, first=0):
    """Ratings of (score, label) rows whose ids are numbers."""
    found = Ratings("own.quality")
    for number, (value, label) in enumerate(rows, first):
        found.add(str(number), value, label)
    return found


HALF = [(place / 40, place % 2) for place in range(40)]


@pytest.mark.parametrize("metric", [quality, harm], ids=["higher is better", "lower is better"])
@pytest.mark.parametrize("turn", [False, True], ids=["as it is", "turned"])
def test_a_threshold_calls_positive_what_its_figures_say(metric, turn):
    """The last positive record has the score at the very end, where a tie decides."""
    rows = [(place / 20, int(place < 10 or place == 20)) for place in range(21)]
    rows = [(1 - score, label) for score, label in rows] if turn else rows
    found = calibrate(
        ratings(rows), metric, CalibrationRequest(aim="recall", at_least=1.0)
    ).verdicts[-1]
    assert found.is_reached
    assert found.counts.recall.value == 1


def test_records_of_which_none_has_a_score_have_the_rate_of_the_labels():
    labelled = ratings([(None, 0), *HALF])
    pool = ratings([(None, None)] * 41)
    found = calibrate(labelled, quality, CalibrationRequest(method="strata"), everything=pool)
    assert found.corrected_rate.interval.low < 0.5 < found.corrected_rate.interval.high
    assert (found.scored, found.raw_rate.value) == (0, None)


@pytest.mark.parametrize("method", ["strata", "rogan-gladen"])
def test_the_rate_of_these_records_needs_labels_among_them(method):
    others = ratings(HALF[:10], first=100)
    wanted = CalibrationRequest(method=method, these_only=True)
    with pytest.raises(UsageError, match="--these-only is for labelled records that are among"):
        calibrate(ratings(HALF), quality, wanted, everything=others)


def test_files_whose_ids_are_the_same_numbers_are_not_taken_for_one():
    others = ratings([(score / 2 + 0.01, None) for score, _ in HALF * 2])
    found = calibrate(ratings(HALF), quality, CalibrationRequest(), everything=others)
    assert found.method == "rogan-gladen"
    same = ratings([(score, None) for score, _ in HALF * 2])
    assert (
        calibrate(ratings(HALF), quality, CalibrationRequest(), everything=same).method == "strata"
    )


def test_records_without_score_and_label_may_be_positive_or_not():
    some = calibrate(ratings([*HALF, *[(None, None)] * 40]), quality, CalibrationRequest())
    low, high = some.corrected_rate.interval
    assert low < 0.3 < 0.7 < high
    assert (some.records, some.scored) == (80, 40)
    assert any("40 records have no score and none of them a label" in one for one in some.warnings)


def test_a_perfect_order_of_few_grades_is_not_certain():
    found = calibrate(
        ratings([(grade / 5, grade) for grade in (1, 2, 3, 4, 5)]),
        quality,
        CalibrationRequest(positive=(">=4",)),
    )
    assert found.spearman == (1.0, None)


@pytest.mark.parametrize("label", [None, "", " ", nan, "NaN"])
def test_an_empty_cell_is_no_label(label):
    assert is_blank(label)
    assert ratings([(1.0, label)]).labels == {}


@pytest.mark.parametrize("label", [0, False, "0", "no", 10**400])
def test_nought_is_a_label(label):
    assert not is_blank(label)
    assert not read_positive(["yes"], [label, "yes"]).holds(label)


def test_a_slip_in_a_positive_label_is_refused():
    with pytest.raises(UsageError, match=r"--positive 'refusl' fits no label; found are 'refusal'"):
        read_positive(["refusl", "refusal"], ["refusal", "answer"])


def test_long_numbers_are_told_apart():
    assert not read_positive(["1234567"], ["1234567", "1234568"]).holds(1234568)


def test_one_label_is_of_one_kind():
    with pytest.raises(DataError, match=r"are positive .*, 1 in number; label more"):
        calibrate(ratings([(0.5, 1)]), quality, CalibrationRequest())
