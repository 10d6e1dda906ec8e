"""The log of the server: one line an event, without secrets."""

from __future__ import annotations

import logging

from assay.core.secrets import Redactor
from assay.report.safe_text import visible


class RedactingFormatter(logging.Formatter):
    """One event is one line, without secrets and without characters that act on a terminal."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._redactor = redactor

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        return visible(self._redactor(super().format(record))).replace("\n", "\\n")


def set_up_logging(redactor: Redactor, level: str = "INFO") -> None:
    """Send all events of this process through the redactor to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(RedactingFormatter(redactor))
    logging.basicConfig(handlers=[handler], level=level, force=True)
