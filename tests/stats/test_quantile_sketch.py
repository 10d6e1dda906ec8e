from math import floor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("ddsketch", reason='ddsketch is not installed: pip install "assay-eval[scale]"')

import itertools

from assay.core.jsontext import dumps, loads
from assay.stats.quantile_sketch import ERROR, QUANTILES, QuantileSketch

checked = settings(max_examples=150, deadline=None, derandomize=True)
VALUES = st.lists(
    st.one_of(st.floats(0, 1), st.floats(-1e100, 1e100), st.sampled_from([0.0, 0.5, 1.0])),
    min_size=1,
    max_size=80,
)
SPLITS = st.lists(st.integers(0, 80), max_size=6)


def sketch_of(values):
    sketch = QuantileSketch()
    for value in values:
        sketch.add(value)
    return sketch


@checked
@given(VALUES, SPLITS, st.randoms(use_true_random=False))
def test_any_split_and_order_gives_the_same_quantiles(values, splits, rng):
    ends = [0, *sorted(min(split, len(values)) for split in splits), len(values)]
    parts = [sketch_of(values[a:b]) for a, b in itertools.pairwise(ends)]
    rng.shuffle(parts)
    merged = QuantileSketch()
    for part in parts:
        merged.merge(QuantileSketch.from_json(loads(dumps(part.to_json()))))
    whole = sketch_of(values)
    for share in QUANTILES:
        assert merged.quantile(share) == whole.quantile(share)


@checked
@given(VALUES, st.sampled_from([0.0, *QUANTILES, 1.0]))
def test_a_quantile_lies_within_the_stated_error(values, share):
    exact = sorted(values)[floor(share * (len(values) - 1))]
    sketched = sketch_of(values).quantile(share)
    assert abs(sketched - exact) <= ERROR * abs(exact) * (1 + 1e-9) + 1e-300


def test_several_equal_values_are_one_call():
    one, other = QuantileSketch(), sketch_of([0.25] * 3 + [0.75])
    one.add(0.25, 3)
    one.add(0.75)
    assert [one.quantile(share) for share in QUANTILES] == [
        other.quantile(share) for share in QUANTILES
    ]


def test_nothing_has_no_quantile():
    assert QuantileSketch().quantile(0.5) is None
