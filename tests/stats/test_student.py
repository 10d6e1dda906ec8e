import pytest
from scipy import stats

from assay.stats.student import normal_quantile, student_quantile


@pytest.mark.parametrize("share", [0.8, 0.975, 0.025])
@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 9, 29, 999, 100_000])
def test_quantiles_agree_with_scipy(share, freedom):
    assert student_quantile(share, freedom) == pytest.approx(stats.t.ppf(share, freedom), rel=2e-3)
    assert normal_quantile(share) == pytest.approx(stats.norm.ppf(share), abs=1e-12)
