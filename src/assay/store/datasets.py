"""Which runs are about the same questions, so that one may be compared with another.

Files are renamed and answers are written to new ones, so the name of a file says little. Two runs
are of one dataset when at least half of the questions of the smaller one are in the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from assay.store import schema
from assay.store.connect import Store
from assay.store.run_list import ENDLESS, Run, list_runs

if TYPE_CHECKING:
    from sqlalchemy import Connection

LOOKED_AT = 200
"""Runs that are sorted into datasets, the newest."""
QUESTIONS = 1000
"""Questions of a run that tell its dataset, the first."""
SHARED = 0.5
"""The share of the smaller run's questions that makes two runs one dataset."""


_KEPT: WeakKeyDictionary[Store, dict[tuple[int, int], frozenset[str]]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Dataset:
    """Finished runs over the same questions."""

    runs: tuple[Run, ...]
    """The newest first."""

    @property
    def id(self) -> str:
        """The name of its oldest run."""
        return self.runs[-1].name

    @property
    def name(self) -> str:
        """The files that its runs were read from, for people."""
        sources = dict.fromkeys(source_name(run) for run in self.runs)
        first = next(iter(sources))
        rest = len(sources) - 1
        return first if not rest else f"{first} and {rest} more file{'s' if rest > 1 else ''}"

    def reference(self, run: Run) -> Run | None:
        """What a run is compared with: the baseline, else the run before it."""
        pinned = next((other for other in self.runs if other.is_baseline), None)
        if pinned and pinned.id != run.id:
            return pinned
        older = [other for other in self.runs if other.created < run.created]
        older += [o for o in self.runs if o.created == run.created and o.id < run.id]
        return older[0] if older else None


def source_name(run: Run) -> str:
    """Where a run's samples came from, without the folder."""
    return re.split(r"[/\\]", run.source)[-1] or run.name


def datasets(store: Store) -> list[Dataset]:
    """All finished runs by dataset, the one with the newest run first."""
    runs = [
        run
        for run in list_runs(store, LOOKED_AT)
        if run.status == "finished" and run.tests and run.source not in ENDLESS
    ]
    groups: list[list[Run]] = []
    for run in reversed(runs):
        own = _questions(store, run.id, run.tests)
        group = next((g for g in groups if is_same(own, _of(store, g))), None)
        if group is None:
            groups.append([run])
        else:
            group.append(run)
    grouped = [Dataset(tuple(reversed(group))) for group in groups]
    return sorted(grouped, key=lambda one: (one.runs[0].created, one.runs[0].id), reverse=True)


def dataset_of(store: Store, run: Run) -> Dataset | None:
    """The dataset that a run belongs to; None while it is not finished."""
    return next(
        (one for one in datasets(store) if any(other.id == run.id for other in one.runs)), None
    )


def _of(store: Store, runs: Sequence[Run]) -> frozenset[str]:
    """The questions of a group: those of its newest run."""
    return _questions(store, runs[-1].id, runs[-1].tests)


def is_same(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two sets of questions belong to one dataset."""
    smaller = min(len(one), len(other))
    return bool(smaller) and len(one & other) >= SHARED * smaller


def _questions(store: Store, run: int, tests: int) -> frozenset[str]:
    """The questions of a run; kept, for they never change while its `tests` are as many."""
    kept = _KEPT.setdefault(store, {})
    if (run, tests) not in kept:
        if len(kept) >= 4 * LOOKED_AT:
            kept.clear()
        kept[run, tests] = frozenset(store.read(lambda connection: _read(connection, run)))
    return kept[run, tests]


def _read(connection: Connection, run: int) -> Iterable[str]:
    from sqlalchemy import select

    results, texts = schema.test_results, schema.validation_details
    first, end = schema.tests_of(run)
    query = (
        select(texts.c.query, texts.c.expected_response, results.c.test_name)
        .join(texts, texts.c.test_id == results.c.test_id)
        .where(results.c.test_id >= first, results.c.test_id < end)
        .order_by(results.c.test_id)
        .limit(QUESTIONS)
    )
    rows = connection.execute(query).all()
    # One question for all, such as "Summarize this text", tells nothing; what is expected does.
    start = 1 if len({row.query for row in rows}) == 1 else 0
    return [next((part for part in row[start:] if part), "") for row in rows]
