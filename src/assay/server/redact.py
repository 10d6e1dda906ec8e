"""The log of the server: one line an event, without secrets, and never very many."""

from __future__ import annotations

import logging

from assay.core.secrets import Redactor
from assay.report.safe_text import visible
from assay.server.log_limit import LogLimit

MAX_LINE = 20_000
"""Characters of one line; a longer one, such as a deep trace, loses its middle."""


class RedactingFormatter(logging.Formatter):
    """One event is one line, without secrets and without characters that act on a terminal."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._redactor = redactor

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line = visible(self._redactor(super().format(record))).replace("\n", "\\n")
        half = MAX_LINE // 2
        return line if len(line) <= MAX_LINE else f"{line[:half]} … {line[-half:]}"


def set_up_logging(redactor: Redactor, level: str = "INFO") -> None:
    """Send all events of this process through the redactor to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(RedactingFormatter(redactor))
    handler.addFilter(LogLimit())
    logging.basicConfig(handlers=[handler], level=level, force=True)
