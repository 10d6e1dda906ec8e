from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.optimize import linear_sum_assignment

from assay.jsoncompare import align as json_align
from assay.jsoncompare.align import Identities, assign, by_key, by_likeness, in_order
from assay.jsoncompare.values import exact_text

COSTS = arrays.arrays(
    float,
    st.tuples(st.integers(1, 8), st.integers(1, 8)),
    elements=st.floats(0, 10) | st.integers(0, 3).map(float),
)


@settings(derandomize=True, deadline=None)
@given(COSTS)
def test_no_assignment_is_cheaper(cost):
    pairs = assign(cost)
    rows, columns = zip(*pairs, strict=True)
    assert len(pairs) == min(cost.shape) == len(set(rows)) == len(set(columns))
    cheapest = cost[linear_sum_assignment(cost)].sum()
    assert np.isclose(cost[list(rows), list(columns)].sum(), cheapest)


def test_the_best_match_finds_moved_and_changed_items():
    gt = [{"name": "green tea", "price": 3}, {"name": "coffee", "price": 4}, {"name": "milk"}]
    aio = [{"name": "milk"}, {"name": "coffees", "price": 4}, {"name": "green tea", "price": 5}]
    pairs, cells = by_likeness(gt, aio, Identities(), 100)
    assert pairs == [(0, 2), (1, 1), (2, 0)]
    assert cells == 4


def test_equal_likeness_keeps_the_order():
    assert by_likeness(["a", "b"], ["x", "y"], Identities(), 100)[0] == [(0, 0), (1, 1)]


def test_the_cheaper_method_finds_moved_and_changed_items_too():
    gt = [{"id": n, "name": f"name{n} of item"} for n in range(60)]
    aio = [{"id": n, "name": f"name{n} of thing"} for n in reversed(range(60))]
    pairs, cells = by_likeness(gt, aio, Identities(), 100)
    assert cells == 3600
    assert pairs == [(n, 59 - n) for n in range(60)]


def test_a_key_pairs_items_and_leaves_others_alone():
    gt = [{"id": 1}, {"id": 2}, {"id": 2}, {"no": 1}, {"id": 9}]
    aio = [{"id": 2, "n": 1}, {"no": 2}, {"id": "1"}, {"id": 2, "n": 2}]
    assert by_key(gt, aio, "id") == [(0, 2), (1, 0), (2, 3), (3, 1)]


@given(st.permutations(range(7)))
def test_pairs_in_order_are_the_longest_selection(places):
    pairs = list(enumerate(places))
    kept = in_order(pairs)
    assert all(a[1] < b[1] for a, b in pairwise(kept))
    subsets = ([pairs[n] for n in range(7) if mask >> n & 1] for mask in range(2**7))
    rising = (s for s in subsets if all(a[1] < b[1] for a, b in pairwise(s)))
    assert len(kept) == max(map(len, rising))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["a", "B", "b"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xyz"), inner),
    max_leaves=8,
)


@given(JSON, JSON)
def test_equal_values_have_the_same_number_and_others_do_not(one, other):
    identities = Identities()
    assert (identities.of(one) == identities.of(other)) == (exact_text(one) == exact_text(other))


def test_the_greedy_method_looks_at_the_rarest_parts_where_there_are_too_many(monkeypatch):
    items = [f"n{place} group{place // 4}" for place in range(40)]
    expected = [(place, 39 - place) for place in range(40)]
    for most in (10**6, 200, 40):
        monkeypatch.setattr(json_align, "MAX_SHARED", most)
        pairs, _ = by_likeness(items, [f"{i} !" for i in items[::-1]], Identities(), limit=1)
        assert pairs == expected
