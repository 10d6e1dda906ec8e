"""Results as files, tables and pages: JSONL, JSON, CSV, Parquet, HTML, Markdown, JUnit, terminal.

Text that comes from data is never trusted: every format escapes it in its own way.
"""

from assay.report.cases import Case, read_cases
from assay.report.html_data import About
from assay.report.metric_pages import metric_page
from assay.report.table import print_summary
from assay.report.writers import Writer, check_outputs, open_writer, open_writers

__all__ = [
    "About",
    "Case",
    "Writer",
    "check_outputs",
    "metric_page",
    "open_writer",
    "open_writers",
    "print_summary",
    "read_cases",
]
