"""DuckDB's answers about scores in Parquet are those of plain Python over the same rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.runner.block_data import rows, run, write_data

from assay.core import DataError, NotFoundError, UsageError

pytest.importorskip("duckdb", reason='duckdb is not installed: pip install "assay-eval[scale]"')

from assay.store.score_query import Filter, ScoreQuery


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Scores in a folder whose name is neither a pattern nor a column."""
    base = tmp_path_factory.mktemp("scored")
    folder = base / "score=1" / "out[1]"
    run(write_data(base / "data"), f"{folder}/")
    return folder


@pytest.fixture(scope="module")
def scored(folder: Path) -> list[dict[str, Any]]:
    return [row for row in rows(folder / "samples") if row["id"]]


@pytest.mark.parametrize(
    "only",
    [
        Filter(),
        Filter("fail"),
        Filter("pass", "text.safety"),
        Filter("none", "text.safety"),
        Filter(metric="text.safety", low=0.5, high=0.99),
        Filter(search="r01"),
        Filter("fail", "text.safety", 0.0, 0.9, "r0"),
    ],
)
def test_filters_and_order_are_those_of_python(
    only: Filter, folder: Path, scored: list[dict[str, Any]]
) -> None:
    by = only.metric or "score"
    verdict = f"{only.metric}.verdict" if only.metric else "verdict"
    kept = [
        row
        for row in scored
        if (only.verdict is None or (row[verdict] or "none") == only.verdict)
        and (only.low is None or row[by] >= only.low)
        and (only.high is None or row[by] <= only.high)
        and (only.search is None or only.search in row["id"])
    ]
    query = ScoreQuery(str(folder))
    assert query.count(only) == len(kept)
    expected = sorted((row for row in kept if row[by] is not None), key=lambda r: (r[by], r["id"]))
    worst = query.worst(5, only, skipped=2)
    assert [(row[by], row["id"]) for row in worst] == [(r[by], r["id"]) for r in expected[2:7]]


def test_a_histogram_counts_every_value_once(folder: Path, scored: list[dict[str, Any]]) -> None:
    values = [row["text.safety"] for row in scored if row["text.safety"] is not None]
    bins = ScoreQuery(str(folder)).histogram("text.safety", 7)
    assert (bins[0].low, bins[-1].high) == (min(values), pytest.approx(max(values)))
    assert sum(part.samples for part in bins) == len(values)
    assert bins[-1].samples == sum(value >= bins[-1].low for value in values)
    assert ScoreQuery(str(folder)).histogram("text.safety", only=Filter(search="no such id")) == []


def test_high_values_are_the_worst_where_low_ones_are_good(tmp_path: Path) -> None:
    metrics = ("safety.pii", "text.safety")
    run(write_data(tmp_path / "data"), f"{tmp_path}/out/", metrics=metrics)
    worst = ScoreQuery(f"{tmp_path}/out").worst(60, Filter(metric="safety.pii"))
    values = [row["safety.pii"] for row in worst]
    assert values == sorted(values, reverse=True)
    assert values[0] > values[-1]


def test_other_parquet_is_refused(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data")
    with pytest.raises(DataError, match="holds no scores of Assay"):
        ScoreQuery(f"{data}/part-0.parquet")


def test_one_sample_and_the_summary(folder: Path) -> None:
    query = ScoreQuery(f"{folder}/")
    assert query.sample("r005")["text.coherence"] is not None
    assert query.metrics == ("text.coherence", "text.safety")
    document = query.summary()
    assert document is not None
    assert document["summary"]["samples"] == 59
    with pytest.raises(NotFoundError, match="there is no sample 'nobody'"):
        query.sample("nobody")


def test_a_single_file_is_asked_too(folder: Path) -> None:
    file = next((folder / "samples").iterdir())
    assert ScoreQuery(str(file)).count() <= 7


def test_values_are_parameters_and_columns_are_known(folder: Path) -> None:
    query = ScoreQuery(str(folder))
    assert query.count(Filter(search="' OR 1=1 --")) == 0
    with pytest.raises(UsageError, match="was not scored; the run has text"):
        query.worst(1, Filter(metric='text.safety" OR 1=1 --'))
    with pytest.raises(UsageError, match="the verdict is 'x'; expected one of pass"):
        query.count(Filter("x"))


def test_a_folder_without_scores_says_so(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="holds no scores"):
        ScoreQuery(str(tmp_path))
