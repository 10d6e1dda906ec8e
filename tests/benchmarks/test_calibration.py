import pytest
from benchmarks.calibration import METHODS, PAGE, resample, simulate
from numpy.random import default_rng

from assay.runner.ratings import Ratings

OURS, ROGAN = "strata, Wilson at the effective size (ours)", "Rogan–Gladen, Lang–Reiczigel"


def test_corrected_rates_hold_the_truth():
    found = simulate(0.4, (0.9, 0.8), (100, 1000), 300)
    assert 0.92 <= found[OURS].coverage <= 0.98
    assert found[ROGAN].coverage >= 0.92
    assert found[OURS].width < found["labels alone, Wilson"].width < found[ROGAN].width


def test_a_useless_metric_costs_little():
    found = simulate(0.4, (0.5, 0.5), (100, 1000), 200)
    assert found[OURS].coverage >= 0.9
    assert found[OURS].width < 1.05 * found["labels alone, Wilson"].width


def test_labels_drawn_from_a_known_set_give_its_rate():
    """As on real answers: 600 records, a metric that misses a third of the positive ones."""
    generator = default_rng(4)
    ratings = Ratings("chat.refusal_rate")
    for number in range(600):
        label = int(generator.random() < 0.4)
        called = generator.random() < (0.65 if label else 0.04)
        ratings.add(f"r{number}", 100.0 * called, label)
    found = resample(ratings, "chat.refusal_rate", 100, 40)
    assert found.raw < found.truth - 0.05
    assert found.covered >= 37
    assert found.covered_these >= 36
    assert found.width < found.labels_width


@pytest.mark.parametrize("name", METHODS)
def test_the_page_shows_every_method(name):
    assert f"| {name} |" in PAGE.read_text(encoding="utf-8")
