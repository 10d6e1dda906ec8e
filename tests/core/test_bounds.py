from math import nan

import pytest

from assay.core.bounds import clamp


@pytest.mark.parametrize(
    ("value", "expected"), [(-0.1, 0.0), (0.0, 0.0), (0.4, 0.4), (1.0, 1.0), (7, 1.0), (nan, 0.0)]
)
def test_a_value_is_kept_between_0_and_1(value, expected):
    assert clamp(value) == expected
