from math import ceil

import numpy as np
import pytest
from scipy.stats import t

from assay.stats.paired import sign_flips
from assay.stats.power import detectable, pairs_needed


def test_a_change_of_the_detectable_size_is_found_four_times_of_five():
    rng = np.random.default_rng(5)
    smallest = detectable(0.2, 50)
    found = sign_flips([rng.normal(smallest, 0.2, 50) for _ in range(500)])
    assert 0.75 <= np.mean(np.array(found) <= 0.05) <= 0.85


def test_more_pairs_detect_less():
    sizes = [detectable(1.0, pairs) for pairs in (2, 5, 20, 100, 1000)]
    assert sizes == sorted(sizes, reverse=True)
    assert detectable(1.0, 1) is None
    assert detectable(0.0, 10) == 0.0


@pytest.mark.parametrize(("spread", "difference"), [(0.2, 0.02), (1.0, 0.1)])
def test_so_many_pairs_are_needed(spread, difference):
    assert pairs_needed(spread, difference) == ceil((2.8015851 * spread / difference) ** 2)
    assert pairs_needed(spread, 0.0) is None
    assert pairs_needed(0.0, difference) == 2
    assert detectable(spread, pairs_needed(spread, difference)) == pytest.approx(
        difference, rel=0.01
    )


@pytest.mark.parametrize("pairs", [2, 3, 5, 30])
def test_the_detectable_difference_is_its_formula(pairs):
    both = t.ppf(0.975, pairs - 1) + t.ppf(0.8, pairs - 1)
    assert detectable(0.4, pairs) == pytest.approx(both * 0.4 / pairs**0.5, rel=2e-3)
