"""Opens a report for writing; its format is chosen by the file's ending."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Protocol

from assay.core import Sample, Scores, Summary, UsageError
from assay.core.result_records import Declaration, Detail
from assay.report.csv_file import CsvRows
from assay.report.html import HtmlWriter
from assay.report.html_data import About
from assay.report.json_file import JsonLines, JsonReport
from assay.report.junit import JUnitWriter
from assay.report.markdown import markdown_page
from assay.report.openmetrics import openmetrics_page
from assay.report.otlp_events import EvaluationEvents
from assay.report.output_files import OutputFile, PackedFile, ReportOutput, StandardOutput
from assay.report.parquet import ParquetWriter


class Writer(Protocol):
    """Takes the scored samples of a run one by one, then its summary.

    Nothing is seen at the target before `close`; after `abort` there is nothing new there.
    """

    def write(self, sample: Sample, scores: Scores) -> None:
        """Add one scored sample."""

    def close(self, summary: Summary) -> None:
        """Add the summary and put the file in place."""

    def abort(self) -> None:
        """Throw away what was written; after `close` this does nothing."""


class Format(Protocol):
    """A text format that is written sample by sample."""

    def sample(self, sample: Sample, scores: Scores) -> str:
        """The text for one sample."""

    def end(self, summary: Summary) -> str:
        """The text after the last sample."""


class StreamWriter:
    """Writes a format that has a piece of text for each sample."""

    def __init__(self, output: ReportOutput, format: Format) -> None:
        self._output = output
        self._format = format

    def write(self, sample: Sample, scores: Scores) -> None:
        self._output.write(self._format.sample(sample, scores))

    @property
    def renderer(self) -> JsonLines | None:
        """What makes the text in another process; None where only this one can."""
        is_parallel = isinstance(self._format, JsonLines) and self._format.is_parallel
        return self._format if is_parallel and isinstance(self._format, JsonLines) else None

    def write_encoded(self, text: bytes) -> None:
        """Add the text of some samples, which the renderer made."""
        if text and self.renderer:
            self.renderer.declare()
        self._output.write_encoded(text)

    def close(self, summary: Summary) -> None:
        self._output.write(self._format.end(summary))
        self._output.commit()

    def abort(self) -> None:
        self._output.discard()


class PageWriter:
    """Writes a page made from the summary alone."""

    needs_reasons = needs_samples = False

    def __init__(self, output: ReportOutput, page: Callable[[Summary], str]) -> None:
        self._output = output
        self._page = page

    def write(self, sample: Sample, scores: Scores) -> None:
        """Nothing: the summary holds the samples that the page shows."""

    def count(self, scored: int) -> None:
        """Nothing, as well."""

    def close(self, summary: Summary) -> None:
        self._output.write(self._page(summary))
        self._output.commit()

    def abort(self) -> None:
        self._output.discard()


UNKNOWN = About()
"""A run of which nothing is known but its scores."""


class JsonFileOptions(NamedTuple):
    """How the records of a JSON file are written."""

    detail: Detail = "full"
    declared: Mapping[str, Declaration] | None = None
    """What holds for each metric of the run; None where it is taken from the first scores."""


_OPENERS: dict[str, Callable[[str, About, JsonFileOptions], Writer]] = {
    ".jsonl": lambda path, _, options: StreamWriter(OutputFile(path), JsonLines(*options)),
    ".jsonl.gz": lambda path, _, options: StreamWriter(PackedFile(path), JsonLines(*options)),
    ".json": lambda path, _, options: StreamWriter(OutputFile(path), JsonReport(*options)),
    ".csv": lambda path, *_: StreamWriter(OutputFile(path), CsvRows()),
    ".parquet": lambda path, _, options: ParquetWriter(path, *options),
    ".html": lambda path, about, _: HtmlWriter(path, about),
    ".md": lambda path, *_: PageWriter(OutputFile(path), markdown_page),
    ".xml": lambda path, *_: JUnitWriter(path),
    ".otlp.json": lambda path, *_: StreamWriter(OutputFile(path), EvaluationEvents()),
    ".prom": lambda path, *_: PageWriter(OutputFile(path), openmetrics_page),
}


def open_writer(
    path: str,
    about: About = UNKNOWN,
    detail: Detail = "full",
    declared: Mapping[str, Declaration] | None = None,
) -> Writer:
    """A writer of the format that the path's ending names; `-` is standard output as JSONL.

    A report for people also shows what it is `about`. `detail` says which scores of a JSON file
    have their reasons, `declared` what holds for each metric of the run.
    """
    options = JsonFileOptions(detail, declared)
    if path == "-":
        return StreamWriter(StandardOutput(), JsonLines(*options))
    name = Path(path).name.lower()
    known = [ending for ending in _OPENERS if name.endswith(ending) and name != ending]
    if not known:
        ending = Path(path).suffix.lower()
        problem = f"ends with {ending!r}" if ending else "has no ending"
        raise UsageError(
            f"{path!r} {problem}; expected one of {' '.join(_OPENERS)}, or '-' for standard output"
        )
    return _OPENERS[max(known, key=len)](path, about, options)


def check_outputs(paths: Iterable[str]) -> None:
    """Raise now for what cannot be written, before work begins that would be left unfinished."""
    for path in paths:
        if path != "-":
            open_writer(path).abort()


@contextmanager
def open_writers(
    paths: Iterable[str],
    about: About = UNKNOWN,
    detail: Detail = "full",
    declared: Mapping[str, Declaration] | None = None,
) -> Iterator[list[Writer]]:
    """Writers to all paths; when the work with them fails, none leaves anything behind."""
    writers: list[Writer] = []
    try:
        for path in paths:
            writers.append(open_writer(path, about, detail, declared))  # noqa: PERF401 -- the others are aborted
        yield writers
    except BaseException:
        for writer in writers:
            writer.abort()
        raise
