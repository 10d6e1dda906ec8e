"""The time of day, for what people read; scores never depend on it."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from time import time

VARIABLE = "SOURCE_DATE_EPOCH"
"""Seconds since 1970 that stand in for the clock, so that the same run gives the same bytes."""


def now() -> str:
    """The moment as ISO 8601 in UTC."""
    given = os.environ.get(VARIABLE, "")
    seconds = float(given) if given.isdecimal() else time()
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
