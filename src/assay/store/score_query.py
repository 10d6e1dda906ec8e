"""Questions to the Parquet files of a run, answered by DuckDB where they lie (extra `scale`).

Names of metrics and values never enter SQL as text: columns are those of the files, and values are
parameters.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from assay.core import DataError, NotFoundError, UsageError
from assay.core.extras import require
from assay.core.folders import is_address, open_folder
from assay.core.jsontext import loads
from assay.core.parquet_columns import LEADING, VERDICT
from assay.store.parquet_reader import CONFIG, literal, quoted, register_files

VERDICTS = ("pass", "fail", "unsure", "none")
"""What a filter can ask for; `none` is no verdict."""


class Filter(NamedTuple):
    """Which samples are asked for; all unless said otherwise."""

    verdict: str | None = None
    metric: str | None = None
    """Whose verdict and value count; those of the sample where there is none."""
    low: float | None = None
    high: float | None = None
    """Between which values, the ends included."""
    search: str | None = None
    """A part of the id."""


class ScoreBin(NamedTuple):
    """Samples with values from `low` up to `high`."""

    low: float
    high: float
    samples: int


class ScoreQuery:
    """The samples of a run in Parquet: a file, or the folder of a run by blocks."""

    def __init__(self, path: str) -> None:
        duckdb = require("duckdb", "scale")
        self._connection = duckdb.connect(":memory:", config=CONFIG)
        self._errors = duckdb.Error
        self._path = path.rstrip("/")
        files = self._files()
        if is_address(path):
            register_files(self._connection, path)
        source = self._connection.read_parquet([*map(literal, files)], hive_partitioning=False)
        source.create_view("samples")
        self.columns: tuple[str, ...] = tuple(source.columns)
        self._declared = self._declarations(files[0])

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics of the run."""
        own = [name for name in self.columns if name not in LEADING]
        return tuple(name for name in own if f"{name}{VERDICT}" in own)

    def summary(self) -> dict[str, Any] | None:
        """What `run.json` says of a run by blocks; None where there is none yet."""
        folder = open_folder(self._path)
        if "run.json" not in folder.names("run.json"):
            return None
        with folder.open("run.json") as file:
            document: dict[str, Any] = loads(file.read().decode())
        return document

    def count(self, only: Filter = Filter()) -> int:  # noqa: B008 -- it cannot change
        """How many samples there are."""
        where, values = self._where(only)
        sql = f"SELECT count(*) FROM samples WHERE {where}"  # noqa: S608 -- known columns
        return int(self._rows(sql, values)[0][0])

    def worst(
        self,
        count: int,
        only: Filter = Filter(),  # noqa: B008 -- it cannot change
        skipped: int = 0,
    ) -> list[dict[str, Any]]:
        """The samples with the worst scores, or values of the metric, the worst first.

        The lowest are the worst, but for metrics of which low values are good.
        """
        where, values = self._where(only)
        by = self._column(only.metric)
        shown = [by, *(["score"] if only.metric else []), "id", "verdict", "errors"]
        listed = ", ".join(map(quoted, dict.fromkeys(shown)))
        rows = self._rows(
            f"SELECT {listed} FROM samples WHERE {where} AND {quoted(by)} IS NOT NULL "  # noqa: S608 -- a known column
            f"ORDER BY {quoted(by)} {self._order(only.metric)}, id LIMIT ? OFFSET ?",
            [*values, count, skipped],
        )
        return [dict(zip(dict.fromkeys(shown), row, strict=True)) for row in rows]

    def sample(self, id: str) -> dict[str, Any]:
        """All columns of one sample."""
        rows = self._rows("SELECT * FROM samples WHERE id = ?", [id])
        if not rows:
            raise NotFoundError(f"there is no sample {id!r} in {self._path!r}")
        return dict(zip(self.columns, rows[0], strict=True))

    def histogram(
        self,
        metric: str,
        bins: int = 20,
        only: Filter = Filter(),  # noqa: B008 -- it cannot change
    ) -> list[ScoreBin]:
        """The values of a metric in bins of equal width; the last one includes its end."""
        column = quoted(self._column(metric))
        where, values = self._where(only)
        (low, high), *_ = self._rows(
            f"SELECT min({column}), max({column}) FROM samples WHERE {where}",  # noqa: S608 -- a known column
            values,
        )
        if low is None:
            return []
        width = (high - low) / bins or 1.0
        counted = self._rows(
            f"SELECT least(?, floor(({column} - ?) / ?))::BIGINT AS bin, count(*) FROM samples "  # noqa: S608 -- a known column
            f"WHERE {where} AND {column} IS NOT NULL GROUP BY bin",
            [bins - 1, low, width, *values],
        )
        counts = dict(counted)
        return [
            ScoreBin(low + place * width, low + (place + 1) * width, counts.get(place, 0))
            for place in range(bins)
        ]

    def close(self) -> None:
        """Let go of the files."""
        self._connection.close()

    def _files(self) -> list[str]:
        path = self._path
        if not is_address(path) and Path(path).is_file():
            return [path]
        names = open_folder(path).names(".parquet")
        parts = [name for name in names if name.startswith("samples/")]
        if not parts:
            raise DataError(f"{path!r} holds no scores; expected a .parquet file or a run's folder")
        return [f"{path}/{name}" for name in parts]

    def _declarations(self, file: str) -> dict[str, Any]:
        """What holds for each metric, by the metadata of a file."""
        sql = "SELECT value FROM parquet_kv_metadata(?) WHERE key::VARCHAR = 'assay'"
        rows = self._rows(sql, [literal(file)])
        if not rows:
            raise DataError(f"{file!r} holds no scores of Assay")
        metrics: dict[str, Any] = loads(bytes(rows[0][0]).decode())["metrics"]
        return metrics

    def _order(self, metric: str | None) -> str:
        """Which end is the worst."""
        is_low_good = metric is not None and self._declared[metric]["polarity"] == "lower"
        return "DESC" if is_low_good else "ASC"

    def _column(self, metric: str | None) -> str:
        if metric is None:
            return "score"
        if metric not in self.metrics:
            raise UsageError(f"{metric!r} was not scored; the run has {', '.join(self.metrics)}")
        return metric

    def _where(self, only: Filter) -> tuple[str, list[Any]]:
        """The condition, and the values of its parameters."""
        column = self._column(only.metric)
        verdict = quoted(f"{column}{VERDICT}" if only.metric else "verdict")
        parts, values = ["problem IS NULL"], list[Any]()
        if only.verdict == "none":
            parts.append(f"{verdict} IS NULL")
        elif only.verdict in VERDICTS:
            parts.append(f"{verdict} = ?")
            values.append(only.verdict)
        elif only.verdict is not None:
            raise UsageError(
                f"the verdict is {only.verdict!r}; expected one of {', '.join(VERDICTS)}"
            )
        for sign, limit in ((">=", only.low), ("<=", only.high)):
            if limit is not None:
                parts.append(f"{quoted(column)} {sign} ?")
                values.append(limit)
        if only.search:
            parts.append("contains(id, ?)")
            values.append(only.search)
        return " AND ".join(parts), values

    def _rows(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        try:
            rows: list[tuple[Any, ...]] = self._connection.execute(sql, values).fetchall()
        except self._errors as error:
            reason = str(error).splitlines()[0]
            raise DataError(f"{self._path!r} cannot be read: {reason}") from None
        return rows
