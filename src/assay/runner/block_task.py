"""One block of a run by blocks: rows of a Parquet data set, scored and written by one process.

A block is finished when its manifest is written, after its files. A process that ends before leaves
nothing that counts, and the block is scored again, so that no record is lost and none is in the
result twice.
"""

from __future__ import annotations

import gc
import gzip
import io
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from assay.core import Sample, Scores
from assay.core.extras import require
from assay.core.folders import Folder, open_folder
from assay.core.jsontext import dumps, loads
from assay.core.result_records import Detail
from assay.engine import Plan, Tally
from assay.report.sample_table import SampleTable, arrow_schema, arrow_table
from assay.runner.execute import Observer, RunPart, RunRequest, declarations, execute
from assay.runner.job import Job
from assay.samples.field_names import ChosenColumns
from assay.samples.parquet_dataset import ParquetDataset, ParquetPart
from assay.samples.reader import read_records
from assay.settings import Settings
from assay.stats.quantile_sketch import QuantileSketch

if TYPE_CHECKING:  # needs the extra `store`
    from assay.store.block_columns import BlockColumns

FORM = 1
"""The form of manifests."""
GROUP_ROWS = 20_000
"""Samples of one row group: as many as a block has, as few and large groups are read fastest."""
GROUP_CHARACTERS = 16_000_000
"""Text of one row group; long explanations end a group early."""
NEW_OBJECTS = 20_000
"""Objects that are made before the cycle collector looks at them, while a block is scored."""


class Block(NamedTuple):
    """Some rows of the data set, and their number among all blocks."""

    number: int
    part: ParquetPart

    @property
    def manifest(self) -> str:
        """The name of the file that says that the block is finished."""
        return f"blocks/{self.number:06}.json.gz"


@dataclass(frozen=True, kw_only=True)
class BlockTask:
    """What is done with every block, as plain data that can be sent to another machine."""

    key: str
    """What decides the scores: blocks of another key do not belong to the run."""
    data: str
    format: str | None
    chosen: ChosenColumns
    """The columns that were chosen by the first records of the data set."""
    out: str
    detail: Detail
    job: Job
    settings: Settings
    redact: bool
    is_stored: bool = False
    """Whether a store knows of the run: blocks then keep what its pages show of each record."""


class BlockCounts(NamedTuple):
    """What a finished block adds to the summary."""

    tally: Mapping[str, Any]
    sketches: Mapping[str, Any]
    """Metric → the bins of its quantile sketch."""
    rollups: Any = None
    """The sums for a store; None where none knows of the run."""


def score_block(task: BlockTask, block: Block, workers: int = 1) -> None:
    """Score a block, and write its files and its manifest.

    With several `workers`, samples that end a process are found out, and have errors for scores.
    """
    dataset = ParquetDataset(task.data)
    records = dataset.records(block.part)
    files = BlockFiles(task.detail, block.part.first if task.is_stored else None)
    request = RunRequest(
        items=read_records(dataset.name, records, task.format, task.chosen),
        job=task.job,
        settings=task.settings.override({"workers": workers}),
        part=RunPart(block.part.first),
        sinks=[files],
        observer=files,
        redact=task.redact,
    )
    with _rare_collection():
        execute(request)
    files.write_to(open_folder(task.out), block, task.key)


@contextmanager
def _rare_collection() -> Iterator[None]:
    """Let the cycle collector look less often, and never at what was there before.

    A block keeps many objects until it is written, and hardly any cycles.
    """
    usual = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)
        gc.unfreeze()


def read_counts(folder: Folder, block: Block, key: str) -> BlockCounts | None:
    """What a finished block adds to the summary; None where it is of another run."""
    with folder.open(block.manifest) as file:
        manifest = loads(gzip.decompress(file.read()).decode())
    if (manifest["form"], manifest["key"]) != (FORM, key):
        return None
    return BlockCounts(manifest["tally"], manifest["sketches"], manifest.get("rollups"))


class BlockFiles(Observer):
    """Takes the scored samples of a block, and makes its files of them."""

    def __init__(self, detail: Detail, place: int | None = None) -> None:
        self._detail, self._place = detail, place
        self._records: BlockColumns | None = None
        self._tally: Tally | None = None

    def planned(self, plan: Plan) -> None:
        """Open the files, whose columns are the metrics of the run."""
        declared = declarations(plan)
        self._table = table = SampleTable(declared, self._detail, declared)
        schemas = {"samples": table.schema}
        if self._place is not None:
            from assay.store.block_columns import BlockColumns

            thresholds = {metric: one.threshold for metric, one in declared.items()}
            self._records = BlockColumns(thresholds, self._place)
            self._record_schema = arrow_schema(self._records.kinds)
            for column in self._record_schema:
                schemas["samples"] = schemas["samples"].append(column)
        if self._detail != "values":
            schemas["details"] = table.detail_schema
        writer = require("pyarrow.parquet", "parquet").ParquetWriter
        self._streams = {name: io.BytesIO() for name in schemas}
        self._writers = [
            writer(self._streams[name], schema, compression="zstd")
            for name, schema in schemas.items()
        ]
        self._values = {metric: array("d") for metric in declared}

    def write(self, sample: Sample, scores: Scores) -> None:
        """Add a sample."""
        self._table.add(scores)
        characters = self._table.characters
        if self._records:
            self._records.add(sample, scores)
            characters += self._records.characters
        for metric, result in scores.results.items():
            if result.state == "ok" and result.value is not None:
                self._values[metric].append(result.value)
        if self._table.rows >= GROUP_ROWS or characters >= GROUP_CHARACTERS:
            self._write_group()

    def write_unread(self, problem: str) -> None:
        """Add a record that could not be read."""
        self._table.add_unread(problem)
        if self._records:
            self._records.add_unread()

    def scored(self, tally: Tally) -> None:
        """Take the sums of the block so far."""
        self._tally = tally

    def write_to(self, folder: Folder, block: Block, key: str) -> None:
        """Put the files in place, and then the manifest."""
        assert self._tally is not None
        self._write_group()
        for writer in self._writers:
            writer.close()
        for name, stream in self._streams.items():
            folder.write(f"{name}/part-{block.number:06}.parquet", stream.getvalue())
        manifest = {
            "form": FORM,
            "key": key,
            "rows": block.part.rows,
            "tally": self._tally.to_json(),
            "sketches": {metric: _bins(values) for metric, values in self._values.items()},
            **({"rollups": self._records.rollups()} if self._records else {}),
        }
        text = dumps(manifest, is_compact=True)
        folder.write(block.manifest, gzip.compress(text.encode(), 3, mtime=0))

    def _write_group(self) -> None:
        tables = self._table.take()
        if self._records:
            records = arrow_table(self._records.take(), self._record_schema)
            samples = tables.samples
            for column in records.schema:
                samples = samples.append_column(column, records.column(column.name))
            tables = tables._replace(samples=samples)
        for writer, table in zip(self._writers, tables, strict=False):
            if table.num_rows:
                writer.write_table(table)


def _bins(values: Iterable[float]) -> list[list[float]]:
    """The bins of the sketch of some values."""
    sketch = QuantileSketch()
    for value, count in Counter(values).items():
        sketch.add(value, count)
    return sketch.to_json()
