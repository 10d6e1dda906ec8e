"""The store: questions at many stored scores against few, and the rate of writing."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from assay.core import Result, Sample, Scores
from assay.store import Store, open_store
from assay.store.run_writer import RunPlan, start_run
from assay.store.snapshots import history
from assay.store.statistics import StatisticsFilter, statistics, timeseries
from benchmarks.measure import Row, Section, Sizes, at_most, medians

METRICS = tuple(f"bench.metric_{number:03}" for number in range(100))
HOURS = 48
"""Hours over which the tests are spread: all that trends look at."""
BATCH = 1_000
"""Most tests of a batch; fewer where there would be less than one batch an hour."""
PLAIN = 1_000_000
"""Most rows of the plain executemany."""
RATIO_LIMIT = 3
"""Times that a question may take longer at a hundred times the scores."""
NOW = 1_800_000 * 3600.0


def storage(sizes: Sizes) -> Section:
    """Answers from roll-ups, and batches as they are committed."""
    few, many = sizes.stored
    with TemporaryDirectory() as folder:
        stores = {count: open_store(f"{folder}/{count}.db") for count in (few, many)}
        rates = {count: _fill(store, count) for count, store in stores.items()}
        rows = [_ingest(Path(folder), rates[many], min(many, PLAIN))]
        stored = Path(f"{folder}/{many}.db").stat().st_size / (many // len(METRICS))
        rows.append(Row("Bytes of a sample with its scores", f"{stored:,.0f}"))
        rows += [
            _ratio(what, {count: ask(store) for count, store in stores.items()}, few, many, sizes)
            for what, ask in _QUESTIONS.items()
        ]
        for store in stores.values():
            store.close()
    return Section(
        "Store",
        f"SQLite. Tests of {len(METRICS)} metrics each, spread over {HOURS} hours, written in "
        f"batches of up to {BATCH:,} as runs write them: a transaction with samples, scores and "
        "sums. "
        "The plain executemany writes the rows of the scores alone, into a table without keys.",
        rows,
    )


def _scored(count: int) -> Iterator[tuple[Sample, Scores]]:
    for number in range(count):
        value = (number % 101) / 101
        results = {
            id: Result(value, "A sentence that says why.", (), {}, "ok", True, id, value, 0.5, "")
            for id in METRICS
        }
        yield (
            Sample(id=str(number), query="Where?", response="In town.", duration=1.0),
            Scores(str(number), results, value, True),
        )


def _fill(store: Store, scores: int) -> float:
    """Store so many scores; gives scores a CPU second."""
    tests = scores // len(METRICS)
    plan = RunPlan(dict.fromkeys(METRICS, ("", 0.5)), {})
    moment = [NOW - HOURS * 3600]
    writer = start_run(store, "bench", plan, now=lambda: moment[0])
    found = _scored(tests)
    taken = 0.0
    size = max(1, min(BATCH, tests // HOURS))
    for start in range(0, tests, size):
        batch = [next(found) for _ in range(min(size, tests - start))]
        moment[0] = NOW - HOURS * 3600 * (1 - start / tests)
        began = time.process_time()
        writer.record([sample for sample, _ in batch], [kept for _, kept in batch])
        taken += time.process_time() - began
    metrics = {id: {"mean": 0.5} for id in METRICS}
    writer.finish({"metrics": metrics, "overall": 0.5, "pass_rate": 1.0})
    return scores / taken


def _ingest(folder: Path, ours: float, scores: int) -> Row:
    rows = [
        (number, id, result.value, result.threshold, result.passed, result.explanation)
        for number, (_, kept) in enumerate(_scored(scores // len(METRICS)))
        for id, result in kept.results.items()
    ]
    database = sqlite3.connect(folder / "plain.db", isolation_level=None)
    columns = [f"column_{place}" for place in range(len(rows[0]))]
    database.execute(f"CREATE TABLE scores ({', '.join(columns)})")
    insert = f"INSERT INTO scores VALUES ({', '.join('?' * len(columns))})"  # noqa: S608
    began = time.process_time()
    for start in range(0, len(rows), BATCH * len(METRICS)):
        database.execute("BEGIN")
        part = rows[start : start + BATCH * len(METRICS)]
        database.executemany(insert, part)
        database.execute("COMMIT")
    plain = len(rows) / (time.process_time() - began)
    database.close()
    return Row(
        "Writing a run",
        f"{ours:,.0f} scores/s, {ours / plain:.2f} of a plain executemany ({plain:,.0f} rows/s)",
    )


_QUESTIONS: dict[str, Callable[[Store], Callable[[], object]]] = {
    "Statistics and trends": lambda store: lambda: statistics(store, StatisticsFilter(), NOW),
    "Statistics of the last 24 hours": lambda store: (
        lambda: statistics(store, StatisticsFilter.before(NOW, 24), NOW)
    ),
    "Hourly series": lambda store: lambda: timeseries(store, StatisticsFilter.before(NOW, 168)),
    "History": lambda store: lambda: history(store, "bench", NOW - 168 * 3600),
}


def _ratio(
    what: str, asked: dict[int, Callable[[], object]], few: int, many: int, sizes: Sizes
) -> Row:
    found = medians({str(count): ask for count, ask in asked.items()}, sizes.rounds)
    ratio = found[str(many)] / found[str(few)]
    detail = f" ({1000 * found[str(many)]:.1f} ms at {many:,} scores)"
    return at_most(f"{what}: time against that at {few:,}", ratio, RATIO_LIMIT, "times", detail)
