"""Dates of field values in other languages than English and Arabic: "14 juillet 2025", 令和6年."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from assay.data.bundled_files import read_bundled_toml

TABLE = "foreign_dates.toml"
FIRST_YEAR = "元"
"""Stands for the first year of an era."""


def in_digits(text: str) -> str:
    """The text with its East Asian date as 2024-04-01, years of an era counted on."""
    match = _east_asian().search(text)
    if match is None:
        return text
    era, count, year, month, day = match.groups()
    if era:
        year = str(_table()["eras"][era] + (1 if count == FIRST_YEAR else int(count)))
    parts = [f"{int(part):02}" for part in (month, day) if part]
    return f"{text[: match.start()]}{'-'.join((year, *parts))}{text[match.end() :]}"


@cache
def foreign_months() -> Mapping[str, int]:
    """Name of a month, without accents → its number."""
    return _numbered(_table()["months"])


@cache
def foreign_weekdays() -> Mapping[str, int]:
    """Name of a day of the week, without accents → its number, 1 for Monday."""
    return _numbered(_table()["weekdays"])


@cache
def _table() -> Mapping[str, Mapping[str, Any]]:
    return read_bundled_toml(TABLE)


def _numbered(lists: Mapping[str, Sequence[str]]) -> Mapping[str, int]:
    return {name: number for names in lists.values() for number, name in enumerate(names, 1)}


@cache
def _east_asian() -> re.Pattern[str]:
    eras = "|".join(_table()["eras"])
    year = rf"(?:({eras}) ?(\d{{1,2}}|{FIRST_YEAR})|(\d{{4}})) ?[年년]"
    weekday = r"(?: ?\([月火水木金土日월화수목금토일]\))?"
    return re.compile(rf"{year} ?(\d{{1,2}}) ?[月월](?: ?(\d{{1,2}}) ?[日일])?{weekday}")
