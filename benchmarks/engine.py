"""Speed, memory and overhead of the engine."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import assay
from benchmarks.generate import Record, records, samples, small_records
from benchmarks.measure import Row, Section, Sizes, at_most, child, medians
from benchmarks.workload import length

POOL = 1000
"""Different records of a run; more are made by taking them in turn."""
PEAK_LIMIT = 115
"""Per cent that ten times the records may add to the peak, as noise."""
OVERHEAD_LIMIT = 50
"""Microseconds a record."""
STREAMED = "text.safety,text.conciseness,text.latency"
"""The metrics of the runs whose peaks are compared; more would take longer and show the same."""
SCRIPT = str(Path(sys.executable).with_name("assay"))


def scaling(sizes: Sizes) -> Section:
    """Records a second and peak memory, by number of records."""
    with TemporaryDirectory() as folder:
        pool = Path(folder) / "pool.jsonl"
        _write(pool, records(min(POOL, max(sizes.scale))))
        rows = [
            _scaled(pool, kind, title, count)
            for kind, title in (("bare", "One trivial metric"), ("text", "Text family"))
            for count in sizes.scale
        ]
        rows += _stream(Path(folder), sizes.stream)
    return Section(
        "Engine and text family",
        "Streamed runs in processes of their own. Records have 170 words of response on average, a "
        f"query, a reference and documents; from {POOL:,} on they are taken again under new ids. "
        "Records a second are for one core, without reading the file. The two runs of `assay run` "
        "read small records (a sentence or two of response, no documents), score three metrics and "
        "write every result.",
        rows,
    )


def _scaled(pool: Path, kind: str, title: str, count: int) -> Row:
    command = (sys.executable, "-m", "benchmarks.workload", str(pool), kind, str(count))
    run = child(*command, has_output=True)
    rate = count / float(str(run.output))
    return Row(f"{title}, {count:,} records", f"{rate:,.0f} records/s, peak {run.peak_mib:.0f} MiB")


def _stream(folder: Path, counts: tuple[int, int]) -> list[Row]:
    peaks = []
    for count in counts:
        data = folder / f"{count}.jsonl"
        _write(data, small_records(count))
        run = child(SCRIPT, "run", str(data), "--metrics", STREAMED, "--out", "-", "--quiet")
        peaks.append(run.peak_mib)
        data.unlink()
    few, many = counts
    rows = [
        Row(f"`assay run`, {count:,} small records", f"peak {peak:.0f} MiB")
        for count, peak in zip(counts, peaks, strict=True)
    ]
    what = f"Peak of {many:,} records against that of {few:,}"
    return [*rows, at_most(what, 100 * peaks[1] / peaks[0], PEAK_LIMIT, "%")]


def _write(path: Path, found: Iterable[Record]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in found)


def overhead(sizes: Sizes) -> Section:
    """What a call of `assay.evaluate` costs beside the metric itself."""
    found = samples(small_records(sizes.overhead))
    function = length.function
    taken = medians(
        {
            "bare": lambda: [function(sample.response) for sample in found],
            "call": lambda: assay.evaluate(found, metrics=[length]),
        },
        sizes.rounds,
    )
    extra = (taken["call"] - taken["bare"]) / len(found) * 1e6
    return Section(
        "Overhead",
        f"One trivial metric over {len(found):,} samples through `assay.evaluate`, with report and "
        "summary, less the time of its bare function.",
        [at_most("Added to each record", extra, OVERHEAD_LIMIT, "µs")],
    )
