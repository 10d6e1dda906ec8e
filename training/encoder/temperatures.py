"""The temperature of each head: what its logits are divided by so that they are probabilities.

Read from what encoders said of records that they were trained without (`held.npz`), each source
with the same weight. Records that no encoder learns from are left out: they show what carries
over, and say nothing of the records that people have.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from training.encoder.network import TOWERS
from training.encoder.schedule import UNSEEN, Data, read_data

Array = Any
GRID = np.geomspace(0.4, 4.0, 73)


def temperatures(work: Path, held: Sequence[Path]) -> dict[str, float]:
    """Head → the temperature under which the held-out labels are likeliest."""
    data, table = read_data(work)
    return {
        head: _of_head(head, table["heads"].index(head), data, [path / "held.npz" for path in held])
        for tower in TOWERS.values()
        for head in tower.outputs
    }


def _of_head(head: str, number: int, data: Data, paths: Sequence[Path]) -> float:
    logits, labels, sources = [], [], []
    for path in paths:
        with np.load(path, allow_pickle=False) as file:
            if head not in file.files:
                continue
            places, given = file["place"], file[head]
        own = (data.head[places] == number) & (data.fold[places] != UNSEEN)
        logits.append(binary(head, given[own]))
        wanted = data.label[places[own]]
        labels.append(wanted == 0 if head == "support" else wanted == 1)
        sources.append(data.source[places[own]])
    if not logits:
        raise SystemExit(f"no held-out records for the head {head}; give --held for both towers")
    return likeliest(*(np.concatenate(part) for part in (logits, labels, sources)))


def binary(head: str, logits: Array) -> Array:
    """The logit that a record is as the head says; of `support`, that it is entailed."""
    if head != "support":
        return logits[:, 0]
    return logits[:, 0] - np.logaddexp(logits[:, 1], logits[:, 2])


def likeliest(logits: Array, labels: Array, sources: Array) -> float:
    """The temperature of the smallest mean loss, sources counting alike."""
    _, place, counts = np.unique(sources, return_inverse=True, return_counts=True)
    weights = 1 / counts[place]
    signed = np.where(labels, logits, -logits)
    losses = [float((weights * np.logaddexp(0, -signed / one)).sum()) for one in GRID]
    return round(float(GRID[int(np.argmin(losses))]), 3)
