import pytest
from benchmarks.coverage import (
    GROUPED,
    PAGE,
    SHAPES,
    false_alarms,
    mcnemar_alarms,
    mean_coverage,
    put,
    rate_coverage,
    rate_difference_coverage,
    tables,
)


@pytest.mark.parametrize("shape", SHAPES[:5], ids=lambda shape: shape.name)
def test_means_of_fifty_samples_are_covered(shape):
    assert 0.90 <= mean_coverage(shape, 50, 200) <= 0.99


def test_means_of_groups_are_covered():
    assert mean_coverage(SHAPES[0], GROUPED, 5) >= 0.6


@pytest.mark.parametrize("rate", [0.5, 0.9])
def test_rates_are_covered(rate):
    assert 0.93 <= rate_coverage(rate, 100) <= 0.97


def test_rate_differences_are_covered():
    assert 0.93 <= rate_difference_coverage(0.1, 0.2, 50) <= 0.97


def test_alarms_are_rare():
    assert false_alarms(SHAPES[0], 20, 400) <= 0.08
    assert mcnemar_alarms(0.4, 50) <= 0.05


def test_the_same_numbers_come_out_every_time():
    assert mean_coverage(SHAPES[3], 10, 50) == mean_coverage(SHAPES[3], 10, 50)


def test_the_page_has_a_place_for_every_table(monkeypatch):
    monkeypatch.setattr("benchmarks.coverage.SIZES", (10,))
    monkeypatch.setattr("benchmarks.coverage.GROUPED", 20)
    page = PAGE.read_text(encoding="utf-8")
    found = put(page, tables(4))
    assert found.count("| n = 10 |") == 5
    assert found.count("<!-- table: ") == page.count("<!-- table: ") == 6
