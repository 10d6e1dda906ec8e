"""The functions for Spark and Dask that docs/scale.md shows give the rows of `score_batch`."""

from __future__ import annotations

import shutil
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.runner.block_data import write_data

import assay

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
pytestmark = pytest.mark.filterwarnings("default")

METRICS = ["text.safety", "text.coherence"]


def by_id(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: (row["id"] is None, row["id"]))


@pytest.fixture
def data(tmp_path: Path) -> str:
    return write_data(tmp_path / "data")


def expected(data: str) -> list[dict[str, Any]]:
    return by_id(assay.score_batch(pq.read_table(data), METRICS).to_pylist())


def without_places(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows; a problem names the row of its piece, which every engine cuts its own way."""
    return [
        {**row, "problem": row["problem"] and row["problem"].partition(": ")[2]} for row in rows
    ]


def end_gateway() -> None:
    """End what a stopped session of Spark leaves: a Java process, and a thread that polls."""
    from py4j.clientserver import FinalizerWorker
    from pyspark import SparkContext

    gateway = SparkContext._gateway
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait()
    SparkContext._gateway = SparkContext._jvm = None
    for thread in threading.enumerate():
        if isinstance(thread, FinalizerWorker):
            thread.join()


def test_spark_maps_in_arrow(data: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("java") is None:
        pytest.skip("there is no Java runtime, which Spark needs")
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed")
    from pyspark.sql.pandas.types import from_arrow_schema

    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")

    def score(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        import assay

        for batch in batches:
            table = pyarrow.Table.from_batches([batch])
            yield from assay.score_batch(table, ["text.safety", "text.coherence"]).to_batches()

    spark = sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    session = spark.getOrCreate()
    try:
        records = session.read.parquet(data)
        schema = assay.score_batch(records.limit(1).toArrow(), METRICS).schema
        scores = records.mapInArrow(score, from_arrow_schema(schema)).toArrow()
    finally:
        session.stop()
        end_gateway()
    assert without_places(by_id(scores.to_pylist())) == without_places(expected(data))


def test_dask_maps_partitions(data: str, tmp_path: Path) -> None:
    frames = pytest.importorskip("dask.dataframe", reason="dask is not installed")

    def score(frame: Any) -> Any:
        table = pa.Table.from_pandas(frame, preserve_index=False)
        return assay.score_batch(table, METRICS).to_pandas()

    records = frames.read_parquet(data)
    scores = records.map_partitions(score, meta=score(records.head(1)).iloc[:0])
    rows = scores.compute(scheduler="synchronous").to_dict("records")
    plain = [
        {name: None if value is None or value != value else value for name, value in row.items()}
        for row in rows
    ]
    assert without_places(by_id(plain)) == without_places(expected(data))
