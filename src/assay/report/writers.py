"""Opens a report for writing; its format is chosen by the file's ending."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from assay.core import Sample, Scores, Summary, UsageError
from assay.report.csv_file import CsvRows
from assay.report.files import Output, OutputFile, StandardOutput
from assay.report.html import html_page
from assay.report.json_file import JsonDocument, JsonLines
from assay.report.junit import JUnitWriter
from assay.report.markdown import markdown_page
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

    def __init__(self, output: Output, format: Format) -> None:
        self._output = output
        self._format = format

    def write(self, sample: Sample, scores: Scores) -> None:
        self._output.write(self._format.sample(sample, scores))

    def close(self, summary: Summary) -> None:
        self._output.write(self._format.end(summary))
        self._output.commit()

    def abort(self) -> None:
        self._output.discard()


class PageWriter:
    """Writes a page made from the summary alone."""

    def __init__(self, output: Output, page: Callable[[Summary], str]) -> None:
        self._output = output
        self._page = page

    def write(self, sample: Sample, scores: Scores) -> None:
        """Nothing: the summary holds the samples that the page shows."""

    def close(self, summary: Summary) -> None:
        self._output.write(self._page(summary))
        self._output.commit()

    def abort(self) -> None:
        self._output.discard()


_OPENERS: dict[str, Callable[[str], Writer]] = {
    ".jsonl": lambda path: StreamWriter(OutputFile(path), JsonLines()),
    ".json": lambda path: StreamWriter(OutputFile(path), JsonDocument()),
    ".csv": lambda path: StreamWriter(OutputFile(path), CsvRows()),
    ".parquet": ParquetWriter,
    ".html": lambda path: PageWriter(OutputFile(path), html_page),
    ".md": lambda path: PageWriter(OutputFile(path), markdown_page),
    ".xml": JUnitWriter,
}


def open_writer(path: str) -> Writer:
    """A writer of the format that the path's ending names; `-` is standard output as JSONL."""
    if path == "-":
        return StreamWriter(StandardOutput(), JsonLines())
    ending = Path(path).suffix.lower()
    if ending not in _OPENERS:
        found = f"ends with {ending!r}" if ending else "has no ending"
        raise UsageError(
            f"{path!r} {found}; expected one of {' '.join(_OPENERS)}, or '-' for standard output"
        )
    return _OPENERS[ending](path)


@contextmanager
def open_writers(paths: Iterable[str]) -> Iterator[list[Writer]]:
    """Writers to all paths; when the work with them fails, none leaves anything behind."""
    writers: list[Writer] = []
    try:
        for path in paths:
            writers.append(open_writer(path))  # noqa: PERF401 -- those opened so far are aborted
        yield writers
    except BaseException:
        for writer in writers:
            writer.abort()
        raise
