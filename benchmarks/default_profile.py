"""Records a second of the default profile `auto` on answers with retrieved contexts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from tempfile import TemporaryDirectory
from unittest.mock import patch

from assay.backends import Backends
from assay.core import Sample
from assay.engine import Plan, score_batch
from assay.runner import Job
from assay.runner.job import default_selection
from benchmarks.generate import rag_records, samples
from benchmarks.measure import Section, Sizes, at_least, medians

GOALS = {"": 150, "use": 40}
"""Embedder → records a second on one core."""
NAMES = {"": "Without embeddings", "use": "With the default embeddings"}


def default_profile(sizes: Sizes) -> Section:
    """Records a second with and without embeddings, of records that were not seen before."""
    known = samples(rag_records(2 * sizes.family))
    first, fresh = known[: sizes.family], known[sizes.family :]
    rows = []
    with TemporaryDirectory() as folder, patch.dict(os.environ, {"ASSAY_CACHE_DIR": folder}):
        for embedder, goal in GOALS.items():
            backends = Backends(embedder=embedder, cache=False)
            plan = default_selection(Job(backends=backends), first).plan()
            score_batch(plan, first)
            batches = _batches(fresh, sizes.rounds + 1)
            taken = medians({"score": _scored(plan, batches)}, sizes.rounds)
            rate = len(fresh) // (sizes.rounds + 1) / taken["score"]
            rows.append(at_least(NAMES[embedder], rate, goal, "records/s"))
    return Section(
        "Default profile",
        f"The metrics that `auto` chooses for {len(fresh):,} records with a query, a reference, an "
        "answer of about 60 words and four contexts of about 150 words. Every record is new, after "
        f"{len(first):,} others to warm up; vectors are not kept. Rates depend on the machine and "
        "on what else it does.",
        rows,
    )


def _scored(plan: Plan, batches: Iterator[list[Sample]]) -> Callable[[], object]:
    """A task that scores the next batch."""
    return lambda: score_batch(plan, next(batches))


def _batches(found: Sequence[Sample], count: int) -> Iterator[list[Sample]]:
    """The samples in so many equal batches."""
    size = len(found) // count
    for start in range(0, size * count, size):
        yield list(found[start : start + size])
