"""The bundled suites as records: `suite:jailbreak`, `suite:evasion.ar,extraction`, `suite:all`."""

from __future__ import annotations

from collections.abc import Iterator

from assay.data.suites import suites
from assay.samples.raw_records import RawRecord, numbered

SUITE = "suite:"
"""How a source begins that names suites instead of a file."""


def suite_records(source: str) -> Iterator[RawRecord]:
    """The records of the suites that a source names; an unknown one raises `UsageError`."""
    named = [name.strip() for name in source.removeprefix(SUITE).split(",")]
    return numbered([record for suite in suites(*named) for record in suite.records()])
