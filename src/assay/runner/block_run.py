"""A run by blocks: Parquet in, a folder of Parquet out, scored by several processes or machines.

The folder has `samples/part-000000.parquet` and so on with a row for each record, `details/` with
the reasons, `blocks/` with a manifest of each finished block, and at the end `run.json` with the
summary. What the blocks count is merged, and so the summary is that of one process.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from time import time
from typing import TYPE_CHECKING, NamedTuple

from assay.backends.providers import JUDGED
from assay.core import DataError, Sample, SampleError, Summary, UsageError
from assay.core.errors import RunBusyError
from assay.core.folders import open_folder
from assay.core.jsontext import dumps
from assay.core.result_records import Detail
from assay.engine import Plan, Tally
from assay.runner.job import Job
from assay.samples.columns import ColumnReading, check_map
from assay.samples.field_names import ChosenColumns
from assay.samples.parquet_dataset import ParquetDataset, ParquetPart
from assay.samples.reader import OnColumns, samples_from
from assay.settings import Settings
from assay.stats.quantile_sketch import ERROR, QUANTILES, QuantileSketch

if TYPE_CHECKING:
    from assay.runner.block_task import Block, BlockCounts
    from assay.store.run_writer import RunWriter

BLOCK_ROWS = 20_000
"""Rows of a block: enough that starting one costs nothing, few enough to be scored again."""
FORM = 1
"""The form of `run.json`, which it states."""
SUMMARY = "run.json"


@dataclass(frozen=True, kw_only=True)
class BlockRequest:
    """A run by blocks: of which data, to which folder, by which engine."""

    data: BlockData
    out: str
    engine: str = "local"
    resume: bool = False
    """Whether finished blocks of the same run are kept; otherwise the folder has to be new."""
    rows: int = BLOCK_ROWS


class BlockData:
    """A Parquet data set, whose first records tell how its columns are read."""

    def __init__(
        self,
        address: str,
        settings: Settings,
        *,
        format: str | None = None,
        limit: int | None = None,
        on_columns: OnColumns | None = None,
    ) -> None:
        if not (address.endswith(".parquet") or _is_folder(address)):
            raise UsageError(f"{address!r} is no Parquet; a run by blocks reads Parquet files")
        self.address, self.format, self.limit = address, format, limit
        self._map, self._needs_map = check_map(settings.map), settings.is_explicit("map")
        self._dataset = ParquetDataset(address)
        self._on_columns = on_columns
        self.chosen: ChosenColumns = self._map
        """The columns that give fields, once the first records were read."""

    def items(self) -> Iterator[Sample | SampleError]:
        """The samples in order, of which a run by blocks looks at the first alone."""
        return samples_from(
            self._dataset.name,
            self._dataset.all_records(),
            self.format,
            self.limit,
            self._map,
            self._read,
            is_table=True,
            needs_map=self._needs_map,
        )

    def parts(self, rows: int) -> list[ParquetPart]:
        """The rows in parts of about that many."""
        parts = self._dataset.parts(rows)
        if self.limit is None:
            return parts
        kept = [part for part in parts if part.first < self.limit]
        return [part._replace(rows=min(part.rows, self.limit - part.first)) for part in kept]

    def _read(self, reading: ColumnReading) -> None:
        self.chosen = reading.chosen
        if self._on_columns:
            self._on_columns(reading)


def _is_folder(address: str) -> bool:
    from assay.samples.reader import is_dataset

    return is_dataset(address)


class BlockSums(NamedTuple):
    """What the blocks of a run count together."""

    tally: Tally
    sketches: dict[str, QuantileSketch]

    def add(self, counts: BlockCounts, part: Tally) -> None:
        """Merge what another block counted."""
        part.load(counts.tally)
        self.tally.merge(part)
        for metric, bins in counts.sketches.items():
            self.sketches[metric].merge(QuantileSketch.from_json(bins))

    def quantiles(self) -> dict[str, dict[str, float | None]]:
        """The quantiles of each metric's values."""
        return {
            metric: {f"{share:g}": sketch.quantile(share) for share in QUANTILES}
            for metric, sketch in self.sketches.items()
        }


