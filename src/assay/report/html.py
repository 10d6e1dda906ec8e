"""The report as one HTML file: the dashboard's own pages with the data of one run inside.

The page is built from `web/` into the package. It asks nothing of anyone; its policy lets its own
script and style run and nothing else, and data is text in it, never markup.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from assay.core import Sample, Scores, Summary, UsageError
from assay.report.html_data import About, ReportData
from assay.report.output_files import OutputFile

MARKER = "<!--REPORT-DATA-->"
"""Where the page has its data."""
_ESCAPES = str.maketrans({char: f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"})
"""What could end a script or a line of one, as JSON writes it inside texts."""


class HtmlWriter:
    """Writes the report; raises `UsageError` at once where the page was not built."""

    def __init__(self, path: str, about: About) -> None:
        self._page = page()
        self._output = OutputFile(path)
        self._data = ReportData(about)

    def write(self, sample: Sample, scores: Scores) -> None:
        """Count the sample; the worst are kept."""
        self._data.add(sample, scores)

    def close(self, summary: Summary) -> None:
        """Put the data into the page, and the page in its place."""
        before, after = self._page
        self._output.write(f'{before}<script type="application/json" id="report-data">')
        self._output.write(self._data.to_text(summary).translate(_ESCAPES))
        self._output.write(f"</script>{after}")
        self._output.commit()

    def abort(self) -> None:
        """Leave nothing."""
        self._output.discard()


@cache
def page() -> tuple[str, str]:
    """The page before and after its data; raises `UsageError` where it was not built."""
    built = files("assay.report") / "page" / "report.html"
    if not built.is_file():
        raise UsageError(
            "HTML reports are not part of this installation: npm was not available when Assay was "
            "installed; reinstall it with npm or from a wheel, or choose another format: "
            ".md, .json, .csv"
        )
    before, _, after = built.read_text(encoding="utf-8").partition(MARKER)
    return before, after
