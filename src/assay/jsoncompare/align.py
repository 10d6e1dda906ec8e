"""Which items of two lists belong together.

`best` pairs items so that the sum of their likenesses is the highest there is: equal items first,
which never lowers the sum because unlikeness obeys the triangle inequality, then the others by
optimal assignment. How alike two items are is the weighted Jaccard index of what they are made of:
their values by path, half as whole values and half as words and groups of three letters. Beyond a
number of pairs the others are matched greedily, by rare parts that they share; what is left is
matched by order.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from assay.jsoncompare.values import exact_text, is_null

Pairs = list[tuple[int, int]]
"""Places in the ground truth's list and in the output's."""
MAX_LEAVES = 200
"""So many values of an item decide how alike it is to others."""
MAX_WORDS = 50
MAX_PARTS = 500
"""So many parts of an item are kept, the first ones."""
GRAM = 3
MAX_GRAMS_OF = 40
"""Longer words have no groups of letters: they are told apart as they are."""
RARE = 8
"""A part that more items hold does not lead the greedy method."""
MAX_SHARED = 500_000
"""So many times do two items share a rare part in the greedy method; the rarest parts count then,
so that hostile lists take seconds too."""
TIE = 1e-9
"""What items at the same place are more alike, so that equal likeness keeps the order."""


class Identities:
    """Numbers for values: two values have the same number if and only if they are equal.

    Every object and list is looked at once, from the inside out and without recursion, so that
    lists in lists in lists take linear time.
    """

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}
        self._known: dict[int, int] = {}
        self._kept: list[Any] = []

    def of(self, value: Any) -> int:
        """The number of a value, which must not be changed afterwards."""
        if not isinstance(value, dict | list):
            return self._number(exact_text(value))
        if id(value) not in self._known:
            self._kept.append(value)  # so that its id is not given to another one
            self._visit(value)
        return self._known[id(value)]

    def _visit(self, root: Any) -> None:
        waiting = [(root, False)]
        while waiting:
            value, is_ready = waiting.pop()
            if id(value) in self._known:
                continue
            children = value.values() if isinstance(value, dict) else value
            if is_ready:
                numbers = [self.of(child) for child in children]
                key: Hashable = ("list", *numbers)
                if isinstance(value, dict):
                    pairs = zip(map(str.lower, value), numbers, strict=True)
                    key = ("object", *sorted(pairs))
                self._known[id(value)] = self._number(key)
            else:
                waiting.append((value, True))
                waiting.extend((c, False) for c in children if isinstance(c, dict | list))

    def _number(self, key: Hashable) -> int:
        return self._numbers.setdefault(key, len(self._numbers))


def by_key(gt: Sequence[Any], aio: Sequence[Any], key: str) -> Pairs:
    """Objects with the same value under a key; items without one among themselves by order."""
    named: dict[str | None, deque[int]] = defaultdict(deque)
    for place, item in enumerate(aio):
        named[_key_of(item, key)].append(place)
    pairs = []
    for place, item in enumerate(gt):
        if matching := named.get(_key_of(item, key)):
            pairs.append((place, matching.popleft()))
    return pairs


def _key_of(item: Any, key: str) -> str | None:
    value = item.get(key) if isinstance(item, dict) else None
    return None if is_null(value) else exact_text(value)


def by_likeness(
    gt: Sequence[Any], aio: Sequence[Any], identities: Identities, limit: int
) -> tuple[Pairs, int]:
    """Items that are most alike together, and how many pairs of unequal items there were.

    With more pairs than the limit the cheaper method has to do.
    """
    pairs = _equal(gt, aio, identities)
    used_gt, used_aio = {i for i, _ in pairs}, {j for _, j in pairs}
    rest_gt = [i for i in range(len(gt)) if i not in used_gt]
    rest_aio = [j for j in range(len(aio)) if j not in used_aio]
    cells = len(rest_gt) * len(rest_aio)
    if cells:
        find = _greedy if cells > limit else _optimal
        parts = [_parts(gt[i]) for i in rest_gt], [_parts(aio[j]) for j in rest_aio]
        pairs += [(rest_gt[i], rest_aio[j]) for i, j in find(*parts)]
    return sorted(pairs), cells


def in_order(pairs: Pairs) -> Pairs:
    """The longest selection of pairs whose items stand in the same order in both lists."""
    tails: list[int] = []
    before: dict[int, int | None] = {}
    seconds: list[int] = []
    for index, (_, second) in enumerate(pairs):
        place = int(np.searchsorted(seconds, second)) if seconds else 0
        before[index] = tails[place - 1] if place else None
        tails[place : place + 1] = [index]
        seconds[place : place + 1] = [second]
    kept: Pairs = []
    last = tails[-1] if tails else None
    while last is not None:
        kept.append(pairs[last])
        last = before[last]
    return kept[::-1]


def _equal(gt: Sequence[Any], aio: Sequence[Any], identities: Identities) -> Pairs:
    """Equal items, each pair in the order of the lists."""
    places: dict[int, deque[int]] = defaultdict(deque)
    for place, item in enumerate(aio):
        places[identities.of(item)].append(place)
    pairs = []
    for place, item in enumerate(gt):
        if result := places.get(identities.of(item)):
            pairs.append((place, result.popleft()))
    return pairs


Parts = dict[Hashable, float]
"""What an item is made of, with weights that sum up to the number of its values."""


def _parts(item: Any) -> Parts:
    parts: Parts = defaultdict(float)
    for path, value in _leaves(item):
        text = exact_text(value)
        parts[path, text] += 0.5
        pieces = _pieces(text)
        for piece in pieces:
            parts[path, "piece", piece] += 0.5 / len(pieces)
        if len(parts) > MAX_PARTS:
            break
    return parts


def _leaves(item: Any) -> Iterator[tuple[Hashable, Any]]:
    """The first values inside an item with their keys; places in inner lists do not count."""
    waiting: list[tuple[Hashable, Any]] = [((), item)]
    left = MAX_LEAVES
    while waiting and left:
        path, value = waiting.pop()
        if isinstance(value, dict) and value:
            waiting.extend(((path, key), value[key]) for key in list(value)[left - 1 :: -1])
        elif isinstance(value, list) and value:
            waiting.extend(((path, None), child) for child in value[left - 1 :: -1])
        else:
            left -= 1
            yield path, value


def _pieces(text: str) -> list[str]:
    pieces: list[str] = []
    for word in text.split()[:MAX_WORDS]:
        pieces.append(word)
        if GRAM < len(word) <= MAX_GRAMS_OF:
            pieces += [word[at : at + GRAM] for at in range(len(word) - GRAM + 1)]
    return pieces


def _optimal(gt: Sequence[Parts], aio: Sequence[Parts]) -> Pairs:
    cost = 1.0 - _likeness(gt, aio)
    rows, columns = np.indices(cost.shape)
    cost += TIE * abs(rows - columns) / max(cost.shape)
    return assign(cost)


def _likeness(gt: Sequence[Parts], aio: Sequence[Parts]) -> Any:
    """The weighted Jaccard index of every pair."""
    holders = _holders(gt), _holders(aio)
    shared = np.zeros((len(gt), len(aio)))
    for part in holders[0].keys() & holders[1].keys():
        rows, columns = (np.array(side[part]) for side in holders)
        weights = [
            np.array([items[i][part] for i in places])
            for items, places in ((gt, rows), (aio, columns))
        ]
        shared[np.ix_(rows, columns)] += np.minimum.outer(*weights)
    totals = [np.array([sum(parts.values()) for parts in side]) for side in (gt, aio)]
    union = np.add.outer(*totals) - shared
    return np.divide(shared, union, out=np.zeros_like(shared), where=union > 0)


def _holders(items: Sequence[Parts]) -> dict[Hashable, list[int]]:
    """Part → the items that hold it."""
    holders: dict[Hashable, list[int]] = {}
    for place, parts in enumerate(items):
        for part in parts:
            holders.setdefault(part, []).append(place)
    return holders


def _greedy(gt: Sequence[Parts], aio: Sequence[Parts]) -> Pairs:
    """The pairs that share most in rare parts, best first; the rest by order."""
    holders = _holders(gt), _holders(aio)
    shared: dict[tuple[int, int], float] = defaultdict(float)
    for part, rows, columns in _rare(*holders):
        for i in rows:
            for j in columns:
                shared[i, j] += min(gt[i][part], aio[j][part])
    best_first = sorted(shared, key=lambda pair: (-shared[pair], abs(pair[0] - pair[1]), pair))
    free_gt, free_aio = dict.fromkeys(range(len(gt))), dict.fromkeys(range(len(aio)))
    pairs: Pairs = []
    for i, j in best_first:
        if i in free_gt and j in free_aio:
            pairs.append((i, j))
            del free_gt[i], free_aio[j]
    return pairs + list(zip(free_gt, free_aio, strict=False))


def _rare(
    gt: Mapping[Hashable, list[int]], aio: Mapping[Hashable, list[int]]
) -> list[tuple[Hashable, list[int], list[int]]]:
    """The parts that few items hold, with those items; the rarest where there are too many."""
    result = [
        (part, rows, columns)
        for part, rows in gt.items()
        if len(rows) <= RARE and len(columns := aio.get(part, ())) <= RARE and columns
    ]
    sizes = [len(rows) * len(columns) for _, rows, columns in result]
    if sum(sizes) <= MAX_SHARED:
        return result
    result.sort(key=lambda entry: len(entry[1]) * len(entry[2]))
    return result[: bisect_right(list(accumulate(sorted(sizes))), MAX_SHARED)]


def assign(cost: Any) -> Pairs:
    """The pairs of rows and columns with the lowest sum of costs; every row or column has one.

    Shortest augmenting paths with potentials (Jonker and Volgenant): for n rows and m ≥ n columns
    n²·m steps, of which m at a time are one numpy operation.
    """
    cost = np.asarray(cost, float)
    if cost.shape[0] > cost.shape[1]:
        return sorted((i, j) for j, i in assign(cost.T))
    rows, columns = cost.shape
    row_of = np.full(columns, -1)
    column_of = np.full(rows, -1)
    row_price, column_price = np.zeros(rows), np.zeros(columns)
    for row in range(rows):
        _augment(row, cost, row_of, column_of, row_price, column_price)
    return [(row, int(column_of[row])) for row in range(rows)]


def _augment(
    start: int, cost: Any, row_of: Any, column_of: Any, row_price: Any, column_price: Any
) -> None:
    """Give one more row a column, moving others along the cheapest path."""
    columns = cost.shape[1]
    distance = np.full(columns, np.inf)
    came_from = np.full(columns, -1)
    is_done = np.zeros(columns, bool)
    row, reached = start, 0.0
    visited = [start]
    while True:
        through = reached + cost[row] - row_price[row] - column_price
        is_closer = ~is_done & (through < distance)
        distance[is_closer] = through[is_closer]
        came_from[is_closer] = row
        column = int(np.argmin(np.where(is_done, np.inf, distance)))
        reached = float(distance[column])
        is_done[column] = True
        if row_of[column] < 0:
            break
        row = int(row_of[column])
        visited.append(row)
    row_price[start] += reached
    for seen in visited[1:]:
        row_price[seen] += reached - distance[column_of[seen]]
    column_price[is_done] -= reached - distance[is_done]
    while True:
        row = int(came_from[column])
        row_of[column] = row
        column_of[row], column = column, int(column_of[row])
        if row == start:
            return