class BlockRun:
    """One run by blocks, from its first block to its summary."""

    def __init__(
        self,
        request: BlockRequest,
        plan: Plan,
        job: Job,
        settings: Settings,
        detail: Detail,
        *,
        redact: bool,
        writer: RunWriter | None = None,
    ) -> None:
        from assay.runner.block_task import Block, BlockTask

        _check_plan(plan, job)
        self._request, self._plan, self._settings = request, plan, settings
        self._writer = writer
        self._folder = open_folder(request.out)
        parts = request.data.parts(request.rows)
        self._blocks = [Block(number, part) for number, part in enumerate(parts)]
        self._task = BlockTask(
            key=self._key(detail, redact=redact),
            data=request.data.address,
            format=request.data.format,
            chosen=request.data.chosen,
            out=request.out,
            detail=detail,
            job=job,
            settings=settings,
            redact=redact,
            is_stored=writer is not None,
        )
        self._sums = BlockSums(
            self._tally(), {step.metric.id: QuantileSketch() for step in plan.shown}
        )

    def tallies(self) -> Iterator[Tally]:
        """The sums so far, after each block; blocks of an earlier attempt come first."""
        from assay.runner.block_engines import open_engine

        kept = self._kept()
        if self._writer:
            from assay.store.run_parts import set_folder

            set_folder(self._writer, self._request.out)
        for block in self._blocks:
            if block.manifest in kept:
                yield self._add(block)
        left = [block for block in self._blocks if block.manifest not in kept]
        if left:
            engine = open_engine(self._request.engine, self._settings.workers)
            for block in engine.finished(self._task, left):
                yield self._add(block)

    def finish(self, summary: Summary) -> None:
        """Write the summary, which says that the run is whole."""
        document = {
            "form": FORM,
            "key": self._task.key,
            "data": self._request.data.address,
            "detail": self._task.detail,
            "blocks": len(self._blocks),
            "summary": summary.to_json(),
            "quantiles": self._sums.quantiles(),
            "quantile_error": ERROR,
        }
        self._folder.write(SUMMARY, f"{dumps(document, indent=2)}\n".encode())
        if self._writer:
            from assay.store.run_parts import record_sketches

            sketches = self._sums.sketches.items()
            record_sketches(self._writer, {metric: one.to_json() for metric, one in sketches})
            self._writer.finish(summary.to_json())

    def _add(self, block: Block) -> Tally:
        from assay.runner.block_task import read_counts

        counts = read_counts(self._folder, block, self._task.key)
        if counts is None:
            raise DataError(
                f"{self._request.out!r} holds blocks of another run: data, metrics or settings "
                "differ; name another folder"
            )
        part = self._tally()
        self._sums.add(counts, part)
        if self._writer:
            self._record(self._writer, block, part, counts)
        return self._sums.tally

    def _record(self, writer: RunWriter, block: Block, part: Tally, counts: BlockCounts) -> None:
        from assay.store.rollups import Rollups
        from assay.store.run_parts import FinishedBlock, record_block

        rollups = Rollups(*counts.rollups)
        finished = FinishedBlock(block.number, block.part.first, part.samples, part.unread, rollups)
        record_block(writer, finished, time())

    def _kept(self) -> set[str]:
        """The manifests that are there."""
        kept = {name for name in self._folder.names(".json.gz") if name.startswith("blocks/")}
        if kept and not self._request.resume:
            raise UsageError(
                f"{self._request.out!r} holds a run; add --resume to go on with it, or name "
                "another folder"
            )
        unknown = kept - {block.manifest for block in self._blocks}
        if unknown:
            raise DataError(
                f"{self._request.out!r} holds {min(unknown)}, which is no block of this run; "
                "name another folder"
            )
        return kept

    def _tally(self) -> Tally:
        settings = self._settings
        return Tally(self._plan, include_imputed=settings.include_imputed, seed=settings.seed)

    def _key(self, detail: Detail, *, redact: bool) -> str:
        """The digest of all that decides the files of a block."""
        data = self._request.data
        decided = {
            "metrics": {
                step.metric.id: [
                    step.signature,
                    step.threshold,
                    step.weight,
                    step.gates,
                    step.unsure,
                ]
                for step in self._plan.shown
            },
            "include_imputed": self._settings.include_imputed,
            "redact": redact,
            **({"stored": True} if self._writer else {}),
            "detail": detail,
            "data": data.address,
            "format": data.format,
            "columns": data.chosen,
            "blocks": [block.part for block in self._blocks],
        }
        return blake2b(dumps(decided).encode(), digest_size=16).hexdigest()


@contextmanager
def claimed_folder(path: str) -> Iterator[None]:
    """Keep a folder for one run; raises `RunBusyError` where another program writes to it."""
    with open_folder(path).claimed() as is_ours:
        if not is_ours:
            raise RunBusyError(
                f"another program writes to {path!r}; wait for it, or name another folder"
            )
        yield


def _check_plan(plan: Plan, job: Job) -> None:
    """Refuse what several machines cannot share."""
    if job.backends.judge and plan.resources.keys() & {*JUDGED}:
        raise UsageError(
            "a judge cannot be used in a run by blocks, whose processes do not share its caps; "
            "choose metrics without one"
        )
