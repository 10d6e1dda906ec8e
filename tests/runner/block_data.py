"""Parquet data and metrics for tests of runs by blocks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from assay.core.errors import AssayError
from assay.runner.block_run import BlockData, BlockRequest
from assay.runner.execute import RunRequest, RunResult, execute
from assay.runner.job import make_job
from assay.settings import Settings

METRICS = ("text.safety", "text.coherence")
PLUGIN = """
import os
import signal
from pathlib import Path

import assay

@assay.metric(id="custom.length", inputs=("response",), range=(0, None), polarity="higher")
def length(response: str) -> float:
    '''How long the response is; some samples end their process, but only the first times.'''
    words = response.split()
    if "fatal" in words:
        mark = Path({folder!r}, words[1])
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
    if "poison" in words:
        os.kill(os.getpid(), signal.SIGKILL)
    return len(response)
"""
"""A metric that ends the process of some samples: once for `fatal`, always for `poison`."""


def write_data(
    folder: Path, count: int = 60, files: int = 2, questions: int = 0, **texts: str
) -> str:
    """A data set of so many records in some files; `texts` gives others by number: `n7`.

    With a number of questions, the records are answers to them in turn.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir()
    usual = ["A fine answer.", "You are an idiot.", "Write to joe@example.com, perhaps."]
    rows = [
        {
            "id": f"r{n:03}",
            "response": texts.get(f"n{n}", f"Number {n}: {usual[n % 3]}"),
            "duration": -1.0 if n == 11 else 1.0,
            **({"repeat_of": f"q{n % questions}"} if questions else {}),
        }
        for n in range(count)
    ]
    size = count // files
    for number in range(files):
        part = rows[number * size : (number + 1) * size]
        pq.write_table(pa.Table.from_pylist(part), folder / f"part-{number}.parquet")
    return str(folder)


def run(
    data: str, out: str, *, engine: str = "local", resume: bool = False, **options: Any
) -> RunResult:
    """A run by blocks of seven rows."""
    known = ("detail", "gates", "redact", "record", "observer")
    extra = {name: options.pop(name) for name in known if name in options}
    plugins = options.pop("plugins", ())
    settings = Settings.load(overrides={"metrics": METRICS, **options})
    source = BlockData(data, settings)
    return execute(
        RunRequest(
            items=source.items(),
            job=make_job(settings, plugins=plugins),
            settings=settings,
            blocks=BlockRequest(data=source, out=out, engine=engine, resume=resume, rows=7),
            **{"detail": "values", **extra},
        )
    )


def streamed(data: str, out: str, **options: Any) -> RunResult:
    """The same in one piece."""
    from assay.samples import read_samples

    detail = options.pop("detail", "values")
    plugins, record = options.pop("plugins", ()), options.pop("record", None)
    settings = Settings.load(overrides={"metrics": METRICS, **options})
    return execute(
        RunRequest(
            items=read_samples(data),
            job=make_job(settings, plugins=plugins),
            settings=settings,
            out=(out,),
            detail=detail,
            record=record,
        )
    )


def rows(path: Path | str) -> list[dict[str, Any]]:
    """The rows of a file or folder, by id and problem."""
    import pyarrow.parquet as pq

    table = pq.read_table(path)
    if table.num_rows == 0:
        raise AssayError(f"{path} is empty")
    return sorted(table.to_pylist(), key=str)
