"""What a training reads, in which batches, and at which rate."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

Array = Any
TEACHER = "teacher"
EPOCHS = {"pairs": 2, "texts": 4, TEACHER: 2}
RATE = {"pairs": 1.8e-4, "texts": 1.5e-4, TEACHER: 5e-5}
OWN_EPOCHS = {"pairs": 4, "texts": 0, TEACHER: 1}
"""Epochs over the labelled sets and what we wrote, after those over everything."""
OWN_RATE = {"pairs": 6e-5, "texts": 6e-5, TEACHER: 2e-5}
SETTLED, SETTLED_RATE, SETTLED_TOKENS = 0.25, 2e-5, 4_000
"""The mean of trainings goes on with this part of an own epoch, at this rate, in such batches."""
WARM = 0.06
"""Part of the steps in which the rate rises."""
TOKENS = 20_000
"""Of a batch, padding included."""
LARGEST = 256
"""Examples of a batch at most."""
POOL = 60
"""Batches among which examples are sorted by length."""
WRITTEN = ":written"
"""End of the names of sources that we wrote; any other with folds is a labelled set."""
UNSEEN, NO_FOLD, UNKNOWN = -2, -3, -1
CLS, SEP = 101, 102
PAIR, LONG_PAIR, TEXT, TAIL, FIRST = 192, 320, 192, 62, 128


class Data(NamedTuple):
    """The packed examples."""

    tokens: Array
    ends: Array
    first: Array
    second: Array
    head: Array
    label: Array
    weight: Array
    fold: Array
    source: Array

    def text(self, number: int) -> Array:
        """The token ids of a text."""
        start = self.ends[number - 1] if number else 0
        return self.tokens[start : self.ends[number]]

    def ids(self, place: int) -> tuple[Array, int]:
        """The token ids of an example, and where its second text begins."""
        first, second = self.text(self.first[place]), self.text(self.second[place])
        limit = LONG_PAIR if self.head[place] == 0 else PAIR
        if len(second) == 0:
            if len(first) > TEXT - 2:
                first = np.concatenate([first[: TEXT - 2 - TAIL], first[-TAIL:]])
            return np.concatenate([[CLS], first, [SEP]]), len(first) + 2
        if len(first) + len(second) > limit - 3:
            first = first[: max(FIRST, limit - 3 - len(second))]
            second = second[: limit - 3 - len(first)]
        return np.concatenate([[CLS], first, [SEP], second, [SEP]]), len(first) + 2


def read_data(folder: Path) -> tuple[Data, dict[str, Any]]:
    """The packed examples and what they are."""
    table = json.loads((folder / "prepared.json").read_text(encoding="utf-8"))
    with np.load(folder / "data.npz", allow_pickle=False) as file:
        return Data(**{name: file[name] for name in file.files}), table


class Stage(NamedTuple):
    """Steps with a rate that rises and falls once."""

    batches: Sequence[Array]
    rate: float
    weights: Array
    """Of every example."""


def is_labelled(data: Data, table: dict[str, Any]) -> Array:
    """Which examples are of a labelled set."""
    written = [n for n, source in enumerate(table["sources"]) if source.endswith(WRITTEN)]
    return (data.fold >= 0) & ~np.isin(data.source, written) & (data.label != UNKNOWN)


def places_of(
    data: Data, table: dict[str, Any], own: Array, name: str, without: int | None, is_taught: bool
) -> tuple[Array, Array]:
    """The examples that are learnt from, and those that are left out to be measured on.

    The teacher learns from no labelled set; where there is no teacher, nothing is learnt from
    examples without a label.
    """
    is_held = (data.fold == UNSEEN) | (data.fold == (NO_FOLD if without is None else without))
    if name == TEACHER:
        is_held |= is_labelled(data, table)
    is_known = data.label != UNKNOWN
    learnt = own & ~is_held & (is_known | is_taught)
    return np.flatnonzero(learnt), np.flatnonzero(own & is_held & is_known)


def stages_of(
    name: str, learnt: Array, data: Data, lengths: Array, shares: dict[int, float], seed: int
) -> list[Stage]:
    """All examples, then those that carry a fold: the labelled sets and what we wrote."""
    own = learnt[data.fold[learnt] >= 0]
    plan = ((learnt, EPOCHS[name], RATE[name]), (own, OWN_EPOCHS[name], OWN_RATE[name]))
    begun, stages = 0, []
    for places, epochs, rate in plan:
        batches = [
            batch
            for epoch in range(begun, begun + epochs)
            for batch in _batches(
                places, lengths, np.random.default_rng(seed * 100 + epoch), TOKENS
            )
        ]
        stages.append(Stage(batches, rate, _weights(data, places, shares)))
        begun += epochs
    return stages


def settling(
    learnt: Array, data: Data, lengths: Array, shares: dict[int, float], seed: int
) -> Stage:
    """Part of an epoch over the labelled sets and what we wrote."""
    own = learnt[data.fold[learnt] >= 0]
    batches = [*_batches(own, lengths, np.random.default_rng(seed), SETTLED_TOKENS)]
    chosen = batches[: int(SETTLED * len(batches))]
    return Stage(chosen, SETTLED_RATE, _weights(data, own, shares))


def _batches(chosen: Array, lengths: Array, chance: Any, tokens: int) -> Iterator[Array]:
    """Batches of about so many tokens; like lengths stand together, in an order of chance."""
    order = chance.permutation(chosen)
    size = POOL * tokens // 80
    found = []
    for start in range(0, len(order), size):
        pool = order[start : start + size]
        pool = pool[np.argsort(lengths[pool], kind="stable")]
        at = 0
        while at < len(pool):
            count = 1
            while (
                at + count < len(pool)
                and count < LARGEST
                and (count + 1) * int(lengths[pool[at + count]]) <= tokens
            ):
                count += 1
            found.append(pool[at : at + count])
            at += count
    for number in chance.permutation(len(found)):
        yield found[number]


def _weights(data: Data, learnt: Array, shares: dict[int, float]) -> Array:
    """Each example's weight, so that a head's examples together have the head's share."""
    weights = data.weight.astype(np.float64).copy()
    for number, share in shares.items():
        own = learnt[data.head[learnt] == number]
        if len(own):
            weights[own] *= share * len(learnt) / weights[own].sum()
    return weights.astype(np.float32)


def share_of_rate(done: float) -> float:
    """The rate after a part of the steps, as a share of the highest."""
    if done < WARM:
        return done / WARM
    return 0.5 * (1 + float(np.cos(np.pi * (done - WARM) / (1 - WARM)))) * 0.98 + 0.02
